package board

import (
	"context"

	"beckon/backend/beckon"
	"beckon/backend/board/check"
)

// SaveMission keeps how Mission Control is laid out, in every window.
func (p *Page) SaveMission(ctx context.Context, m beckon.Mission) error {
	if err := check.Mission(m); err != nil {
		return err
	}
	m.Panes, m.Removed = beckon.NonNil(m.Panes), beckon.NonNil(m.Removed)
	p.publishing.Lock()
	defer p.publishing.Unlock()
	if err := p.store.Settings.SaveMission(ctx, m); err != nil {
		return err
	}
	p.publish(beckon.Event{Mission: &m})
	return nil
}
