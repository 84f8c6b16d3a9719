package board

import (
	"context"
	"slices"

	"beckon/backend/beckon"
)

// layouts are how many panes Mission Control shows at once.
var layouts = []int{1, 4, 6, 9}

// panesMost is how many tasks may have a place, in view or not.
const panesMost = 100

// SaveMission keeps how Mission Control is laid out, in every window.
func (b *Board) SaveMission(ctx context.Context, m beckon.Mission) error {
	if !slices.Contains(layouts, m.Layout) {
		return beckon.Invalid("Mission Control has 1, 4, 6 or 9 panes, not %d", m.Layout)
	}
	if len(m.Panes) > panesMost {
		return beckon.Invalid("Mission Control has room for %d tasks, not %d", panesMost, len(m.Panes))
	}
	if len(m.Removed) > panesMost {
		return beckon.Invalid("Mission Control remembers %d removed tasks, not %d", panesMost, len(m.Removed))
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
