// Package git gives tasks their worktrees, shows and merges what is in them,
// and takes them away again, by running git 2.38 or newer.
//
// Nothing that a repository brings along runs through these calls without the
// user's trust: no hook (not even with trust, see Pool), no fsmonitor, filter,
// merge driver, text conversion, signer or transport. Nothing is removed that
// could not be brought back, but for files that git ignores, which Loss names.
// Titles, branches and paths are data: they reach git as single arguments or
// on its input, never through a shell.
//
// It knows nothing of tasks and runs; what it refuses, it refuses with an error
// that wraps one of beckon's and says what the user can do.
package git

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/git/command"
	"beckon/backend/git/spare"
)

// Repo is one repository, reached through the folder it is checked out in.
// It is safe for concurrent use; all that come from one Pool for one folder
// share the lock that keeps two changes of refs and worktrees from meeting.
type Repo struct {
	dir     string
	trusted bool

	pool *Pool
	mu   *sync.Mutex // held while worktrees, private refs or the exclude file change
}

// Version returns git's version, such as "2.39.5". The error wraps
// ErrUnavailable where git is missing or older than 2.38, whose merge-tree is
// the first that can merge without a folder.
func Version(ctx context.Context) (string, error) {
	out, err := command.Git{Dir: os.TempDir(), Nowhere: true}.Line(ctx, "version")
	if err != nil {
		return "", err
	}
	version := strings.TrimPrefix(out, "git version ")
	var major, minor int
	if _, err := fmt.Sscanf(version, "%d.%d", &major, &minor); err != nil {
		return "", fmt.Errorf("git answers with an unknown version, %q: %w", out, beckon.ErrUnavailable)
	}
	if major < 2 || major == 2 && minor < 38 {
		return "", problem.New(problem.GitOld,
			fmt.Errorf("git %s is too old: install 2.38 or newer: %w", version, beckon.ErrUnavailable), "version", version)
	}
	return version, nil
}

// in returns how git is run in dir.
func (r *Repo) in(dir string) command.Git {
	return command.Git{Dir: dir, Trusted: r.trusted, Owner: r.pool.Dir}
}

// at returns how git is run in the repository's own folder.
func (r *Repo) at() command.Git { return r.in(r.dir) }

// trash is what is kept of the repository's discarded branches.
func (r *Repo) trash() spare.Trash { return spare.Trash{Git: r.at(), Bundles: r.own("trash")} }

// Own returns the folders of the worktrees that are kept ready, and of the copies of
// what was discarded.
func (r *Repo) Own() (spare, discarded string) { return r.own("ready"), r.own("trash") }

// own returns the folder of that name for what Beckon keeps of the repository, or
// nothing where the pool has none.
func (r *Repo) own(name string) string {
	if r.pool.Dir == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(filepath.Clean(r.dir)))
	return filepath.Join(r.pool.Dir, name, hex.EncodeToString(sum[:8]))
}
