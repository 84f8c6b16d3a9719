package runner

import "context"

// HoldAll holds every clock, those of new questions too, until it is let go.
func (r *Runner) HoldAll(ctx context.Context, held bool) error {
	s, err := r.Store.Settings(ctx)
	if err != nil {
		return err
	}
	s.Away = held
	return r.SaveSettings(ctx, s)
}

// ScreenLocked holds every clock while nobody can see a question. What the
// user holds besides stays held.
func (r *Runner) ScreenLocked(ctx context.Context, locked bool) error {
	r.mu.Lock()
	r.locked = locked
	r.mu.Unlock()
	s, err := r.Store.Settings(ctx)
	if err != nil {
		return err
	}
	return r.holdClocks(ctx, s.Away)
}

// holdClocks holds the clocks for as long as there is a reason to.
func (r *Runner) holdClocks(ctx context.Context, away bool) error {
	r.mu.Lock()
	locked := r.locked
	r.mu.Unlock()
	return r.Desk.HoldAll(ctx, away || locked)
}
