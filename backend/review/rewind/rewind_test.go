package rewind

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git"
	"beckon/backend/git/command"
	"beckon/backend/store/checkpoints"
)

// rewinder is one whose agents the test plays.
type rewinder struct {
	*Rewinder
	live  bool
	texts []string // that agents began with
	fails error    // of the next one
	held  sync.Mutex

	elsewhere error // the work is on another computer
	ended     int   // runs that were to end
	withdrawn []reason.Code
	opening   string // the message with which the last agent began
	dropped   []string
}

// takeLastBack is TakeBack of the last rewind, or of one that there never was.
func (r *rewinder) takeLastBack(b *bench) (beckon.Task, error) {
	b.Helper()
	last, _, err := b.store.Checkpoints.Last(b.ctx, b.task.ID)
	b.check(err)
	return r.TakeBack(b.ctx, b.task.ID, cmp.Or(last.ID, "none"))
}

func (b *bench) rewinder() *rewinder {
	r := &rewinder{}
	task := func(ctx context.Context, id string) (t beckon.Task, p beckon.Project, err error) {
		if t, err = b.store.Task(ctx, id); err == nil {
			p, err = b.store.Project(ctx, t.ProjectID)
		}
		return t, p, err
	}
	r.Rewinder = New(Config{
		Rows: b.store.Checkpoints, Decisions: b.store.Decisions, Questions: b.store.Questions, Run: b.store.Run, Task: task,
		Hold: func(ctx context.Context, id string) (beckon.Task, beckon.Project, func(), error) {
			if r.live {
				return beckon.Task{}, beckon.Project{}, nil, fmt.Errorf("stop its agent first: %w", beckon.ErrConflict)
			}
			r.held.Lock()
			t, p, err := task(ctx, id)
			return t, p, r.held.Unlock, err
		},
		Repo:   func(p beckon.Project) *git.Repo { return b.pool.Open(p.Dir, p.Trusted) },
		Live:   func(string) (beckon.RunKind, bool) { return beckon.TaskRun, r.live },
		Update: b.store.UpdateTask, Recount: func(context.Context, string) error { return nil }, KeepTrees: b.since.KeepTrees,
		Commits: func(_ context.Context, _ command.Git, from, head string) (all []reviewing.Commit, err error) {
			for hash := range strings.FieldsSeq(b.git(b.dir, "rev-list", from+".."+head)) {
				all = append(all, reviewing.Commit{Hash: hash})
			}
			return all, nil
		},
		Bring:    func(context.Context, string) error { return r.elsewhere },
		SetHeard: b.desk.SetHeard,
		Withdraw: func(_ context.Context, _ string, why *reason.Reason) error {
			r.withdrawn = append(r.withdrawn, why.Code)
			return nil
		},
		Stop: func(string, *reason.Reason) {
			if r.live {
				r.live, r.ended = false, r.ended+1
			}
		},
		Drop: func(_ context.Context, id string) error {
			r.dropped = append(r.dropped, id)
			return beckon.ErrNotFound
		},
		Begin: func(ctx context.Context, id string, m beckon.NewMessage) (beckon.Task, error) {
			if err := r.fails; err != nil {
				r.fails = nil
				return beckon.Task{}, err
			}
			r.texts, r.opening = append(r.texts, m.Text), m.ID
			return b.store.UpdateTask(ctx, id, func(t *beckon.Task) error { t.Session, t.Trouble = "session-2", nil; return nil })
		},
	})
	return r
}

var planner = beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"Planner"}}}}

// rest ends the run, so that the task is at rest.
func (b *bench) rest() {
	b.Helper()
	var err error
	b.task, err = b.store.UpdateTask(b.ctx, b.task.ID, func(t *beckon.Task) error { return t.Move(beckon.Review) })
	b.check(err)
}

// look is what a person finds in a worktree: each file with its mode and its text, apart from
// those that git ignores; what is staged; and where the branch is.
type look struct {
	files, ignored map[string]string
	staged, head   string
}

