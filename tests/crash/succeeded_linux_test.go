package crash

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite" // the driver

	"beckon/backend/beckon"
	"beckon/tests/client"
)

// TestARunThatSucceededIsNotLostWithABeckonThatDiesBeforeItsAgentLeft: claude
// has said its result and takes its time to leave, with room on the disk and
// without.
func TestARunThatSucceededIsNotLostWithABeckonThatDiesBeforeItsAgentLeft(t *testing.T) {
	t.Parallel()
	for _, full := range []bool{false, true} {
		t.Run(fmt.Sprintf("full %t", full), func(t *testing.T) {
			t.Parallel()
			c := onDisk(t, "write made.txt made\nGATE\ntext Done.\n", true)
			left := c.lingers()
			c.begin()
			if full {
				c.fill()
			}
			c.open()
			c.Until("claude is done and lingers", patience, func() bool { _, err := os.Stat(left); return err == nil })
			if phase := c.last().Phase; phase == beckon.Saving || phase == beckon.Ended {
				t.Errorf("it is %s, although its process lives", phase)
			}
			c.kill()
			if full {
				c.makeRoom()
			}
			c.again()
			c.succeeded()
		})
	}
}

// TestATurnThatWasBegunAndNotEndedIsLost: the agent had said a result before,
// after which it was to leave, and began another turn on its own.
func TestATurnThatWasBegunAndNotEndedIsLost(t *testing.T) {
	t.Parallel()
	c := onDisk(t, `text One.
say {"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"One.","session_id":"${session}","total_cost_usd":0,"usage":{},"modelUsage":{},"permission_denials":[]}
sleep 1s
say {"type":"system","subtype":"session_state_changed","state":"running","session_id":"${session}"}
GATE
text Two.
`, true)
	c.begin()
	c.kill()
	c.again()
	c.InReview(c.task.ID)
	if run := c.last(); run.Outcome != beckon.Lost {
		t.Errorf("it %s: %s", run.Outcome, run.Reason)
	}
}

// TestARunThatSucceededIsNotLostWithABeckonThatDiesBeforeTheRow: what the page
// says of the run's end outlives Beckon, also where the database has not got it.
func TestARunThatSucceededIsNotLostWithABeckonThatDiesBeforeTheRow(t *testing.T) {
	t.Parallel()
	c := onDisk(t, "write made.txt made\nGATE\ntext Done.\n", true)
	c.begin()
	unlock := c.lockDatabase()
	c.open()
	c.killOnceItIsSaved()
	unlock()
	c.again()
	c.succeeded()
}

func (c *cramped) kill() {
	_ = c.Cmd.Process.Kill()
	_ = c.Cmd.Wait()
}

// again starts Beckon, which was killed.
func (c *cramped) again() {
	c.t.Helper()
	c.Program = client.Serve(c.t, beckonBin, c.env, c.args...)
}

// succeeded wants the run to have succeeded, and its work committed.
func (c *cramped) succeeded() {
	c.t.Helper()
	now := c.InReview(c.task.ID)
	if run := c.last(); run.Outcome != beckon.Succeeded || run.Phase != beckon.Ended {
		c.t.Errorf("it %s (%s): %s", run.Outcome, run.Phase, run.Reason)
	}
	if now.Trouble != nil || now.Changes.Commits == 0 {
		c.t.Errorf("its work is not committed: %+v, %q", now.Changes, now.Trouble)
	}
}

// lingers has the agent's process live on after it has said its result and
// its input has ended; the file that it returns is made then.
func (c *cramped) lingers() (left string) {
	c.t.Helper()
	left = filepath.Join(filepath.Dir(c.gate), "left")
	agent := c.args[3]
	wrapper, err := os.ReadFile(agent)
	must(c.t, err)
	plays := filepath.Join(filepath.Dir(agent), "plays")
	must(c.t, os.WriteFile(plays, wrapper, 0o700)) //nolint:gosec // It is to be executable.
	text := fmt.Sprintf("#!/bin/sh\n%s \"$@\"\ncase $1 in -p) : > %s; sleep 60;; esac\n", plays, left)
	must(c.t, os.WriteFile(agent, []byte(text), 0o700)) //nolint:gosec // It is to be executable.
	return left
}

// lockDatabase keeps Beckon from writing into its database until unlock.
func (c *cramped) lockDatabase() (unlock func()) {
	c.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(c.disk, "data", "beckon.db"))
	must(c.t, err)
	c.t.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	_, err = db.ExecContext(c.t.Context(), "PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE")
	must(c.t, err)
	return func() {
		c.t.Helper()
		_, err := db.ExecContext(c.t.Context(), "ROLLBACK")
		must(c.t, err)
	}
}
