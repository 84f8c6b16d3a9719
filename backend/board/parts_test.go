package board_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git"
	"beckon/backend/git/merge"
	"beckon/backend/git/workdir"
	"beckon/backend/parts"
)

// several is a board whose project has further repositories.
type several struct {
	driver
	dirs map[string]string // by name
}

// startSeveral opens a board with a project that has two further repositories, of which tasks
// have the first from their start.
func startSeveral(t *testing.T, script string) several {
	t.Helper()
	s := several{start(t, script), map[string]string{}}
	edit := s.Project
	for _, name := range []string{"proto", "dash"} {
		dir := filepath.Join(t.TempDir(), name)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name+".txt"), "one\ntwo\nthree\n")
		if err := git.Init(t.Context(), dir, "first"); err != nil {
			t.Fatal(err)
		}
		dir, err := filepath.EvalSymlinks(dir)
		if err != nil {
			t.Fatal(err)
		}
		s.dirs[name] = dir
		edit.Repositories = append(edit.Repositories, reviewing.Repository{Name: name, Dir: dir, FromStart: name == "proto"})
	}
	p, err := s.Board.EditProject(t.Context(), edit)
	if err != nil {
		t.Fatal(err)
	}
	s.Project = p
	return s
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// gitAt runs git in a folder and returns its first line.
func gitAt(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir, "-c", "user.name=T", "-c", "user.email=t@example.com"}, args...)...)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// worked is a task in Review that changed a file in each of its repositories.
func (s several) worked(t *testing.T) beckon.Task {
	t.Helper()
	task := s.Run(beckon.NewTask{Title: "Change all"})
	s.Ended(task.ID)
	if _, err := s.Board.OpenRepository(t.Context(), task.ID, "dash"); err != nil {
		t.Fatal(err)
	}
	for _, part := range s.parts(t, task.ID) {
		write(t, filepath.Join(part.Worktree, "changed-"+part.Name+".txt"), "changed\n")
		gitAt(t, part.Worktree, "add", "-A")
		gitAt(t, part.Worktree, "commit", "-qm", "Change "+part.Name)
	}
	if err := s.Board.Recount(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	return s.Now(task.ID)
}

func (s several) parts(t *testing.T, id string) []reviewing.Part {
	t.Helper()
	list, err := s.Board.Parts.List(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// states are those of a task's parts, by name.
func (s several) states(t *testing.T, id string) string {
	t.Helper()
	var all []string
	for _, part := range s.parts(t, id) {
		all = append(all, part.Name+" "+string(part.State))
	}
	return strings.Join(all, ", ")
}

func TestAProjectKeepsItsFurtherRepositories(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n")
	got := s.Project.Repositories
	if len(got) != 2 || got[0].Name != "proto" || got[0].Dir != s.dirs["proto"] || got[0].Base != "main" || got[0].MergeWay != reviewing.MergeCommit || !got[0].FromStart || got[1].FromStart {
		t.Fatalf("the project has %+v", got)
	}
	kept, err := s.Store.Project(t.Context(), s.Project.ID)
	if err != nil || !slices.Equal(kept.Repositories, got) {
		t.Errorf("kept are %+v, %v", kept.Repositories, err)
	}
	plain := t.TempDir()
	linked := filepath.Join(t.TempDir(), "linked")
	gitAt(t, s.dirs["dash"], "worktree", "add", "-q", linked)
	for why, c := range map[string]struct {
		kind problem.Kind
		r    []reviewing.Repository
	}{
		"no name":          {problem.RepositoryName, []reviewing.Repository{{Dir: s.dirs["dash"]}}},
		"a path":           {problem.RepositoryName, []reviewing.Repository{{Name: "../dash", Dir: s.dirs["dash"]}}},
		"one name":         {problem.RepositoryTaken, []reviewing.Repository{{Name: "Dash", Dir: s.dirs["dash"]}, {Name: "dash", Dir: s.dirs["proto"]}}},
		"no folder":        {problem.NoFolder, []reviewing.Repository{{Name: "dash", Dir: filepath.Join(plain, "none")}}},
		"no git":           {problem.NotRepository, []reviewing.Repository{{Name: "dash", Dir: plain}}},
		"the project's":    {problem.RepositoryTwice, []reviewing.Repository{{Name: "dash", Dir: s.Project.Dir}}},
		"one twice":        {problem.RepositoryTwice, []reviewing.Repository{{Name: "a", Dir: s.dirs["dash"]}, {Name: "b", Dir: s.dirs["dash"]}}},
		"another worktree": {problem.RepositoryLinked, []reviewing.Repository{{Name: "dash", Dir: linked}}},
		"no base":          {problem.NoBase, []reviewing.Repository{{Name: "dash", Dir: s.dirs["dash"], Base: "none"}}},
	} {
		edit := s.Project
		edit.Repositories = c.r
		if _, err := s.Board.EditProject(t.Context(), edit); !isKind(err, c.kind) {
			t.Errorf("%s: %v", why, err)
		}
	}
	// One whose folder is away for a while keeps nobody from the other settings.
	if err := os.Rename(s.dirs["dash"], s.dirs["dash"]+"-away"); err != nil {
		t.Fatal(err)
	}
	edit := s.Project
	edit.Name = "Renamed"
	if p, err := s.Board.EditProject(t.Context(), edit); err != nil || p.Name != "Renamed" {
		t.Errorf("with a folder that is away: %v", err)
	}
}

func isKind(err error, kind problem.Kind) bool {
	got, _ := problem.From(err)
	return err != nil && got == kind
}

func TestATaskHasAWorktreeOfEachRepository(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n")
	task := s.Run(beckon.NewTask{Title: "Change all"})
	now, _ := s.Ended(task.ID)
	if got := s.states(t, task.ID); got != "proto unchanged, dash none, sample unchanged" {
		t.Fatalf("after the start: %s", got)
	}
	var both sync.WaitGroup
	for range 4 {
		both.Go(func() {
			if again, err := s.Board.OpenRepository(t.Context(), task.ID, "dash"); err != nil || filepath.Base(again) != "dash" {
				t.Errorf("opened meanwhile it is %s, %v", again, err)
			}
		})
	}
	both.Wait()
	dir, err := s.Board.OpenRepository(t.Context(), task.ID, "Dash")
	if err != nil || filepath.Dir(dir) != now.Worktree+".with" {
		t.Fatalf("the worktree is %s, %v", dir, err)
	}
	again, err := s.Board.OpenRepository(t.Context(), task.ID, "dash")
	if err != nil || again != dir || gitAt(t, dir, "branch", "--show-current") != now.Branch {
		t.Errorf("opened again it is %s, %v", again, err)
	}
	if _, err := s.Board.OpenRepository(t.Context(), task.ID, "none"); !isKind(err, problem.NoRepository) {
		t.Errorf("another name: %v", err)
	}
	write(t, filepath.Join(dir, "dash.txt"), "one\n2\nthree\n")
	id := task.ID + "/dash"
	d, err := s.Board.Review(t.Context(), id, reviewing.View{})
	if err != nil || len(d.Files) != 1 || d.Files[0].Path != "dash.txt" || d.TaskID != id {
		t.Errorf("the part's changes are %+v, %v", d, err)
	}
	if own, err := s.Board.Review(t.Context(), task.ID, reviewing.View{}); err != nil || len(own.Files) != 0 {
		t.Errorf("the own changes are %+v, %v", own.Files, err)
	}
	if err := s.Board.MarkViewed(t.Context(), id, "dash.txt", "x"); err != nil {
		t.Error(err)
	}
	if viewed, err := s.Board.Viewed(t.Context(), task.ID); err != nil || len(viewed) != 0 {
		t.Errorf("viewed of the own are %v, %v", viewed, err)
	}
	if err := s.Board.Recount(t.Context(), task.ID); err != nil {
		t.Error(err)
	}
	if now := s.Now(task.ID); now.Changes.Files != 1 || now.Changes.Added != 1 || !slices.Equal(now.Changes.Paths, []string{"dash/dash.txt"}) {
		t.Errorf("the card counts %+v", now.Changes)
	}
	if err := os.Rename(s.dirs["dash"], s.dirs["dash"]+"-away"); err != nil {
		t.Fatal(err)
	}
	if got := s.parts(t, task.ID); got[1].State != reviewing.PartMissing || got[1].Why == nil || got[1].Files != 1 || got[0].State != reviewing.PartUnchanged {
		t.Errorf("with a folder that is away: %+v", got)
	}
	if err := s.Board.Recount(t.Context(), task.ID); err != nil || s.Now(task.ID).Changes.Files != 1 {
		t.Errorf("the card counts %+v, %v", s.Now(task.ID).Changes, err)
	}
}

func TestAPartIsNoCard(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n")
	task := s.Run(beckon.NewTask{Title: "Change all"})
	s.Ended(task.ID)
	id := task.ID + "/proto"
	for what, do := range map[string]func() error{
		"discard": func() error { _, err := s.Board.Discard(t.Context(), id, ""); return err },
		"delete":  func() error { return s.Board.DeleteTask(t.Context(), id, "") },
		"restore": func() error { _, err := s.Board.Restore(t.Context(), id); return err },
		"move":    func() error { _, err := s.Board.MoveTask(t.Context(), id, beckon.Done, 0); return err },
	} {
		if err := do(); !errors.Is(err, beckon.ErrNotFound) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestATaskOfOneRepositoryIsAsBefore(t *testing.T) {
	t.Parallel()
	d := start(t, "text Done.\n")
	task := d.Run(beckon.NewTask{Title: "Change one"})
	now, _ := d.Ended(task.ID)
	list, err := d.Board.Parts.List(t.Context(), task.ID)
	if err != nil || len(list) != 1 || list[0].ID != task.ID || list[0].Name != d.Project.Name {
		t.Errorf("its parts are %+v, %v", list, err)
	}
	if rows, err := d.Store.Parts.Of(t.Context(), task.ID); err != nil || len(rows) != 0 {
		t.Errorf("there are rows %+v, %v", rows, err)
	}
	if _, err := os.Stat(now.Worktree + ".with"); err == nil {
		t.Error("it has a folder for the worktrees of others")
	}
}

func TestAllRepositoriesAreMergedTogether(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n")
	task := s.worked(t)
	if task.Changes.Files != 3 || s.states(t, task.ID) != "proto clean, dash clean, sample clean" {
		t.Fatalf("the card counts %+v of %s", task.Changes, s.states(t, task.ID))
	}
	var orders []reviewing.PartOrder
	for _, part := range s.parts(t, task.ID)[1:] {
		orders = append(orders, reviewing.PartOrder{ID: part.ID, MergeOrder: reviewing.MergeOrder{Way: reviewing.Squash}})
	}
	now, err := s.Board.MergeTogether(t.Context(), task.ID, orders)
	if err != nil || now.Status != beckon.Review || s.states(t, task.ID) != "proto clean, dash merged, sample merged" {
		t.Fatalf("without one the card is in %s, %v: %s", now.Status, err, s.states(t, task.ID))
	}
	now, err = s.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{})
	if err != nil || now.Status != beckon.Done || now.Resolution != beckon.Merged || s.states(t, task.ID) != "proto merged, dash merged, sample merged" {
		t.Errorf("then it is in %s, %v: %s", now.Status, err, s.states(t, task.ID))
	}
	for name, dir := range map[string]string{"proto": s.dirs["proto"], "dash": s.dirs["dash"], "sample": s.Project.Dir} {
		if _, err := os.Stat(filepath.Join(dir, "changed-"+name+".txt")); err != nil {
			t.Error(err)
		}
	}
}

// One order shows the files of one repository: what it agrees to is not agreed to for others.
func TestFilesThatSteerAreAgreedToForTheirRepositoryAlone(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n")
	task := s.worked(t)
	list := s.parts(t, task.ID)
	for _, part := range list[1:] {
		write(t, filepath.Join(part.Worktree, ".mcp.json"), "{}")
	}
	dash, tips := list[1].ID, s.tips(t)
	_, err := s.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{Steering: true})
	if kind, data := problem.From(err); kind != problem.Steering || data["part"] != dash || s.tips(t) != tips {
		t.Fatalf("all by one order: %v, of %q", err, data["part"])
	}
	if _, err := s.Board.Merge(t.Context(), dash, reviewing.MergeOrder{Steering: true}); err != nil {
		t.Fatalf("the part by itself: %v", err)
	}
	if now, err := s.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{Steering: true}); err != nil || now.Status != beckon.Done {
		t.Errorf("its own, seen: %v, card in %s", err, now.Status)
	}
}

func TestAConflictInOneRepositoryMergesNone(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n")
	task := s.worked(t)
	list := s.parts(t, task.ID)
	write(t, filepath.Join(s.dirs["dash"], "changed-dash.txt"), "others\n")
	gitAt(t, s.dirs["dash"], "add", "-A")
	gitAt(t, s.dirs["dash"], "commit", "-qm", "Others")
	tips := s.tips(t)
	var orders []reviewing.PartOrder
	for _, part := range list {
		orders = append(orders, reviewing.PartOrder{ID: part.ID})
	}
	_, err := s.Board.MergeTogether(t.Context(), task.ID, orders)
	if why := beckon.FailureOf(err).Why; !why.Is(reason.MergeConflicts) || !strings.Contains(err.Error(), "changed-dash.txt") {
		t.Errorf("it says %v because of %v", err, why)
	}
	if !isKind(err, problem.PartNotMerged) || s.tips(t) != tips || s.Now(task.ID).Status != beckon.Review {
		t.Errorf("%v, and the bases are %s, not %s", err, s.tips(t), tips)
	}
	if got := s.states(t, task.ID); got != "proto clean, dash conflict, sample clean" {
		t.Error(got)
	}
}

// tips are the commits of all bases.
func (s several) tips(t *testing.T) string {
	t.Helper()
	return gitAt(t, s.dirs["proto"], "rev-parse", "main") + gitAt(t, s.dirs["dash"], "rev-parse", "main") + gitAt(t, s.Project.Dir, "rev-parse", "main")
}

// moved is a repository whose base others move just before Land does.
type moved struct {
	parts.Repo
	move func()
}

func (m moved) Land(ctx context.Context, w workdir.Worktree, prepared merge.Record) error {
	m.move()
	return m.Repo.Land(ctx, w, prepared)
}

// TestABaseThatMovesMeanwhilePutsTheOthersBack: and the error says which moved, and that
// nothing is merged.
func TestABaseThatMovesMeanwhilePutsTheOthersBack(t *testing.T) {
	t.Parallel()
	for _, dirty := range []bool{false, true} {
		s := startSeveral(t, "text Done.\n")
		task := s.worked(t)
		tips, repo := s.tips(t), s.Board.Parts.Repo
		s.Board.Parts.Repo = func(p beckon.Project) parts.Repo {
			if p.Dir != s.Project.Dir {
				return repo(p)
			}
			return moved{repo(p), func() {
				if dirty {
					write(t, filepath.Join(p.Dir, "words.txt"), "of the user\n")
				} else {
					gitAt(t, p.Dir, "commit", "-q", "--allow-empty", "-m", "Others")
				}
			}}
		}
		_, err := s.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{})
		_, says := problem.From(err)
		if why := beckon.FailureOf(err).Why; why.String() == "" {
			t.Errorf("it says no reason: %v", err)
		}
		if !isKind(err, problem.PutBackParts) || says["repository"] != s.Project.Name || says["back"] != "proto, dash" || s.Now(task.ID).Status != beckon.Review {
			t.Errorf("it says %v", err)
		}
		if got := s.tips(t); got[:80] != tips[:80] {
			t.Errorf("the bases are %s, and were %s", got, tips)
		}
		for name, dir := range s.dirs {
			if _, err := os.Stat(filepath.Join(dir, "changed-"+name+".txt")); err == nil {
				t.Errorf("the folder of %s has a file of the merge", name)
			}
		}
		s.Board.Parts.Repo = repo
		if !dirty {
			if now, err := s.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{}); err != nil || now.Status != beckon.Done {
				t.Errorf("tried again: %v", err)
			}
		}
	}
}

