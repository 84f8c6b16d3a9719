package runner

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
func (r *Runner) SaveMission(ctx context.Context, m beckon.Mission) error {
	if !slices.Contains(layouts, m.Layout) {
		return invalid("Mission Control has 1, 4, 6 or 9 panes, not %d", m.Layout)
	}
	if len(m.Panes) > panesMost {
		return invalid("Mission Control has room for %d tasks, not %d", panesMost, len(m.Panes))
	}
	if len(m.Removed) > panesMost {
		return invalid("Mission Control remembers %d removed tasks, not %d", panesMost, len(m.Removed))
	}
	m.Panes, m.Removed = orEmpty(m.Panes), orEmpty(m.Removed)
	r.publishing.Lock()
	defer r.publishing.Unlock()
	if err := r.Store.SaveMission(ctx, m); err != nil {
		return err
	}
	r.Publish(beckon.Event{Mission: &m})
	return nil
}
