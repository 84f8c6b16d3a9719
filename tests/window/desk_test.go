//go:build window

package window

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/timeout"
)

// sleeper has a command run for longer than any test takes, unless it is resumed.
const sleeper = "-- script --\nrun sleep 300\n"

// carriesOn is what a resumed agent plays.
const carriesOn = "-- script --\nresume: yes\n\ntext It is done.\n"

func TestASecondStartRaisesTheFirstAndEnds(t *testing.T) {
	s := newStage(t)
	repo := s.furnish("First")
	p := s.openPage("beckon://task/WIN-1")
	p.untilSays("the link of the first start", "location.hash", "#/task/WIN-1")
	if code := p.again("beckon://inbox"); code != 0 {
		t.Errorf("the second start ended with %d", code)
	}
	p.untilSays("the link of the second", "location.hash", "#/inbox")
	for _, hostile := range []string{"beckon://run/WIN-1", "beckon://task/WIN-1?go", "/none/such"} {
		if code := p.again(hostile); code == 0 {
			t.Errorf("%s was taken", hostile)
		}
	}
	if code := p.again(repo); code != 0 {
		t.Errorf("the start with a folder ended with %d", code)
	}
	p.untilSays("the sheet with the folder", `document.querySelector("dialog input.mono")?.value`, repo)
	p.untilSays("nothing ran meanwhile", "location.hash", "#/inbox")
	p.untilEnded()
}

func TestClosingWithoutATrayQuits(t *testing.T) {
	s := newStage(t)
	s.furnish("Nothing to do")
	w := s.open()
	w.untilPainted()
	w.closeWindow()
	if code := w.untilGone(); code != 0 {
		t.Errorf("it ended with %d", code)
	}
}

func TestClosingWithATrayHidesAndSaysSoOnce(t *testing.T) {
	s := newStage(t)
	s.furnish("Nothing to do")
	p := s.openPage()
	p.hostTray()
	p.closeWindow()
	p.until("the window is out of sight", func() bool { return !p.visible() })
	// The sound of an agent that needs the user is heard from here, before any press.
	p.do("globalThis.engine = new AudioContext(); void engine.resume()")
	p.untilSays("a sound can be played", "engine.state", "running")
	if code := p.again(); code != 0 {
		t.Errorf("the second start ended with %d", code)
	}
	p.until("the window is back", p.visible)
	p.untilSays("the hint", `document.querySelector(".toast .text")?.textContent.includes("tray")`, "true")
	p.do(`document.querySelector(".toast .shut").click()`)
	p.closeWindow()
	p.until("the window is out of sight again", func() bool { return !p.visible() })
	p.again("beckon://task/WIN-1")
	p.untilSays("the link that shows it", "location.hash", "#/task/WIN-1")
	p.until("the window is back", p.visible)
	p.untilSays("no second hint", `document.querySelector(".toast") === null`, "true")
	p.untilEnded()
}

func TestQuittingAsksWhatBecomesOfTheAgents(t *testing.T) {
	for choice, want := range map[string]struct {
		button, outcome string
		carriesOn       bool
	}{
		"park": {".small-sheet .primary", "parked", true},
		"stop": {".small-sheet .danger", "stopped", false},
	} {
		t.Run(choice, func(t *testing.T) {
			s := newStage(t)
			s.Write("agents/agent.txtar", sleeper)
			s.Write("agents/resumed.txtar", carriesOn)
			s.furnish("Works on")
			p := s.openPage()
			p.press("j", "q")
			p.untilSays("a run", `document.querySelector(".pulse") !== null`, "true")
			// Only an agent that has told its session is resumed.
			p.until("its command", func() bool { return strings.Contains(strings.Join(p.processes(), "\n"), "sleep 300") })
			p.press("ctrl+q")
			p.untilSays("the question", `document.querySelector("dialog.small-sheet")?.open`, "true")
			p.press("Escape")
			p.untilSays("it stays", `document.querySelector("dialog.small-sheet") === null`, "true")
			p.closeWindow() // there is no tray
			p.untilSays("the question again", `document.querySelector("dialog.small-sheet")?.open`, "true")
			p.save("quit.png")
			_, _ = p.says(fmt.Sprintf(`document.querySelector(%q).click()`, want.button)) // it may be gone before it has said so
			if code := p.untilGone(); code != 0 {
				t.Errorf("it ended with %d", code)
			}
			b := s.Serve()
			defer b.Close()
			task := onlyTask(b)
			if want.carriesOn {
				b.InReview(task.ID)
			}
			runs := client.Must[[]beckon.Run](b, "Runs", task.ID)
			if string(runs[0].Outcome) != want.outcome || len(runs) > 1 != want.carriesOn {
				t.Errorf("the runs are %+v", runs)
			}
		})
	}
}

// onlyTask is the one that furnish made.
func onlyTask(b *client.Program) beckon.Task {
	for _, e := range client.Must[beckon.Frame](b, "Attach", "window").Events {
		if e.Task != nil {
			return *e.Task
		}
	}
	return beckon.Task{}
}