// TestWhatWasBuiltOnAMergeIsNotPutBack: the error names it, and the others are put back.
func TestWhatWasBuiltOnAMergeIsNotPutBack(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n")
	task := s.worked(t)
	repo := s.Board.Parts.Repo
	s.Board.Parts.Repo = func(p beckon.Project) parts.Repo {
		if p.Dir != s.Project.Dir {
			return repo(p)
		}
		return moved{repo(p), func() {
			gitAt(t, s.dirs["proto"], "commit", "-q", "--allow-empty", "-m", "On top")
			gitAt(t, p.Dir, "commit", "-q", "--allow-empty", "-m", "Others")
		}}
	}
	_, err := s.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{})
	_, says := problem.From(err)
	if !isKind(err, problem.StuckParts) || says["stuck"] != "proto" || says["back"] != "dash" {
		t.Errorf("it says %v", err)
	}
	if got := s.states(t, task.ID); got != "proto merged, dash clean, sample clean" {
		t.Error(got)
	}
}

// TestAMergeThatCannotBePutBackIsDoneNextTime: the error has the reason, which is not that
// something was built on it, and merging again begins with what is left of it.
func TestAMergeThatCannotBePutBackIsDoneNextTime(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n")
	task := s.worked(t)
	repo, lock := s.Board.Parts.Repo, filepath.Join(s.dirs["proto"], ".git", "index.lock")
	s.Board.Parts.Repo = func(p beckon.Project) parts.Repo {
		if p.Dir != s.Project.Dir {
			return repo(p)
		}
		return moved{repo(p), func() {
			write(t, lock, "")
			gitAt(t, p.Dir, "commit", "-q", "--allow-empty", "-m", "Others")
		}}
	}
	_, err := s.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{})
	_, says := problem.From(err)
	if !isKind(err, problem.HalfMerged) || says["stuck"] != "proto" || says["back"] != "dash" || !strings.Contains(err.Error(), "index.lock") {
		t.Errorf("it says %v", err)
	}
	if got := s.states(t, task.ID); got != "proto merged, dash clean, sample clean" {
		t.Error(got)
	}
	s.Board.Parts.Repo = repo
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	if now, err := s.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{}); err != nil || now.Status != beckon.Done || s.states(t, task.ID) != "proto merged, dash merged, sample merged" {
		t.Errorf("tried again: %v, %s", err, s.states(t, task.ID))
	}
}

