package begun_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git"
	"beckon/backend/store"
	"beckon/backend/store/undolog"
	"beckon/tests/runnertest"
)

// inSeveral is a card in Review that has work in the project's repository and in others, whose
// folders come first in dirs.
func inSeveral(t *testing.T, others ...string) (s *scene, dirs []string) {
	t.Helper()
	s = inReview(t, "main.txt")
	p := s.Project
	for _, name := range others {
		dir := filepath.Join(t.TempDir(), name)
		err := os.MkdirAll(dir, 0o700)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "first.txt"), []byte("first\n"), 0o600)
		}
		if err == nil {
			err = git.Init(t.Context(), dir, "first")
		}
		if err != nil {
			t.Fatal(err)
		}
		dirs = append(dirs, dir)
		p.Repositories = append(p.Repositories, reviewing.Repository{Name: name, Dir: dir})
	}
	p, err := s.Board.EditProject(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	s.Project = p
	for _, r := range p.Repositories {
		dir, err := s.Board.OpenRepository(t.Context(), s.task.ID, r.Name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "new.txt"), []byte("of the task\n"), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		s.Git("-C", dir, "add", "-A")
		s.Git("-C", dir, "-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-q", "-m", "of the task")
	}
	if err := s.Board.Recount(t.Context(), s.task.ID); err != nil {
		t.Fatal(err)
	}
	s.task = s.Now(s.task.ID)
	return s, append(dirs, s.Project.Dir)
}

// mains are the commits of the bases, one a line.
func (s *scene) mains(dirs []string) string {
	s.T.Helper()
	var all []string
	for _, dir := range dirs {
		all = append(all, s.Git("-C", dir, "rev-parse", "main"))
	}
	return strings.Join(all, "\n")
}

// changed counts the lines of two texts that differ.
func changed(a, b string) (n int) {
	is := strings.Split(b, "\n")
	for i, line := range strings.Split(a, "\n") {
		if line != is[i] {
			n++
		}
	}
	return n
}

// TestAMergeOfSeveralRepositoriesThatWasKilledIsAllOrNothing: at the next start every base has
// the work and the card is over, or no base has it, and it can be merged.
func TestAMergeOfSeveralRepositoriesThatWasKilledIsAllOrNothing(t *testing.T) {
	t.Parallel()
	s, dirs := inSeveral(t, killedIn...)
	before := s.mains(dirs)
	finished, nothing := 0, 0
	for step := 1; s.killed("merge", step); step++ {
		now := s.Now(s.task.ID)
		switch n := changed(before, s.mains(dirs)); {
		case n == len(dirs) && now.Status == beckon.Done && now.Resolution == beckon.Merged:
			finished++
		case n == 0 && now.Status == beckon.Review:
			nothing++
			if err := taking["merge"](t.Context(), s.Driver, s.task.ID); err != nil {
				t.Fatalf("step %d: merged again: %v", step, err)
			}
		default:
			t.Fatalf("step %d: %d of %d bases have it, and the card is in %s as %q", step, n, len(dirs), now.Status, now.Resolution)
		}
		s.takeBack(beckon.ChangeMerge, step)
		if now := s.Now(s.task.ID); now.Status != beckon.Review || s.mains(dirs) != before {
			t.Fatalf("step %d: taken back it is in %s, and %d bases have it", step, now.Status, changed(before, s.mains(dirs)))
		}
	}
	if finished == 0 || nothing == 0 {
		t.Errorf("%d were finished and %d put back", finished, nothing)
	}
}

// mergedAll reports whether all bases have the work and the card is over; false where no base has
// it and the card is in Review. Anything else fails the test.
func (s *scene) mergedAll(before string, dirs []string, step int) bool {
	s.T.Helper()
	now := s.Now(s.task.ID)
	switch n := changed(before, s.mains(dirs)); {
	case n == len(dirs) && now.Status == beckon.Done && now.Resolution == beckon.Merged && now.Trouble == nil:
		return true
	case n == 0 && now.Status == beckon.Review && now.Trouble == nil:
	default:
		s.T.Fatalf("step %d: %d of %d bases have it, and the card is in %s as %q", step, n, len(dirs), now.Status, now.Resolution)
	}
	return false
}

