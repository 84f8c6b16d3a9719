package git

import (
	"path/filepath"
	"sync"
)

// Pool opens repositories so that two changes of one folder never meet,
// however often and with whatever trust it is opened. The zero Pool is ready.
type Pool struct {
	// Dir is the folder for copies of what was discarded, and for worktrees that are
	// kept ready; empty: there are none.
	Dir string

	mu    sync.Mutex // guards locks
	locks map[held]*sync.Mutex
}

// held is what a lock is for. A folder can be both: a repository's own is the
// worktree of none of its tasks, but is asked about as if it were one.
type held struct {
	dir      string
	worktree bool
}

// Open returns the repository whose top-level folder is dir, as Inspect gave
// it. Nothing is read or checked yet.
//
// Trust lets git run the filters and merge drivers that are configured, so
// that files stored through them (LFS) come out whole, and lets it fetch the
// missing objects of a partial clone. Hooks and signing stay off even so: the
// commit at the end of a run is what keeps the agent's work, and a hook that
// rejects it, or a passphrase that nobody types, would leave it uncommitted.
// What the agent or the user commits themselves runs hooks as ever.
func (p *Pool) Open(dir string, trusted bool) *Repo {
	return &Repo{dir: dir, trusted: trusted, pool: p, mu: p.lock(held{dir: dir})}
}

// lock returns the lock of what is held, always the same one.
func (p *Pool) lock(h held) *sync.Mutex {
	h.dir = filepath.Clean(h.dir)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.locks == nil {
		p.locks = make(map[held]*sync.Mutex)
	}
	if p.locks[h] == nil {
		p.locks[h] = new(sync.Mutex)
	}
	return p.locks[h]
}

// alone keeps others from making, committing or removing the folder of w until release.
// It comes before the repository's own lock, which nobody holds for long.
func (r *Repo) alone(w Worktree) (release func()) {
	lock := r.pool.lock(held{w.Dir, true})
	lock.Lock()
	return lock.Unlock
}
