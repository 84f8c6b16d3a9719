package git

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/merge"
	"beckon/backend/git/workdir"
	"beckon/tests/killing"
)

// killedVariable names what a process of the tests does while it is killed.
const killedVariable = "BECKON_TEST_KILLED"

// taking are the ways in which a branch and its base change each other.
var taking = map[string]func(context.Context, *Repo, Worktree) error{
	"merge":   func(ctx context.Context, r *Repo, w Worktree) error { return mergeAs(ctx, r, w, reviewing.MergeCommit) },
	"squash":  func(ctx context.Context, r *Repo, w Worktree) error { return mergeAs(ctx, r, w, reviewing.Squash) },
	"rebase":  func(ctx context.Context, r *Repo, w Worktree) error { return mergeAs(ctx, r, w, reviewing.Rebase) },
	"unmerge": func(ctx context.Context, r *Repo, w Worktree) error { return r.Unmerge(ctx, w) },
	"remerge": func(ctx context.Context, r *Repo, w Worktree) error { return r.Remerge(ctx, w) },
	"update": func(ctx context.Context, r *Repo, w Worktree) error {
		_, err := r.Update(ctx, w, "Merge main")
		return err
	},
	"discard": func(ctx context.Context, r *Repo, w Worktree) error {
		loss, err := r.Loss(ctx, w)
		if err != nil {
			return err
		}
		return r.Discard(ctx, w, loss.Token)
	},
	"archive":    func(ctx context.Context, r *Repo, w Worktree) error { return r.RemoveWorktree(ctx, w) },
	"bring back": func(ctx context.Context, r *Repo, w Worktree) error { return r.RestoreWorktree(ctx, w) },
	"take the update back": func(ctx context.Context, r *Repo, w Worktree) error {
		return r.TakeBackUpdate(ctx, w, false)
	},
	"resolve by hand": func(ctx context.Context, r *Repo, w Worktree) error {
		return merge.Begin(ctx, r.in(w.Dir), w)
	},
	"continue": func(ctx context.Context, r *Repo, w Worktree) error {
		return merge.Finish(ctx, r.in(w.Dir), "by hand")
	},
	"abandon":             func(ctx context.Context, r *Repo, w Worktree) error { return merge.Abandon(ctx, r.in(w.Dir)) },
	"restore":             restored,
	"restore from a copy": restored,
	"update again":        func(ctx context.Context, r *Repo, w Worktree) error { return r.TakeBackUpdate(ctx, w, true) },
}

func mergeAs(ctx context.Context, r *Repo, w Worktree, way reviewing.MergeWay) error {
	_, err := r.Merge(ctx, w, way, "as said")
	return err
}

// restored restores what is kept under the ref that stands where a worktree has the commit
// of its base.
func restored(ctx context.Context, r *Repo, w Worktree) error {
	_, err := r.Restore(ctx, w.BaseCommit, "")
	return err
}

// beKilledIfAsked does what the environment names and ends the program.
func beKilledIfAsked() {
	parts := strings.Split(os.Getenv(killedVariable), "\n")
	if len(parts) != 5 {
		return
	}
	w := Worktree{Dir: parts[2], Branch: "beckon/kes-1-work", Base: "main", BaseCommit: parts[3]}
	if err := taking[parts[0]](context.Background(), (&Pool{Dir: parts[4]}).Open(parts[1], false), w); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// killedAt does something in a process that is killed at a step; killed is false where
// it has no such step.
func (b *bench) killedAt(name string, w Worktree, step int) (killed bool) {
	b.Helper()
	return killing.Run(b.T, step, []string{killedVariable + "=" +
		strings.Join([]string{name, b.repo.dir, w.Dir, w.BaseCommit, b.repo.pool.Dir}, "\n")})
}

// TestKilledAtAnyStepBothBranchesAreWhole: whatever git was called for when Beckon was
// killed, base and branch are as before or as after, with clean folders, and the same
// done again comes to the same end.
func TestKilledAtAnyStepBothBranchesAreWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("it kills some thirty processes")
	}
	t.Parallel()
	for name := range taking {
		if slices.Contains(slices.Concat(cleaning, byHand, restoring), name) {
			continue
		}
		killedAfterEachStep(t, name, killedOnce)
	}
}

