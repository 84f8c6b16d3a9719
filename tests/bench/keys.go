//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/client"
)

const (
	keyRounds  = 20
	keyAgents  = 3
	keyRate    = 20 // lines a second, each: as fast as Claude writes
	readRounds = 12
	keyRest    = 150 * time.Millisecond // between two keys, as a person rests
	debounced  = 700 * time.Millisecond // a question that has just come takes no answer
	hugeBoard  = 10_000
)

// pressedScript resolves with how long it is from a key to the end of the frame
// in which the page shows what it does, in milliseconds.
const pressedScript = `window.pressed = (shows) => new Promise((done, never) => {
  setTimeout(never, 20_000);
  addEventListener('keydown', (event) => {
    const look = () => shows()
      ? setTimeout(() => done(performance.now() - event.timeStamp))
      : requestAnimationFrame(look);
    requestAnimationFrame(look);
  }, { capture: true, once: true });
})`

// keys takes how long the page takes from a key to what it shows, with a full
// board and agents at work.
func keys(b *bench) {
	working := fmt.Sprintf("match: Work\ntext %s\npace 100000000 %d @mix\n-- mix --\n%s", firstWords, keyRate, mixture())
	asking := "match: Ask\n" + strings.Repeat("ask Which one? | Left | Right\n", keyRounds)
	read := "match: Read\n" + strings.Repeat("read README.md\ntext "+firstWords+"\n", readRounds) + "text Done.\n"
	s := b.serve("text Done.\n", b.TempDir(), working, asking, read)
	settings := beckon.DefaultSettings()
	settings.Slots = keyAgents + 1
	client.Must[any](s.Program, "SaveSettings", settings)
	s.fill(many - keyAgents - 1 - keyRounds)
	opened := s.worked(keyRounds)
	for i := range keyAgents {
		s.create(fmt.Sprintf("Work on the %dth server", i), beckon.Running)
	}
	s.create("Ask how it goes on", beckon.Running)

	tab := b.chromium()
	tab.visit(s.Program, "#/")
	tab.until("document.querySelector('.card.needs') !== null")
	tab.call("Runtime.evaluate", map[string]any{"expression": pressedScript})
	load := fmt.Sprintf("key to frame, %d tasks, %d agents at work: ", many, keyAgents)

	tab.focus("[data-task]")
	b.row(load+"J, the next card", tab.repeat("", "j", "((was) => () => document.activeElement !== was && document.activeElement.matches('.card'))(document.activeElement)"))
	tab.palette(load)
	tab.filter(load)
	b.row(load+"Enter, a task with its session", tab.opens(s, opened))
	b.row(load+"1, the answer", tab.answers())
	b.huge()
}

// huge takes how long a board of very many cards takes to come.
func (b *bench) huge() {
	s := b.serve("text Done.\n", b.TempDir())
	s.fill(hugeBoard)
	load := fmt.Sprintf("key to frame, %d tasks: ", hugeBoard)
	tab := b.chromium()
	tab.visit(s.Program, "#/settings")
	tab.until("document.querySelector('.set-in h1') !== null")
	tab.call("Runtime.evaluate", map[string]any{"expression": pressedScript})
	var took []float64
	for range keyRounds {
		tab.press("g")
		took = append(took, tab.pressFor("b", "() => document.querySelector('[data-task]') !== null"))
		tab.press("Mod ,")
		tab.until("document.querySelector('.set-in h1') !== null")
	}
	b.print(fmt.Sprintf("%sG B, the board: p95 (median %.0f ms)", load, median(took)), p95(took), "ms", atMost(300))
	tab.press("g")
	tab.press("b")
	tab.until("document.querySelector('[data-task]') !== null")
	tab.focus("[data-task]")
	tab.palette(load)
	tab.filter(load)
}

// shown is a script that reports whether something is in the page.
func shown(selector string) string {
	return fmt.Sprintf("() => document.querySelector(%q) !== null", selector)
}

// palette takes how long the palette takes to open, and to find.
func (t *tab) palette(load string) {
	opened := shown("dialog.palette [role=option]")
	t.b.row(load+"Mod K, the palette", t.repeat("Escape", "Mod k", opened))
	t.press("Mod k")
	t.until("(" + opened + ")()")
	t.b.row(load+"a letter in the palette", t.repeat("Backspace", "p", shown("dialog.palette [role=option] mark")))
	t.press("Escape")
	t.until("!(" + shown("dialog[open]") + ")()")
}

// filter takes how long the filter line takes to come, to offer and to filter.
func (t *tab) filter(load string) {
	t.focus("[data-task]")
	t.b.row(load+"F, the filter", t.repeat("Escape", "f", shown(".ftype:focus")))
	t.press("f")
	t.until("(" + shown(".ftype:focus") + ")()")
	t.b.row(load+"a letter in the filter", t.repeat("Backspace", "p", shown(".offered [role=option]")))
	var took []float64
	for range keyRounds {
		t.press("1")
		t.press("5")
		t.until("(" + shown(".offered [role=option]") + ")()")
		time.Sleep(keyRest)
		took = append(took, t.pressFor("Enter", shown(".fchip")))
		t.press("Backspace")
		t.until("!(" + shown(".fchip") + ")()")
		time.Sleep(keyRest)
	}
	t.b.row(load+"Enter, the cards that are left", took)
	t.press("Escape")
	t.until("!(" + shown(".ftype") + ")()")
}

