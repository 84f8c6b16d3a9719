package board

import (
	"context"

	"beckon/backend/beckon"
	"beckon/backend/board/check"
)

// SaveSettings replaces the user's settings.
func (b *Board) SaveSettings(ctx context.Context, s beckon.Settings) error {
	if err := check.Settings(s); err != nil {
		return err
	}
	s.ObserveRoots = beckon.NonNil(s.ObserveRoots)
	s.LabelTones, s.Keys = beckon.NonNilMap(s.LabelTones), beckon.NonNilMap(s.Keys)
	s.Notify = s.Notify.Whole()
	s.OwnAgents = beckon.NonNil(s.OwnAgents)
	for i := range s.OwnAgents {
		s.OwnAgents[i].Variables = beckon.NonNil(s.OwnAgents[i].Variables)
	}
	b.settings.Lock()
	defer b.settings.Unlock()
	return b.saveSettings(ctx, s)
}

// PauseAll holds every clock, those of new questions too, until it is called with
// false.
func (b *Board) PauseAll(ctx context.Context, held bool) error {
	b.settings.Lock()
	defer b.settings.Unlock()
	s, err := b.Store.Settings.Load(ctx)
	if err != nil {
		return err
	}
	s.Paused = held
	return b.saveSettings(ctx, s)
}

// ScreenLocked holds every clock while nobody can see a question. What the
// user holds besides stays held.
func (b *Board) ScreenLocked(ctx context.Context, locked bool) error {
	b.settings.Lock()
	defer b.settings.Unlock()
	b.locked = locked
	s, err := b.Store.Settings.Load(ctx)
	if err != nil {
		return err
	}
	return b.holdClocks(ctx, s.Paused)
}

// saveSettings stores settings, says so, and does what they ask for. The caller
// holds settings.
func (b *Board) saveSettings(ctx context.Context, s beckon.Settings) error {
	if err := b.Store.Settings.Save(ctx, s); err != nil {
		return err
	}
	b.Publish(beckon.Event{Settings: &s})
	b.agents.Wake()
	return b.holdClocks(ctx, s.Paused)
}

// holdClocks holds the clocks for as long as there is a reason to. The caller
// holds settings.
func (b *Board) holdClocks(ctx context.Context, away bool) error {
	return b.Pause(ctx, away || b.locked)
}
