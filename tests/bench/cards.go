//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/store"
	"beckon/tests/client"
)

// So many cards and runs are years of work; every second card had one run.
const (
	ageCards = 10_000
	ageRuns  = 5_000
	ageRest  = 2 * time.Second
	dragFor  = 4 * time.Second
)

// cards takes what a board costs that has grown for years.
func cards(b *bench) {
	data := b.aged()
	load := fmt.Sprintf("%d cards, %d runs: ", ageCards, ageRuns)
	b.firstFrames(data, load)
	s := client.Serve(b, b.beckon, b.env(), "-data", data, "-claude", "none")
	b.boards(s, load)
	b.drags(s, load)
}

// aged makes the data folder: a project with cards in all columns, with briefs as
// people write them. The rows are written as the program writes them.
func (b *bench) aged() (data string) {
	data = filepath.Join(b.TempDir(), "data")
	s, err := store.Open(b.ctx, data)
	b.must(err)
	project := beckon.Project{Name: "Aged", Key: "AGE", Dir: b.TempDir(), Mode: beckon.ModeAuto, Policy: beckon.Proceed, WaitMs: beckon.DefaultWaitMs, Trusted: true}
	b.must(s.AddProject(b.ctx, &project))
	columns := []beckon.Status{beckon.Backlog, beckon.Review, beckon.Done, beckon.Backlog, beckon.Archived, beckon.Backlog, beckon.Review, beckon.Done, beckon.Done, beckon.Queued}
	for i := range ageCards {
		task := beckon.Task{
			ProjectID: project.ID, Title: fmt.Sprintf("Card %d: parse the headers of what the %dth server sends", i, i%17),
			Brief: strings.Repeat("The parser takes a folded header for two. ", 8), Status: columns[i%len(columns)], Labels: []string{"parser"},
		}
		b.must(s.CreateTask(b.ctx, &task))
		if i >= ageRuns {
			continue
		}
		b.must(s.AddRun(b.ctx, &beckon.Run{
			TaskID: task.ID, Kind: beckon.TaskRun, Outcome: beckon.Succeeded, Session: beckon.NewID(), Model: "claude-opus-4-8",
			Mode: beckon.ModeAuto, Started: beckon.Now(), Ended: beckon.Now(), Turns: 3,
		}))
	}
	b.must(s.Close())
	return data
}

// firstFrames takes what a client that begins is sent, and what the back end holds once
// the client has all.
func (b *bench) firstFrames(data, load string) {
	var took, size, all, weight []float64
	for range rounds {
		s := client.Serve(b, b.beckon, b.env(), "-data", data, "-claude", "none")
		began := time.Now()
		raw := client.Must[json.RawMessage](s, "Attach", clientID)
		took = append(took, time.Since(began).Seconds()*1000)
		size = append(size, float64(len(raw))/megabyte)
		b.rest(s, raw)
		all = append(all, time.Since(began).Seconds()*1000)
		time.Sleep(ageRest)
		weight = append(weight, pss(b, s.Cmd.Process.Pid))
		s.Close()
	}
	b.print(load+"first frame", median(size), "MB", atMost(2))
	b.print(load+"first frame, asked for until it is read", median(took), "ms", atMost(150))
	b.print(load+"all of the cards, asked for until they are read", median(all), "ms", atMost(1000))
	b.print(load+"back end, after a client has all of the cards (PSS)", median(weight), "MB", atMost(45))
}

// rest fetches what the first frame leaves for later, as the page does, and fails if the
// client then lacks a card or a run.
func (b *bench) rest(s *client.Program, frame json.RawMessage) {
	cards, runs := map[string]bool{}, map[string]bool{}
	for {
		var f beckon.Frame
		b.must(json.Unmarshal(frame, &f))
		for _, e := range f.Events {
			switch {
			case e.Task != nil:
				cards[e.Task.ID] = true
			case e.Run != nil:
				runs[e.Run.ID] = true
			}
		}
		if f.More == "" {
			break
		}
		frame = client.Must[json.RawMessage](s, "AttachMore", f.More)
	}
	if len(cards) != ageCards || len(runs) != ageRuns {
		b.Fatalf("the client has %d cards and %d runs", len(cards), len(runs))
	}
}

// boards takes how long the board takes to come in a browser that was never here.
func (b *bench) boards(s *client.Program, load string) {
	var shown []float64
	for range rounds {
		tab := b.chromium()
		tab.call("Page.enable", nil)
		tab.call("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": shownScript})
		tab.visit(s, "#/")
		shown = append(shown, tab.number("window.boardShown")/1000)
		tab.close()
	}
	b.print(load+"navigation to the board, cold Chromium", median(shown), "s", atMost(1))
}

// drags takes how smooth it is to move a card about, over columns that are scrolled
// to their middle.
func (b *bench) drags(s *client.Program, load string) {
	tab := b.chromium()
	tab.visit(s, "#/")
	tab.until(fmt.Sprintf("[...document.querySelectorAll('.lane .count')].some((e) => e.textContent.replace(/\\D/g, '') >= %d)", ageCards*3/10))
	tab.call("Runtime.evaluate", map[string]any{"expression": "for (const e of document.querySelectorAll('.lane-body')) e.scrollTop = e.scrollHeight / 2"})
	time.Sleep(ageRest)
	drawn := tab.number("document.querySelectorAll('.card').length")
	tab.mouse("mouseMoved", 120, 500, 0)
	tab.mouse("mousePressed", 120, 500, 1)
	rate, worst := tab.smooth(func(at float64) { tab.mouse("mouseMoved", 120+at*1200, 450+100*at, 1) })
	tab.mouse("mouseReleased", 120, 500, 0)
	held := fmt.Sprintf("%sa drag by mouse (%.0f cards drawn)", load, drawn)
	b.print(held, rate, "frames/s", atLeast(58))
	b.print(held+": longest gap", worst, "ms", atMost(50))
	time.Sleep(ageRest)
	tab.focus(".lane .card")
	tab.press(" ")
	rate, worst = tab.smooth(func(at float64) {
		tab.press("ArrowDown")
		time.Sleep(30 * time.Millisecond) // as fast as a key repeats
	})
	tab.press("Escape")
	b.print(load+"a drag by keys, held down", rate, "frames/s", atLeast(58))
	b.print(load+"a drag by keys, held down: longest gap", worst, "ms", atMost(50))
}

// smooth calls step over and over, with how far it is from 0 to 1 and back, and
// returns how many frames a second the page made, and its longest gap between two.
func (t *tab) smooth(step func(at float64)) (rate, worst float64) {
	t.call("Runtime.evaluate", map[string]any{"expression": "if (window.gaps) window.gaps = []; else {" + gapsScript + "}"})
	began := time.Now()
	for took := time.Duration(0); took < dragFor; took = time.Since(began) {
		at := 2 * took.Seconds() / dragFor.Seconds()
		step(min(at, 2-at))
	}
	seconds := time.Since(began).Seconds()
	return t.number("window.gaps.length") / seconds, t.number("Math.max(...window.gaps)")
}

func (t *tab) mouse(kind string, x, y float64, buttons int) {
	event := map[string]any{"type": kind, "x": x, "y": y, "buttons": buttons}
	if kind != "mouseMoved" {
		event["button"], event["clickCount"] = "left", 1
	}
	t.call("Input.dispatchMouseEvent", event)
}
