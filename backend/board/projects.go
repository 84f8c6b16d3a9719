package board

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/board/check"
	"beckon/backend/disk"
	"beckon/backend/git"
	"beckon/backend/nearby"
	"beckon/backend/parts"
)

// InspectFolder tells what a folder would be as a project. It changes nothing
// and runs nothing that the folder brings along.
func (b *Board) InspectFolder(ctx context.Context, dir string) (beckon.ProjectFound, error) {
	found, err := git.Inspect(ctx, nearby.AtHome(dir))
	if err != nil {
		return beckon.ProjectFound{}, err
	}
	name := filepath.Base(found.Dir)
	f := beckon.ProjectFound{
		Dir: found.Dir, Name: name, Git: found.Git, Base: found.Base,
		Branches: beckon.NonNil(found.Branches), Brings: beckon.NonNil(found.Brings),
		Offer: git.Offer(ctx, found),
	}
	projects, err := b.Store.Projects(ctx)
	if err != nil {
		return f, err
	}
	f.Key = check.FreeKey(check.KeyFor(name), projects)
	if i := slices.IndexFunc(projects, func(p beckon.Project) bool { return p.Dir == f.Dir }); i >= 0 {
		f.ProjectID = projects[i].ID
	}
	return f, nil
}

// AddProject makes a folder a project.
func (b *Board) AddProject(ctx context.Context, n beckon.NewProject) (beckon.Project, error) {
	found, err := b.InspectFolder(ctx, n.Dir)
	if err != nil {
		return beckon.Project{}, err
	}
	if b.ownFolder(found.Dir) {
		return beckon.Project{}, beckon.Invalid("Beckon keeps its own data in %s; choose a folder outside it", b.DataDir)
	}
	projects, err := b.Store.Projects(ctx)
	if err != nil {
		return beckon.Project{}, err
	}
	p := beckon.Project{
		ID: beckon.NewID(), Key: found.Key, Name: found.Name, Dir: found.Dir,
		Color: len(projects)%4 + 1, Git: found.Git, Base: found.Base, Mode: beckon.ModeAuto,
		Policy: beckon.Proceed, WaitMs: beckon.DefaultWaitMs, Trusted: n.Trusted,
		MergeWay: reviewing.MergeCommit, Scripts: n.Scripts, Created: beckon.Now(),
	}
	p.Name = cmp.Or(strings.TrimSpace(n.Name), p.Name)
	p.Key = cmp.Or(strings.ToUpper(strings.TrimSpace(n.Key)), p.Key)
	p.Base = cmp.Or(n.Base, p.Base)
	if err := check.Project(found.Branches, p); err != nil {
		return p, err
	}
	p.Repositories = n.Repositories
	if p.Repositories, err = parts.Settings(ctx, p, nil, b.DataDir); err != nil {
		return p, err
	}
	if err := b.Store.AddProject(ctx, &p); err != nil {
		return p, err
	}
	b.publishProject(ctx, p)
	return p, nil
}

// ownFolder reports whether dir is Beckon's data folder or inside it, where an
// agent would work on the records of all others.
func (b *Board) ownFolder(dir string) bool { return disk.Inside(b.DataDir, dir) }

// EditProject replaces a project's name and defaults; its folder stays.
func (b *Board) EditProject(ctx context.Context, edit beckon.Project) (beckon.Project, error) {
	before, err := b.Store.Project(ctx, edit.ID)
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
	if err := check.Project(branches, edit); err != nil {
		return edit, err
	}
	edit.Dir, edit.Git = before.Dir, before.Git
	repositories, err := parts.Settings(ctx, edit, before.Repositories, b.DataDir)
	if err != nil {
		return edit, err
	}
	p, err := b.Store.UpdateProject(ctx, edit.ID, func(p *beckon.Project) error {
		p.Name, p.Key, p.Color, p.Base, p.Agent, p.Model = edit.Name, edit.Key, edit.Color, edit.Base, edit.Agent, edit.Model
		p.Mode, p.Policy, p.WaitMs, p.Trusted = edit.Mode, edit.Policy, edit.WaitMs, edit.Trusted
		p.Allowed, p.MergeWay, p.Scripts, p.Executor = edit.Allowed, edit.MergeWay, edit.Scripts, edit.Executor
		p.BranchPattern, p.Repositories = edit.BranchPattern, repositories
		return nil
	})
	if err != nil {
		return p, err
	}
	b.publishProject(ctx, p)
	b.agents.Wake()
	return p, nil
}

// Allow gives a project rules that the user allowed for all its runs: they
// begin with them.
func (b *Board) Allow(ctx context.Context, projectID string, rules []string) error {
	p, err := b.Store.UpdateProject(ctx, projectID, func(p *beckon.Project) error {
		p.Allowed, _ = claude.SoundRules(p.Allowed) // an older version may have stored others
		for _, rule := range rules {
			if !slices.Contains(p.Allowed, rule) {
				p.Allowed = append(p.Allowed, rule)
			}
		}
		return check.Rules(p.Allowed)
	})
	if err == nil {
		b.publishProject(ctx, p)
	}
	return err
}

// RemoveProject takes a project, its cards and their transcripts off Beckon.
// Its folder, its branches and its worktrees stay where they are.
func (b *Board) RemoveProject(ctx context.Context, id string) error {
	tasks, err := b.Store.TasksOf(ctx, id)
	if err != nil {
		return err
	}
	for _, t := range tasks {
		if err := b.agents.AwaitEnd(ctx, t.ID); err != nil {
			return err
		}
	}
	release, err := b.holdAll(tasks)
	if err != nil {
		return err
	}
	defer release()
	runs, err := b.Store.RunsOfProject(ctx, id)
	if err != nil {
		return err
	}
	if err := b.Store.RemoveProject(ctx, id); err != nil {
		return err
	}
	b.RemoveLogs(runs)
	for _, t := range tasks {
		b.publishGone(t.ID)
	}
	b.publishGone(id)
	return nil
}