func (b *bench) look() look {
	b.Helper()
	l := look{files: map[string]string{}, ignored: map[string]string{}}
	b.check(filepath.WalkDir(b.task.Worktree, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == ".git" {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text, err := os.Readlink(name)
		if err != nil {
			read, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			text = string(read)
		}
		below, err := filepath.Rel(b.task.Worktree, name)
		if strings.HasSuffix(name, ".log") {
			l.ignored[below] = text
		} else {
			l.files[below] = fmt.Sprint(info.Mode()&(fs.ModeSymlink|0o100), " ", text)
		}
		return err
	}))
	l.staged = b.git(b.task.Worktree, "ls-files", "-s")
	l.head = b.git(b.task.Worktree, "rev-parse", "HEAD", "refs/heads/"+b.task.Branch)
	return l
}

func (l look) equal(other look) bool {
	return maps.Equal(l.files, other.files) && l.staged == other.staged && l.head == other.head
}

// work does something random in the worktree.
func (b *bench) work(random *rand.Rand) {
	b.Helper()
	names := []string{"a.txt", "b.txt", "dir/c.txt", "dir/deep/d.txt", "dir", "e", "e/f.txt", "ä ö.txt"}
	for range 2 + random.IntN(4) {
		name := names[random.IntN(len(names))]
		at := b.in(name)
		switch random.IntN(6) {
		case 0:
			b.makeRoom(name)
		case 1:
			b.makeRoom(name)
			b.check(os.Symlink("a.txt", at))
		case 2:
			b.makeRoom(name)
			b.check(os.WriteFile(at, []byte("run\n"), 0o755))
		default:
			b.makeRoom(name)
			b.check(os.WriteFile(at, []byte(fmt.Sprint("text ", random.IntN(50), "\n")), 0o644))
		}
	}
	b.check(os.WriteFile(b.in("noise.log"), []byte(fmt.Sprint(random.IntN(1000))), 0o644))
	switch random.IntN(5) {
	case 0:
		b.git(b.task.Worktree, "add", "-A")
	case 1:
		b.git(b.task.Worktree, "add", "-A")
		b.git(b.task.Worktree, "commit", "-q", "--allow-empty", "-m", "more")
	case 2:
		b.git(b.task.Worktree, "add", "-A")
		b.git(b.task.Worktree, "commit", "-q", "--amend", "--allow-empty", "-m", "else")
	}
}

// makeRoom makes a file of that name possible.
func (b *bench) makeRoom(name string) {
	b.Helper()
	dirs := strings.Split(filepath.Dir(name), "/")
	for i := range dirs {
		dir := b.in(filepath.Join(dirs[:i+1]...))
		if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
			b.check(os.Remove(dir))
		}
	}
	b.check(os.RemoveAll(b.in(name)))
	b.check(os.MkdirAll(filepath.Dir(b.in(name)), 0o755))
}

// steps are those at which a Beckon may die, and takeBackSteps those of taking back.
var (
	steps         = []string{"", "save", "note", "index", "remove", "write", "branch", "staged", "card", "moved", "begin"}
	takeBackSteps = []string{"", "", "save", "note", "index", "remove", "write", "branch", "staged"}
)

// dying does something, and dies at a step of it. It reports whether it died.
func (b *bench) dying(r *rewinder, step string, do func() error) (died bool) {
	b.Helper()
	defer func() {
		r.step = func(string) {}
		if p := recover(); p != nil {
			if died = p == step; !died {
				panic(p)
			}
		}
	}()
	r.step = func(at string) {
		if at == step {
			panic(step)
		}
	}
	b.check(do())
	return false
}

