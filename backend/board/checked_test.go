package board_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
)

// A merge asks for the check before it commits what the agent left, and not where the
// user saw that it failed.
func TestWhatFailedItsCheckIsMergedOnlyByWhoSawThat(t *testing.T) {
	t.Parallel()
	d := start(t, "write new.txt hello\n")
	task, _ := d.Ended(d.Run(beckon.NewTask{Title: "Write"}).ID)
	if err := os.WriteFile(filepath.Join(task.Worktree, "late.txt"), []byte("late\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	content := func() string {
		text, err := d.Board.Kept(d.Project).BranchOf(task).Content(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	was, failed := content(), errors.New("its check failed")
	d.Board.CheckPassed = func(context.Context, beckon.Task, beckon.Project) error { return failed }
	if _, err := d.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{}); !errors.Is(err, failed) {
		t.Errorf("a merge of what failed its check: %v", err)
	}
	if loss, err := d.Board.Loss(t.Context(), task.ID); err != nil || len(loss.Uncommitted) != 1 {
		t.Errorf("what was left is committed although nothing was merged: %+v, %v", loss, err)
	}
	if merged, err := d.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{FailedCheck: true}); err != nil || merged.Status != beckon.Done {
		t.Errorf("seen: %v, card in %s", err, merged.Status)
	}
	if now := content(); now != was {
		t.Errorf("the same files, committed, are %s and were %s", now, was)
	}
}

// What was trusted is what the project had then: a branch that changes what steers or runs
// something here is merged only by a user who saw that.
func TestWhatSteersSomethingHereIsMergedOnlyByWhoSawThat(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file    string
		trusted bool
		asks    bool
	}{
		"a server of agents":                {".mcp.json", true, true},
		"a container's, in a folder":        {".devcontainer/devcontainer.json", true, true},
		"instructions":                      {"CLAUDE.md", true, false},
		"a project that is trusted no more": {".mcp.json", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := start(t, "write "+c.file+" {}\n")
			task, _ := d.Ended(d.Run(beckon.NewTask{Title: "Write"}).ID)
			d.Project.Trusted = c.trusted
			if _, err := d.Board.EditProject(t.Context(), d.Project); err != nil {
				t.Fatal(err)
			}
			_, err := d.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{})
			kind, data := problem.From(err)
			if asks := kind == problem.Steering && data["files"] == c.file && data["key"] == task.Key && errors.Is(err, beckon.ErrConflict); asks != c.asks || !c.asks && err != nil {
				t.Fatalf("the merge: %v; %v", err, data)
			}
			if !c.asks {
				return
			}
			if merged, err := d.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{Steering: true}); err != nil || merged.Status != beckon.Done {
				t.Errorf("seen: %v, card in %s", err, merged.Status)
			}
		})
	}
}