// killedAfterEachStep has something done and killed after its first step, its second and
// so on, until it has no such step.
func killedAfterEachStep(t *testing.T, name string, killed func(t *testing.T, name string, step int) bool) {
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		kills := 0
		for killed(t, name, kills+1) {
			kills++
		}
		if kills == 0 {
			t.Error("it was never killed")
		}
	})
}

// cleaning are those of taking that remove a folder, or make it again.
var cleaning = []string{"discard", "archive", "bring back"}

// TestKilledAtAnyStepOfACleanUpNothingIsLost: the files are in the folder or kept, and
// done again it comes to its end.
func TestKilledAtAnyStepOfACleanUpNothingIsLost(t *testing.T) {
	t.Parallel()
	for _, name := range cleaning {
		killedAfterEachStep(t, name, cleanUpKilled)
	}
}

// byHand are those of taking by which a person resolves a conflict.
var byHand = []string{"resolve by hand", "continue", "abandon"}

// TestKilledWhileAConflictIsResolvedByHand: the base stays as it is, the branch too until
// all of it is resolved, and done again it comes to its end.
func TestKilledWhileAConflictIsResolvedByHand(t *testing.T) {
	t.Parallel()
	for _, name := range byHand {
		killedAfterEachStep(t, name, byHandKilled)
	}
}

// restoring are those of taking that bring discarded work back.
var restoring = []string{"restore", "restore from a copy"}

// TestKilledWhileDiscardedWorkIsRestored: what was discarded is kept until it is there
// again, and done again it comes back once and whole.
func TestKilledWhileDiscardedWorkIsRestored(t *testing.T) {
	t.Parallel()
	for _, name := range restoring {
		killedAfterEachStep(t, name, restoreKilled)
	}
}

func restoreKilled(t *testing.T, name string, step int) bool {
	t.Helper()
	b := apart(t)
	b.repo = (&Pool{Dir: filepath.Join(b.data, "own")}).Open(b.repo.dir, false)
	b.write(b.w.Dir, "late.txt", "late\n")
	content := b.content()
	b.discard()
	w := b.w
	w.BaseCommit = must(b.repo.Discarded(b.ctx))(t)[0].Ref
	if name == "restore from a copy" {
		b.git(b.repo.dir, "update-ref", "-d", w.BaseCommit)
		b.git(b.repo.dir, "reflog", "expire", "--expire=now", "--all")
		b.git(b.repo.dir, "gc", "-q", "--prune=now")
	}
	if !b.killedAt(name, w, step) {
		return false
	}
	b.w.Branch = must(b.repo.Restore(b.ctx, w.BaseCommit, ""))(t)
	if branches := b.git(b.repo.dir, "for-each-ref", "--format=%(refname:lstrip=2)",
		"refs/heads/beckon/"); branches != b.w.Branch {
		t.Errorf("step %d: it came back as %q", step, branches)
	}
	must(0, b.repo.RestoreWorktree(b.ctx, b.w))(t)
	if again := b.content(); !maps.Equal(again, content) {
		t.Errorf("step %d: %d files came back of %d", step, len(again), len(content))
	}
	must(0, b.repo.Forget(b.ctx, w.BaseCommit))(t)
	return true
}

