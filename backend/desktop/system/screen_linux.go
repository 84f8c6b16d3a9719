package system

import (
	"strings"

	"beckon/backend/desktop/bus"

	"github.com/godbus/dbus/v5"
)

// changed is how every desktop's screen saver tells: org.freedesktop's,
// org.gnome's, org.cinnamon's and so on differ in the interface's name only.
const (
	changed  = "ActiveChanged"
	savers   = ".ScreenSaver." + changed
	mostTold = 16
)

// followScreen calls locked with every change, until it is closed. Without a session
// bus there is nothing to follow, which is the error.
func followScreen(locked func(bool)) (end func(), err error) {
	conn, err := bus.Connect()
	if err != nil {
		return nil, err
	}
	signals := make(chan *dbus.Signal, mostTold)
	conn.Signal(signals)
	if err := conn.AddMatchSignal(dbus.WithMatchMember(changed)); err != nil {
		_ = conn.Close() // it is of no use
		return nil, err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		reportLocks(signals, locked)
	}()
	return func() {
		_ = conn.Close() // which also closes signals
		<-done
	}, nil
}

// reportLocks passes on what is another state than before: a desktop may offer its
// screen saver under two names.
func reportLocks(signals <-chan *dbus.Signal, locked func(bool)) {
	before := false
	for s := range signals {
		if !strings.HasSuffix(s.Name, savers) || len(s.Body) != 1 {
			continue
		}
		if now, ok := s.Body[0].(bool); ok && now != before {
			before = now
			locked(now)
		}
	}
}