// TestUndoOfAMergeOfSeveralRepositoriesThatWasKilledIsAllOrNothing, and redo: at the next start
// every base has the work and the card is over, or no base has it and the card is in Review.
func TestUndoOfAMergeOfSeveralRepositoriesThatWasKilledIsAllOrNothing(t *testing.T) {
	t.Parallel()
	s, dirs := inSeveral(t, killedIn...)
	before := s.mains(dirs)
	if err := taking["merge"](t.Context(), s.Driver, s.task.ID); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, other string
		merges      bool
	}{{"take back", "again", false}, {"again", "take back", true}} {
		finished := 0
		for step := 1; s.killed(c.name, step); step++ {
			if s.mergedAll(before, dirs, step) == c.merges {
				finished++
			} else if err := taking[c.name](t.Context(), s.Driver, s.task.ID); err != nil || s.mergedAll(before, dirs, step) != c.merges {
				t.Fatalf("%s, step %d: tried again: %v", c.name, step, err)
			}
			if err := taking[c.other](t.Context(), s.Driver, s.task.ID); err != nil || s.mergedAll(before, dirs, step) == c.merges {
				t.Fatalf("%s, step %d: the other way round: %v", c.name, step, err)
			}
		}
		if s.mergedAll(before, dirs, 0) != c.merges || finished == 0 {
			t.Errorf("%s: %d were finished", c.name, finished)
		}
	}
}

// half merges a task's repositories while the last base cannot be moved, and the first cannot be
// put back until the file is gone that is returned. It ends with the note of the merge, as after
// a kill.
func (s *scene) half(dirs []string) (lock string) {
	s.T.Helper()
	lock = filepath.Join(dirs[0], ".git", "index.lock")
	noted := make([]store.IntentPart, 0, len(dirs))
	for _, id := range []string{s.task.ID + "/proto", s.task.ID + "/dash", s.task.ID} {
		one, err := s.Board.Parts.Task(s.T.Context(), id)
		if err != nil {
			s.T.Fatal(err)
		}
		dir := dirs[len(noted)]
		noted = append(noted, store.IntentPart{ID: id, Tip: s.Git("-C", dir, "rev-parse", one.Branch)})
	}
	orders := []reviewing.PartOrder{{ID: s.task.ID + "/proto"}}
	if _, err := s.Board.MergeTogether(s.T.Context(), s.task.ID, orders); err != nil {
		s.T.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(lock, nil, 0o600), s.Store.Intents.SaveTogether(s.T.Context(), s.task.ID, noted)); err != nil {
		s.T.Fatal(err)
	}
	return lock
}

// again opens the board again.
func (s *scene) again() {
	s.T.Helper()
	if err := s.Close(); err != nil {
		s.T.Fatal(err)
	}
	project := s.Project
	s.Driver = runnertest.Open(s.T, s.DataDir, runnertest.Agents(s.T, writes))
	s.Project = project
}

