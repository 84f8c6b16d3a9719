package status

import (
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/notifying"
)

// asking is the event of an executor that asks something, or nothing without an id.
func asking(id string, kind executing.AskKind) beckon.Event {
	one := executing.Status{Executor: executing.Executor{ID: "x", Name: "farm"}, Health: executing.Health{State: executing.Checking}}
	if id != "" {
		one.Health.Ask = &executing.Ask{ID: id, Kind: kind, File: "/home/ada/.ssh/id_ed25519\u202e", Words: []string{"Say \x1b[2J"}}
	}
	return beckon.Event{Executors: &executing.List{All: []executing.Status{one}}}
}

func TestWhatSSHAsksIsToldOnceAndCounted(t *testing.T) {
	w := newWorld(t)
	w.hear(asking("", ""))
	w.expect("nothing is asked")
	w.hear(asking("a1", executing.AskHostKey))
	w.expect("a key", "show ssh/a1")
	w.hear(asking("a1", executing.AskHostKey))
	w.expect("the same")
	if n := w.last["ssh/a1"]; n.Body != "Is this the right computer?" || n.Reply != "" || len(n.Actions) != 1 || n.Actions[0].Key != openKey {
		t.Errorf("it reads %+v", n)
	}
	model := w.view.trayModel(w.words)
	if lines := menuLines(model.Menu, ""); model.Tooltip != "1 question" || !slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, "farm: Is this the right computer?") }) {
		t.Errorf("%s: %q", model.Tooltip, lines)
	}
	w.hear(asking("a2", executing.AskPassphrase))
	w.expect("another", "close ssh/a1", "show ssh/a2")
	if n := w.last["ssh/a2"]; n.Body != "Passphrase for id_ed25519" {
		t.Errorf("it reads %q", n.Body)
	}
	w.hear(asking("", ""))
	w.expect("it was answered", "close ssh/a2")
	w.hear(asking("a3", executing.AskWords))
	w.expect("words", "show ssh/a3")
	if n := w.last["ssh/a3"]; n.Body != "ssh asks something" {
		t.Errorf("a server's words read as %q", n.Body)
	}
	w.tell(notifying.Question, notifying.Nothing)
	w.expect("questions are off", "close ssh/a3")
}
