// Package board does what a person does with projects, cards and settings:
// creates, edits, moves, reviews, merges, discards and archives them. It makes
// the folder in which a task's agent works, and puts the card where it goes when
// its run is over.
//
// Every change of a task or project goes through it: committed first, then
// published as it then is. What git does to a task's work happens while the task
// is held, so that what was checked before is still true when the card is
// written. It does not know how agents are run: those reach it through Agents.
package board

import (
	"context"
	"path/filepath"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/board/begun"
	"beckon/backend/board/together"
	"beckon/backend/git"
	"beckon/backend/parts"
	"beckon/backend/store"
)

// Config is what a Board works with.
type Config struct {
	Store   *store.Store
	Publish func(beckon.Event)
	// DataDir holds the worktrees.
	DataDir string
	// Withdraw closes what a task's agents still ask, with the reason.
	Withdraw func(ctx context.Context, taskID string, why *reason.Reason) error
	// Pause holds the clocks of all questions, or lets them go on.
	Pause func(ctx context.Context, paused bool) error
	// RemoveLogs removes the transcripts of runs that are gone.
	RemoveLogs func([]beckon.Run)
	// Prepare makes a worktree ready for its first run; Clear ends what runs in
	// one that is about to be removed; CheckPassed refuses to merge what failed its check.
	Prepare func(context.Context, beckon.Task, beckon.Project) error
	Clear   func(taskID string)
	// Fetch fetches what a task starts from out of a remote, and returns its commit.
	Fetch       func(context.Context, beckon.Task, beckon.Project) (commit string, err error)
	CheckPassed func(context.Context, beckon.Task, beckon.Project) error
	// Backoff replaces the constant of setback where it is not 0.
	Backoff time.Duration
}

// Agents is what the board needs of whatever runs them; *runner.Runner
// implements it.
type Agents interface {
	// Start begins a task's run and puts its card into Running at a rank, 0 for
	// the one that it has.
	Start(ctx context.Context, taskID string, rank float64) (beckon.Task, error)
	// UsableOn returns why no agent of a kind can be started on an executor, "" for this machine, if
	// so; one that nobody has looked at counts as usable unless it must be seen.
	UsableOn(ctx context.Context, kind, executorID string, seen bool) error
	// Live returns the kind of the run that lives on a task.
	Live(taskID string) (kind beckon.RunKind, live bool)
	// Works reports whether a task run lives on a task and is not ending.
	Works(taskID string) bool
	// AwaitEnd waits until a task's run that is ending already is over.
	AwaitEnd(ctx context.Context, taskID string) error
	// Hold keeps agents away from a task until release. The error is ErrConflict
	// where one lives, or the task is held.
	Hold(taskID string) (release func(), err error)
	// Held returns an error for the user while a task is held.
	Held(taskID string) error
	// EndTaskRun has a task's live task run end as stopped. It returns at once.
	EndTaskRun(taskID string, why *reason.Reason)
	// Wake has the queue look for a task to start.
	Wake()
}

// Board keeps the cards. Its methods may be called from any goroutine.
type Board struct {
	Config
	*Page
	// Files says what is in the folders of tasks and projects.
	Files FolderFiles
	// Parts are the work of tasks in further repositories.
	Parts   *parts.Parts
	agents  Agents
	repos   git.Pool
	folders folderMaker
	begun   begun.Work
	// together merges in several repositories.
	together together.Merger

	publishing sync.Mutex // held while a row is read and published
	// moving is held while a card is put into another column, so that holding
	// its task comes before or after it. Only what Agents locks, and the store,
	// may be taken within.
	moving sync.Mutex

	settings sync.Mutex // held while settings, and the clocks by them, change
	locked   bool       // the screen is
}