// TestAMergeThatCannotBePutBackForNowIsPutBackLater: the card says so meanwhile.
func TestAMergeThatCannotBePutBackForNowIsPutBackLater(t *testing.T) {
	t.Parallel()
	for _, by := range []string{"the next start", "merging again"} {
		s, dirs := inSeveral(t, "proto", "dash")
		before := s.mains(dirs)
		lock := s.half(dirs)
		s.again()
		now := s.Now(s.task.ID)
		noted, err := s.Store.Intents.Together(t.Context(), s.task.ID)
		if err != nil || len(noted) != 3 || changed(before, s.mains(dirs)) != 1 || !now.Trouble.Is(reason.Code(problem.HalfMerged)) || now.Trouble.Args["stuck"] != "proto" {
			t.Fatalf("while it is locked %+v is noted, %v, and the card says %+v", noted, err, now.Trouble)
		}
		if err := taking["merge"](t.Context(), s.Driver, s.task.ID); beckon.FailureOf(err).Problem != problem.HalfMerged {
			t.Errorf("merged meanwhile: %v", err)
		}
		if err := os.Remove(lock); err != nil {
			t.Fatal(err)
		}
		if by == "the next start" {
			s.again()
			if s.mergedAll(before, dirs, 0) {
				t.Error("it is merged")
			}
		}
		if err := taking["merge"](t.Context(), s.Driver, s.task.ID); err != nil || !s.mergedAll(before, dirs, 0) {
			t.Errorf("%s: merged again: %v", by, err)
		}
	}
}

