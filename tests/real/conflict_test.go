package real

import (
	"os"
	"path/filepath"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// TestAConflictIsResolvedInTheWorktree: the agent has the conflict as its brief, in its
// own session, and merges or rebases; main stays as it is until the user merges.
func TestAConflictIsResolvedInTheWorktree(t *testing.T) {
	t.Parallel()
	const who = "git -c user.name=Claude -c user.email=claude@localhost "
	for name, resolve := range map[string]string{
		"by a merge":  who + "merge -q -X ours -m 'Merge main' main",
		"by a rebase": who + "rebase -q -X theirs main",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := fixture.New(t, bash("echo of the task > made.txt"), fixture.Turn{"text": "Made."}, bash(resolve), fixture.Turn{"text": "Resolved."})
			task := allowed(s, "Make a file", "made.txt")
			if err := os.WriteFile(filepath.Join(s.Dir, "made.txt"), []byte("of main\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			client.Git(t, s.Dir, "add", "made.txt")
			client.Git(t, s.Dir, "commit", "-q", "-m", "Make it too")
			before := client.Git(t, s.Dir, "rev-parse", "main")

			list := client.Must[[]reviewing.Conflict](s.Program, "Conflicts", task.ID)
			if len(list) != 1 || list[0].Path != "made.txt" || len(list[0].Hunks) != 1 || list[0].Hunks[0].Base[0] != "of main" || list[0].Hunks[0].Task[0] != "of the task" {
				t.Fatalf("in conflict are %+v", list)
			}
			client.Must[beckon.Task](s.Program, "SendBack", task.ID, "This branch conflicts with main in made.txt. Bring main in, and resolve it.")
			q := s.Asked(task.ID, "main")
			client.Must[any](s.Program, "AnswerQuestion", q.ID, beckon.Answer{Verdict: beckon.AllowOnce})
			task = s.InReview(task.ID)
			s.Heard("This branch conflicts with main in made.txt.")
			if list := client.Must[[]reviewing.Conflict](s.Program, "Conflicts", task.ID); len(list) > 0 {
				t.Errorf("still in conflict are %+v", list)
			}
			if now := client.Git(t, s.Dir, "rev-parse", "main"); now != before {
				t.Errorf("main was moved to %s", now)
			}
			if d := client.Must[beckon.ReviewDiff](s.Program, "Review", task.ID, reviewing.View{}); d.Refusal != nil || d.Behind != 0 {
				t.Errorf("it is %d behind, and cannot be merged: %q", d.Behind, d.Refusal)
			}
			client.Must[beckon.Task](s.Program, "Merge", task.ID)
			if got := client.Git(t, s.Dir, "show", "main:made.txt"); got != "of the task\n" {
				t.Errorf("main has %q", got)
			}
			if runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID); len(runs) != 2 || runs[0].Session != runs[1].Session {
				t.Errorf("runs %+v; want two of one session", runs)
			}
		})
	}
}
