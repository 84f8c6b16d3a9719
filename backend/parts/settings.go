package parts

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/disk"
	"beckon/backend/git/command"
	"beckon/backend/git/inspect"
	"beckon/backend/nearby"
)

// Settings completes the further repositories that a project is to have, or says which it
// cannot have. Those that it has already, as they are, are not looked at: their folder may be
// away for a while. Ours is Beckon's data folder.
func Settings(ctx context.Context, p beckon.Project, had []reviewing.Repository, ours string) ([]reviewing.Repository, error) {
	if len(p.Repositories) > reviewing.MostRepositories {
		err := beckon.Invalid("a project has at most %d further repositories", reviewing.MostRepositories)
		return nil, problem.New(problem.ManyRepositories, err, "most", strconv.Itoa(reviewing.MostRepositories))
	}
	list, commons := slices.Clone(p.Repositories), map[string]bool{}
	if len(list) > 0 {
		if !p.Git {
			return nil, notGit(p.Dir)
		}
		commons[common(ctx, p.Dir)] = true
	}
	names := map[string]bool{}
	for i := range list {
		r := &list[i]
		r.Name, r.MergeWay = strings.TrimSpace(r.Name), cmp.Or(r.MergeWay, p.MergeWay)
		if err := sound(*r); err != nil {
			return nil, err
		}
		if lower := strings.ToLower(r.Name); names[lower] {
			return nil, problem.New(problem.RepositoryTaken, beckon.Invalid("two repositories are called %s", r.Name), "name", r.Name)
		} else {
			names[lower] = true
		}
		if r.Base == "" || !slices.ContainsFunc(had, func(one reviewing.Repository) bool { return one.Dir == r.Dir && one.Base == r.Base }) {
			if err := complete(ctx, r, ours); err != nil {
				return nil, err
			}
		}
		if at := common(ctx, r.Dir); commons[at] {
			err := beckon.Invalid("%s is the project's own repository, or is named twice", r.Dir)
			return nil, problem.New(problem.RepositoryTwice, err, "dir", r.Dir)
		} else {
			commons[at] = true
		}
	}
	return list, nil
}

// sound refuses what no repository can be, by its values alone.
func sound(r reviewing.Repository) error {
	if !reviewing.SoundRepositoryName(r.Name) {
		err := beckon.Invalid("a repository's name is 1 to 40 letters, digits, dots, dashes and underscores, not %.60q", r.Name)
		return problem.New(problem.RepositoryName, err, "name", fmt.Sprintf("%.60s", r.Name))
	}
	if !slices.Contains(reviewing.MergeWays, r.MergeWay) {
		return beckon.Invalid("%.40q is no way to merge", r.MergeWay)
	}
	return nil
}

// complete looks at a repository, and fills in its top-level folder and its base.
func complete(ctx context.Context, r *reviewing.Repository, ours string) error {
	found, err := inspect.Folder(ctx, nearby.AtHome(r.Dir))
	if err != nil {
		return err
	}
	switch {
	case !found.Git:
		return notGit(found.Dir)
	case disk.Inside(ours, found.Dir):
		return beckon.Invalid("Beckon keeps its own data in %s; choose a folder outside it", ours)
	case linked(ctx, found.Dir):
		err := beckon.Invalid("%s is a worktree of another folder: choose the folder that it belongs to", found.Dir)
		return problem.New(problem.RepositoryLinked, err, "dir", found.Dir)
	}
	r.Dir, r.Base = found.Dir, cmp.Or(r.Base, found.Branch, found.Base)
	there, err := command.Git{Dir: found.Dir}.Branch(ctx, r.Base)
	if err == nil && there == "" {
		err = problem.New(problem.NoBase, beckon.Invalid("there is no branch %q to start from", r.Base), "base", r.Base)
	}
	return err
}

func notGit(dir string) error {
	err := beckon.Invalid("%s is not in git, and tasks that work in several folders need a repository in each: run git init and commit there first", dir)
	return problem.New(problem.NotRepository, err, "dir", dir)
}

// common returns what names the repository of a folder; the folder itself where it is gone.
func common(ctx context.Context, dir string) string {
	at, err := command.Git{Dir: dir}.CommonDir(ctx)
	if err != nil {
		return dir
	}
	return at
}

// linked reports whether a folder is a worktree that git made for another.
func linked(ctx context.Context, dir string) bool {
	own, err := command.Git{Dir: dir}.Line(ctx, "rev-parse", "--absolute-git-dir")
	return err == nil && filepath.Base(filepath.Dir(own)) == "worktrees" && common(ctx, dir) != own
}
