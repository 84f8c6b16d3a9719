package git

import (
	"path/filepath"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/git/command"
)

// topic makes a branch with one commit of its own, which no folder has checked out.
func (b *bench) topic(name string) (commit string) {
	b.Helper()
	aside := filepath.Join(b.data, "aside")
	b.git(b.repo.dir, "worktree", "add", "-q", "-b", name, aside, "main")
	b.commit(aside, "topic.txt", "of "+name)
	b.git(b.repo.dir, "worktree", "remove", aside)
	return b.tip(name)
}

func (b *bench) tip(branch string) string {
	b.Helper()
	return b.git(b.repo.dir, "for-each-ref", "--format=%(objectname)", "refs/heads/"+branch)
}

func TestABranchThatIsThereIsWorkedOnAndKeptWhenTheWorkIsDiscarded(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a": "one"})
	found := b.topic("feature/shards")
	main := b.tip("main")
	b.w = must(b.repo.AdoptBranch(b.ctx, filepath.Join(b.data, "kes-1"), "feature/shards", "main"))(t)
	if b.w.Found != found || b.w.BaseCommit != main || b.read(b.w.Dir, "topic.txt") != "of feature/shards" {
		t.Fatalf("got %+v", b.w)
	}
	b.commit(b.w.Dir, "more", "of the task's")
	b.write(b.w.Dir, "left", "uncommitted")
	loss := must(b.repo.Loss(b.ctx, b.w))(t)
	if loss.Commits != 1 { // that of the branch's own stays
		t.Errorf("%d commits would go, want 1", loss.Commits)
	}
	if err := b.repo.Discard(b.ctx, b.w, loss.Token); err != nil {
		t.Fatal(err)
	}
	if now := b.tip("feature/shards"); now != found {
		t.Fatalf("the branch is at %s, want %s", now, found)
	}
	kept := must(b.repo.Discarded(b.ctx))(t)
	if back := must(b.repo.Restore(b.ctx, kept[0].Ref, found))(t); back != "feature/shards" {
		t.Errorf("the work came back on %s", back)
	}
	if got := b.git(b.repo.dir, "show", "feature/shards:left"); got != "uncommitted" {
		t.Errorf("got %q back", got)
	}
}

func TestDiscardedWorkComesBackBesideABranchThatWentOn(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a": "one"})
	found := b.topic("topic")
	b.w = must(b.repo.AdoptBranch(b.ctx, filepath.Join(b.data, "kes-1"), "topic", "main"))(t)
	b.commit(b.w.Dir, "more", "of the task's")
	if err := b.repo.Discard(b.ctx, b.w, must(b.repo.Loss(b.ctx, b.w))(t).Token); err != nil {
		t.Fatal(err)
	}
	b.git(b.repo.dir, "branch", "--force", "topic", "main")
	kept := must(b.repo.Discarded(b.ctx))(t)
	if back := must(b.repo.Restore(b.ctx, kept[0].Ref, found))(t); back != "topic-2" || b.tip("topic") != b.tip("main") {
		t.Errorf("the work came back on %s, topic is at %s", back, b.tip("topic"))
	}
}

func TestAFoundBranchThatIsMergedStaysWhereItIs(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a": "one"})
	b.topic("topic")
	b.w = must(b.repo.AdoptBranch(b.ctx, filepath.Join(b.data, "kes-1"), "topic", "main"))(t)
	b.commit(b.w.Dir, "more", "of the task's")
	b.git(b.repo.dir, "merge", "-q", "topic")
	tip := b.tip("topic")
	if err := b.repo.Discard(b.ctx, b.w, must(b.repo.Loss(b.ctx, b.w))(t).Token); err != nil || b.tip("topic") != tip {
		t.Errorf("topic is at %s, want %s: %v", b.tip("topic"), tip, err)
	}
}

func TestABranchIsNotUsedTwiceAndNamesTheFolderThatHasIt(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a": "one"})
	_, err := b.repo.AdoptBranch(b.ctx, filepath.Join(b.data, "kes-1"), "main", "main")
	b.conflict(err, b.repo.dir)
	_, err = b.repo.AdoptBranch(b.ctx, filepath.Join(b.data, "kes-1"), "nowhere", "main")
	b.refused(err, beckon.ErrNotFound, "nowhere")
	b.git(b.repo.dir, "branch", "alone", b.git(b.repo.dir, "commit-tree", "-m", "alone", "main^{tree}"))
	_, err = b.repo.AdoptBranch(b.ctx, filepath.Join(b.data, "kes-1"), "alone", "main")
	b.conflict(err, "in common")
	if exists(filepath.Join(b.data, "kes-1")) {
		t.Error("a folder was left")
	}
}

