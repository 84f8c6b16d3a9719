package system

import (
	"testing"
	"time"

	"beckon/backend/desktop/bus"
	"beckon/tests/privatebus"
	"beckon/tests/timeout"

	"github.com/godbus/dbus/v5"
)

// TestALockedScreenIsTold speaks to a bus of its own, as a screen saver does.
func TestALockedScreenIsTold(t *testing.T) {
	privatebus.Start(t, "DBUS_SESSION_BUS_ADDRESS")

	told := make(chan bool, 8)
	end, err := followScreen(func(locked bool) { told <- locked })
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	saver, err := bus.Connect()
	if err != nil {
		t.Fatal(err)
	}
	defer saver.Close()
	for _, signal := range []struct {
		name string
		body any
	}{
		{"org.freedesktop.ScreenSaver.ActiveChanged", true},
		{"org.gnome.ScreenSaver.ActiveChanged", true}, // the same once more
		{"org.evil.Other.ActiveChanged", false},
		{"org.gnome.ScreenSaver.ActiveChanged", "no bool"},
		{"org.gnome.ScreenSaver.ActiveChanged", false},
	} {
		if err := saver.Emit(dbus.ObjectPath("/org/x"), signal.name, signal.body); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []bool{true, false} {
		select {
		case got := <-told:
			if got != want {
				t.Errorf("told %t, want %t", got, want)
			}
		case <-time.After(timeout.For(10 * time.Second)):
			t.Fatalf("%t is not told", want)
		}
	}
}
