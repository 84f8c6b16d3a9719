package runner_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"beckon/backend/agent/claude/cli"
	"beckon/backend/beckon"
	"beckon/tests/runnertest"
	"beckon/tests/timeout"
)

// installed is a claude on the disk that can be replaced by another version.
type installed struct {
	t     *testing.T
	path  string
	agent cli.Options
}

func newCLI(t *testing.T, script string) installed {
	t.Helper()
	o, err := runnertest.Agents(t, script)()
	if err != nil {
		t.Fatal(err)
	}
	return installed{t, filepath.Join(t.TempDir(), "claude"), o}
}

// install has it do that when it is asked for its version.
func (c installed) install(do string) {
	c.t.Helper()
	script := "#!/bin/sh\nif [ \"$1\" = --version ]; then " + do + "; exit; fi\nexec '" + c.agent.Path + "' \"$@\"\n"
	if err := os.WriteFile(c.path+".new", []byte(script), 0o700); err != nil {
		c.t.Fatal(err)
	}
	if err := os.Rename(c.path+".new", c.path); err != nil {
		c.t.Fatal(err)
	}
}

func (c installed) find() (cli.Options, error) {
	return cli.Options{Path: c.path, Env: c.agent.Env, Grace: c.agent.Grace}, nil
}

// queuedUntil puts a card into the queue and waits until it says why it waits.
func (d driver) queuedUntil(words string) beckon.Task {
	d.T.Helper()
	task, err := d.Board.CreateTask(d.T.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: "Waits for claude", Status: beckon.Queued})
	if err != nil {
		d.T.Fatal(err)
	}
	d.Until("the card says why it waits", func() bool { return strings.Contains(d.Tasks[task.ID].Trouble.String(), words) })
	return task
}

// about checks what the page is shown of claude.
func (d driver) about(version string, trouble beckon.ClaudeTrouble) {
	d.T.Helper()
	if a := d.Runner.About(d.T.Context(), beckon.About{}); a.ClaudeVersion != version || a.ClaudeTrouble != trouble || a.ClaudeOldest != cli.OldestVersion {
		d.T.Errorf("about %+v; want version %q, trouble %q", a, version, trouble)
	}
}

func TestAnOldClaudeIsNamedAndTheQueueGoesOnWithANewerOne(t *testing.T) {
	t.Parallel()
	c := newCLI(t, "text done\n")
	c.install("echo '1.0.90 (Claude Code)'")
	d := startWith(t, c.find)
	task := d.queuedUntil("version 1.0.90")
	if now := d.Now(task.ID); now.Status != beckon.Queued || !strings.Contains(now.Trouble.String(), "npm install -g @anthropic-ai/claude-code") {
		t.Errorf("the card is in %s and says %q", now.Status, now.Trouble)
	}
	d.about("1.0.90", beckon.ClaudeOld)
	if _, err := d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: "At once", Status: beckon.Running}); err == nil || !strings.Contains(err.Error(), "1.0.90") {
		t.Errorf("a start by hand: %v", err)
	}
	c.install("echo '2.1.197 (Claude Code)'")
	if now, run := d.Ended(task.ID); now.Trouble != nil || run.Outcome != beckon.Succeeded {
		t.Errorf("the run %s: %s; the card says %q", run.Outcome, run.Reason, now.Trouble)
	}
	d.about("2.1.197", "")
}

func TestAClaudeThatIsNewerThanWasTriedIsNamedAndStarted(t *testing.T) {
	t.Parallel()
	for version, newer := range map[string]bool{cli.TriedFrom: false, cli.TriedTo: false, "99.1.0": true} {
		c := newCLI(t, "text done\n")
		c.install("echo '" + version + " (Claude Code)'")
		d := startWith(t, c.find)
		if _, run := d.Ended(d.Run(beckon.NewTask{Title: "Any"}).ID); run.Outcome != beckon.Succeeded {
			t.Errorf("%s: the run %s: %s", version, run.Outcome, run.Reason)
		}
		if a := d.Runner.About(t.Context(), beckon.About{}); a.ClaudeTried != (beckon.Tried{From: cli.TriedFrom, To: cli.TriedTo, Newer: newer}) {
			t.Errorf("%s: %+v", version, a.ClaudeTried)
		}
	}
}

func TestAClaudeThatHangsIsNamedAndTheQueueGoesOnWithAnother(t *testing.T) {
	t.Parallel()
	c := newCLI(t, "text done\n")
	c.install("sleep 600")
	d := startWith(t, c.find)
	task := d.queuedUntil("does not answer")
	c.install("echo '2.1.197 (Claude Code)'")
	if now, run := d.Ended(task.ID); now.Trouble != nil || run.Outcome != beckon.Succeeded {
		t.Errorf("the run %s: %s; the card says %q", run.Outcome, run.Reason, now.Trouble)
	}
}

// A second look of the queue, as when a card is moved, must not wait for a
// claude that hangs, and Beckon must close meanwhile.
func TestAClaudeThatHangsHoldsNothingUp(t *testing.T) {
	t.Parallel()
	c := newCLI(t, "text done\n")
	c.install("echo >'" + c.path + ".begun'; sleep 600")
	d := startWith(t, c.find)
	d.Until("it was asked", func() bool { _, err := os.Stat(c.path + ".begun"); return err == nil })
	task, err := d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: "Waits", Status: beckon.Queued})
	if err != nil {
		t.Fatal(err)
	}
	c.install("echo '2.1.197 (Claude Code)'")
	began := time.Now()
	d.Ended(task.ID)
	if took := time.Since(began); took > timeout.For(9*time.Second) {
		t.Errorf("the card waited %s for a claude that is gone", took)
	}
}

func TestAClaudeThatSaysAnOddVersionIsStartedAllTheSame(t *testing.T) {
	t.Parallel()
	c := newCLI(t, "text done\n")
	c.install("echo nightly")
	d := startWith(t, c.find)
	task := d.Run(beckon.NewTask{Title: "Odd"})
	if _, run := d.Ended(task.ID); run.Outcome != beckon.Succeeded {
		t.Errorf("the run %s: %s", run.Outcome, run.Reason)
	}
	d.about("nightly", "")
}
