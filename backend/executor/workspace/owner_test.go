//go:build linux || darwin

package workspace_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon/executing"
	"beckon/backend/executor/calls"
	"beckon/backend/executor/workspace"
)

// The Beckons of two computers, by one account of another machine.
var (
	laptop  = calls.Scope{Owner: "aaaaaaaaaaaa", Projects: []string{"pa"}}
	desktop = calls.Scope{Owner: "bbbbbbbbbbbb", Projects: []string{"pb"}}
)

// account is what is on another machine: a helper, and for each project of an owner a
// worktree. Projects of the owner "" are those of a Beckon that marks nothing.
func account(t *testing.T, owners map[string]string) workspace.Workspace {
	t.Helper()
	w := workspace.Workspace{Dir: filepath.Join(t.TempDir(), "beckon-executor")}
	core := filepath.Join(w.Dir, "core", "sum")
	if err := os.MkdirAll(core, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(core, "beckon-core"), make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	for projectID, owner := range owners {
		call(t, w, calls.Prepare, calls.Project{ID: projectID, Owner: owner, UserName: "Ada", UserEmail: "ada@localhost"})
		task := calls.Task{ProjectID: projectID, ID: "t1", Branch: "b1"}
		call(t, w, calls.Put, calls.Work{Task: task, Commit: pushed(t, w, projectID)})
	}
	return w
}

// has holds what is there to be these files and no others.
func has(t *testing.T, w workspace.Workspace, want ...string) {
	t.Helper()
	var got []string
	for _, pattern := range []string{"core/*", "repos/*", "work/*/*"} {
		found, _ := filepath.Glob(filepath.Join(w.Dir, pattern)) // the pattern is valid
		for _, file := range found {
			got = append(got, strings.TrimPrefix(file, w.Dir+"/"))
		}
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("there is %q, want %q", got, want)
	}
}

// TestRemoveTakesNothingOfAnotherBeckon of the same account, and the last one takes all.
func TestRemoveTakesNothingOfAnotherBeckon(t *testing.T) {
	t.Parallel()
	w := account(t, map[string]string{"pa": laptop.Owner, "pb": desktop.Owner})
	call(t, w, calls.Clear, desktop)
	has(t, w, "core/sum", "repos/pa.git", "work/pa/t1")
	if got := git(t, w, "pa", "", "worktree", "list", "--porcelain"); strings.Count(got, "worktree ") != 2 {
		t.Errorf("its worktrees are\n%s", got)
	}
	call(t, w, calls.Clear, desktop)
	has(t, w, "core/sum", "repos/pa.git", "work/pa/t1")
	call(t, w, calls.Clear, laptop)
	if _, err := os.Lstat(w.Dir); !os.IsNotExist(err) {
		t.Errorf("the folder is left: %v", err)
	}
	call(t, w, calls.Clear, laptop) // nothing is there any more
}

// TestABeckonCountsWhatIsItsOwn where it shares an account, and all where it does not.
func TestABeckonCountsWhatIsItsOwn(t *testing.T) {
	t.Parallel()
	left := func(w workspace.Workspace, of calls.Scope) executing.Left {
		left, _ := call(t, w, calls.Left, of).(executing.Left)
		return left
	}
	w := account(t, map[string]string{"pa": laptop.Owner, "pb": desktop.Owner, "pc": desktop.Owner})
	if got := left(w, laptop); got.Worktrees != 1 || got.Bytes == 0 || got.Bytes >= 1<<20 {
		t.Errorf("the laptop has %+v", got)
	}
	if got := left(w, desktop); got.Worktrees != 2 {
		t.Errorf("the desktop has %+v", got)
	}
	call(t, w, calls.Clear, desktop)
	if got := left(w, laptop); got.Worktrees != 1 || got.Bytes <= 1<<20 {
		t.Errorf("the laptop alone has %+v", got)
	}
	if got := left(w, desktop); got.Worktrees != 0 || got.Bytes != 0 {
		t.Errorf("the desktop still has %+v", got)
	}
}

// TestWhatAnOlderBeckonMadeIsItsOwn: nothing says there whose it is, so its projects do. What
// nobody knows stays.
func TestWhatAnOlderBeckonMadeIsItsOwn(t *testing.T) {
	t.Parallel()
	w := account(t, map[string]string{"pa": "", "pb": "", "px": ""})
	if got, _ := call(t, w, calls.Left, laptop).(executing.Left); got.Worktrees != 1 {
		t.Errorf("the laptop has %+v", got)
	}
	call(t, w, calls.Prepare, calls.Project{ID: "pa", Owner: laptop.Owner}) // it goes on with its project
	call(t, w, calls.Clear, calls.Scope{Owner: desktop.Owner, Projects: []string{"pb", "pa"}})
	has(t, w, "core/sum", "repos/pa.git", "repos/px.git", "work/pa/t1", "work/px/t1")
	call(t, w, calls.Clear, laptop)
	has(t, w, "core/sum", "repos/px.git", "work/px/t1")
}

// TestAPodHasOneBeckon: without an owner all is meant.
func TestAPodHasOneBeckon(t *testing.T) {
	t.Parallel()
	w := account(t, map[string]string{"pa": laptop.Owner, "pb": ""})
	call(t, w, calls.Clear, calls.Scope{})
	has(t, w)
}

// TestAnOldProgramGoesWithItsBeckon: each version of Beckon puts one there, of 25 MB. What
// another Beckon of the account may need stays.
func TestAnOldProgramGoesWithItsBeckon(t *testing.T) {
	t.Parallel()
	month := 31 * 24 * time.Hour
	for name, one := range map[string]struct {
		owners map[string]string
		want   []string
	}{
		"alone":       {map[string]string{"pa": laptop.Owner}, []string{"core/late", "core/sum", "repos/pa.git", "work/pa/t1"}},
		"with others": {map[string]string{"pa": laptop.Owner, "pb": desktop.Owner}, []string{"core/late", "core/old", "core/sum", "repos/pa.git", "repos/pb.git", "work/pa/t1", "work/pb/t1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := account(t, one.owners)
			w.Program = filepath.Join(w.Dir, "core", "sum", "beckon-core")
			now := time.Now()
			for program, at := range map[string]time.Time{"sum": now, "old": now.Add(-time.Hour), "ancient": now.Add(-month), "late": now.Add(time.Hour)} {
				dir := filepath.Join(w.Dir, "core", program)
				if err := errors.Join(os.MkdirAll(dir, 0o700), os.Chtimes(dir, at, at)); err != nil {
					t.Fatal(err)
				}
			}
			call(t, w, calls.Prepare, calls.Project{ID: "pa", Owner: laptop.Owner})
			has(t, w, one.want...)
		})
	}
}
