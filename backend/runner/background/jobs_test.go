package background

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
)

func started(id, call, description string) claude.System {
	return claude.System{Task: claude.Task{TaskID: id, Description: description}, Denial: claude.Denial{ToolUseID: call}}
}

func changed(id, status string) claude.System {
	s := claude.System{Task: claude.Task{TaskID: id}}
	s.Patch.Status = status
	return s
}

// clock is a time that the test sets.
type clock struct{ time.Time }

func newJobs() (*Jobs, *clock) {
	c := &clock{time.Now()}
	return New(func() time.Time { return c.Time }), c
}

func call(id, command string) claude.Message {
	input, _ := json.Marshal(map[string]any{"command": command, "run_in_background": true})
	return claude.Message{Speech: &claude.Speech{Content: claude.Content{{Type: claude.ToolUseBlock, ID: id, Name: "Bash", Input: input}}}}
}

func (b *Jobs) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.jobs)
}

func TestAnEndThatTheAgentHasYetToHearKeepsTheInputOpen(t *testing.T) {
	t.Parallel()
	b, at := newJobs()
	b.Call(call("call", "sleep 12; make"))
	b.Change(claude.TaskStarted, started("job", "call", "build"))
	b.Change(claude.TaskStarted, started("job", "call", "build"))
	if b.count() != 1 || b.names(false) != "sleep 12; make" {
		t.Fatalf("jobs %+v; want one, known by its command", b.jobs)
	}
	b.Change(claude.TaskUpdated, changed("job", "")) // as when it goes to the background
	b.Change(claude.TaskUpdated, changed("other", "completed"))
	if a := b.Activity(); a != (beckon.Activity{Verb: beckon.Background, Target: "sleep 12; make", Since: at.UnixMilli()}) {
		t.Errorf("activity %+v", a)
	}
	if left, told := b.Left(); !left || told {
		t.Errorf("left %v, to be told alone %v; it runs", left, told)
	}
	if !b.Change(claude.TaskUpdated, changed("job", "completed")) {
		t.Error("nobody learns that it ended")
	}
	ended := at.Time
	at.Time = ended.Add(time.Hour)
	if left, told := b.Left(); !left || !told {
		t.Error("the turn that follows at once reports an end during a long text; the run would be over by then")
	}
	b.Idle()
	idle := at.Time
	at.Time = idle.Add(HeardIn / 2)
	if left, _ := b.Left(); !left {
		t.Error("claude rests for a moment before it begins the turn that tells the end; the run would be over by then")
	}
	at.Time = idle.Add(HeardIn)
	b.Busy()
	if left, _ := b.Left(); !left {
		t.Error("a turn is open, which may tell the end; the run would be over by then")
	}
	at.Time = idle
	b.Idle()
	at.Time = idle.Add(HeardIn)
	if left, _ := b.Left(); left {
		t.Errorf("jobs %+v; what no turn told of in time keeps no run alive", b.jobs)
	}
}

func TestAnEndIsHeardByATurnOfItsOwnOrWithinOne(t *testing.T) {
	t.Parallel()
	b, _ := newJobs()
	for _, id := range []string{"own", "within", "runs"} {
		b.Change(claude.TaskStarted, started(id, "", "work of "+id))
	}
	b.Change(claude.TaskUpdated, changed("own", "completed"))
	b.Change(claude.TaskUpdated, changed("within", "failed"))
	b.Change(claude.TaskNotification, changed("own", ""))
	b.Told([]byte(`{"type":"user","message":{"content":"<task-notification>\n<task-id>within</task-id>\n<task-id>runs</task-id>"}}`))
	if b.count() != 1 || b.jobs[0].id != "runs" {
		t.Errorf("jobs %+v; want the one that runs: a text that names it is no end", b.jobs)
	}
	if b.names(true) != "work of runs" || b.names(false) != "" {
		t.Errorf("named %q and %q; what is not known to outlive its call is no loss", b.names(true), b.names(false))
	}
}

func TestHousekeepingOfClaudesKeepsNoRunAlive(t *testing.T) {
	t.Parallel()
	b, _ := newJobs()
	s := started("own", "", "tidy")
	s.SkipTranscript = true
	if b.Change(claude.TaskStarted, s); b.count() != 0 {
		t.Errorf("jobs %+v", b.jobs)
	}
}

// TestWhatEndedWithARunIsNamed: what ran when the run was to end, although it
// is gone by the time somebody asks.
func TestWhatEndedWithARunIsNamed(t *testing.T) {
	t.Parallel()
	b, _ := newJobs()
	b.Change(claude.TaskStarted, started("job", "", "the server"))
	if names, _ := b.Lost(true); names != "the server" {
		t.Errorf("while it runs it is named %q", names)
	}
	b.Drop(true)
	b.Change(claude.TaskNotification, changed("job", ""))
	if names, gaveUp := b.Lost(false); names != "the server" || gaveUp != "" {
		t.Errorf("named %q, given up %q", names, gaveUp)
	}
}

// TestASilentWaitIsGivenUpOnce and says what it was for.
func TestASilentWaitIsGivenUpOnce(t *testing.T) {
	t.Parallel()
	b, at := newJobs()
	b.Change(claude.TaskStarted, started("job", "", "the server"))
	if !b.Watch() || b.Watch() {
		t.Error("not one alone watches over the wait")
	}
	at.Time = at.Add(time.Minute)
	b.Hear()
	at.Time = at.Add(time.Second)
	if b.Silence() != time.Second {
		t.Errorf("claude is silent for %s", b.Silence())
	}
	ids, names := b.GiveUp(time.Second)
	_, why := b.Lost(true)
	if len(ids) != 1 || ids[0] != "job" || names != "the server" || !strings.Contains(why, "after 1s without a word: the server") {
		t.Errorf("%v, %q: %q", ids, names, why)
	}
}

// TestAnEndThatIsAnnouncedIsDoneWithWhenItsTurnBegins: a run that looked between
// the two closed the agent's input, and what that turn asked had no answer.
func TestAnEndThatIsAnnouncedIsDoneWithWhenItsTurnBegins(t *testing.T) {
	t.Parallel()
	b, at := newJobs()
	b.Busy()
	b.Call(call("call", "make"))
	b.Change(claude.TaskStarted, started("job", "call", "build"))
	b.Change(claude.TaskUpdated, changed("job", "completed"))
	b.Rest()
	if b.Change(claude.TaskNotification, changed("job", "")) {
		t.Error("an end that was known is said to be new")
	}
	if left, told := b.Left(); !left || !told {
		t.Errorf("left %v, to be told alone %v; the turn that tells the end begins", left, told)
	}
	b.Busy()
	if left, _ := b.Left(); left {
		t.Errorf("jobs %+v; the turn that tells their end is open", b.jobs)
	}

	b.Change(claude.TaskStarted, started("other", "", "look"))
	b.Rest()
	if !b.Change(claude.TaskNotification, changed("other", "")) {
		t.Error("nobody learns of an end that only its announcement says")
	}
	b.Idle()
	at.Time = at.Add(HeardIn)
	if left, _ := b.Left(); left {
		t.Errorf("jobs %+v; no turn began in time", b.jobs)
	}
}
