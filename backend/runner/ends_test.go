package runner_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
)

// advice is the command that a text tells the user to run in the worktree.
func advice(t *testing.T, text string) string {
	t.Helper()
	_, after, found := strings.Cut(text, "run ")
	command, _, ends := strings.Cut(after, " in that folder")
	if !found || !ends {
		t.Fatalf("there is no advice in %q", text)
	}
	return command
}

// TestWorkOnAnotherBranchIsSaidAndCanBeTakenOver: nothing is committed to what
// may be a branch of the user's, the card says where the work is, and who does
// what the card and the Changes tab say has the work on the task's branch.
func TestWorkOnAnotherBranchIsSaidAndCanBeTakenOver(t *testing.T) {
	t.Parallel()
	for name, leaves := range map[string]string{
		"a branch of the user's":          "run git switch -q users-own",
		"a new branch":                    "run git switch -q -c other",
		"no branch":                       "run git switch -q --detach",
		"commits of its own":              "run git switch -q -c other && git add made.txt && git -c user.name=A -c user.email=a@localhost commit -qm Mine",
		"commits of its own on no branch": "run git switch -q --detach && git add made.txt && git -c user.name=A -c user.email=a@localhost commit -qm Mine",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := start(t, "write made.txt the work\n"+leaves+"\ntext Done.\n")
			d.Git("branch", "users-own")
			before := d.Git("rev-parse", "users-own")
			task, run := d.Ended(d.Run(beckon.NewTask{Title: "Strays"}).ID)
			if run.Outcome != beckon.Succeeded || !strings.Contains(task.Trouble.String(), "Nothing was committed") || !strings.Contains(task.Trouble.String(), task.Branch) {
				t.Errorf("it %s, and the card says %q", run.Outcome, task.Trouble)
			}
			if now := d.Git("rev-parse", "users-own"); now != before {
				t.Errorf("the user's branch was moved to %s", now)
			}
			review, err := d.Board.Review(t.Context(), task.ID, reviewing.View{})
			if err != nil {
				t.Fatal(err)
			}
			command := advice(t, review.Refusal.String())
			if onCard := advice(t, task.Trouble.String()); onCard != command {
				t.Errorf("the card advises %q, the Changes tab %q", onCard, command)
			}
			cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
			cmd.Dir = task.Worktree
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v: %s", command, err, out)
			}
			if _, err := d.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{}); err != nil {
				t.Fatal(err)
			}
			if made := d.Git("show", "HEAD:made.txt"); made != "the work" {
				t.Errorf("merged is %q", made)
			}
		})
	}
}

// TestWhoStopsAnAgentOnAnotherBranchIsToldWhereTheWorkIs: the work of a run
// that did not succeed is not committed anyway, and is not on the branch.
func TestWhoStopsAnAgentOnAnotherBranchIsToldWhereTheWorkIs(t *testing.T) {
	t.Parallel()
	d := start(t, "write made.txt the work\nrun git switch -q -c other\nrun touch strayed\nsleep 60s\n")
	task := d.at(beckon.Working, beckon.NewTask{Title: "Strays"})
	d.Until("it has left its branch", func() bool { _, err := os.Stat(filepath.Join(d.Tasks[task.ID].Worktree, "strayed")); return err == nil })
	if err := d.Runner.Stop(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	if task, _ = d.Ended(task.ID); !strings.Contains(task.Trouble.String(), "the branch other") {
		t.Errorf("the card says %q", task.Trouble)
	}
}

func TestAWorktreeThatIsDeletedUnderItsAgentIsNotCalledCommitted(t *testing.T) {
	t.Parallel()
	d := start(t, "write made.txt the work\nrun rm -rf \"$PWD\"\ntext Done.\n")
	task, _ := d.Ended(d.Run(beckon.NewTask{Title: "Gone"}).ID)
	if !strings.Contains(task.Trouble.String(), "is gone, and with it what was not committed") || strings.Contains(task.Trouble.String(), "chdir") {
		t.Errorf("the card says %q", task.Trouble)
	}
}

func TestAFolderThatIsDeletedUnderItsAgentIsSaid(t *testing.T) {
	t.Parallel()
	d := start(t, "write made.txt the work\nrun rm -rf \"$PWD\"\ntext Done.\n")
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.Mkdir(plain, 0o700); err != nil {
		t.Fatal(err)
	}
	p, err := d.Board.AddProject(t.Context(), beckon.NewProject{Dir: plain, Trusted: true})
	if err != nil {
		t.Fatal(err)
	}
	d.Project = p
	task, _ := d.Ended(d.Run(beckon.NewTask{Title: "Gone"}).ID)
	if !strings.Contains(task.Trouble.String(), "folder "+plain+" is gone") {
		t.Errorf("the card says %q", task.Trouble)
	}
}

// TestWorkThatIsSavedSlowlyIsSaidAndCanBeStopped: a filter of the repository
// hangs. The agent is gone, the card says that its work is being saved, and
// Stop ends that too.
func TestWorkThatIsSavedSlowlyIsSaidAndCanBeStopped(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script  string
		stopped bool // the agent, before
		trouble string
	}{
		"a commit":  {"write made.slow the work\ntext Done.\n", false, "The work is in the worktree, but not committed: You stopped it"},
		"a summary": {"write made.slow the work\nsleep 60s\n", true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := start(t, c.script)
			g := d.NewGate()
			g.Shut()
			task := d.Run(beckon.NewTask{Title: "Slow"})
			stop := func() {
				if err := d.Runner.Stop(t.Context(), task.ID); err != nil {
					t.Fatal(err)
				}
			}
			if c.stopped {
				d.Until("it has written", func() bool {
					_, err := os.Stat(filepath.Join(d.Tasks[task.ID].Worktree, "made.slow"))
					return err == nil
				})
				stop()
			}
			g.Reached()
			d.Until("the card says that the work is being saved", func() bool { return d.Runs[task.ID].Phase == beckon.Saving })
			if now := d.Now(task.ID); now.Status != beckon.Running {
				t.Errorf("the card is in %s already", now.Status)
			}
			stop()
			now, _ := d.Ended(task.ID)
			if !strings.HasPrefix(now.Trouble.String(), c.trouble) || c.trouble == "" && now.Trouble != nil {
				t.Errorf("the card says %q", now.Trouble)
			}
			g.Open()
			if got, err := os.ReadFile(filepath.Join(now.Worktree, "made.slow")); err != nil || !strings.Contains(string(got), "the work") {
				t.Errorf("the work is %q, %v", got, err)
			}
		})
	}
}
