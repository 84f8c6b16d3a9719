package merge

import (
	"context"
	"errors"
	"slices"
	"strings"

	"beckon/backend/beckon/problem"
	"beckon/backend/git/command"
	"beckon/backend/git/workdir"
)

// Undo takes the merge of w back, as long as its base still ends with it and
// nothing else has it. One that was taken back already is left at that.
func Undo(ctx context.Context, repo command.Git, w workdir.Worktree) error {
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
	done, err := Landed(ctx, repo, p.base, tip)
	if err != nil || done.To == "" {
		return err // the base does not have it
	}
	if err := p.last(ctx, done); err != nil {
		return err
	}
	if err := p.checkFolder(ctx); err != nil {
		return err
	}
	if p.Refusal != nil {
		return command.Refuse(p.Refusal)
	}
	return p.goBack(ctx)
}

// last makes what the base was before a merge what the plan leads to, if nothing
// followed.
func (p *Plan) last(ctx context.Context, done Record) error {
	if done.To != p.base {
		return p.builtOn("it has commits since")
	}
	p.tree = done.From
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
	return problem.New(problem.BuiltOn, err, "base", p.w.Base)
}

// goBack moves the base, and the project's folder where that has it, to before the
// merge. git checks everything before it writes the first file.
func (p *Plan) goBack(ctx context.Context) error {
	if !p.moves {
		_, err := p.repo.Run(ctx, "update-ref", "-m", "beckon: take back the merge of "+p.w.Branch,
			"refs/heads/"+p.w.Base, p.tree, p.base)
		if err != nil {
			return command.Conflict("%s changed meanwhile, try again: %w", p.w.Base, err)
		}
		return nil
	}
	return p.moveFolder(ctx, p.tree, moving{
		changed: "the project's folder changed meanwhile, so the merge stays; try again",
		half:    "the way back stopped half way",
		failed:  "git could not write the files, so the merge stays",
	}, "reset", "--keep", "--quiet", "--no-recurse-submodules", p.tree)
}

// Again does a merge again that Undo took back, as long as the branches are what they
// were before it. One that was done again already is left at that.
func (p Plan) Again(ctx context.Context) error {
	done, err := Landed(ctx, p.repo, p.base, p.tip)
	if err != nil || done.To != "" && done.To == p.base {
		return err
	}
	list, err := records(ctx, p.repo, p.tip)
	if err != nil {
		return err
	}
	for _, r := range list {
		if r.From != p.base {
			continue
		}
		if there, err := contains(ctx, p.repo, r.To, r.From); err != nil || !there {
			return errors.Join(err, p.movedOn())
		}
		if p.Refusal != nil {
			return command.Refuse(p.Refusal)
		}
		return p.move(ctx, r.To)
	}
	if p.tip == "" && p.Refusal != nil {
		return command.Refuse(p.Refusal)
	}
	return p.movedOn()
}

func (p Plan) movedOn() error {
	err := command.Conflict("the merge into %s cannot be done again: %s or %s has other commits by now",
		p.w.Base, p.w.Base, p.w.Branch)
	return problem.New(problem.MergeAgain, err, "base", p.w.Base)
}
