package runner_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"beckon/backend/beckon"
)

// TestAnAgentThatSaysNothingIsQuiet, later while its command runs, until it is heard again,
// and not while it waits for the user: a card that only says that it works would lie.
func TestAnAgentThatSaysNothingIsQuiet(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "go on")
	silent := "run until [ -e '" + file + "' ]; do sleep 0.05; done"
	d := start(t, "ask Well? | A | B\n"+silent+"\nask And? | A | B\ntext Done.\n")
	const limit = 40 * time.Millisecond
	d.Runner.QuietAfter = func() time.Duration { return limit }
	began := time.Now()
	task := d.Run(beckon.NewTask{Title: "Wait", Policy: beckon.Wait})
	quiet := func() int64 { return d.Seen.Runs[task.ID].Quiet }

	q := d.Question("Well?")
	d.Until("twice as long", func() bool { return time.Since(time.UnixMilli(q.Asked)) > 2*limit })
	if d.Until("a look", func() bool { return true }); quiet() != 0 {
		t.Error("it waits for the user, and is called quiet")
	}
	d.Choose(q, "A")
	d.Until("it is quiet", func() bool { return quiet() != 0 })
	if since := time.UnixMilli(quiet()); since.Before(began) || time.Since(since) < 6*limit {
		t.Errorf("it is quiet since %s, %s after the beginning; a command may be silent for longer", since, since.Sub(began))
	}
	if at := d.Seen.Runs[task.ID].Activity; at.Verb != beckon.Executing || "run "+at.Target != silent {
		t.Errorf("it is shown to wait for %+v", at)
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	q = d.Question("And?")
	d.Until("it is heard", func() bool { return quiet() == 0 })
	d.Choose(q, "A")
	if _, run := d.Ended(task.ID); run.Outcome != beckon.Succeeded || run.Quiet != 0 {
		t.Errorf("the run ended %+v", run)
	}
}
