package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// plan is what a merge would do, or why it can not be done.
type plan struct {
	base, tip string // commits
	tree      string // of the merge
	// folder is the project's folder where it has the base checked out, which
	// then changes with it; else empty.
	folder    string
	refusal   string   // a sentence for the user; empty: it can be merged
	conflicts []string // paths
}

// plan finds out what merging w would do, without changing any file or ref.
// State and entries are those of its folder.
func (r *Repo) plan(ctx context.Context, w Worktree, state State, entries []entry) (p plan, err error) {
	if state.Condition != Ready && state.Condition != Missing {
		return plan{refusal: state.Trouble}, nil
	}
	loose := slices.DeleteFunc(slices.Clone(entries), entry.nested)
	if len(loose) > 0 {
		return plan{refusal: fmt.Sprintf("the worktree has changes that no commit holds (%s): commit them first", some(paths(loose)))}, nil
	}
	c := r.at()
	if p.tip, err = c.branch(ctx, w.Branch); err != nil {
		return p, err
	}
	if p.base, err = c.branch(ctx, w.Base); err != nil {
		return p, err
	}
	if p.base == "" {
		p.refusal = fmt.Sprintf("the base branch %s is gone: bring it back with git branch %s %s", w.Base, w.Base, w.BaseCommit)
		return p, nil
	}
	shared, err := c.quiet(ctx, "merge-base", p.base, p.tip)
	if err != nil {
		return p, err
	}
	strays, err := r.strays(ctx, p, entries)
	if err != nil {
		return p, err
	}
	if len(strays) > 0 {
		p.refusal = strayRefusal(w, strays)
		return p, nil
	}
	switch shared {
	case p.tip:
		p.refusal = fmt.Sprintf("there is nothing to merge: %s has every commit of %s", w.Base, w.Branch)
	case "":
		p.refusal = fmt.Sprintf("%s and %s have no commit in common", w.Base, w.Branch)
	default:
		if err = r.mergeTree(ctx, w, &p); err == nil && p.refusal == "" {
			err = r.place(ctx, w, &p)
		}
	}
	return p, err
}

// strayRefusal says why files of an agent's own repositories keep a branch
// from being merged.
func strayRefusal(w Worktree, strays []string) string {
	return fmt.Sprintf("there are repositories inside the worktree whose files would stay out of the merge (%s): "+
		"delete the .git in them to make them part of the branch (after git rm --cached, if they are committed), or move them out of %s", some(strays), w.Dir)
}

// mergeTree merges without a folder.
func (r *Repo) mergeTree(ctx context.Context, w Worktree, p *plan) error {
	fields, err := r.at().list(ctx, "merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", p.base, p.tip)
	if err != nil && exitCode(err) != 1 {
		return err
	}
	if len(fields) == 0 {
		return errors.New("git merge-tree printed no tree")
	}
	p.tree = fields[0]
	if err == nil {
		return nil
	}
	for _, name := range fields[1:] {
		if name = strings.ToValidUTF8(name, "\uFFFD"); name != "" && !slices.Contains(p.conflicts, name) {
			p.conflicts = append(p.conflicts, name)
		}
	}
	p.refusal = fmt.Sprintf("it conflicts with %s in %s: have the agent merge %s into its branch, or do it in %s", w.Base, some(p.conflicts), w.Base, w.Dir)
	return nil
}

// place finds where the base is checked out, and whether the merge may
// change the files there.
func (r *Repo) place(ctx context.Context, w Worktree, p *plan) error {
	dir, err := r.checkedOut(ctx, w.Base)
	if err != nil || dir == "" {
		return err
	}
	if !sameFile(dir, r.dir) {
		p.refusal = fmt.Sprintf("%s is checked out in %s, which is not the project's folder: switch to another branch there", w.Base, dir)
		return nil
	}
	p.folder = r.dir
	doing, err := r.inProgress(ctx, r.dir)
	if err != nil {
		return err
	}
	if doing != "" {
		p.refusal = fmt.Sprintf("the project's folder is in the middle of a %s: finish or abort it first", doing)
		return nil
	}
	entries, err := r.at().changes(ctx)
	if err != nil {
		return err
	}
	entries = slices.DeleteFunc(entries, func(e entry) bool { return e.untracked })
	if len(entries) > 0 {
		p.refusal = fmt.Sprintf("the project's folder is not clean (%s): commit or stash that first", some(paths(entries)))
		return nil
	}
	return r.checkRoom(ctx, p)
}

// checkRoom refuses where a file that the merge brings lies in the folder
// already without being tracked. git would overwrite those that it ignores.
func (r *Repo) checkRoom(ctx context.Context, p *plan) error {
	added, removed, err := r.between(ctx, p.base, p.tree)
	if err != nil {
		return err
	}
	gone := map[string]bool{}
	for _, name := range removed {
		gone[name] = true
	}
	var inTheWay []string
	for _, name := range added {
		if at := occupied(p.folder, name, gone); at != "" && !slices.Contains(inTheWay, at) {
			inTheWay = append(inTheWay, strings.ToValidUTF8(at, "\uFFFD"))
		}
	}
	if len(inTheWay) > 0 {
		p.refusal = fmt.Sprintf("files that git does not track are in the way in the project's folder (%s): move them away first", some(inTheWay))
	}
	return nil
}

// occupied returns what lies where name is to be written: name itself, or a
// file in place of one of the folders above it. What the merge removes does
// not count.
func occupied(dir, name string, gone map[string]bool) string {
	if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
		return name
	}
	for at := path.Dir(name); at != "."; at = path.Dir(at) {
		if info, err := os.Lstat(filepath.Join(dir, at)); err == nil {
			if info.IsDir() || gone[at] {
				return ""
			}
			return at
		}
	}
	return ""
}