// TestAMergeThatWasNotWrittenDownIsNotPutBackOnceAnAgentWentOn: the parts were merged as they
// were, and the card stays for what the agent did since.
func TestAMergeThatWasNotWrittenDownIsNotPutBackOnceAnAgentWentOn(t *testing.T) {
	t.Parallel()
	for _, all := range []bool{true, false} {
		s, dirs := inSeveral(t, "proto", "dash")
		if lock := s.half(dirs); os.Remove(lock) != nil {
			t.Fatal("no lock")
		}
		if all {
			noted, err := s.Store.Intents.Together(t.Context(), s.task.ID)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(taking["merge"](t.Context(), s.Driver, s.task.ID), s.Store.Intents.SaveTogether(t.Context(), s.task.ID, noted)); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Board.MoveTask(t.Context(), s.task.ID, beckon.Review, 0); err != nil {
				t.Fatal(err)
			}
		}
		merged := s.mains(dirs)
		proto, err := s.Board.Parts.Task(t.Context(), s.task.ID+"/proto")
		if err == nil {
			err = os.WriteFile(filepath.Join(proto.Worktree, "later.txt"), []byte("later\n"), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		s.Git("-C", proto.Worktree, "add", "-A")
		s.Git("-C", proto.Worktree, "-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-q", "-m", "Later")
		s.again()
		now := s.Now(s.task.ID)
		if s.mains(dirs) != merged || now.Status != beckon.Review || now.Trouble.Is(reason.Code(problem.CutMerge)) == all {
			t.Errorf("all merged %t: %d bases moved, the card is in %s and says %+v", all, changed(merged, s.mains(dirs)), now.Status, now.Trouble)
		}
		if list, err := s.Store.Intents.All(t.Context()); err != nil || len(list) > 0 {
			t.Errorf("%v is still noted, %v", list, err)
		}
	}
}

// TestADiscardOfSeveralRepositoriesThatWasKilledIsAllOrNothing: the work of each is in its
// worktree, or all of it is in the archive and comes back from there.
func TestADiscardOfSeveralRepositoriesThatWasKilledIsAllOrNothing(t *testing.T) {
	t.Parallel()
	s, _ := inSeveral(t, killedIn...)
	finished := 0
	last := killedIn[len(killedIn)-1]
	loose := func(step int) int { // files of the last, one of them in no commit
		t.Helper()
		_, err := s.Board.Folder(t.Context(), s.Now(s.task.ID), s.Project)
		if err == nil {
			err = os.WriteFile(filepath.Join(s.task.Worktree+".with", last, "loose-"+strconv.Itoa(step)+".txt"), []byte("loose\n"), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		return 1 + step
	}
	files := map[string]int{killedIn[0]: 1, s.Project.Name: 1}
	files[last] = loose(1)
	for step := 1; s.killed("discard", step); step++ {
		now := s.Now(s.task.ID)
		list, err := s.Board.Parts.List(t.Context(), s.task.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range list {
			if there := part.Branch != ""; there != (now.Status == beckon.Review) || there && part.Files != files[part.Name] {
				t.Fatalf("step %d: the card is in %s, and a part is %+v", step, now.Status, part)
			}
		}
		if now.Status == beckon.Review {
			if err := taking["discard"](t.Context(), s.Driver, s.task.ID); err != nil {
				t.Fatalf("step %d: discarded again: %v", step, err)
			}
		} else {
			finished++
		}
		s.takeBack(beckon.ChangeDiscard, step)
		if list, err = s.Board.Parts.List(t.Context(), s.task.ID); err != nil || len(list) != len(killedIn)+1 {
			t.Fatal(err)
		}
		for _, part := range list {
			if part.State != reviewing.PartClean || part.Files != files[part.Name] {
				t.Fatalf("step %d: taken back a part is %+v", step, part)
			}
		}
		files[last] = loose(step + 1)
	}
	if finished == 0 {
		t.Error("it was never killed between git and the card")
	}
}

// TestAMergeThatLeavesARepositoryOutCanBeTakenBackAndDoneAgain: the card stays in Review
// meanwhile.
func TestAMergeThatLeavesARepositoryOutCanBeTakenBackAndDoneAgain(t *testing.T) {
	t.Parallel()
	s, dirs := inSeveral(t, "proto", "dash")
	before := s.mains(dirs)
	orders := []reviewing.PartOrder{{ID: s.task.ID + "/dash"}, {ID: s.task.ID + "/proto"}}
	if _, err := s.Board.MergeTogether(undolog.Into(t.Context(), beckon.ChangeMerge), s.task.ID, orders); err != nil {
		t.Fatal(err)
	}
	merged := s.mains(dirs)
	if s.Now(s.task.ID).Status != beckon.Review || changed(before, merged) != 2 {
		t.Fatalf("%d are merged, and the card is in %s", changed(before, merged), s.Now(s.task.ID).Status)
	}
	s.takeBack(beckon.ChangeMerge, 0)
	if s.mains(dirs) != before {
		t.Fatalf("taken back, %d are merged", changed(before, s.mains(dirs)))
	}
	if r, err := s.undo.Again(t.Context()); err != nil || len(r.Refused) > 0 || s.mains(dirs) != merged {
		t.Fatalf("done again: %+v, %v; %d are merged", r, err, changed(before, s.mains(dirs)))
	}
	s.Git("-C", dirs[0], "-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-q", "--allow-empty", "-m", "On top")
	top := s.mains(dirs)
	if r, err := s.undo.Last(t.Context(), s.task.ID); err == nil && len(r.Refused) == 0 || s.mains(dirs) != top {
		t.Errorf("what was built on was taken back: %+v, %v", r, err)
	}
}

// TestTheRestThatIsMergedLaterLeavesTheOwnMergeAsItWas: the card keeps its commit, and undo takes
// back one merge after the other.
func TestTheRestThatIsMergedLaterLeavesTheOwnMergeAsItWas(t *testing.T) {
	t.Parallel()
	s, dirs := inSeveral(t, "proto", "dash")
	before := s.mains(dirs)
	own := []reviewing.PartOrder{{ID: s.task.ID, MergeOrder: reviewing.MergeOrder{Way: reviewing.Squash}}}
	if _, err := s.Board.MergeTogether(undolog.Into(t.Context(), beckon.ChangeMerge), s.task.ID, own); err != nil {
		t.Fatal(err)
	}
	first, landed := s.mains(dirs), s.Now(s.task.ID).Landed
	if err := taking["merge"](t.Context(), s.Driver, s.task.ID); err != nil || !s.mergedAll(before, dirs, 0) {
		t.Fatal(err)
	}
	if now := s.Now(s.task.ID).Landed; now.Commit != landed.Commit || now.Way != reviewing.Squash || now.At == landed.At {
		t.Errorf("it landed as %+v, and before as %+v", now, landed)
	}
	for _, want := range []string{first, before} {
		if s.takeBack(beckon.ChangeMerge, 0); s.mains(dirs) != want {
			t.Errorf("%d bases differ", changed(want, s.mains(dirs)))
		}
	}
	for range 2 {
		if err := taking["again"](t.Context(), s.Driver, s.task.ID); err != nil {
			t.Error(err)
		}
	}
	if !s.mergedAll(before, dirs, 0) {
		t.Error("done again it is not merged")
	}
}

// TestADeletedTaskComesBackWithItsWorkInAllRepositories by undo.
func TestADeletedTaskComesBackWithItsWorkInAllRepositories(t *testing.T) {
	t.Parallel()
	s, _ := inSeveral(t, "proto", "dash")
	loss, err := s.Board.Loss(t.Context(), s.task.ID)
	if err == nil {
		err = s.Board.DeleteTask(undolog.Into(t.Context(), beckon.ChangeDelete), s.task.ID, loss.Token)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.takeBack(beckon.ChangeDelete, 0)
	list, err := s.Board.Parts.List(t.Context(), s.task.ID)
	if err != nil || len(list) != 3 {
		t.Fatalf("the parts are %+v, %v", list, err)
	}
	for _, part := range list {
		if part.State != reviewing.PartClean || part.Files != 1 {
			t.Errorf("a part is %+v", part)
		}
	}
}

// TestAWorktreeThatNoPartNamesIsTakenBack: the next start leaves nothing of it, and another
// call makes it.
func TestAWorktreeThatNoPartNamesIsTakenBack(t *testing.T) {
	t.Parallel()
	s, dirs := inSeveral(t, "proto", "dash")
	dir := filepath.Join(filepath.Dir(dirs[0]), "late")
	if err := os.Rename(dirs[0], dir); err != nil {
		t.Fatal(err)
	}
	p := s.Project
	p.Repositories = []reviewing.Repository{{Name: "late", Dir: dir}}
	if _, err := s.Board.EditProject(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	before, taken := s.Git("-C", dir, "worktree", "list"), 0
	for step := 1; s.killed("open", step); step++ {
		if part, err := s.Board.Parts.Task(t.Context(), s.task.ID+"/late"); err != nil || part.Branch != "" {
			break // the part names it
		}
		if got := s.Git("-C", dir, "worktree", "list"); got != before {
			t.Errorf("step %d: left is\n%s", step, got)
		}
		taken++
	}
	if taken == 0 {
		t.Error("it was never killed before the part had a worktree")
	}
}

// TestAPartFollowsAnUpdateThatWasKilled, as a card does.
func TestAPartFollowsAnUpdateThatWasKilled(t *testing.T) {
	t.Parallel()
	s, dirs := inSeveral(t, "proto", "dash")
	id, dash := s.task.ID+"/dash", dirs[1]
	if err := os.WriteFile(filepath.Join(dash, "others.txt"), []byte("others\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Git("-C", dash, "add", "-A")
	s.Git("-C", dash, "-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-q", "-m", "Others")
	was, err := s.Board.Parts.Task(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	main, tip, finished := s.Git("-C", dash, "rev-parse", "main"), s.Git("-C", dash, "rev-parse", was.Branch), 0
	for step := 1; s.killed("update part", step); step++ {
		now, err := s.Board.Parts.Task(t.Context(), id)
		has := s.Git("-C", dash, "merge-base", was.Branch, "main") == main
		if err != nil || has != (now.BaseCommit == main) {
			t.Fatalf("step %d: the branch has its base: %t, and the part grew from %s, %v", step, has, now.BaseCommit, err)
		}
		if has {
			finished++
		}
		s.Git("-C", was.Worktree, "reset", "--hard", "--quiet", tip)
		if _, err := s.Board.Parts.Update(t.Context(), id, func(t *beckon.Task) error { t.BaseCommit = was.BaseCommit; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if finished == 0 {
		t.Error("it was never killed between git and the part")
	}
}
