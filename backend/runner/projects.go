package runner

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/claude"
	"beckon/backend/git"
)

// InspectFolder tells what a folder would be as a project. It changes nothing
// and runs nothing that the folder brings along.
func (r *Runner) InspectFolder(ctx context.Context, dir string) (beckon.ProjectFound, error) {
	found, err := git.Inspect(ctx, atHome(dir))
	if err != nil {
		return beckon.ProjectFound{}, err
	}
	name := filepath.Base(found.Dir)
	f := beckon.ProjectFound{
		Dir: found.Dir, Name: name, Git: found.Git, Base: found.Base,
		Branches: orEmpty(found.Branches), Brings: orEmpty(found.Brings),
	}
	projects, err := r.Store.Projects(ctx)
	if err != nil {
		return f, err
	}
	f.Key = freeKey(beckon.KeyFor(name), projects)
	if i := slices.IndexFunc(projects, func(p beckon.Project) bool { return p.Dir == f.Dir }); i >= 0 {
		f.ProjectID = projects[i].ID
	}
	return f, nil
}

// freeKey returns key, or key with the first number that makes it free.
func freeKey(key string, taken []beckon.Project) string {
	free := key
	for n := 2; slices.ContainsFunc(taken, func(p beckon.Project) bool { return p.Key == free }); n++ {
		free = fmt.Sprintf("%s%d", key, n)
	}
	return free
}

// AddProject makes a folder a project.
func (r *Runner) AddProject(ctx context.Context, n beckon.NewProject) (beckon.Project, error) {
	found, err := r.InspectFolder(ctx, n.Dir)
	if err != nil {
		return beckon.Project{}, err
	}
	if r.ownFolder(found.Dir) {
		return beckon.Project{}, invalid("Beckon keeps its own data in %s; choose a folder outside it", r.DataDir)
	}
	projects, err := r.Store.Projects(ctx)
	if err != nil {
		return beckon.Project{}, err
	}
	p := beckon.Project{
		ID: beckon.NewID(), Key: found.Key, Name: found.Name, Dir: found.Dir,
		Color: len(projects)%4 + 1, Git: found.Git, Base: found.Base, Mode: beckon.ModeAuto,
		Policy: beckon.Proceed, WaitMs: beckon.DefaultWaitMs, Trusted: n.Trusted, Created: beckon.Now(),
	}
	p.Name = or(strings.TrimSpace(n.Name), p.Name)
	p.Key = or(strings.ToUpper(strings.TrimSpace(n.Key)), p.Key)
	p.Base = or(n.Base, p.Base)
	if err := r.checkProject(found.Branches, p); err != nil {
		return p, err
	}
	if err := r.Store.AddProject(ctx, &p); err != nil {
		return p, err
	}
	r.publishProject(ctx, p)
	return p, nil
}

