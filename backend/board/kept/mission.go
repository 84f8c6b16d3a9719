package board

import (
	"context"

	"beckon/backend/beckon"
	"beckon/backend/board/check"
)

// SaveMission keeps how Mission Control is laid out, in every window.
func (b *Board) SaveMission(ctx context.Context, m beckon.Mission) error {
	if err := check.Mission(m); err != nil {
		return err
	}
	m.Panes, m.Removed = beckon.NonNil(m.Panes), beckon.NonNil(m.Removed)
	b.publishing.Lock()
	defer b.publishing.Unlock()
	if err := b.Store.SaveMission(ctx, m); err != nil {
		return err
	}
	b.Publish(beckon.Event{Mission: &m})
	return nil
}
