package board

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"beckon/backend/beckon"
)

// SaveSettings replaces the user's settings.
func (b *Board) SaveSettings(ctx context.Context, s beckon.Settings) error {
	switch {
	case s.Slots < 1 || s.Slots > 32:
		return beckon.Invalid("1 to 32 agents can work at once, not %d", s.Slots)
	case !slices.Contains([]string{"", "en", "de"}, s.Language):
		return beckon.Invalid("there is no translation into %q", s.Language)
	case len(s.Shortcut) > 40 || strings.ContainsFunc(s.Shortcut, unicode.IsControl):
		return beckon.Invalid("%.40q is no combination of keys", s.Shortcut)
	case !slices.Contains([]string{"", "light", "dark"}, s.Theme):
		return beckon.Invalid("there is no theme %q", s.Theme)
	case !ofDay(s.Notify.QuietFrom) || !ofDay(s.Notify.QuietTo):
		return beckon.Invalid("quiet hours are minutes of a day, not %d to %d", s.Notify.QuietFrom, s.Notify.QuietTo)
	}
	b.settings.Lock()
	defer b.settings.Unlock()
	return b.saveSettings(ctx, s)
}

// ofDay tells whether a day has that minute.
func ofDay(minute int) bool { return 0 <= minute && minute < 24*60 }

// PauseAll holds every clock, those of new questions too, until it is called with
// false.
func (b *Board) PauseAll(ctx context.Context, held bool) error {
	b.settings.Lock()
	defer b.settings.Unlock()
	s, err := b.Store.Settings(ctx)
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
	s, err := b.Store.Settings(ctx)
	if err != nil {
		return err
	}
	return b.holdClocks(ctx, s.Paused)
}

// saveSettings stores settings, says so, and does what they ask for. The caller
// holds settings.
func (b *Board) saveSettings(ctx context.Context, s beckon.Settings) error {
	if err := b.Store.SaveSettings(ctx, s); err != nil {
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
