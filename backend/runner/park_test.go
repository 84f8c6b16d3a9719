package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/claude/cli"
	"beckon/backend/claude/scripted"
)

// agents returns how agents are started that play script.
func agents(t *testing.T, script string) func() (cli.Options, error) {
	t.Helper()
	o := scripted.Options(t, script)
	return func() (cli.Options, error) {
		return cli.Options{Path: o.Path, Env: o.Env, Grace: o.Grace}, nil
	}
}

// at works on a task and returns it once its agent is in the phase.
func (d *desktopOf) at(phase beckon.Phase, n beckon.NewTask) beckon.Task {
	d.t.Helper()
	task := d.run(n)
	d.until("a run that is "+string(phase), func() bool { return d.runs[task.ID].Phase == phase && d.tasks[task.ID].Session != "" })
	return task
}

func TestAnAgentThatWorksWhenBeckonQuitsCarriesOnByItself(t *testing.T) {
	t.Parallel()
	d := start(t, "sleep 60s\n")
	task := d.at(beckon.Working, beckon.NewTask{Title: "Half done"})
	if n := d.p.runner.Working(); n != 1 {
		t.Errorf("%d agents work, want 1", n)
	}
	data := d.p.runner.DataDir
	if err := d.close(); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, data, agents(t, "text carried on\n"))
	again.until("the task is ready", func() bool { return again.tasks[task.ID].Status == beckon.Review })
	runs, err := again.Runs(task.ID)
	if err != nil || len(runs) != 2 || runs[0].Outcome != beckon.Parked || runs[1].Outcome != beckon.Succeeded {
		t.Fatalf("runs %+v, %v; want one parked, then one that succeeded", runs, err)
	}
	if runs[0].Session == "" || runs[1].Session != runs[0].Session {
		t.Errorf("it carried on in session %q, not in %q", runs[1].Session, runs[0].Session)
	}
}

// TestAnAgentThatWasInterruptedWaitsForItsUserAfterAQuit: who interrupted an
// agent does not find it at work again.
func TestAnAgentThatWasInterruptedWaitsForItsUserAfterAQuit(t *testing.T) {
	t.Parallel()
	d := start(t, "sleep 60s\n")
	task := d.at(beckon.Working, beckon.NewTask{Title: "Not like this"})
	if err := d.Interrupt(task.ID); err != nil {
		t.Fatal(err)
	}
	d.until("it rests", func() bool { return d.runs[task.ID].Phase == beckon.Idle })
	data := d.p.runner.DataDir
	if err := d.close(); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, data, agents(t, "text must not run\n"))
	runs, err := again.Runs(task.ID)
	if err != nil || len(runs) != 1 || runs[0].Outcome != beckon.Parked || !strings.Contains(runs[0].Reason, "next message") {
		t.Errorf("runs %+v, %v; want one that rested", runs, err)
	}
	if now, err := again.p.store.Task(t.Context(), task.ID); err != nil || now.Status != beckon.Review {
		t.Errorf("it is in %s, %v", now.Status, err)
	}
}

func TestAnAgentThatWaitsWhenBeckonQuitsCarriesOnOnceItIsAnswered(t *testing.T) {
	t.Parallel()
	d := start(t, "ask Which? | A | B\n")
	task := d.run(beckon.NewTask{Title: "Waits"})
	q := d.open("Which?")
	data := d.p.runner.DataDir
	if err := d.close(); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, data, agents(t, "text carried on\n"))
	frame, err := again.Attach("testclient")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range frame.Events {
		if e.Task != nil && e.Task.ID == task.ID && e.Task.Status != beckon.Review {
			t.Errorf("it stands in %s without its answer", e.Task.Status)
		}
	}
	if err := again.AnswerQuestion(q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"A"}}}}); err != nil {
		t.Fatal(err)
	}
	again.until("it carried on", func() bool { return again.runs[task.ID].Outcome == beckon.Succeeded })
}

