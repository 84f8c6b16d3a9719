//go:build linux || darwin

package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"beckon/backend/beckon/executing"
	"beckon/backend/executor/calls"
	"beckon/backend/executor/shim"
)

// ownerFile, in a project's repository, names the Beckon whose project it is.
const ownerFile = "beckon-owner"

// mark notes whose a project's repository is. The caller holds its lock.
func (w Workspace) mark(p calls.Project) error {
	if p.Owner == "" {
		return nil
	}
	file := filepath.Join(w.repo(p.ID), ownerFile)
	if text, err := os.ReadFile(file); err == nil && string(text) == p.Owner {
		return nil
	}
	return os.WriteFile(file, []byte(p.Owner), 0o600)
}

// isOf reports whether a project is in a scope. One that nobody marked is there since an
// older Beckon, which its own Beckon alone knows.
func (w Workspace) isOf(of calls.Scope, projectID string) bool {
	if of.Owner == "" {
		return true
	}
	text, err := os.ReadFile(filepath.Join(w.repo(projectID), ownerFile))
	if errors.Is(err, fs.ErrNotExist) {
		return slices.Contains(of.Projects, projectID)
	}
	return err == nil && string(text) == of.Owner
}

// projects lists the projects that have something here: those of a scope, and whether there
// are others.
func (w Workspace) projects(of calls.Scope) (own []string, others bool) {
	repos, _ := fs.Glob(os.DirFS(w.Dir), "repos/*.git") // the patterns are valid
	works, _ := fs.Glob(os.DirFS(w.Dir), "work/*")
	for _, name := range append(repos, works...) {
		projectID := strings.TrimSuffix(filepath.Base(name), ".git")
		switch {
		case slices.Contains(own, projectID):
		case w.isOf(of, projectID):
			own = append(own, projectID)
		default:
			others = true
		}
	}
	return own, others
}

// shared reports whether another Beckon has something here, too.
func (w Workspace) shared(of calls.Scope) (bool, error) {
	runs, err := shim.Running("")
	foreign := slices.ContainsFunc(runs, func(run string) bool { return !strings.HasPrefix(run, of.Owner) })
	_, others := w.projects(of)
	return foreign || others, err
}

// left tells what a Beckon has here: what all share counts where there is no other.
func (w Workspace) left(ctx context.Context, of calls.Scope) (executing.Left, error) {
	left := executing.Left{Keys: []string{}}
	shared, err := w.shared(of)
	if err != nil {
		return left, err
	}
	own, _ := w.projects(of)
	folders := []string{w.Dir}
	if shared {
		folders = nil
	}
	for _, projectID := range own {
		worktrees, _ := os.ReadDir(w.worktrees(projectID)) // a project may have none
		left.Worktrees += len(worktrees)
		if shared {
			folders = append(folders, w.repo(projectID), w.worktrees(projectID))
		}
	}
	for _, folder := range folders {
		size, err := sizeOf(ctx, folder)
		if left.Bytes += size; err != nil {
			return left, err
		}
	}
	return left, nil
}

// sizeOf returns how much is in a folder. What goes meanwhile, or cannot be read, does not
// count.
func sizeOf(ctx context.Context, folder string) (size int64, err error) {
	return size, filepath.WalkDir(folder, func(_ string, d os.DirEntry, err error) error {
		if err != nil || ctx.Err() != nil {
			return ctx.Err()
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			size += info.Size()
		}
		return nil
	})
}

// clear removes what a Beckon has here, and where no other has anything, this program too.
// It is refused while an agent of it lives.
func (w Workspace) clear(_ context.Context, of calls.Scope) (nothing, error) {
	runs, err := shim.Running(of.Owner)
	if err != nil {
		return nothing{}, err
	}
	if len(runs) > 0 {
		return nothing{}, fmt.Errorf("%d agents still work there", len(runs))
	}
	own, _ := w.projects(of)
	for _, projectID := range own {
		err = errors.Join(err, os.RemoveAll(w.worktrees(projectID)), os.RemoveAll(w.repo(projectID))) // the mark goes last
	}
	shared, err2 := w.shared(of)
	if err = errors.Join(err, err2); err != nil || shared {
		return nothing{}, err
	}
	return nothing{}, w.clearRest()
}

// idleIn is how long nobody looked for a program that another Beckon of the account may have
// put here, and which goes then.
const idleIn = 30 * 24 * time.Hour

// sweep removes the programs that the Beckon of an owner used before this one: those that
// were looked for last before it. Where another Beckon has something here, too, one goes that
// nobody looked for in a long time, and none while an agent of the other lives.
func (w Workspace) sweep(owner string) error {
	if owner == "" || w.Program == "" {
		return nil
	}
	core, own := filepath.Join(w.Dir, "core"), filepath.Base(filepath.Dir(w.Program))
	all, err := os.ReadDir(core)
	mine := slices.IndexFunc(all, func(one os.DirEntry) bool { return one.Name() == own })
	if err != nil || mine < 0 || len(all) == 1 {
		return err
	}
	now, err := all[mine].Info()
	if err != nil {
		return err
	}
	runs, err := shim.Running("")
	if err != nil || slices.ContainsFunc(runs, func(run string) bool { return !strings.HasPrefix(run, owner) }) {
		return err
	}
	late := now.ModTime()
	if _, others := w.projects(calls.Scope{Owner: owner}); others {
		late = late.Add(-idleIn)
	}
	for _, one := range all {
		if info, err2 := one.Info(); one.Name() != own && err2 == nil && info.ModTime().Before(late) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(core, one.Name())))
		}
	}
	return err
}

// clearRest removes what all Beckons share. What another one has put there since is left:
// only empty folders go, and a program that is missing is put there again.
func (w Workspace) clearRest() error {
	err := os.RemoveAll(filepath.Join(w.Dir, "core"))
	for _, name := range []string{"repos", "work", "shims", "."} {
		if err2 := os.Remove(filepath.Join(w.Dir, name)); !errors.Is(err2, fs.ErrNotExist) && !errors.Is(err2, fs.ErrExist) {
			err = errors.Join(err, err2)
		}
	}
	return err
}
