package board

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/git"
	"beckon/backend/store/undolog"
)

// This file knows what a task may start from: the branches of its project, and which of
// them another task has.

// mostBranches is how many branches a search returns.
const mostBranches = 8

// FindBranches finds branches of a project by a part of their names.
func (b *Board) FindBranches(ctx context.Context, projectID, text string) (beckon.BranchSearch, error) {
	none := beckon.BranchSearch{Branches: []beckon.FoundBranch{}}
	p, err := b.Store.Project(ctx, projectID)
	if err != nil || !p.Git {
		return none, err
	}
	found, err := b.repo(p).FindBranches(ctx, text, p.Base, mostBranches)
	if err != nil {
		return none, err
	}
	tasks, err := b.Store.TasksOf(ctx, projectID)
	for i, one := range found.Branches {
		if at := slices.IndexFunc(tasks, worksOn(one.Name)); at >= 0 && one.Remote == "" {
			found.Branches[i].TaskID = tasks[at].ID
		}
	}
	return found, err
}

// worksOn reports whether a task works on a branch, or will.
func worksOn(branch string) func(beckon.Task) bool {
	return func(t beckon.Task) bool {
		if t.Status == beckon.Archived {
			return false
		}
		return t.Branch == branch || t.Branch == "" && t.Start.Kind.Adopts() && t.Start.Branch == branch
	}
}

// checkStart refuses what a task of a project cannot start from.
func (b *Board) checkStart(ctx context.Context, t beckon.Task) error {
	s := t.Start
	if s == (beckon.Start{}) {
		return nil
	}
	if s.Kind != "" && !slices.Contains(beckon.StartKinds, s.Kind) {
		return beckon.Invalid("nothing starts from %q", s.Kind)
	}
	for _, name := range []string{s.Branch, s.Base} {
		if name != "" && !git.UserBranch(name) {
			return problem.New(problem.BranchName, beckon.Invalid("git takes no branch called %.80q", name), "branch", name)
		}
	}
	switch {
	case s.Kind.Adopts() && s.Branch == "", s.Kind == beckon.StartTask && s.TaskID == "", s.TaskID == t.ID,
		(s.Remote == "") != (s.Ref == ""), s.Remote != "" && !(remoteName.MatchString(s.Remote) && fetchedRef.MatchString(s.Ref)),
		len(s.URL) > maxURL, s.Number < 0:
		return beckon.Invalid("what the task starts from is not whole: %.200q", fmt.Sprint(s))
	case !s.Kind.Adopts():
		return nil
	}
	tasks, err := b.Store.TasksOf(ctx, t.ProjectID)
	if err != nil {
		return err
	}
	for _, other := range tasks {
		if other.ID != t.ID && worksOn(s.Branch)(other) {
			err := fmt.Errorf("%s works on %s: %w", other.Key, s.Branch, beckon.ErrConflict)
			return problem.New(problem.BranchUsed, err, "branch", s.Branch, "key", other.Key)
		}
	}
	return nil
}

// maxURL is how long the address of a pull request or an issue may be, in bytes.
const maxURL = 2000

var (
	remoteName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_./-]*$`)
	// fetchedRef is what a task may start from that a remote has: a branch, or what GitHub
	// and GitLab keep of a request.
	fetchedRef = regexp.MustCompile(`^refs/(heads/[^\s~^:?*\[\\]+|pull/[0-9]+/head|merge-requests/[0-9]+/head)$`)
)

// checkPattern refuses what is no pattern of branches' names.
func checkPattern(pattern string) error {
	sample := git.BranchName(pattern, "KES-47", 47, "sample")
	if pattern == "" || len(pattern) <= beckon.MaxBranch && beckon.Named(pattern) &&
		sample != git.BranchName("", "KES-47", 47, "") && bare.MatchString(pattern) {
		return nil
	}
	return problem.New(problem.BranchPattern, beckon.Invalid("%.80q names no branches", pattern), "pattern", pattern, "example", "feature/{key}-{title}")
}

// bare is a pattern of which only the known names stand in braces.
var bare = regexp.MustCompile(`^([^{}\s]|\{key\}|\{number\}|\{title\})+$`)

// startEdit returns what a task starts from by an edit, and its base then. A task that has
// its branch keeps both.
func (b *Board) startEdit(ctx context.Context, id string, s beckon.Start) (beckon.Start, string, error) {
	t, err := b.Store.Task(ctx, id)
	if err != nil || t.Branch != "" {
		return t.Start, t.Base, err
	}
	p, err := b.Store.Project(ctx, t.ProjectID)
	if err == nil && s != t.Start {
		t.Start, t.Start.Found = s, ""
		err = b.checkStart(ctx, t)
	}
	return t.Start, cmp.Or(s.Base, p.Base), err
}

// moveOn has the tasks that build on a task's branch go on with its base, which has that
// branch by now.
func (b *Board) moveOn(ctx context.Context, merged beckon.Task) {
	tasks, err := b.Store.TasksOf(ctx, merged.ProjectID)
	if err != nil {
		slog.Error("find what builds on a merged branch", "err", err, "task", merged.ID)
		return
	}
	for _, t := range tasks {
		if t.Base != merged.Branch || t.Start.TaskID != merged.ID {
			continue
		}
		_, err := b.Update(undolog.Apart(ctx), t.ID, func(t *beckon.Task) error {
			t.Base = cmp.Or(merged.Base, t.Base)
			return nil
		})
		if err != nil {
			slog.Error("have a task go on with another base", "err", err, "task", t.ID)
		}
	}
}
