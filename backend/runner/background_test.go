package runner

import (
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/claude"
)

func started(id, call, description string) claude.System {
	return claude.System{Task: claude.Task{TaskID: id, Description: description}, Denial: claude.Denial{ToolUseID: call}}
}

func changed(id, status string) claude.System {
	s := claude.System{Task: claude.Task{TaskID: id}}
	s.Patch.Status = status
	return s
}

func TestAnEndThatTheAgentHasYetToHearKeepsTheInputOpen(t *testing.T) {
	t.Parallel()
	now := time.Now()
	b := &background{}
	b.called("call", "sleep 12; make")
	b.begin(started("job", "call", "build"), now)
	b.begin(started("job", "call", "build"), now)
	if len(b.jobs) != 1 || b.names(false) != "sleep 12; make" {
		t.Fatalf("jobs %+v; want one, known by its command", b.jobs)
	}
	b.change(changed("job", ""), now) // as when it goes to the background
	b.change(changed("other", "completed"), now)
	if a := b.activity(); a != (beckon.Activity{Verb: beckon.Background, Target: "sleep 12; make", Since: now.UnixMilli()}) {
		t.Errorf("activity %+v", a)
	}
	b.change(changed("job", "completed"), now)
	if b.settle(now.Add(time.Hour)); len(b.jobs) != 1 {
		t.Error("an end during a long text is told by the turn that follows it at once; the run would be over by then")
	}
	b.idle = now.Add(time.Hour)
	if b.settle(b.idle.Add(heardIn / 2)); len(b.jobs) != 1 {
		t.Error("claude rests for a moment before it begins the turn that tells the end; the run would be over by then")
	}
	b.settle(b.idle.Add(heardIn))
	if len(b.jobs) != 0 {
		t.Errorf("jobs %+v; what no turn told of in time keeps no run alive", b.jobs)
	}
}

func TestAnEndIsHeardByATurnOfItsOwnOrWithinOne(t *testing.T) {
	t.Parallel()
	now := time.Now()
	b := &background{}
	for _, id := range []string{"own", "within", "runs"} {
		b.begin(started(id, "", "work of "+id), now)
	}
	b.change(changed("own", "completed"), now)
	b.change(changed("within", "failed"), now)
	b.heard("own")
	b.heardBy([]byte(`{"type":"user","message":{"content":"<task-notification>\n<task-id>within</task-id>\n<task-id>runs</task-id>"}}`))
	if len(b.jobs) != 1 || b.jobs[0].id != "runs" {
		t.Errorf("jobs %+v; want the one that runs: a text that names it is no end", b.jobs)
	}
	if b.names(true) != "work of runs" || b.names(false) != "" {
		t.Errorf("named %q and %q; what is not known to outlive its call is no loss", b.names(true), b.names(false))
	}
}

func TestHousekeepingOfClaudesKeepsNoRunAlive(t *testing.T) {
	t.Parallel()
	b := &background{}
	s := started("own", "", "tidy")
	s.SkipTranscript = true
	if b.begin(s, time.Now()); len(b.jobs) != 0 {
		t.Errorf("jobs %+v", b.jobs)
	}
}