func (b *bench) row(name string, took []float64) {
	b.print(fmt.Sprintf("%s: p95 (median %.0f ms)", name, median(took)), p95(took), "ms", atMost(50))
}

func p95(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[(len(sorted)*95+99)/100-1]
}

// fill makes so many cards in the backlog, some at once.
func (s *stage) fill(cards int) {
	const some = 500
	var list []beckon.NewTask
	for i := range cards {
		list = append(list, beckon.NewTask{ProjectID: s.project.ID, Title: fmt.Sprintf("Card %d: parse the headers of what the %dth server sends", i, i%17), Status: beckon.Backlog, Labels: []string{}})
		if len(list) == some || i == cards-1 {
			client.Must[any](s.Program, "CreateTasks", list)
			list = nil
		}
	}
}

// repeat presses a key many times and returns how long it took to show what
// it does; back is the key that undoes it, if it takes one.
func (t *tab) repeat(back, key, shows string) []float64 {
	var took []float64
	for range keyRounds {
		took = append(took, t.pressFor(key, shows))
		if back != "" {
			t.press(back)
			t.until("!(" + shows + ")()")
		}
		time.Sleep(keyRest)
	}
	return took
}

// worked makes so many tasks, each with a session that is over, and returns their ids.
func (s *stage) worked(tasks int) []string {
	var ids []string
	for i := range tasks {
		ids = append(ids, s.create(fmt.Sprintf("Read what the %dth server sends", i), beckon.Queued).ID)
	}
	for _, id := range ids {
		s.InReview(id)
		client.Must[beckon.Task](s.Program, "MoveTask", id, beckon.Done, 0)
	}
	return ids
}

// opens opens one task after the other, each for the first time, and puts it
// away: only what is in sight has a card.
func (t *tab) opens(s *stage, tasks []string) []float64 {
	var took []float64
	session, card := shown("[role=log] .virtual-row"), ".lane:last-of-type [data-task]"
	ids, err := json.Marshal(tasks)
	t.b.must(err)
	for range tasks {
		t.until("(" + shown(card) + ")()")
		id := tasks[int(t.number(fmt.Sprintf("%s.indexOf(document.querySelector(%q).dataset.task)", ids, card)))]
		t.focus(card)
		time.Sleep(keyRest)
		took = append(took, t.pressFor("Enter", session))
		t.press("Escape")
		t.until("!(" + session + ")()")
		client.Must[beckon.Task](s.Program, "MoveTask", id, beckon.Archived, 0)
		t.until(fmt.Sprintf("document.querySelector(%q)?.dataset.task !== %q", card, id))
	}
	return took
}

// answers answers one question after the other on its card.
func (t *tab) answers() []float64 {
	var took []float64
	for range keyRounds - 1 {
		t.until("document.querySelector('.card.needs') !== null")
		t.focus(".card.needs")
		time.Sleep(debounced)
		took = append(took, t.pressFor("1", "() => document.querySelector('.card.needs') === null"))
	}
	return took
}

// pressFor presses a key and returns how long it took until the page shows it.
func (t *tab) pressFor(key, shows string) float64 {
	t.call("Runtime.evaluate", map[string]any{"expression": "window.took = window.pressed(" + shows + "); 0"})
	t.press(key)
	return t.number("window.took")
}

// press presses a key, which is held with Mod where its name says so.
func (t *tab) press(name string) {
	key, mod := strings.CutPrefix(name, "Mod ")
	event := map[string]any{"key": key, "windowsVirtualKeyCode": virtualKeys[key]}
	if len(key) == 1 {
		event["windowsVirtualKeyCode"] = int(strings.ToUpper(key)[0])
	}
	switch {
	case mod && key != strings.ToLower(key) && len(key) == 1:
		event["modifiers"] = 2 | 8 // Shift makes the capital letter
	case mod:
		event["modifiers"] = 2
	case len(key) == 1:
		event["text"] = key
	case key == "Enter":
		event["text"] = "\r"
	}
	for _, kind := range []string{"keyDown", "keyUp"} {
		event["type"] = kind
		t.call("Input.dispatchKeyEvent", event)
		delete(event, "text")
	}
}

var virtualKeys = map[string]int{"Escape": 27, "Enter": 13, "Backspace": 8, "ArrowDown": 40, " ": 32}

func (t *tab) focus(selector string) {
	t.call("Runtime.evaluate", map[string]any{"expression": fmt.Sprintf("document.querySelector(%q).focus()", selector)})
}

// until waits until an expression is true.
func (t *tab) until(expression string) {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		var reply struct{ Result struct{ Value any } }
		t.b.must(json.Unmarshal(t.call("Runtime.evaluate", map[string]any{"expression": expression}), &reply))
		if reply.Result.Value == true {
			return
		}
	}
	t.b.Fatalf("never: %s", expression)
}
