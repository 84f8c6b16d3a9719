package rewind

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/store/checkpoints"
)

// decided is a task at rest with a checkpoint, after which a.txt was edited and b.txt made.
func decided(t *testing.T) (b *bench, q beckon.Question) {
	t.Helper()
	b = newBench(t)
	b.edit("old.txt", "there then\n")
	q = b.ask("Parser")
	b.checkpoint(q.ID)
	b.check(os.Remove(b.in("old.txt")))
	b.edit("a.txt", "since\n")
	b.edit("b.txt", "made\n")
	b.rest()
	return b, q
}

// read returns a file of the worktree; empty where there is none.
func (b *bench) read(name string) string {
	text, _ := os.ReadFile(b.in(name))
	return string(text)
}

// begun reports whether a rewind of the task is noted as half done.
func (b *bench) begun() bool {
	b.Helper()
	last, ok, err := b.store.Checkpoints.Last(b.ctx, b.task.ID)
	b.check(err)
	return ok && last.Under()
}

func (b *bench) trouble() *reason.Reason {
	b.Helper()
	task, err := b.store.Task(b.ctx, b.task.ID)
	b.check(err)
	return task.Trouble
}

// TestWhatIsEditedWhileADecisionIsTakenBackIsNotOverwritten: tracked and untracked files, before
// git changes any of them, and a file that comes into the place of one that is to be written.
func TestWhatIsEditedWhileADecisionIsTakenBackIsNotOverwritten(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"note", "remove"} {
		for _, name := range []string{"a.txt", "b.txt", "old.txt"} {
			t.Run(at+" "+name, func(t *testing.T) {
				t.Parallel()
				b, q := decided(t)
				was := b.trouble()
				r := b.rewinder()
				r.step = func(step string) {
					if step == at {
						b.edit(name, "by hand\n")
					}
				}
				_, err := r.Choose(b.ctx, q.ID, planner)
				if !errors.Is(err, beckon.ErrConflict) || !beckon.ReasonOf(err).Is(reason.RewindEdited) || !strings.Contains(err.Error(), name) {
					t.Fatalf("it is %v", err)
				}
				want := map[string]string{"a.txt": "since\n", "b.txt": "made\n", "old.txt": ""}
				want[name] = "by hand\n"
				for name, text := range want {
					if is := b.read(name); is != text {
						t.Errorf("%s is %q, not %q", name, is, text)
					}
				}
				if refs := b.git(b.dir, "branch", "--list", "*rewind*", "*interrupted*"); refs != "" || b.begun() || b.trouble() != was {
					t.Errorf("something stayed: %q, %v, %v", refs, b.begun(), b.trouble())
				}
				if _, err := os.Lstat(b.in(".beckon-rewind")); err == nil {
					t.Error("files are still out of the way")
				}
			})
		}
	}
}

// TestAFileThatComesInBetweenIsKeptOnABranchThatTheCardNames: it came after the others were moved.
func TestAFileThatComesInBetweenIsKeptOnABranchThatTheCardNames(t *testing.T) {
	t.Parallel()
	b, q := decided(t)
	before := b.look()
	r := b.rewinder()
	came := false
	r.step = func(step string) {
		if step == "write" && !came {
			came = true
			b.edit("old.txt", "by hand\n")
		}
	}
	if _, err := r.Choose(b.ctx, q.ID, planner); err == nil {
		t.Fatal("it was overwritten")
	}
	if !b.look().equal(before) || b.begun() {
		t.Errorf("it is not as before: %+v", b.look())
	}
	branch := b.task.Branch + "-interrupted"
	if is := b.git(b.dir, "show", branch+":old.txt"); is != "by hand" {
		t.Errorf("kept is %q", is)
	}
	if why := b.trouble(); !why.Is(reason.RewindStrays) || why.Args["branch"] != branch {
		t.Errorf("the card says %v", why)
	}
}

