package merge

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"beckon/backend/beckon/problem"
	"beckon/backend/git/command"
	"beckon/backend/git/workdir"
	"beckon/backend/git/worktree"
)

// Undo takes the merge of w back, as long as its base still ends with it and
// nothing else has it. One that was taken back already is left at that.
func Undo(ctx context.Context, repo command.Git, w worktree.Worktree) error {
	p := Plan{repo: repo, w: w}
	var err error
	if p.base, err = repo.Branch(ctx, w.Base); err != nil {
		return err
	}
	tip, err := repo.Branch(ctx, w.Branch)
	if err != nil {
		return err
	}
	if p.base == "" || tip == "" {
		return p.builtOn("one of the branches is gone")
	}
	shared, err := repo.Quiet(ctx, "merge-base", p.base, tip)
	if err != nil || shared != tip {
		return err // the base does not have it
	}
	if err := p.last(ctx, tip); err != nil {
		return err
	}
	if err := p.checkFolder(ctx); err != nil {
		return err
	}
	if p.Refusal != "" {
		return command.Conflict("%s", p.Refusal)
	}
	return p.goBack(ctx)
}

// last makes what the base was before the merge of tip what the plan leads to, if
// the merge is the last commit that there is.
func (p *Plan) last(ctx context.Context, tip string) error {
	line, err := p.repo.Line(ctx, "rev-list", "--parents", "--max-count=1", p.base)
	if err != nil {
		return err
	}
	commits := strings.Fields(line)
	if len(commits) != 3 || commits[2] != tip {
		return p.builtOn("it has commits since")
	}
	p.tree = commits[1]
	refs, err := p.repo.Line(ctx, "for-each-ref", "--contains", p.base, "--format=%(refname)")
	if err != nil {
		return err
	}
	others := slices.DeleteFunc(strings.Fields(refs), func(ref string) bool { return ref == "refs/heads/"+p.w.Base })
	if len(others) > 0 {
		return p.builtOn("it is in " + workdir.Some(others))
	}
	return nil
}

func (p *Plan) builtOn(why string) error {
	err := command.Conflict("the merge into %s cannot be taken back: %s", p.w.Base, why)
	return problem.Of(problem.BuiltOn, err, "base", p.w.Base)
}

// goBack moves the base, and the project's folder where that has it, to before the
// merge. git checks everything before it writes the first file.
func (p *Plan) goBack(ctx context.Context) error {
	if !p.moves {
		_, err := p.repo.Run(ctx, "update-ref", "-m", "beckon: take back the merge of "+p.w.Branch, "refs/heads/"+p.w.Base, p.tree, p.base)
		if err != nil {
			return command.Conflict("%s changed meanwhile, try again: %w", p.w.Base, err)
		}
		return nil
	}
	_, err := p.repo.Run(ctx, "reset", "--keep", "--quiet", "--no-recurse-submodules", p.tree)
	if err == nil {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	now, headErr := p.repo.Line(ctx, "rev-parse", "HEAD")
	switch {
	case headErr == nil && now == p.tree:
		return nil // only git's last word was lost
	case headErr == nil && (now != p.base || refused(err)):
		return command.Conflict("the project's folder changed meanwhile, so the merge stays; try again: %w", err)
	}
	if undoErr := p.putBack(ctx); undoErr != nil {
		return command.Conflict("the way back stopped half way, and some files of %s could not be put back: %w: %w", p.repo.Dir, err, undoErr)
	}
	return fmt.Errorf("git could not write the files, so the merge stays: %w", err)
}
