// Package system has the operating system do what the window's settings say: start Beckon
// with the session, and hand it a combination of keys. It also holds the clocks while the
// screen is locked. What could not be done is said in the window.
package system

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/desktop"
	"beckon/backend/feed"
)

// Config says where the settings come from, and what they have effect on.
type Config struct {
	Window   *desktop.Window
	Settings beckon.Settings // as they are at first
	Feed     *feed.Feed      // that says how they change
	Command  []string        // that starts Beckon hidden; none in the demo
	// ScreenLocked holds the clocks, or lets them go on.
	ScreenLocked func(ctx context.Context, locked bool) error
}

// system is what the window's settings have the operating system do: start
// Beckon with the session, and hand it a combination of keys. One goroutine
// owns it.
type system struct {
	w       *desktop.Window
	command []string
	release func() // gives the keys back
	is      beckon.Settings
}

// Start carries out the settings as they are and as they change, and holds
// the clocks while the screen is locked, until it is ended.
func Start(c Config) (end func()) {
	s := &system{w: c.Window, release: func() {}, command: c.Command}
	changes := make(chan beckon.Settings, 1)
	detach := c.Feed.Attach("system", func(f beckon.Frame) {
		for _, e := range f.Events {
			if e.Settings != nil {
				newest(changes, *e.Settings)
			}
		}
	})
	var wg sync.WaitGroup
	wg.Go(func() {
		s.begin(c.Settings)
		for now := range changes {
			s.change(now)
		}
		s.release()
	})
	unfollow, err := followScreen(func(locked bool) {
		if err := c.ScreenLocked(context.Background(), locked); err != nil {
			slog.Error("hold the clocks of a locked screen", "err", err)
		}
	})
	if err != nil {
		slog.Info("nobody tells when the screen is locked", "err", err)
		unfollow = func() {}
	}
	return func() {
		unfollow()
		detach()
		close(changes)
		wg.Wait()
	}
}

// newest puts v in place of what nobody took.
func newest[T any](ch chan T, v T) {
	select {
	case <-ch:
	default:
	}
	ch <- v
}

// begin takes the settings as they were left. The entry is written again, since
// the program may have moved.
func (s *system) begin(settings beckon.Settings) {
	s.is = settings
	if settings.Autostart {
		s.startWithSession(true)
	}
	s.setHotkey(settings.Shortcut)
}

func (s *system) change(to beckon.Settings) {
	if to.Autostart != s.is.Autostart {
		s.startWithSession(to.Autostart)
	}
	if to.Shortcut != s.is.Shortcut {
		s.setHotkey(to.Shortcut)
	}
	s.is = to
}

func (s *system) startWithSession(on bool) {
	if s.command == nil {
		s.w.Trouble(errors.New("the demo does not start with your session"))
		return
	}
	write := autostartOff
	if on {
		write = func() error { return autostartOn(s.command) }
	}
	if err := write(); err != nil {
		s.w.Trouble(fmt.Errorf("Beckon could not change what starts with your session: %w", err))
	}
}

// setHotkey gives the former keys back and takes others; none for "".
func (s *system) setHotkey(keys string) {
	s.release()
	s.release = func() {}
	if keys == "" {
		return
	}
	k, err := ParseHotkey(keys)
	if err == nil {
		var release func()
		if release, err = grabHotkey(k, s.w.AnswerNext); err == nil {
			s.release = release
		}
	}
	if err != nil {
		s.w.Trouble(fmt.Errorf("%.40s answers no question from elsewhere: %w", keys, err))
	}
}