func TestASecondSignalEndsAtOnceAndLeavesNothing(t *testing.T) {
	s := newStage(t)
	// It hears no interrupt, so that Beckon waits for it at the first signal.
	s.Write("agents/agent.txtar", "-- script --\ndeaf\nrun sleep 300\n")
	s.furnish("Will not end")
	w := s.open()
	w.untilPainted()
	w.press("j", "q")
	w.until("its command", func() bool { return strings.Contains(strings.Join(w.processes(), "\n"), "sleep 300") })
	for range 2 {
		if err := syscall.Kill(w.pid, syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		time.Sleep(200 * time.Millisecond) // two signals at once are one
	}
	began := time.Now()
	if code := w.untilGone(); code != 130 {
		t.Errorf("it ended with %d", code)
	}
	if took := time.Since(began); took > timeout.For(2*time.Second) {
		t.Errorf("it took %s", took)
	}
	w.until("nothing is left", func() bool { return len(w.processes()) == 0 })
}

func TestAPageThatCrashesComesBackWithWhatWasTyped(t *testing.T) {
	s := newStage(t)
	s.Write("agents/agent.txtar", "-- script --\nask Which? | Left | Right\nwrite side.txt ${answer}\n")
	s.furnish("Asks")
	p := s.openPage()
	p.press("j", "q")
	p.untilTitled("(1) Beckon")
	p.again("beckon://task/WIN-1")
	p.untilSays("the task's page", `document.querySelector("textarea") !== null`, "true")
	p.do(`document.querySelector(".composer textarea").focus()`)
	p.tool("xdotool", "type", "half a thought")
	p.untilSays("the text", `document.querySelector(".composer textarea").value`, "half a thought")
	time.Sleep(time.Second)            // a draft is kept when typing rests
	p.patient = 200 * time.Millisecond // a page that is gone says nothing
	for round := range 2 {
		p.crash()
		took := p.untilSays("the page", `location.hash + " " + document.querySelector(".composer textarea")?.value`, "#/task/WIN-1 half a thought")
		t.Logf("crash %d: the page was back with its text after %s", round+1, took)
		// The measure is the machine's own: as it was when the page first came, or as it may be
		// with what else runs meanwhile.
		if most := max(2*p.cameIn, timeout.For(3*time.Second)); took > most {
			t.Errorf("it took %s, and may take %s", took, most)
		}
	}
	p.patient = 3 * time.Second
	p.do(`go.main.App.About().then((a) => (window.told = a.window))`)
	p.untilSays("calls arrive", `window.told`, "true")

	p.patient = time.Second
	for range 2 { // the third and the fourth
		// WebKit itself gives up where a process dies before it has said who it is.
		p.until("a page's process that answers", func() bool { _, err := p.says("1"); return err == nil })
		p.crash()
	}
	p.patient = 3 * time.Second
	p.untilSays("the page that says so", `document.body.textContent.includes("crashed several times")`, "true")
	p.do(`document.querySelector("a").click()`)
	p.untilSays("the page after all", `document.querySelector("main") !== null`, "true")
	p.untilEnded()
}

func TestTheWindowComesBackWhereItWas(t *testing.T) {
	s := newStage(t)
	s.furnish("Nothing to do")
	p := s.openPage()
	p.tool("xdotool", "windowsize", "--sync", p.id(), "1100", "700")
	p.tool("xdotool", "windowmove", "--sync", p.id(), "123", "77")
	p.do(`location.hash = "#/inbox"`)
	p.untilSays("the size", "innerWidth", "1100")
	p.untilEnded()
	p = s.openPage()
	p.untilSays("the page", "location.hash", "#/inbox")
	p.untilSays("the size", `innerWidth + "x" + innerHeight`, "1100x700")
	p.until("the place", func() bool {
		at := string(p.tool("xdotool", "getwindowgeometry", p.id()))
		return strings.Contains(at, "Position: 123,77")
	})
	p.untilEnded()
	// What cannot be is not restored.
	for _, broken := range []string{`{"width":1,"height":99999,"x":-50000,"y":3,"placed":true,"route":"javascript:1"}`, `{`} {
		s.Write("data/window.json", broken)
		p = s.openPage()
		p.untilSays("the size of a first start", `innerWidth + (location.hash || "#/")`, "1440#/")
		p.untilEnded()
	}
}

func TestTheWindowStartsHiddenWhereATrayShowsIt(t *testing.T) {
	s := newStage(t)
	s.furnish("Nothing to do")
	w := s.open("-hidden")
	w.until("a window, since there is no tray", w.visible)
	// WebKit starts the system's registry of accessibility, which never ends where its
	// bus goes while it begins.
	w.untilPainted()
	w.untilEnded()
}

func TestTheKeysOfTheDesktopLeadToTheNextQuestion(t *testing.T) {
	s := newStage(t)
	s.Write("agents/agent.txtar", "-- script --\nask Which? | Left | Right\n")
	s.furnish("Asks")
	b := s.Serve()
	settings := beckon.DefaultSettings()
	settings.Shortcut, settings.Autostart = "Ctrl+Alt+J", true
	client.Must[any](b, "SaveSettings", settings)
	b.Close()
	entry := s.At("home/.config/autostart/beckon.desktop")

	p := s.openPage()
	p.until("the entry that starts it", func() bool {
		text, _ := os.ReadFile(entry)
		return strings.Contains(string(text), "-hidden")
	})
	p.press("j", "q")
	p.untilTitled("(1) Beckon")
	p.tool("xdotool", "key", "ctrl+alt+j")
	p.untilSays("the question", `location.hash.startsWith("#/inbox")`, "true")

	settings.Shortcut, settings.Autostart = "Ctrl+J", false // to be given back
	p.do(fmt.Sprintf("go.main.App.SaveSettings(%s)", asJSON(t, settings)))
	p.until("the entry is gone", func() bool { _, err := os.Stat(entry); return err != nil })
	p.holdK()
	settings.Shortcut = "Ctrl+Alt+K"
	p.do(fmt.Sprintf("go.main.App.SaveSettings(%s)", asJSON(t, settings)))
	p.untilSays("the refusal", `document.querySelector(".toast .text")?.textContent.includes("another program")`, "true")
	p.untilEnded()
}
