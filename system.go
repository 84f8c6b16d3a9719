package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/desktop"
	"beckon/backend/desktop/autostart"
	"beckon/backend/desktop/hotkey"
	"beckon/backend/desktop/screen"
)

// system is what the window's settings have the operating system do: start
// Beckon with the session, and hand it a combination of keys. One goroutine
// owns it.
type system struct {
	w       *desktop.Window
	command []string // that starts Beckon hidden; none in the demo
	release func()   // gives the keys back
	is      beckon.Settings
}

// system carries out the settings as they are and as they change, and holds
// the clocks while the screen is locked, until it is ended.
func (p *program) system(o options, w *desktop.Window, settings beckon.Settings) (end func()) {
	s := &system{w: w, release: func() {}, command: startCommand(o)}
	changes := make(chan beckon.Settings, 1)
	detach := p.feed.Attach("system", func(f beckon.Frame) {
		for _, e := range f.Events {
			if e.Settings != nil {
				newest(changes, *e.Settings)
			}
		}
	})
	var wg sync.WaitGroup
	wg.Go(func() {
		s.begin(settings)
		for now := range changes {
			s.change(now)
		}
		s.release()
	})
	unfollow, err := screen.Follow(func(locked bool) {
		if err := p.board.ScreenLocked(context.Background(), locked); err != nil {
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

// startCommand starts this Beckon hidden; none in the demo, whose data is gone
// when it ends.
func startCommand(o options) []string {
	self, err := desktop.Program()
	if err != nil || o.demo {
		return nil
	}
	command := []string{self, "-hidden"}
	if o.data != dataHome() {
		if dir, err := filepath.Abs(o.data); err == nil {
			command = append(command, "-data", dir)
		}
	}
	if o.claude != "" {
		command = append(command, "-claude", o.claude)
	}
	return command
}

// begin takes the settings as they were left. The entry is written again, since
// the program may have moved.
func (s *system) begin(settings beckon.Settings) {
	s.is = settings
	if settings.Autostart {
		s.startWithSession(true)
	}
	s.take(settings.Shortcut)
}

func (s *system) change(to beckon.Settings) {
	if to.Autostart != s.is.Autostart {
		s.startWithSession(to.Autostart)
	}
	if to.Shortcut != s.is.Shortcut {
		s.take(to.Shortcut)
	}
	s.is = to
}

func (s *system) startWithSession(on bool) {
	if s.command == nil {
		s.w.Trouble(errors.New("the demo does not start with your session"))
		return
	}
	write := autostart.Off
	if on {
		write = func() error { return autostart.On(s.command) }
	}
	if err := write(); err != nil {
		s.w.Trouble(fmt.Errorf("Beckon could not change what starts with your session: %w", err))
	}
}

// take gives the former keys back and takes others; none for "".
func (s *system) take(keys string) {
	s.release()
	s.release = func() {}
	if keys == "" {
		return
	}
	k, err := hotkey.Parse(keys)
	if err == nil {
		var release func()
		if release, err = hotkey.Grab(k, s.w.AnswerNext); err == nil {
			s.release = release
		}
	}
	if err != nil {
		s.w.Trouble(fmt.Errorf("%.40s answers no question from elsewhere: %w", keys, err))
	}
}
