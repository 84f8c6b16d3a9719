package spare

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"beckon/backend/beckon"
)

// This file has worktrees kept ready for the projects that ask for it, so that a
// task of a large repository begins at once. It works in the background, on one
// repository at a time, and follows events: a project that is changed, a task that got
// a worktree, a project that is removed. What a spare is, and whether it may go, is
// git's to know.

// KeeperRepo is a project's repository, which makes and removes spares.
type KeeperRepo interface {
	FillSpares(ctx context.Context, base string) error
	ClearSpares(ctx context.Context) error
}

// rest is how long what a task took is left missing: its agent begins meanwhile, and
// would share the machine with git.
const rest = 3 * time.Second

// Keeper keeps the spares. Its methods may be called from any goroutine.
type Keeper struct {
	rest time.Duration
	work chan struct{} // has a value while something is due
	ends sync.WaitGroup

	mu       sync.Mutex // guards what follows
	cancel   context.CancelFunc
	projects map[string]beckon.Project
	due      map[string]bool   // projects
	trees    map[string]string // the worktree of each task, by its id
}

// NewKeeper returns a Keeper that notes events and does nothing until Start.
func NewKeeper() *Keeper {
	return &Keeper{
		rest: rest, work: make(chan struct{}, 1), cancel: func() {},
		projects: map[string]beckon.Project{}, due: map[string]bool{}, trees: map[string]string{},
	}
}

// Start begins to look after the projects that there are, until Close.
func (k *Keeper) Start(repo func(beckon.Project) KeeperRepo, projects []beckon.Project) {
	for _, p := range projects {
		k.onProject(p)
	}
	ctx, cancel := context.WithCancel(context.Background())
	k.mu.Lock()
	defer k.mu.Unlock()
	k.cancel = cancel
	k.ends.Go(func() { k.keep(ctx, repo) })
}

// OnEvent notes what changed.
func (k *Keeper) OnEvent(e beckon.Event) {
	switch {
	case e.Project != nil:
		k.onProject(*e.Project)
	case e.Task != nil:
		k.onTask(*e.Task)
	case e.Gone != "":
		k.onGone(e.Gone)
	}
}

func (k *Keeper) onProject(p beckon.Project) {
	k.mu.Lock()
	defer k.mu.Unlock()
	before, known := k.projects[p.ID]
	k.projects[p.ID] = p
	if !known || before.Scripts.Spare != p.Scripts.Spare || before.Base != p.Base || before.Trusted != p.Trusted {
		k.want(p.ID)
	}
}

// onTask has a spare made in place of the one that a task took, and others brought to
// what the base is by then.
func (k *Keeper) onTask(t beckon.Task) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if t.Worktree != "" && k.trees[t.ID] != t.Worktree {
		k.trees[t.ID] = t.Worktree
		time.AfterFunc(k.rest, func() { // after Close nobody looks
			k.mu.Lock()
			defer k.mu.Unlock()
			k.want(t.ProjectID)
		})
	}
}

// onGone forgets a task, or removes the spares of a project.
func (k *Keeper) onGone(id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.trees, id)
	if p, ok := k.projects[id]; ok && p.Scripts.Spare {
		p.Scripts.Spare = false
		k.projects[id] = p
		k.want(id)
	}
}

// want has a project looked after. The lock is held.
func (k *Keeper) want(id string) {
	k.due[id] = true
	select {
	case k.work <- struct{}{}:
	default:
	}
}

// next returns a project that is due, if one is.
func (k *Keeper) next() (beckon.Project, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for id := range k.due {
		delete(k.due, id)
		return k.projects[id], true
	}
	return beckon.Project{}, false
}

// keep looks after what is due until ctx ends.
func (k *Keeper) keep(ctx context.Context, repo func(beckon.Project) KeeperRepo) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-k.work:
		}
		for p, ok := k.next(); ok && ctx.Err() == nil; p, ok = k.next() {
			if err := tend(ctx, repo, p); err != nil && ctx.Err() == nil {
				slog.Error("keep worktrees ready", "err", err, "project", p.ID)
			}
		}
	}
}

func tend(ctx context.Context, repo func(beckon.Project) KeeperRepo, p beckon.Project) error {
	switch {
	case !p.Git:
		return nil
	case p.Scripts.Spare && p.Trusted: // without trust, files are not what their filters make of them
		return repo(p).FillSpares(ctx, p.Base)
	default:
		return repo(p).ClearSpares(ctx)
	}
}

// Close ends what is under way, and waits for it.
func (k *Keeper) Close() {
	k.mu.Lock()
	k.cancel()
	k.mu.Unlock()
	k.ends.Wait()
}