// TestTakingItBackOverwritesNothingThatIsEditedMeanwhile, and can be tried again.
func TestTakingItBackOverwritesNothingThatIsEditedMeanwhile(t *testing.T) {
	t.Parallel()
	b, q := decided(t)
	before := b.look()
	r := b.rewinder()
	_, err := r.Choose(b.ctx, q.ID, planner)
	b.check(err)
	edited := false
	r.step = func(step string) {
		if step == "remove" && !edited {
			edited = true
			b.edit("a.txt", "by hand\n")
		}
	}
	if _, err := r.takeLastBack(b); !beckon.ReasonOf(err).Is(reason.RewindEdited) {
		t.Fatalf("it is %v", err)
	}
	if is := b.read("a.txt"); is != "by hand\n" || b.begun() {
		t.Errorf("a.txt is %q, half done %v", is, b.begun())
	}
	_, err = r.takeLastBack(b)
	b.check(err)
	if !b.look().equal(before) {
		t.Errorf("it is %+v", b.look())
	}
	if is := b.git(b.dir, "show", b.task.Branch+"-rewound:a.txt"); is != "by hand" {
		t.Errorf("kept is %q", is)
	}
}

// TestAnUnfinishedRewindKeepsAgentsAway, and is put back by the next start, or by hand where that could not.
func TestAnUnfinishedRewindKeepsAgentsAway(t *testing.T) {
	t.Parallel()
	b, q := decided(t)
	before := b.look()
	b.dieAt("branch", q)
	b.check(os.Remove(filepath.Join(b.gitDir(), "index.lock")))
	b.git(b.task.Worktree, "checkout", "-q", "-b", "elsewhere")
	r := b.rewinder()
	r.Recover(b.ctx)
	if !b.trouble().Is(reason.RewindHalf) || r.held.TryLock() {
		t.Fatalf("the card says %v, and agents may begin", b.trouble())
	}
	if v, err := r.Preview(b.ctx, q.ID); err != nil || !v.Refusal.Is(reason.RewindUnfinished) || v.Done == nil {
		t.Errorf("the preview is %+v, %v", v, err)
	}
	if _, err := r.Choose(b.ctx, q.ID, planner); !beckon.ReasonOf(err).Is(reason.RewindUnfinished) {
		t.Errorf("choosing again is %v", err)
	}
	b.git(b.task.Worktree, "checkout", "-q", b.task.Branch)
	_, err := r.takeLastBack(b)
	b.check(err)
	if !b.look().equal(before) || b.begun() || b.trouble() != nil || !r.held.TryLock() {
		t.Errorf("it is not as before: %v, %v", b.begun(), b.trouble())
	}
}

// TestNewerWorkIsNotTakenAwayByALaterStart: somebody committed since, and all of it stays.
func TestNewerWorkIsNotTakenAwayByALaterStart(t *testing.T) {
	t.Parallel()
	b, q := decided(t)
	b.dieAt("staged", q)
	b.check(os.Remove(filepath.Join(b.gitDir(), "index.lock"))) // as a person does whom git asks to
	b.edit("new.txt", "newer\n")
	b.git(b.task.Worktree, "add", "new.txt")
	b.git(b.task.Worktree, "commit", "-q", "-m", "newer")
	now := b.git(b.task.Worktree, "rev-parse", "HEAD")
	r := b.rewinder()
	r.Recover(b.ctx)
	if is := b.git(b.task.Worktree, "rev-parse", "HEAD"); is != now || b.read("new.txt") != "newer\n" || b.begun() {
		t.Errorf("the branch is at %s, not %s; new.txt is %q", is, now, b.read("new.txt"))
	}
	why := b.trouble()
	if !why.Is(reason.RewindLeft) || !r.held.TryLock() {
		t.Fatalf("the card says %v", why)
	}
	if is := b.git(b.dir, "show", why.Args["kept"]+":new.txt"); is != "newer" {
		t.Errorf("kept is %q", is)
	}
	if is := b.git(b.dir, "show", why.Args["branch"]+":b.txt"); is != "made" {
		t.Errorf("what was there before is %q", is)
	}
}

func (b *bench) gitDir() string {
	b.Helper()
	return b.git(b.task.Worktree, "rev-parse", "--path-format=absolute", "--git-dir")
}

func (b *bench) choose(q beckon.Question) error { return b.chooseBy(b.rewinder(), q) }

