package background

import (
	"strings"
	"testing"
	"time"

	"beckon/backend/agent"
	"beckon/backend/beckon"
)

// clock is a time that the test sets.
type clock struct{ time.Time }

func newJobs() (*Jobs, *clock) {
	c := &clock{time.Now()}
	return New(func() time.Time { return c.Time }), c
}

func (b *Jobs) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.jobs)
}

func TestAnEndThatTheAgentHasYetToHearKeepsTheInputOpen(t *testing.T) {
	t.Parallel()
	b, at := newJobs()
	build := agent.JobBegan{ID: "job", Name: "sleep 12; make", Left: true}
	b.Begin(build)
	b.Begin(build)
	if b.count() != 1 || b.names(false) != "sleep 12; make" {
		t.Fatalf("jobs %+v; want one, known by its command", b.jobs)
	}
	b.End("other")
	if a := b.Activity(); a != (beckon.Activity{Verb: beckon.Background, Target: "sleep 12; make", Since: at.UnixMilli()}) {
		t.Errorf("activity %+v", a)
	}
	if left, told := b.Left(); !left || told {
		t.Errorf("left %v, to be told alone %v; it runs", left, told)
	}
	b.End("job")
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
		b.Begin(agent.JobBegan{ID: id, Name: "work of " + id})
	}
	b.End("own")
	b.End("within")
	b.Announce("own")
	b.Told("within")
	b.Told("runs")
	if b.count() != 1 || b.jobs[0].id != "runs" {
		t.Errorf("jobs %+v; want the one that runs: a text that names it is no end", b.jobs)
	}
	if b.names(true) != "work of runs" || b.names(false) != "" {
		t.Errorf("named %q and %q; what is not known to outlive its call is no loss", b.names(true), b.names(false))
	}
}

// TestWhatEndedWithARunIsNamed: what ran when the run was to end, although it
// is gone by the time somebody asks.
func TestWhatEndedWithARunIsNamed(t *testing.T) {
	t.Parallel()
	b, _ := newJobs()
	b.Begin(agent.JobBegan{ID: "job", Name: "the server"})
	if names, _ := b.Lost(true); names != "the server" {
		t.Errorf("while it runs it is named %q", names)
	}
	b.Drop(true)
	b.Announce("job")
	if names, gaveUp := b.Lost(false); names != "the server" || gaveUp != nil {
		t.Errorf("named %q, given up %q", names, gaveUp)
	}
}

// TestASilentWaitIsGivenUpOnce and says what it was for.
func TestASilentWaitIsGivenUpOnce(t *testing.T) {
	t.Parallel()
	b, at := newJobs()
	b.Begin(agent.JobBegan{ID: "job", Name: "the server"})
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
	if len(ids) != 1 || ids[0] != "job" || names != "the server" || !strings.Contains(why.String(), "after 1s without a word: the server") {
		t.Errorf("%v, %q: %q", ids, names, why)
	}
}

// TestAnEndThatIsAnnouncedIsDoneWithWhenItsTurnBegins: a run that looked between
// the two closed the agent's input, and what that turn asked had no answer.
func TestAnEndThatIsAnnouncedIsDoneWithWhenItsTurnBegins(t *testing.T) {
	t.Parallel()
	b, at := newJobs()
	b.Busy()
	b.Begin(agent.JobBegan{ID: "job", Name: "make", Left: true})
	b.End("job")
	b.Rest()
	if b.Announce("job") {
		t.Error("an end that was known is said to be new")
	}
	if left, told := b.Left(); !left || !told {
		t.Errorf("left %v, to be told alone %v; the turn that tells the end begins", left, told)
	}
	b.Busy()
	if left, _ := b.Left(); left {
		t.Errorf("jobs %+v; the turn that tells their end is open", b.jobs)
	}

	b.Begin(agent.JobBegan{ID: "other", Name: "look"})
	b.Rest()
	if !b.Announce("other") {
		t.Error("nobody learns of an end that only its announcement says")
	}
	b.Idle()
	at.Time = at.Add(HeardIn)
	if left, _ := b.Left(); left {
		t.Errorf("jobs %+v; no turn began in time", b.jobs)
	}
}
