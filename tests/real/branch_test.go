package real

import (
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// allowed runs a task whose agent may do each of the commands, named by a part
// of them, to its end.
func allowed(s *fixture.Fixture, title string, commands ...string) beckon.Task {
	task := s.Create(beckon.NewTask{Title: title, Mode: beckon.ModeDefault})
	for _, command := range commands {
		q := s.Asked(task.ID, command)
		client.Must[any](s.Program, "AnswerQuestion", q.ID, beckon.Answer{Verdict: beckon.AllowOnce})
	}
	return s.InReview(task.ID)
}

// TestWorkOfAnAgentThatLeavesItsBranchIsCommittedToNoOther: the card says what
// happened, and the work is where the agent left it.
func TestWorkOfAnAgentThatLeavesItsBranchIsCommittedToNoOther(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ leaves, at string }{
		"a branch of the user's": {"git switch -q users-own", "the branch users-own"},
		"a new branch":           {"git checkout -q -b other", "the branch other"},
		"no branch":              {"git checkout -q --detach", "no branch"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := fixture.New(t, bash("echo work > made.txt"), bash(c.leaves), fixture.Turn{"text": "Done."})
			client.Git(t, s.Dir, "branch", "users-own")
			own, main := client.Git(t, s.Dir, "rev-parse", "users-own"), client.Git(t, s.Dir, "rev-parse", "main")
			task := allowed(s, "Strays", "made.txt", c.leaves)
			if !strings.Contains(task.Trouble.String(), "Nothing was committed") || !strings.Contains(task.Trouble.String(), c.at) || !strings.Contains(task.Trouble.String(), task.Branch) {
				t.Errorf("the card says %q", task.Trouble)
			}
			if now := client.Git(t, s.Dir, "rev-parse", "users-own"); now != own {
				t.Errorf("the user's branch was moved to %s", now)
			}
			if now := client.Git(t, s.Dir, "rev-parse", "main"); now != main {
				t.Errorf("main was moved to %s", now)
			}
			if left := client.Git(t, task.Worktree, "status", "--porcelain"); !strings.Contains(left, "made.txt") {
				t.Errorf("the worktree has %q", left)
			}
		})
	}
}

// TestAWorktreeThatItsAgentRemovesIsNotCalledCommitted: the card says what is
// left of the work.
func TestAWorktreeThatItsAgentRemovesIsNotCalledCommitted(t *testing.T) {
	t.Parallel()
	s := fixture.New(t, bash(`echo work > made.txt; rm -rf "$PWD"`), fixture.Turn{"text": "Done."})
	before := client.Git(t, s.Dir, "rev-parse", "main")
	task := allowed(s, "Gone", "rm -rf")
	if !strings.Contains(task.Trouble.String(), "is gone, and with it what was not committed") || !strings.Contains(task.Trouble.String(), filepath.Base(task.Worktree)) {
		t.Errorf("the card says %q", task.Trouble)
	}
	if now := client.Git(t, s.Dir, "rev-parse", "main"); now != before {
		t.Errorf("main was moved to %s", now)
	}
}

// TestTheCLITakesNoWorkOutOfTheWorktree: the tool for that is not offered, so that what the
// agent does is the task's.
func TestTheCLITakesNoWorkOutOfTheWorktree(t *testing.T) {
	t.Parallel()
	s := fixture.New(t, fixture.Turn{"tool": "EnterWorktree", "input": map[string]any{"name": "feature"}},
		fixture.Turn{"tool": "Write", "input": map[string]any{"file_path": "made.txt", "content": "made\n"}}, fixture.Turn{"text": "Done."})
	task := s.InReview(s.Create(beckon.NewTask{Title: "Make"}).ID)
	if task.Trouble != nil || task.Changes.Files != 1 {
		t.Errorf("%d files changed, trouble %q", task.Changes.Files, task.Trouble)
	}
	if got := client.Git(t, s.Dir, "worktree", "list"); strings.Contains(got, "feature") {
		t.Errorf("the worktrees are\n%s", got)
	}
}

// TestWorkOfAnIsolatedSubAgentIsSaid: its worktree is the CLI's, and the card names it.
func TestWorkOfAnIsolatedSubAgentIsSaid(t *testing.T) {
	t.Parallel()
	s := fixture.Play(t, fixture.Script{
		Rules: []fixture.Rule{{When: "write the second half", Turn: fixture.Turn{"tool": "Write", "input": map[string]any{"file_path": "half.txt", "content": "half\n"}}, Times: 1}},
		Turns: []fixture.Turn{
			{"tool": "Agent", "input": map[string]any{"description": "half", "prompt": "write the second half", "isolation": "worktree", "subagent_type": "general-purpose"}},
			{"text": "Done."},
			{"text": "Done."},
		},
	})
	task := s.InReview(s.Create(beckon.NewTask{Title: "Make", Mode: beckon.ModeAcceptEdits}).ID)
	if !strings.Contains(task.Trouble.String(), "The agent also worked in ") {
		t.Errorf("trouble %q; the worktrees are\n%s", task.Trouble, client.Git(t, s.Dir, "worktree", "list"))
	}
}