// dieAt has a Beckon die in the middle of taking a decision back.
func (b *bench) dieAt(step string, q beckon.Question) {
	b.Helper()
	if r := b.rewinder(); !b.dying(r, step, func() error { return b.chooseBy(r, q) }) {
		b.Fatal("it did not die")
	}
}

func (b *bench) chooseBy(r *rewinder, q beckon.Question) error {
	_, err := r.Choose(b.ctx, q.ID, planner)
	return err
}

// TestALockOfGitsThatADeathLeftIsNoObstacle, and one of a git that works keeps all as it is.
func TestALockOfGitsThatADeathLeftIsNoObstacle(t *testing.T) {
	t.Parallel()
	for _, mark := range []string{lockOfBeckon, "git's own"} {
		b, q := decided(t)
		before := b.look()
		b.dieAt("staged", q)
		lock := filepath.Join(b.gitDir(), "index.lock")
		if mark != lockOfBeckon {
			b.check(os.WriteFile(lock, []byte(mark), 0o600))
		} else if _, err := os.Lstat(lock); err != nil {
			t.Error("the index was not locked")
		}
		r := b.rewinder()
		r.Recover(b.ctx)
		if !b.look().equal(before) || b.begun() {
			t.Errorf("%s: it is not as before", mark)
		}
		b.git(b.task.Worktree, "add", "-A") // the lock is gone
		b.check(os.WriteFile(lock, nil, 0o600))
		if err := b.chooseBy(r, q); !beckon.ReasonOf(err).Is(reason.RewindLocked) {
			t.Errorf("while git works it is %v", err)
		}
	}
}

const lockOfBeckon = "Beckon's"

// TestFilesThatGitKeepsOutOfTheFolderStayOut: a sparse checkout.
func TestFilesThatGitKeepsOutOfTheFolderStayOut(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.edit("far/c.txt", "then\n")
	b.git(b.task.Worktree, "add", "-A")
	b.git(b.task.Worktree, "commit", "-q", "-m", "far")
	q := b.ask("Parser")
	b.checkpoint(q.ID)
	b.edit("far/c.txt", "since\n")
	b.edit("a.txt", "since\n")
	b.git(b.task.Worktree, "commit", "-q", "-a", "-m", "since")
	b.git(b.task.Worktree, "update-index", "--skip-worktree", "far/c.txt")
	b.check(os.Remove(b.in("far/c.txt")))
	b.rest()
	before := b.look()
	if err := b.choose(q); !beckon.ReasonOf(err).Is(reason.RewindSparse) || !b.look().equal(before) {
		t.Errorf("it is %v", err)
	}
}

// TestAFileThatWasIgnoredThenIsNotRemoved, although git sees it by now.
func TestAFileThatWasIgnoredThenIsNotRemoved(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.edit("secret.log", "of then\n")
	q := b.ask("Parser")
	b.checkpoint(q.ID)
	b.edit(".gitignore", "")
	b.rest()
	if err := b.choose(q); !beckon.ReasonOf(err).Is(reason.RewindUnignored) || b.read("secret.log") == "" {
		t.Errorf("it is %v", err)
	}
	if refs := b.git(b.dir, "branch", "--list", "*rewind*"); refs != "" {
		t.Errorf("it is committed: %s", refs)
	}
}

// TestWorkOnAnotherComputerIsBroughtFirst, and where it cannot be, nothing changes.
func TestWorkOnAnotherComputerIsBroughtFirst(t *testing.T) {
	t.Parallel()
	b, q := decided(t)
	before := b.look()
	r := b.rewinder()
	r.elsewhere = beckon.ErrUnavailable
	if v, err := r.Preview(b.ctx, q.ID); err != nil || v.Refusal == nil {
		t.Errorf("the preview is %+v, %v", v, err)
	}
	if err := b.chooseBy(r, q); !errors.Is(err, beckon.ErrUnavailable) || !b.look().equal(before) {
		t.Errorf("it is %v", err)
	}
	r.elsewhere = nil
	b.check(b.chooseBy(r, q))
	now := b.look()
	r.elsewhere = beckon.ErrUnavailable
	if _, err := r.takeLastBack(b); !errors.Is(err, beckon.ErrUnavailable) || !b.look().equal(now) {
		t.Errorf("taking it back is %v", err)
	}
}