// TestADecisionIsTakenBackExactlyAndLosesNothing: random work before and after a question, and a
// death at each step. The worktree is then what it was at the question or what it was before,
// byte for byte with modes, links, staged and untracked files; what was there is on a branch; and
// taking it back makes all as it was.
func TestADecisionIsTakenBackExactlyAndLosesNothing(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			random := rand.New(rand.NewPCG(seed, 40))
			r := b.rewinder()
			done := 0
			for round := range rounds {
				b.work(random)
				then := b.look()
				q := b.ask("Parser")
				if c := b.checkpoint(q.ID); c.None != checkpoints.Taken {
					continue // the machine is slow, and says so
				}
				done++
				b.work(random)
				if round == 0 {
					b.rest()
				}
				now, commit := b.look(), b.git(b.task.Worktree, "rev-parse", "HEAD")
				session := b.session()
				step := steps[(4*round+int(seed))%len(steps)]
				died := b.dying(r, step, func() error { _, err := r.Choose(b.ctx, q.ID, planner); return err })
				r = b.rewinder()
				r.Recover(b.ctx)
				is := b.look()
				gone := is.equal(then)
				if !gone && !is.equal(now) || died != (step != "" && !now.equal(then)) && !now.equal(then) {
					t.Fatalf("seed %d, round %d, dead at %q: the worktree is %+v, was %+v at the question and %+v before", seed, round, step, is, then, now)
				}
				if !maps.Equal(is.ignored, now.ignored) {
					t.Fatalf("seed %d, round %d: ignored files changed", seed, round)
				}
				if wanted := step == "" || step == "begin"; wanted && !gone {
					t.Fatalf("seed %d, round %d, dead at %q: it was not taken back", seed, round, step)
				}
				last, ok, err := b.store.Checkpoints.Last(b.ctx, b.task.ID)
				b.check(err)
				if !gone || now.equal(then) && !ok {
					if s := b.session(); s != session {
						t.Fatalf("the session is %q, was %q", s, session)
					}
					continue
				}
				if !ok || last.QuestionID != q.ID {
					t.Fatalf("seed %d, round %d, dead at %q: nothing says what was done: %+v", seed, round, step, last)
				}
				if last.Branch != "" {
					b.git(b.dir, "merge-base", "--is-ancestor", commit, last.Branch)
				}
				takeBackStep := takeBackSteps[random.IntN(len(takeBackSteps))]
				if random.IntN(2) == 0 {
					b.work(random)
				}
				b.dying(r, takeBackStep, func() error { _, err := r.takeLastBack(b); return err })
				r = b.rewinder()
				r.Recover(b.ctx)
				if left, ok, _ := b.store.Checkpoints.Last(b.ctx, b.task.ID); ok && left.ID == last.ID { // it died before it began
					_, err := r.takeLastBack(b)
					b.check(err)
				}
				if back := b.look(); !back.equal(now) || b.session() != session {
					t.Fatalf("seed %d, round %d, dead at %q: taken back it is %+v, was %+v", seed, round, takeBackStep, back, now)
				}
			}
			if done == 0 {
				t.Error("the machine is too slow: no question got a checkpoint")
			}
		})
	}
}

func (b *bench) session() string {
	b.Helper()
	task, err := b.store.Task(b.ctx, b.task.ID)
	b.check(err)
	return task.Session
}

// TestANewRunHearsTheOtherAnswerAndNothingLater: what was there stays on a branch, also what was
// not committed.
func TestANewRunHearsTheOtherAnswerAndNothingLater(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.ask("Planner")
	q := b.ask("Parser")
	b.checkpoint(q.ID)
	b.edit("a.txt", "with the parser\n")
	b.git(b.task.Worktree, "commit", "-q", "-am", "parser")
	b.edit("b.txt", "not committed\n")
	b.ask("Parser")
	b.rest()
	r := b.rewinder()
	v, err := r.Preview(b.ctx, q.ID)
	b.check(err)
	if v.Refusal != nil || v.Count != 2 || v.Added != 2 || v.Removed != 1 || len(v.Commits) != 1 || len(v.Later) != 1 || v.Branch != b.task.Branch || v.Saved != b.task.Branch+"-before-rewind" || v.Turn != 3 {
		t.Errorf("the preview is %+v", v)
	}
	task, err := r.Choose(b.ctx, q.ID, planner)
	b.check(err)
	if task.Session != "session-2" || len(r.texts) != 1 {
		t.Fatalf("%d agents began, in session %q", len(r.texts), task.Session)
	}
	if text := r.texts[0]; strings.Count(text, "Parser or planner?") != 4 || !strings.Contains(text, `→ "Planner"`) || strings.Contains(text, `→ "Parser"`) {
		t.Errorf("the agent reads %q", text)
	}
	if is := b.git(b.dir, "show", b.task.Branch+"-before-rewind:b.txt"); is != "not committed" {
		t.Errorf("the branch has %q", is)
	}
	v, err = r.Preview(b.ctx, q.ID)
	b.check(err)
	if v.Saved != b.task.Branch+"-before-rewind-2" && v.Saved != "" {
		t.Errorf("the preview names %q, which is taken", v.Saved)
	}
	if v.Done == nil || v.Done.QuestionID != q.ID || v.Done.Branch != b.task.Branch+"-before-rewind" || v.Done.Answer.Items[0].Labels[0] != "Planner" {
		t.Errorf("the preview says %+v of what was done", v.Done)
	}
}

