package board

import (
	"context"

	"beckon/backend/board/check"
)

// MarkViewed keeps that the user has viewed a file of a task's changes, with the
// content that its diff names; an empty one forgets it.
func (p *Page) MarkViewed(ctx context.Context, taskID, path, content string) error {
	if err := check.Viewed(path, content); err != nil {
		return err
	}
	return p.store.Viewed.Mark(ctx, taskID, path, content)
}

// Viewed returns the contents by the paths of a task's files that were viewed.
func (p *Page) Viewed(ctx context.Context, taskID string) (map[string]string, error) {
	return p.store.Viewed.Of(ctx, taskID)
}