// TestTheNextStartPutsNothingOverAnIgnoredFile: what is there stays, and the card says why.
func TestTheNextStartPutsNothingOverAnIgnoredFile(t *testing.T) {
	t.Parallel()
	b, q := decided(t)
	b.dieAt("staged", q)
	b.edit(".gitignore", "*.log\nb.txt\n")
	b.edit("b.txt", "ignored, and nowhere else\n")
	r := b.rewinder()
	r.Recover(b.ctx)
	if is := b.read("b.txt"); is != "ignored, and nowhere else\n" || !b.trouble().Is(reason.RewindHalf) || !b.begun() {
		t.Errorf("b.txt is %q, the card says %v", is, b.trouble())
	}
}

// TestAnAnswerThatNoAgentHeardIsNotToldBesideTheOther, and is owed again once that is taken back.
func TestAnAnswerThatNoAgentHeardIsNotToldBesideTheOther(t *testing.T) {
	t.Parallel()
	b, q := decided(t)
	b.check(b.desk.SetHeard(b.ctx, q.ID, 0))
	owed := func() bool {
		all, err := b.store.Undelivered(b.ctx, b.task.ID, beckon.TaskRun)
		b.check(err)
		return len(all) > 0
	}
	r := b.rewinder()
	r.step = func(step string) {
		if step == "begin" && owed() {
			t.Error("the new agent gets both answers")
		}
	}
	r.fails = errors.New("no agent can begin")
	if err := b.chooseBy(r, q); err == nil || !owed() {
		t.Errorf("no agent began, and the answer is lost: %v", err)
	}
	b.check(b.chooseBy(r, q))
	_, err := r.takeLastBack(b)
	b.check(err)
	if !owed() {
		t.Error("the answer is lost")
	}
	if last, ok, _ := b.store.Checkpoints.Last(b.ctx, b.task.ID); ok && last.Step != checkpoints.Returned {
		t.Errorf("it is %+v", last)
	}
}

// TestFilesThatADeathLeftOutOfTheWayComeBack: it died before it had compared them. What has something
// else in its place stays in a folder that the card names.
func TestFilesThatADeathLeftOutOfTheWayComeBack(t *testing.T) {
	t.Parallel()
	b, q := decided(t)
	before := b.look()
	b.dieAt("remove", q)
	b.edit(".beckon-rewind/.gitignore", "*\n")
	b.edit(".beckon-rewind/files/x", "")
	for _, name := range []string{"a.txt", "b.txt"} {
		b.check(os.Rename(b.in(name), b.in(".beckon-rewind/files/"+name)))
	}
	b.check(os.Remove(b.in(".beckon-rewind/files/x")))
	b.edit("b.txt", "by hand\n")
	r := b.rewinder()
	r.Recover(b.ctx)
	if is := b.read("a.txt"); is != "since\n" {
		t.Errorf("a.txt is %q", is)
	}
	if why := b.trouble(); !why.Is(reason.RewindHalf) || !strings.Contains(why.String(), ".beckon-rewind-1") {
		t.Errorf("the card says %v", why)
	}
	if is := b.read(".beckon-rewind-1/files/b.txt"); is != "made\n" {
		t.Errorf("kept is %q", is)
	}
	_, err := r.takeLastBack(b)
	b.check(err)
	if is := b.git(b.dir, "show", b.task.Branch+"-interrupted:b.txt"); is != "by hand" || b.begun() {
		t.Errorf("kept is %q", is)
	}
	b.check(os.RemoveAll(b.in(".beckon-rewind-1")))
	if !b.look().equal(before) {
		t.Errorf("it is %+v", b.look())
	}
}

// TestAnEmptyFolderIsNotInTheWayOfAFile: git does not see it.
func TestAnEmptyFolderIsNotInTheWayOfAFile(t *testing.T) {
	t.Parallel()
	b, q := decided(t)
	b.check(os.MkdirAll(b.in("old.txt/deep"), 0o755))
	b.check(b.choose(q))
	if is := b.read("old.txt"); is != "there then\n" {
		t.Errorf("old.txt is %q", is)
	}
}