// New returns a board; Join comes before all other methods but Update.
func New(c Config) *Board {
	b := &Board{Config: c, Page: NewPage(c.Store, c.Publish), repos: git.Pool{Dir: c.DataDir}}
	adding := func(ctx context.Context, id string, add func() error) error { return b.begun.Add(ctx, id, add) }
	trees := filepath.Join(c.DataDir, "worktrees")
	b.Parts = &parts.Parts{Rows: c.Store.Parts, Cards: c.Store, Repo: func(p beckon.Project) parts.Repo { return b.repo(p) }, Misplaced: git.Misplaced, Dir: trees, Adding: adding}
	b.folders = folderMaker{
		Dir: trees, Repo: func(p beckon.Project) FolderRepo { return b.repo(p) }, Update: b.Update, Prepare: c.Prepare,
		Fetch: c.Fetch, Under: c.Store.Task, Adding: adding,
	}
	b.Files = FolderFiles{
		Read: b.read, Project: c.Store.Project, Chats: b.chats,
		Known: func(ctx context.Context, p beckon.Project, dir string) ([]string, error) {
			return b.repo(p).Files(ctx, dir)
		},
	}
	b.begun = begun.Work{
		Intents: c.Store.Intents, HoldTask: b.holdWork, Branch: b.branch, Update: b.Update, Discarded: b.finishDiscard,
		Several: &b.together,
		Unmade: func(ctx context.Context, t beckon.Task, p beckon.Project) error {
			if reviewing.IsPart(t.ID) {
				return b.Parts.Unmade(ctx, t, p)
			}
			if t.Worktree != "" {
				return nil
			}
			found := ""
			if t.Start.Kind.Adopts() {
				found = t.Start.Branch
			}
			return b.repo(p).TakeBackWorktrees(ctx, b.folders.Of(t), found)
		},
	}
	b.together = together.Merger{
		Parts: b.Parts, Begun: b.begun, HoldTask: b.holdTask, CheckPassed: c.CheckPassed, SteersNothing: b.steersNothing,
		CommitLeft: func(ctx context.Context, t beckon.Task, p beckon.Project) error { return commitLeft(ctx, b.repo(p), t) }, Proposal: b.proposal, Update: b.Update, Undo: c.Store.Undo, TakeCardBack: b.TakeBack,
	}
	return b
}

// Join tells the board who runs the agents.
func (b *Board) Join(a Agents) { b.agents = a }

// Start holds the clocks where the user had them held, and finishes what git did before
// Beckon was killed.
func (b *Board) Start(ctx context.Context) error {
	s, err := b.Store.Settings.Load(ctx)
	if err != nil {
		return err
	}
	b.begun.Finish(ctx)
	b.followAll(ctx)
	return b.Pause(ctx, s.Paused)
}

// read returns a task and its project, or a part and its repository. What git did without
// Beckon to where the task's work is, is on the card then.
func (b *Board) read(ctx context.Context, id string) (beckon.Task, beckon.Project, error) {
	t, err := b.Parts.Task(ctx, id)
	if err != nil {
		return t, beckon.Project{}, err
	}
	p, err := b.Parts.Project(ctx, t.ProjectID)
	if err != nil {
		return t, p, err
	}
	return b.follow(ctx, t, p), p, nil
}

// chats reports whether a chat lives on a task.
func (b *Board) chats(taskID string) bool {
	kind, live := b.agents.Live(taskID)
	return live && kind == beckon.ChatRun
}

// repo returns a project's repository. What it brings along runs only in a
// trusted project.
func (b *Board) repo(p beckon.Project) *git.Repo { return b.repos.Open(p.Dir, p.Trusted) }

func (b *Board) branch(t beckon.Task, p beckon.Project) begun.Branch {
	return summedBranch{b.repo(p).BranchOf(t), func(ctx context.Context) (beckon.Changes, error) { return b.summary(ctx, t, p) }}
}

// Kept returns a project's repository for those who keep worktrees ready, measure, and look at what is in them.
func (b *Board) Kept(p beckon.Project) *git.Repo { return b.repo(p) }

// Tree returns a task's worktree for those who run commands in it.
func (b *Board) Tree(t beckon.Task, p beckon.Project) git.Tree {
	return b.repo(p).Tree(git.WorktreeOf(t))
}