func byHandKilled(t *testing.T, name string, step int) bool {
	t.Helper()
	b := opposed(t)
	folder := b.repo.in(b.w.Dir)
	main, tip := b.git(b.repo.dir, "rev-parse", "main"), b.git(b.w.Dir, "rev-parse", "HEAD")
	if name != "resolve by hand" {
		must(0, merge.Begin(b.ctx, folder, b.w))(t)
	}
	if name == "continue" {
		b.write(b.w.Dir, "a.txt", "of both\n")
	}
	if !b.killedAt(name, b.w, step) {
		return false
	}
	left := must(merge.Left(b.ctx, folder))(t)
	err := taking[name](b.ctx, b.repo, b.w)
	if done := name == "continue" && err != nil &&
		strings.Contains(err.Error(), "no merge is under way"); err != nil && !done {
		t.Errorf("step %d: again: %v", step, err)
	}
	doing := must(workdir.InProgress(b.ctx, folder))(t)
	parents := b.git(b.w.Dir, "log", "-1", "--format=%H %P")
	switch {
	case name == "resolve by hand" && (doing != "merge" || len(left) != 1 || !strings.HasPrefix(parents, tip)):
		t.Errorf("step %d: %q is under way, %q are left at %s", step, doing, left, parents)
	case name == "abandon" && (doing != "" ||
		b.read(b.w.Dir, "a.txt")+b.read(b.w.Dir, "b.txt") != "of the task\none\n" || !strings.HasPrefix(parents, tip)):
		t.Errorf("step %d: %q is under way at %s", step, doing, parents)
	case name == "continue" && (doing != "" || b.read(b.w.Dir, "a.txt")+b.read(b.w.Dir, "b.txt") != "of both\ntwo\n" ||
		!strings.HasSuffix(parents, " "+tip+" "+main)):
		t.Errorf("step %d: %q is under way at %s", step, doing, parents)
	}
	if dirty := b.git(b.w.Dir, "status", "--porcelain"); dirty != "" && name != "resolve by hand" {
		t.Errorf("step %d: the worktree has %s", step, dirty)
	}
	if now := b.git(b.repo.dir, "rev-parse", "main"); now != main {
		t.Errorf("step %d: main moved to %s", step, now)
	}
	return true
}

func cleanUpKilled(t *testing.T, name string, step int) bool {
	t.Helper()
	b := apart(t)
	if name == "discard" {
		b.write(b.w.Dir, "late.txt", "late\n")
	}
	content := b.content()
	if name == "bring back" {
		must(0, b.repo.RemoveWorktree(b.ctx, b.w))(t)
	}
	if !b.killedAt(name, b.w, step) {
		return false
	}
	if err := taking[name](b.ctx, b.repo, b.w); err != nil {
		t.Errorf("step %d: again: %v", step, err)
	}
	if list := must(b.repo.Discarded(b.ctx))(t); name == "discard" {
		last := list[len(list)-1]
		b.w.Branch = must(b.repo.Restore(b.ctx, last.Ref, ""))(t)
	}
	if name != "bring back" {
		if exists(b.w.Dir) {
			t.Errorf("step %d: the folder is there", step)
		}
		must(0, b.repo.RestoreWorktree(b.ctx, b.w))(t)
	}
	if again := b.content(); !maps.Equal(again, content) {
		t.Errorf("step %d: %d files came back of %d", step, len(again), len(content))
	}
	return true
}

func killedOnce(t *testing.T, name string, step int) bool {
	t.Helper()
	b := apart(t)
	w := b.w
	switch name {
	case "unmerge", "remerge":
		must(b.repo.Merge(b.ctx, w, reviewing.Squash, "as said"))(t)
	case "take the update back", "update again":
		w.BaseCommit = must(b.repo.Update(b.ctx, w, "Merge main"))(t)
	}
	if name == "remerge" {
		must(0, b.repo.Unmerge(b.ctx, w))(t)
	}
	if name == "update again" {
		must(0, b.repo.TakeBackUpdate(b.ctx, w, false))(t)
	}
	before := b.both()
	if !b.killedAt(name, w, step) {
		return false
	}
	between := b.both()
	err := taking[name](b.ctx, b.repo, w)
	if done := between != before && err != nil && strings.Contains(err.Error(), "nothing to merge"); err != nil && !done {
		t.Errorf("step %d: again: %v", step, err)
	}
	after := b.both()
	if after == before {
		t.Errorf("step %d: nothing came of it", step)
	}
	if between != before && between != after {
		t.Errorf("step %d: it was\n%s\nis\n%s\nand becomes\n%s", step, before, between, after)
	}
	return true
}

// both is what base and branch have, with their folders, which must be clean.
func (b *bench) both() string {
	b.Helper()
	for _, dir := range []string{b.repo.dir, b.w.Dir} {
		if dirty := b.git(dir, "status", "--porcelain"); dirty != "" {
			b.Errorf("%s has %s", dir, dirty)
		}
	}
	return b.git(b.repo.dir, "rev-parse", "HEAD^{tree}", "main^{tree}", "beckon/kes-1-work^{tree}") + "\n" +
		b.git(b.repo.dir, "rev-list", "--count", "main") + " " + b.git(b.w.Dir, "rev-list", "--count", "HEAD")
}