// TestTakingItBackStopsTheAgentThatBegan: what it did stays on a branch, and what it asks is asked
// no more.
func TestTakingItBackStopsTheAgentThatBegan(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	q := b.ask("Parser")
	b.checkpoint(q.ID)
	b.edit("b.txt", "with the parser\n")
	b.rest()
	r := b.rewinder()
	_, err := r.Choose(b.ctx, q.ID, planner)
	b.check(err)
	b.edit("c.txt", "with the planner\n")
	r.live = true
	// What cannot be taken back stops nobody, nor does another choice than the last.
	lock := filepath.Join(b.git(b.task.Worktree, "rev-parse", "--path-format=absolute", "--git-dir"), "index.lock")
	b.check(os.WriteFile(lock, nil, 0o600))
	if _, err := r.takeLastBack(b); err == nil || !r.live {
		t.Errorf("while git works: %v, an agent works: %t", err, r.live)
	}
	b.check(os.Remove(lock))
	if _, err := r.TakeBack(b.ctx, b.task.ID, "another"); !beckon.ReasonOf(err).Is(reason.RewindThere) || !r.live {
		t.Errorf("another choice: %v, an agent works: %t", err, r.live)
	}
	task, err := r.takeLastBack(b)
	b.check(err)
	if r.opening == "" || !slices.Contains(r.dropped, r.opening) {
		t.Errorf("the agent was to begin with %q, and %q are dropped", r.opening, r.dropped)
	}
	if r.ended != 1 || !slices.Equal(r.withdrawn, []reason.Code{reason.Rewound, reason.RewindReturned}) {
		t.Errorf("%d runs ended, what was asked is withdrawn for %q", r.ended, r.withdrawn)
	}
	if text, err := os.ReadFile(b.in("b.txt")); err != nil || string(text) != "with the parser\n" || task.Session != "session-1" {
		t.Errorf("the work is %q in session %q, %v", text, task.Session, err)
	}
	if is := b.git(b.dir, "show", b.task.Branch+"-rewound:c.txt"); is != "with the planner" {
		t.Errorf("the branch has %q", is)
	}
	if _, err := r.takeLastBack(b); err == nil || r.ended != 1 {
		t.Errorf("a second time: %v, %d runs ended", err, r.ended)
	}
}

