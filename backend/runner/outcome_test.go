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
	if run.Outcome != beckon.Failed || !strings.Contains(run.Reason.String(), "3") || !strings.Contains(run.Detail, "out of luck") {
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
	if run.Outcome != beckon.Failed || !strings.Contains(run.Reason.String(), "Beckon's tools") || task.Session == "" {
		t.Errorf("run %s: %q, session %q; want it said, and the session kept", run.Outcome, run.Reason, task.Session)
	}
}

// TestWorkInAWorktreeOfTheAgentsOwnIsSaid: on the card, with where it is; and not one that has
// nothing of its own.
func TestWorkInAWorktreeOfTheAgentsOwnIsSaid(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ does, want string }{
		"files":     {"run git worktree add -q .own -b side && echo x >.own/x\n", "git merge side in the task's worktree"},
		"commits":   {"run git worktree add -q .own -b side && git -C .own -c user.name=A -c user.email=a@b.c commit -q --allow-empty -m x\n", "git merge side in the task's worktree"},
		"no branch": {"run git worktree add -q --detach .own && echo x >.own/x\n", "is not part of this task."},
		"nothing":   {"run git worktree add -q .own -b side\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			own := filepath.Join(t.TempDir(), "own")
			d := start(t, strings.ReplaceAll(c.does, ".own", own))
			task, run := d.Ended(d.Run(beckon.NewTask{Title: "Wander"}).ID)
			if run.Outcome != beckon.Succeeded || !strings.Contains(task.Trouble.String(), c.want) || strings.Contains(task.Trouble.String(), own) != (c.want != "") {
				t.Errorf("run %s: %q; trouble %q", run.Outcome, run.Reason, task.Trouble)
			}
		})
	}
}

// TestWorkThatTheAgentWroteElsewhereIsSaid on the card of a run that changed no file of its
// own: "succeeded, 0 files" would be a lie.
func TestWorkThatTheAgentWroteElsewhereIsSaid(t *testing.T) {
	// The folder for what is temporary is no place for work, and a checkout may be in it.
	t.Setenv("TMPDIR", t.TempDir())
	dir, err := os.MkdirTemp(".", "elsewhere-")
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	d := start(t, "write "+filepath.Join(dir, "made.txt")+" work\n")
	task, run := d.Ended(d.Run(beckon.NewTask{Title: "Writes elsewhere"}).ID)
	if run.Outcome != beckon.Succeeded || !strings.Contains(task.Trouble.String(), dir) {
		t.Errorf("run %s: %q; trouble %q", run.Outcome, run.Reason, task.Trouble)
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
	if run.Outcome != beckon.Failed || !strings.Contains(run.Reason.String(), "no such step") {
		t.Errorf("run %s: %q; want its last words", run.Outcome, run.Reason)
	}
	if page, err := d.History.Transcript(t.Context(), task.ID, "", 100); err != nil || page.Entries == nil || len(page.Entries) != 0 {
		t.Errorf("transcript %+v, %v; want none", page, err)
	}
}
