package runner_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"beckon/backend/agent/claude/cli"
	"beckon/backend/agent/claude/scripted"
	"beckon/backend/beckon"
	"beckon/tests/runnertest"
)

// at works on a task and returns it once its agent is in the phase.
func (d driver) at(phase beckon.Phase, n beckon.NewTask) beckon.Task {
	d.T.Helper()
	task := d.Run(n)
	d.Until("a run that is "+string(phase), func() bool { return d.Runs[task.ID].Phase == phase && d.Tasks[task.ID].Session != "" })
	return task
}

func TestAnAgentThatWorksWhenBeckonQuitsCarriesOnByItself(t *testing.T) {
	t.Parallel()
	d := start(t, "sleep 60s\n")
	task := d.at(beckon.Working, beckon.NewTask{Title: "Half done"})
	if n := d.Runner.Working(); n != 1 {
		t.Errorf("%d agents work, want 1", n)
	}
	data := d.DataDir
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, data, runnertest.Agents(t, "text carried on\n"))
	again.Until("the task is ready", func() bool {
		return again.Tasks[task.ID].Status == beckon.Review && again.Runs[task.ID].Phase == beckon.Ended
	})
	runs, err := again.History.Runs(t.Context(), task.ID)
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
	if err := d.Runner.Interrupt(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	d.Until("it rests", func() bool { return d.Runs[task.ID].Phase == beckon.Idle })
	data := d.DataDir
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, data, runnertest.Agents(t, "text must not run\n"))
	runs, err := again.History.Runs(t.Context(), task.ID)
	if err != nil || len(runs) != 1 || runs[0].Outcome != beckon.Parked || !strings.Contains(runs[0].Reason.String(), "next message") {
		t.Errorf("runs %+v, %v; want one that rested", runs, err)
	}
	if now, err := again.Store.Task(t.Context(), task.ID); err != nil || now.Status != beckon.Review {
		t.Errorf("it is in %s, %v", now.Status, err)
	}
}

func TestAnAgentThatWaitsWhenBeckonQuitsCarriesOnOnceItIsAnswered(t *testing.T) {
	t.Parallel()
	d := start(t, "ask Which? | A | B\n")
	task := d.Run(beckon.NewTask{Title: "Waits"})
	q := d.Question("Which?")
	data := d.DataDir
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, data, runnertest.Agents(t, "text carried on\n"))
	events, _, err := again.History.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if e.Task != nil && e.Task.ID == task.ID && e.Task.Status != beckon.Review {
			t.Errorf("it stands in %s without its answer", e.Task.Status)
		}
	}
	if err := again.Desk.Answer(t.Context(), q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"A"}}}}); err != nil {
		t.Fatal(err)
	}
	again.Until("it carried on", func() bool { return again.Runs[task.ID].Outcome == beckon.Succeeded })
}

func TestWhoStopsTheAgentsOnQuittingFindsThemStopped(t *testing.T) {
	t.Parallel()
	d := start(t, "sleep 60s\n")
	task := d.at(beckon.Working, beckon.NewTask{Title: "No more"})
	data := d.DataDir
	d.Runner.StopAll()
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, data, runnertest.Agents(t, "text must not run\n"))
	runs, err := again.History.Runs(t.Context(), task.ID)
	if err != nil || len(runs) != 1 || runs[0].Outcome != beckon.Stopped {
		t.Errorf("runs %+v, %v; want one that was stopped", runs, err)
	}
	if now, err := again.Store.Task(t.Context(), task.ID); err != nil || now.Status != beckon.Review {
		t.Errorf("it stands in %s, %v", now.Status, err)
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
	task := d.Run(beckon.NewTask{Title: "Hangs"})
	d.Until("it is being started", func() bool { _, err := os.Stat(begun); return err == nil })
	held := time.AfterFunc(runnertest.Patience, func() { panic("the runner is held up by a process that does not start") })
	d.Runner.Working()
	if err := d.Runner.Stop(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	if _, run := d.Ended(task.ID); run.Outcome != beckon.Stopped {
		t.Errorf("it %s: %s", run.Outcome, run.Reason)
	}
	held.Stop()
}

func TestRunsThatBeckonLeftBehindAreParkedNotForgotten(t *testing.T) {
	t.Parallel()
	d := start(t, "ask Which? | A | B\n")
	task := d.Run(beckon.NewTask{Title: "Left behind"})
	d.Question("Which?")
	data := d.DataDir
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, data, runnertest.NoAgents)
	runs, err := again.History.Runs(t.Context(), task.ID)
	if err != nil || len(runs) != 1 || runs[0].Outcome != beckon.Parked {
		t.Errorf("runs %+v, %v; want one, parked until its question is answered", runs, err)
	}
	qs, err := again.History.Questions(t.Context(), task.ID)
	if err != nil || len(qs) != 1 || qs[0].Settlement != beckon.Orphaned {
		t.Errorf("questions %+v, %v; want one, orphaned", qs, err)
	}
	page, err := again.History.Transcript(t.Context(), task.ID, "", 100)
	if err != nil || len(page.Entries) == 0 || page.Entries[0].Kind != beckon.UserEntry {
		t.Errorf("transcript %+v, %v; want it from its first message on", page, err)
	}
}