func TestWhoStopsTheAgentsOnQuittingFindsThemStopped(t *testing.T) {
	t.Parallel()
	d := start(t, "sleep 60s\n")
	task := d.at(beckon.Working, beckon.NewTask{Title: "No more"})
	data := d.p.runner.DataDir
	d.p.runner.StopAll()
	if err := d.close(); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, data, agents(t, "text must not run\n"))
	runs, err := again.Runs(task.ID)
	if err != nil || len(runs) != 1 || runs[0].Outcome != beckon.Stopped {
		t.Errorf("runs %+v, %v; want one that was stopped", runs, err)
	}
	if now, err := again.p.store.Task(t.Context(), task.ID); err != nil || now.Status != beckon.Review {
		t.Errorf("it stands in %s, %v", now.Status, err)
	}
}

func TestNoClockRunsWhileTheScreenIsLocked(t *testing.T) {
	t.Parallel()
	d := start(t, "ask Which? | A | B\n")
	d.run(beckon.NewTask{Title: "Nobody looks", Policy: beckon.Proceed, WaitMs: 60_000})
	q := d.open("Which?")
	held := func(want bool) {
		t.Helper()
		now, err := d.p.store.Question(t.Context(), q.ID)
		if err != nil || (now.HeldMs > 0) != want || (now.Deadline > 0) == want {
			t.Errorf("held for %d, deadline %d, %v; want held: %t", now.HeldMs, now.Deadline, err, want)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(d.p.board.ScreenLocked(t.Context(), true))
	held(true)
	must(d.HoldAll(true))
	must(d.p.board.ScreenLocked(t.Context(), false))
	held(true) // the user is still away
	must(d.p.board.ScreenLocked(t.Context(), true))
	must(d.HoldAll(false))
	held(true) // and the screen locked
	must(d.p.board.ScreenLocked(t.Context(), false))
	held(false)
}

func TestACommandLineShowsOneThingAtMost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args  []string
		route string
	}{
		{[]string{}, ""},
		{[]string{"beckon://task/KES-47"}, "#/task/KES-47"},
		{[]string{"-data", "/x", "beckon://inbox"}, "#/inbox"},
	} {
		if o, err := parse(c.args); err != nil || o.command != "window" || o.show.Route != c.route {
			t.Errorf("%q is %+v, %v", c.args, o, err)
		}
	}
	if o, err := parse([]string{t.TempDir()}); err != nil || o.show.Folder == "" {
		t.Errorf("a folder is %+v, %v", o, err)
	}
	for _, args := range [][]string{
		{"beckon://task/KES-47", "-claude", "/tmp/evil"},
		{"beckon://task/KES-47", "--data=/tmp/evil"},
		{"beckon://inbox", "beckon://inbox"},
		{"serve", "beckon://inbox"},
		{"beckon://run/KES-47"},
		{"/none/such"},
		{"nonsense", "more"},
	} {
		if o, err := parse(args); err == nil {
			t.Errorf("%q is %+v", args, o)
		}
	}
}

// TestAnAgentThatDoesNotStartCanBeStopped: what hangs in the system's call for
// a new process holds nobody else up.
func TestAnAgentThatDoesNotStartCanBeStopped(t *testing.T) {
	t.Parallel()
	hangs := filepath.Join(t.TempDir(), "supervisor")
	begun := filepath.Join(t.TempDir(), "begun")
	if err := os.WriteFile(hangs, []byte("#!/bin/sh\n: > '"+begun+"'\nexec sleep 600\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	agent := scripted.Options(t, "text never\n")
	d := startWith(t, func() (cli.Options, error) {
		return cli.Options{Path: agent.Path, Env: agent.Env, Grace: agent.Grace, Supervisor: hangs}, nil
	})
	task := d.run(beckon.NewTask{Title: "Hangs"})
	d.until("it is being started", func() bool { _, err := os.Stat(begun); return err == nil })
	held := time.AfterFunc(patience, func() { panic("the runner is held up by a process that does not start") })
	d.p.runner.Working()
	if err := d.Stop(task.ID); err != nil {
		t.Fatal(err)
	}
	if _, run := d.ended(task.ID); run.Outcome != beckon.Stopped {
		t.Errorf("it %s: %s", run.Outcome, run.Reason)
	}
	held.Stop()
}
