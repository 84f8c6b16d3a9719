package runner_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon"
)

func TestACrashSaysWhyAndKeepsTheWork(t *testing.T) {
	t.Parallel()
	d := start(t, "write half.txt half\nstderr out of luck\ncrash 3\n")
	task, run := d.Ended(d.Run(beckon.NewTask{Title: "Crash"}).ID)
	if run.Outcome != beckon.Failed || !strings.Contains(run.Reason, "3") || !strings.Contains(run.Detail, "out of luck") {
		t.Errorf("run %s: %q, %q; want the exit code and the last words", run.Outcome, run.Reason, run.Detail)
	}
	if _, err := os.Stat(filepath.Join(task.Worktree, "half.txt")); err != nil {
		t.Errorf("the work is gone: %v", err)
	}
}

// TestAnAgentThatCouldNotAskIsStopped, as where a policy takes its MCP servers.
func TestAnAgentThatCouldNotAskIsStopped(t *testing.T) {
	t.Parallel()
	d := start(t, `say {"type":"system","subtype":"init","session_id":"x","mcp_servers":[{"name":"beckon","status":"failed"}]}
ask Which? | A | B
`)
	task, run := d.Ended(d.Run(beckon.NewTask{Title: "Dumb"}).ID)
	if run.Outcome != beckon.Failed || !strings.Contains(run.Reason, "Beckon's tools") || task.Session == "" {
		t.Errorf("run %s: %q, session %q; want it said, and the session kept", run.Outcome, run.Reason, task.Session)
	}
}

func TestStopKeepsWorkAndSession(t *testing.T) {
	t.Parallel()
	d := start(t, "write half.txt half\nask Which? | A | B\n")
	task := d.Run(beckon.NewTask{Title: "Stop me"})
	d.Question("Which?")
	if err := d.Runner.Stop(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	task, run := d.Ended(task.ID)
	if run.Outcome != beckon.Stopped || task.Session == "" {
		t.Errorf("run %s, session %q; want stopped, and a session to resume", run.Outcome, task.Session)
	}
	if _, err := os.Stat(filepath.Join(task.Worktree, "half.txt")); err != nil {
		t.Errorf("the work is gone: %v", err)
	}
	d.Until("the question is withdrawn", func() bool {
		return len(d.Asked) == 1 && d.Asked[0].Settlement == beckon.Withdrawn
	})
}

func TestAnAgentThatNeverSpokeSaysWhy(t *testing.T) {
	t.Parallel()
	d := start(t, "no such step\n")
	task, run := d.Ended(d.Run(beckon.NewTask{Title: "Dumb"}).ID)
	if run.Outcome != beckon.Failed || !strings.Contains(run.Reason, "no such step") {
		t.Errorf("run %s: %q; want its last words", run.Outcome, run.Reason)
	}
	if page, err := d.History.Transcript(t.Context(), task.ID, "", 100); err != nil || page.Entries == nil || len(page.Entries) != 0 {
		t.Errorf("transcript %+v, %v; want none", page, err)
	}
}
