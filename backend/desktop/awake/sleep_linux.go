package awake

import (
	"errors"
	"time"

	"beckon/backend/desktop/bus"

	"github.com/godbus/dbus/v5"
	"golang.org/x/sys/unix"
)

const sleeps = "PrepareForSleep"

// followSleep hears from logind when a sleep is over. How long it was the kernel knows: one of
// its clocks goes on meanwhile, and one stands still.
func followSleep(slept func(time.Duration)) (end func(), err error) {
	return followSleepBy(suspended, slept)
}

func followSleepBy(suspended func() time.Duration, slept func(time.Duration)) (end func(), err error) {
	conn, err := bus.ConnectSystem()
	if err != nil {
		return nil, err
	}
	signals := make(chan *dbus.Signal, 16)
	conn.Signal(signals)
	if err := conn.AddMatchSignal(dbus.WithMatchSender(login), dbus.WithMatchInterface(login+".Manager"), dbus.WithMatchMember(sleeps)); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	before, done := suspended(), make(chan struct{})
	go func() {
		defer close(done)
		for s := range signals {
			if begins, ok := first(s.Body).(bool); s.Name != login+".Manager."+sleeps || !ok || begins {
				continue
			}
			now := suspended()
			slept(now - before)
			before = now
		}
	}()
	return func() {
		_ = conn.Close() // which also closes signals
		<-done
	}, nil
}

func first(values []any) any {
	if len(values) == 0 {
		return nil
	}
	return values[0]
}

// suspended is how long the computer slept since it started.
func suspended() time.Duration {
	var all, awake unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &awake) != nil || unix.ClockGettime(unix.CLOCK_BOOTTIME, &all) != nil {
		return 0
	}
	return time.Duration(all.Nano() - awake.Nano())
}
