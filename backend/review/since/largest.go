package since

import (
	"cmp"
	"context"
	"slices"

	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/diff"
)

// Largest returns the files of a task, or of a part of one, in which it changed most lines, at
// most so many, the largest first.
func (s *Since) Largest(ctx context.Context, id string, most int) ([]reviewing.FileSize, error) {
	at, _, ok, err := s.folder(ctx, id)
	if err != nil || !ok {
		return nil, err
	}
	trees, _, err := at.repo.Work(ctx, at.worktree())
	if err != nil {
		return nil, err
	}
	files, err := diff.Files(ctx, at.log.Git, trees)
	if err != nil {
		return nil, err
	}
	_, prefix := reviewing.SplitPart(id)
	if prefix != "" {
		prefix += "/"
	}
	sizes := make([]reviewing.FileSize, 0, len(files))
	for _, f := range files {
		sizes = append(sizes, reviewing.FileSize{Path: prefix + f.Path, Added: f.Added, Removed: f.Removed})
	}
	return Most(sizes, most), nil
}

// Most returns the largest of files, at most so many.
func Most(sizes []reviewing.FileSize, most int) []reviewing.FileSize {
	slices.SortStableFunc(sizes, func(a, b reviewing.FileSize) int {
		return cmp.Compare(b.Added+b.Removed, a.Added+a.Removed)
	})
	return sizes[:min(len(sizes), most)]
}