// TestNothingIsTakenBackWhereSomethingWouldBeLost, or while an agent works, and each refusal says
// why.
func TestNothingIsTakenBackWhereSomethingWouldBeLost(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.edit("there.txt", "tracked\n")
	b.git(b.task.Worktree, "add", "-A")
	b.git(b.task.Worktree, "commit", "-q", "-m", "there")
	q := b.ask("Parser")
	b.checkpoint(q.ID)
	b.edit("a.txt", "since\n")
	b.rest()
	r := b.rewinder()
	refused := func(what string, code reason.Code) {
		t.Helper()
		before := b.look()
		v, err := r.Preview(b.ctx, q.ID)
		b.check(err)
		if !v.Refusal.Is(code) {
			t.Errorf("%s: the preview says %s", what, v.Refusal)
		}
		if _, err := r.Choose(b.ctx, q.ID, planner); !errors.Is(err, beckon.ErrConflict) {
			t.Errorf("%s: %v", what, err)
		}
		if !b.look().equal(before) || len(r.texts) > 0 {
			t.Errorf("%s: something changed", what)
		}
	}
	r.live = true
	refused("an agent works", reason.AgentAtWork)
	r.live = false

	away := func(executor string) {
		t.Helper()
		_, err := b.store.UpdateTask(b.ctx, b.task.ID, func(t *beckon.Task) error { t.Executor = executor; return nil })
		b.check(err)
	}
	away("box")
	refused("its agents work elsewhere", reason.RewindElsewhere)
	away("")

	b.git(b.task.Worktree, "rm", "-q", "there.txt")
	b.edit(".gitignore", "*.log\nthere.txt\n")
	b.edit("there.txt", "ignored, and nowhere else\n")
	refused("an ignored file is in the way", reason.RewindIgnored)
	b.check(os.Remove(b.in("there.txt")))

	b.git(b.task.Worktree, "init", "-q", "inner")
	refused("a repository is inside", reason.RewindNested)
	b.check(os.RemoveAll(b.in("inner")))

	b.git(b.task.Worktree, "update-index", "--assume-unchanged", "a.txt")
	refused("a file is hidden", reason.RewindHidden)
	b.git(b.task.Worktree, "update-index", "--no-assume-unchanged", "a.txt")

	b.git(b.task.Worktree, "checkout", "-q", "-b", "elsewhere")
	refused("on another branch", reason.OtherBranch)
	b.git(b.task.Worktree, "checkout", "-q", b.task.Branch)

	_, err := b.store.UpdateTask(b.ctx, b.task.ID, func(t *beckon.Task) error { t.Resolution = beckon.Merged; return t.Move(beckon.Done) })
	b.check(err)
	refused("merged", reason.RewindOver)
	_, err = b.store.UpdateTask(b.ctx, b.task.ID, func(t *beckon.Task) error { t.Resolution = ""; return t.Move(beckon.Review) })
	b.check(err)

	before := b.look()
	r.fails = errors.New("no agent can begin")
	if _, err := r.Choose(b.ctx, q.ID, planner); !errors.Is(err, r.fails) && err == nil {
		t.Error("an agent that cannot begin is no error")
	}
	if branches := b.git(b.dir, "branch", "--list", "*rewind*"); !b.look().equal(before) || branches != "" || b.session() != "session-1" {
		t.Errorf("no agent began, and yet it is not as before: %q, %q", branches, b.session())
	}
	if _, err := r.Choose(b.ctx, q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"Neither"}}}}); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("an answer that does not fit: %v", err)
	}
	old := beckon.Question{ID: beckon.NewID(), TaskID: b.task.ID, RunID: b.run.ID, Kind: beckon.Ask, Policy: beckon.Wait, Items: q.Items, Asked: 1, Settled: 2, Settlement: beckon.Answered, Answer: &planner}
	b.check(b.store.AddQuestion(b.ctx, old))
	q = old
	refused("it is older than checkpoints", reason.CheckpointNone)
}

// TestWhatIsEditedBetweenADeathAndTheNextStartIsKept: on a branch of its own.
func TestWhatIsEditedBetweenADeathAndTheNextStartIsKept(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	q := b.ask("Parser")
	b.checkpoint(q.ID)
	b.edit("a.txt", "since\n")
	b.rest()
	now := b.look()
	r := b.rewinder()
	if !b.dying(r, "branch", func() error { _, err := r.Choose(b.ctx, q.ID, planner); return err }) {
		t.Fatal("it did not die")
	}
	b.edit("a.txt", "by hand\n")
	b.rewinder().Recover(b.ctx)
	if !b.look().equal(now) {
		t.Error("it is not as before")
	}
	if is := b.git(b.dir, "show", b.task.Branch+"-interrupted:a.txt"); is != "by hand" {
		t.Errorf("kept is %q", is)
	}
	if refs := b.git(b.dir, "branch", "--list", "*before-rewind*"); refs != "" {
		t.Errorf("a branch of nothing stayed: %s", refs)
	}
	if begun, err := b.store.Checkpoints.Begun(b.ctx); err != nil || slices.ContainsFunc(begun, func(w checkpoints.Rewind) bool { return w.TaskID == b.task.ID }) {
		t.Errorf("it is still under way: %v", err)
	}
}