func TestANameThatTheUserChoseGetsNoNumber(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a": "one"})
	w := must(b.repo.AddNamedWorktree(b.ctx, filepath.Join(b.data, "1"), "feat/retries", "main"))(t)
	if w.Branch != "feat/retries" || w.Found != "" {
		t.Errorf("got %+v", w)
	}
	_, err := b.repo.AddNamedWorktree(b.ctx, filepath.Join(b.data, "2"), "feat/retries", "main")
	b.conflict(err, "feat/retries")
}

func TestABranchThatWasFetchedMovesForwardOnly(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a": "one"})
	newer := b.topic("theirs")
	b.git(b.repo.dir, "branch", "behind", "main")
	b.git(b.repo.dir, "branch", "apart", b.git(b.repo.dir, "commit-tree", "-p", "main", "-m", "apart", "main^{tree}"))
	for branch, want := range map[string]string{"new": newer, "behind": newer, "theirs": newer} {
		if err := b.repo.Forward(b.ctx, branch, "origin", newer); err != nil || b.tip(branch) != want {
			t.Errorf("%s is at %s: %v", branch, b.tip(branch), err)
		}
	}
	was := b.tip("apart")
	b.conflict(b.repo.Forward(b.ctx, "apart", "origin", newer), "origin")
	b.conflict(b.repo.Forward(b.ctx, "main", "origin", newer), b.repo.dir) // below the user's feet
	if b.tip("apart") != was || b.tip("main") == newer {
		t.Error("a branch moved")
	}
}

func TestACutOffAdoptionTakesNoBranchAway(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a": "one"})
	found := b.topic("topic")
	dir := filepath.Join(b.data, "kes-1")
	must(b.repo.AdoptBranch(b.ctx, dir, "topic", "main"))(t) // and no card says so
	if err := b.repo.TakeBackWorktrees(b.ctx, dir, "topic"); err != nil || exists(dir) || b.tip("topic") != found {
		t.Errorf("topic is at %s, the folder is there: %t, %v", b.tip("topic"), exists(dir), err)
	}
}

func TestBranchesAreFoundHereFirstAndTheNewestFirst(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a": "one"})
	b.topic("feature/parts")
	b.git(b.repo.dir, "branch", "other", "main")
	b.git(b.repo.dir, "remote", "add", "up/stream", "nowhere")
	for _, name := range []string{"HEAD", "main", "shard-parts", "feature/parts"} {
		b.git(b.repo.dir, "update-ref", "refs/remotes/up/stream/"+name, "main")
	}
	b.git(b.repo.dir, "symbolic-ref", "refs/remotes/up/stream/HEAD", "refs/remotes/up/stream/main")
	found := must(b.repo.FindBranches(b.ctx, "PART", "main", 8))(t)
	if found.Here != 3 || found.OnRemote != 1 || len(found.Branches) != 2 {
		t.Fatalf("got %+v", found)
	}
	first, second := found.Branches[0], found.Branches[1]
	if first.Name != "feature/parts" || first.Remote != "" || first.Ahead != 1 || first.Behind != 0 || first.At == 0 {
		t.Errorf("first is %+v", first)
	}
	if second.Name != "shard-parts" || second.Remote != "up/stream" {
		t.Errorf("second is %+v", second)
	}
	if main := must(b.repo.FindBranches(b.ctx, "main", "main", 8))(t); main.Branches[0].Name != "main" || main.Branches[0].Dir != b.repo.dir {
		t.Errorf("main is %+v", main)
	}
}

func TestBranchesAreNamedByTheProjectsPattern(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string]string{
		"":                      "beckon/kes-47-retry-later",
		"feat/{title}":          "feat/retry-later",
		"mira/{number}_{title}": "mira/47_retry-later",
		"{key}":                 "kes-47",
		"-{title}-":             "retry-later",
		"a..b/{title}":          "beckon/kes-47", // git takes no such name
	} {
		if got := command.BranchName(pattern, "KES-47", 47, "Retry later"); got != want {
			t.Errorf("%q gives %q, want %q", pattern, got, want)
		}
	}
	if got := command.BranchName("feat/{title}", "KES-47", 47, "🚀"); got != "feat/kes-47" {
		t.Errorf("a title without words gives %q", got)
	}
}