// ownFolder reports whether dir is Beckon's data folder or inside it, where an
// agent would work on the records of all others.
func (r *Runner) ownFolder(dir string) bool {
	own, err := filepath.EvalSymlinks(r.DataDir)
	if err != nil {
		own = r.DataDir
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	inside, err := filepath.Rel(own, dir)
	return err == nil && filepath.IsLocal(inside)
}

// EditProject replaces a project's name and defaults; its folder stays.
func (r *Runner) EditProject(ctx context.Context, edit beckon.Project) (beckon.Project, error) {
	before, err := r.Store.Project(ctx, edit.ID)
	if err != nil {
		return edit, err
	}
	var branches []string
	if before.Git && edit.Base != before.Base {
		found, err := git.Inspect(ctx, before.Dir)
		if err != nil {
			return edit, err
		}
		branches = found.Branches
	} else {
		branches = []string{before.Base}
	}
	if err := r.checkProject(branches, edit); err != nil {
		return edit, err
	}
	p, err := r.Store.UpdateProject(ctx, edit.ID, func(p *beckon.Project) error {
		p.Name, p.Key, p.Color, p.Base, p.Model = edit.Name, edit.Key, edit.Color, edit.Base, edit.Model
		p.Mode, p.Policy, p.WaitMs, p.Trusted = edit.Mode, edit.Policy, edit.WaitMs, edit.Trusted
		p.Allowed = edit.Allowed
		return nil
	})
	if err != nil {
		return p, err
	}
	r.publishProject(ctx, p)
	r.wake()
	return p, nil
}

// checkProject refuses what a project can not be; base must be one of the
// branches.
func (r *Runner) checkProject(branches []string, p beckon.Project) error {
	switch {
	case strings.TrimSpace(p.Name) == "" || len(p.Name) > beckon.MaxTitle:
		return invalid("a project needs a name of at most %d bytes", beckon.MaxTitle)
	case !beckon.ValidKey(p.Key):
		return invalid("a project's key is 2 to 5 letters or digits and begins with a letter, not %q", p.Key)
	case p.Base != "" && !slices.Contains(branches, p.Base):
		return invalid("there is no branch %q to start from", p.Base)
	case p.Color < 1 || p.Color > 4:
		return invalid("a project's colour is 1 to 4, not %d", p.Color)
	}
	if !soundModel(p.Model) {
		return invalid("%.80q is no model's name", p.Model)
	}
	if err := checkAllowed(p.Allowed); err != nil {
		return err
	}
	return checkDefaults(p.Mode, p.Policy, p.WaitMs)
}

// checkAllowed refuses what is not one permission rule each.
func checkAllowed(rules []string) error {
	if len(rules) > beckon.MaxAllowed {
		return invalid("a project has at most %d rules", beckon.MaxAllowed)
	}
	for _, rule := range rules {
		if len(rule) > beckon.MaxRule {
			return invalid("a permission rule has at most %d KB, and %.80q is longer", beckon.MaxRule>>10, rule)
		}
		if _, err := claude.ParseRule(rule); err != nil {
			return err
		}
	}
	return nil
}

// soundRules leaves out the rules that checkAllowed refuses: an older version
// may have stored some.
func soundRules(rules []string) []string {
	return slices.DeleteFunc(slices.Clone(rules), func(rule string) bool {
		err := checkAllowed([]string{rule})
		logged("pass a permission rule on", err)
		return err != nil
	})
}

// checkDefaults refuses modes, policies and waits that do not exist.
func checkDefaults(m beckon.PermissionMode, policy beckon.Policy, waitMs int64) error {
	switch {
	case !slices.Contains(beckon.PermissionModes, m):
		return invalid("there is no permission mode %q", m)
	case !slices.Contains(beckon.Policies, policy):
		return invalid("there is no policy %q", policy)
	case waitMs < beckon.MinWaitMs || waitMs > beckon.MaxWaitMs:
		return invalid("an answer is waited for 10 seconds to 24 hours, not %d ms", waitMs)
	}
	return nil
}

// RemoveProject takes a project, its cards and their transcripts off Beckon.
// Its folder, its branches and its worktrees stay where they are.
func (r *Runner) RemoveProject(ctx context.Context, id string) error {
	tasks, err := r.Store.TasksOf(ctx, id)
	if err != nil {
		return err
	}
	for _, t := range tasks {
		if err := r.awaitEnd(ctx, t.ID); err != nil {
			return err
		}
	}
	release, err := r.holdAll(tasks)
	if err != nil {
		return err
	}
	defer release()
	runs, err := r.Store.RunsOfProject(ctx, id)
	if err != nil {
		return err
	}
	if err := r.Store.RemoveProject(ctx, id); err != nil {
		return err
	}
	r.removeLogs(runs)
	for _, t := range tasks {
		r.publishGone(t.ID)
	}
	r.publishGone(id)
	return nil
}

// repo returns a project's repository. What it brings along runs only in a
// trusted project.
func (r *Runner) repo(p beckon.Project) *git.Repo { return r.repos.Open(p.Dir, p.Trusted) }

func invalid(format string, args ...any) error {
	return fmt.Errorf(format+": %w", append(args, beckon.ErrInvalid)...)
}

// or returns the first of both that is not empty.
func or[T ~string](a, b T) T {
	if a != "" {
		return a
	}
	return b
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