// failing is a repository whose Land fails after it moved the base.
type failing struct{ parts.Repo }

func (f failing) Land(ctx context.Context, w workdir.Worktree, prepared merge.Record) error {
	return errors.Join(f.Repo.Land(ctx, w, prepared), errors.New("git was cut short"))
}

func TestABaseThatMovedThoughGitFailedIsPutBack(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n")
	task := s.worked(t)
	tips, repo := s.tips(t), s.Board.Parts.Repo
	s.Board.Parts.Repo = func(p beckon.Project) parts.Repo {
		if p.Dir == s.dirs["dash"] {
			return failing{repo(p)}
		}
		return repo(p)
	}
	_, err := s.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{})
	if _, says := problem.From(err); !isKind(err, problem.PutBackParts) || says["back"] != "proto, dash" || s.tips(t) != tips {
		t.Errorf("it says %v, and the bases are %s, not %s", err, s.tips(t), tips)
	}
}

func TestDiscardedWorkOfAllRepositoriesComesBack(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n")
	task := s.worked(t)
	list := s.parts(t, task.ID)
	write(t, filepath.Join(list[1].Worktree, "loose.txt"), "loose\n")
	loss, err := s.Board.Loss(t.Context(), task.ID)
	if err != nil || loss.Commits != 3 || !slices.Equal(loss.Uncommitted, []string{"dash/loose.txt"}) {
		t.Fatalf("what would be lost is %+v, %v", loss, err)
	}
	write(t, filepath.Join(list[1].Worktree, "more.txt"), "more\n")
	if _, err := s.Board.Discard(t.Context(), task.ID, loss.Token); !errors.Is(err, beckon.ErrConflict) || s.states(t, task.ID) != "proto clean, dash refused, sample clean" {
		t.Fatalf("more than was shown goes: %v, %s", err, s.states(t, task.ID))
	}
	loss, err = s.Board.Loss(t.Context(), task.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Board.Discard(t.Context(), task.ID, loss.Token); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(task.Worktree + ".with"); err == nil || s.states(t, task.ID) != "proto none, dash none, sample none" {
		t.Errorf("left are %s, and the folder: %v", s.states(t, task.ID), err)
	}
	if got := gitAt(t, s.dirs["dash"], "branch", "--list", task.Branch); got != "" {
		t.Errorf("left is %s", got)
	}
	back, err := s.Board.Restore(t.Context(), task.ID)
	if err != nil || back.Changes.Files != 5 {
		t.Fatalf("restored it counts %+v, %v", back.Changes, err)
	}
	if got := s.states(t, task.ID); got != "proto clean, dash clean, sample clean" {
		t.Errorf("restored are %s", got)
	}
}

// TestWorkInARepositoryThatIsAwayIsNotDone: it is not merged, though nothing can be asked there.
func TestWorkInARepositoryThatIsAwayIsNotDone(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n")
	task := s.worked(t)
	if err := os.Rename(s.dirs["dash"], s.dirs["dash"]+".away"); err != nil {
		t.Fatal(err)
	}
	orders := []reviewing.PartOrder{{ID: task.ID + "/proto"}, {ID: task.ID}}
	if now, err := s.Board.MergeTogether(t.Context(), task.ID, orders); err != nil || now.Status != beckon.Review {
		t.Fatalf("the others are merged, and the card is in %s, %v", now.Status, err)
	}
	if _, err := s.Board.MoveTask(t.Context(), task.ID, beckon.Done, 0); !errors.Is(err, beckon.ErrUnmerged) || !strings.Contains(err.Error(), "in dash:") {
		t.Errorf("it is done: %v", err)
	}
	if err := os.Rename(s.dirs["dash"]+".away", s.dirs["dash"]); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Board.MoveTask(t.Context(), task.ID, beckon.Review, 0); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(s.dirs["dash"], s.dirs["dash"]+".away"); err != nil {
		t.Fatal(err)
	}
	if now, err := s.Board.MoveTask(t.Context(), task.ID, beckon.Done, 0); err != nil || now.Resolution != beckon.Merged {
		t.Errorf("merged, it is in %s, %v", now.Status, err)
	}
}

func TestAnArchivedTaskLeavesNoWorktreeOfAnyRepository(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n")
	task := s.worked(t)
	if _, err := s.Board.MoveTask(t.Context(), task.ID, beckon.Done, 0); !errors.Is(err, beckon.ErrUnmerged) || !strings.Contains(err.Error(), "proto, dash") {
		t.Errorf("work that is not merged is called done: %v", err)
	}
	if _, err := s.Board.MoveTask(t.Context(), task.ID, beckon.Archived, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(task.Worktree + ".with"); err == nil {
		t.Error("the folder is still there")
	}
	if got := gitAt(t, s.dirs["proto"], "branch", "--list", "--format=%(refname:short)", task.Branch); got != task.Branch {
		t.Errorf("the branch is %q", got)
	}
}

// TestAPartTakesFromItsBase: the others stay as they are.
func TestAPartTakesFromItsBase(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n")
	task := s.worked(t)
	id := task.ID + "/dash"
	write(t, filepath.Join(s.dirs["dash"], "others.txt"), "others\n")
	gitAt(t, s.dirs["dash"], "add", "-A")
	gitAt(t, s.dirs["dash"], "commit", "-qm", "Others")
	if n, err := s.Board.Behind(t.Context(), id); n != 1 || err != nil || s.parts(t, task.ID)[1].Behind != 1 {
		t.Errorf("it is %d behind, %v", n, err)
	}
	part, err := s.Board.UpdateFromBase(t.Context(), id)
	if err != nil || part.ID != id || part.BaseCommit != gitAt(t, s.dirs["dash"], "rev-parse", "main") {
		t.Errorf("updated it is %+v, %v", part, err)
	}
	if got := s.parts(t, task.ID); got[1].Behind != 0 || got[1].State != reviewing.PartClean || s.Now(task.ID).BaseCommit != task.BaseCommit {
		t.Errorf("the parts are %+v", got)
	}
	if p, err := s.Board.MergeProposal(t.Context(), id); err != nil || p.Commits != 1 || !strings.Contains(p.Merge, task.Key) {
		t.Errorf("its merge would be %+v, %v", p, err)
	}
	if dir, err := s.Board.Worktree(t.Context(), id); err != nil || dir != task.Worktree+".with/dash" {
		t.Errorf("its worktree is %s, %v", dir, err)
	}
}

// TestARepositoryThatTheProjectNamesNoMoreStaysWithItsTasks, and one that was moved is found
// where the settings say.
func TestARepositoryThatTheProjectNamesNoMoreStaysWithItsTasks(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n")
	task := s.worked(t)
	moved := s.dirs["dash"] + "-moved"
	if err := os.Rename(s.dirs["dash"], moved); err != nil {
		t.Fatal(err)
	}
	edit := s.Project
	edit.Repositories = []reviewing.Repository{edit.Repositories[1]}
	edit.Repositories[0].Dir = moved
	if _, err := s.Board.EditProject(t.Context(), edit); err != nil {
		t.Fatal(err)
	}
	if got := s.states(t, task.ID); got != "dash clean, proto clean, sample clean" {
		t.Error(got)
	}
	now, err := s.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{})
	if err != nil || now.Status != beckon.Done {
		t.Errorf("merged it is in %s, %v", now.Status, err)
	}
}

// TestATaskThatBeginsAgainBeginsInAllRepositories: what it did there is discarded.
func TestATaskThatBeginsAgainBeginsInAllRepositories(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n\ntext Done.\n")
	task := s.worked(t)
	loss, err := s.Board.Loss(t.Context(), task.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Board.StartOver(t.Context(), task.ID, loss.Token); err != nil {
		t.Fatal(err)
	}
	s.Until("the second run", func() bool { return s.Seen.Runs[task.ID].Number == 2 })
	s.Ended(task.ID)
	if got := s.states(t, task.ID); got != "proto unchanged, dash none, sample unchanged" {
		t.Error(got)
	}
}

// TestWorkInAFurtherRepositoryAloneIsDiscardedAndRestored: the project's own has none.
func TestWorkInAFurtherRepositoryAloneIsDiscardedAndRestored(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n")
	task := s.Run(beckon.NewTask{Title: "Change one"})
	s.Ended(task.ID)
	write(t, filepath.Join(s.parts(t, task.ID)[0].Worktree, "loose.txt"), "loose\n")
	loss, err := s.Board.Loss(t.Context(), task.ID)
	if err == nil {
		_, err = s.Board.Discard(t.Context(), task.ID, loss.Token)
	}
	if err != nil {
		t.Fatal(err)
	}
	back, err := s.Board.Restore(t.Context(), task.ID)
	if err != nil || back.Status != beckon.Review || back.Changes.Files != 1 {
		t.Errorf("restored it is in %s and counts %+v, %v", back.Status, back.Changes, err)
	}
	if got := s.states(t, task.ID); got != "proto clean, dash none, sample unchanged" {
		t.Error(got)
	}
}

// TestNoWorktreeIsMadeBehindALink that an agent put in the place of the folder.
func TestNoWorktreeIsMadeBehindALink(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n")
	task := s.Run(beckon.NewTask{Title: "Change all"})
	now, _ := s.Ended(task.ID)
	beside, elsewhere := now.Worktree+".with", t.TempDir()
	if err := errors.Join(os.Rename(beside, beside+"-was"), os.Symlink(elsewhere, beside)); err != nil {
		t.Skip(err)
	}
	if _, err := s.Board.OpenRepository(t.Context(), task.ID, "dash"); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("it says %v", err)
	}
	if names, err := os.ReadDir(elsewhere); err != nil || len(names) > 0 {
		t.Errorf("made are %v, %v", names, err)
	}
}

// TestABranchThatIsGoneKeepsNoAgentFromTheOtherRepositories.
func TestABranchThatIsGoneKeepsNoAgentFromTheOtherRepositories(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n")
	task := s.Run(beckon.NewTask{Title: "Change all"})
	now, _ := s.Ended(task.ID)
	gitAt(t, s.dirs["proto"], "worktree", "remove", "--force", now.Worktree+".with/proto")
	gitAt(t, s.dirs["proto"], "branch", "-D", now.Branch)
	if _, err := s.Runner.SendBack(t.Context(), task.ID, beckon.NewMessage{Text: "Go on."}); err != nil {
		t.Fatal(err)
	}
	s.Until("the second run", func() bool { return s.Seen.Runs[task.ID].Number == 2 })
	if _, run := s.Ended(task.ID); run.Outcome != beckon.Succeeded {
		t.Errorf("the run %s: %s", run.Outcome, run.Reason)
	}
	if got := s.states(t, task.ID); got != "proto missing, dash none, sample unchanged" {
		t.Error(got)
	}
}
