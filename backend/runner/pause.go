package runner

import (
	"context"

	"beckon/backend/beckon"
)

// PauseAll holds every clock, those of new questions too, until it is called with
// false.
func (r *Runner) PauseAll(ctx context.Context, held bool) error {
	r.settings.Lock()
	defer r.settings.Unlock()
	s, err := r.Store.Settings(ctx)
	if err != nil {
		return err
	}
	s.Paused = held
	return r.saveSettings(ctx, s)
}

// ScreenLocked holds every clock while nobody can see a question. What the
// user holds besides stays held.
func (r *Runner) ScreenLocked(ctx context.Context, locked bool) error {
	r.settings.Lock()
	defer r.settings.Unlock()
	r.locked = locked
	s, err := r.Store.Settings(ctx)
	if err != nil {
		return err
	}
	return r.holdClocks(ctx, s.Paused)
}

// saveSettings stores settings, says so, and does what they ask for. The caller
// holds settings.
func (r *Runner) saveSettings(ctx context.Context, s beckon.Settings) error {
	if err := r.Store.SaveSettings(ctx, s); err != nil {
		return err
	}
	r.Publish(beckon.Event{Settings: &s})
	r.wake()
	return r.holdClocks(ctx, s.Paused)
}

// holdClocks holds the clocks for as long as there is a reason to. The caller
// holds settings.
func (r *Runner) holdClocks(ctx context.Context, away bool) error {
	return r.Desk.PauseAll(ctx, away || r.locked)
}
