package status

import (
	"embed"
	"strings"

	"beckon/backend/desktop/bus"

	"fyne.io/systray"
	"github.com/godbus/dbus/v5"
)

//go:embed icons/*.png
var icons embed.FS

const watcher = "org.kde.StatusNotifierWatcher"

// start registers the icon; systray keeps it registered when the bar's program
// starts again. Without a bus there is nobody to register with, and systray's
// end would fall over the connection that it lacks.
func (t *Tray) start() {
	conn, err := bus.Connect()
	if err != nil {
		return
	}
	_ = conn.Close()
	systray.SetTitle("Beckon") // also the icon's identity, if it is first
	systray.SetOnTapped(t.handlers.Tapped)
	begin, end := systray.RunWithExternalLoop(t.begin, nil)
	begin()
	// What begin showed while systray connected may have come between its
	// looking and its listening.
	t.mu.Lock()
	t.paint()
	t.mu.Unlock()
	t.end = end
}

// Shown reports whether somebody shows icons at this moment, and so ours.
func (t *Tray) Shown() bool {
	t.mu.Lock()
	ready := t.ready
	t.mu.Unlock()
	if !ready {
		return false
	}
	var shown dbus.Variant
	err := bus.Ask(watcher, "/StatusNotifierWatcher", "org.freedesktop.DBus.Properties.Get",
		[]any{watcher, "IsStatusNotifierHostRegistered"}, &shown)
	yes, _ := shown.Value().(bool)
	return err == nil && yes
}

// setCount does nothing: a bar shows no text beside an icon, and the title is its identity.
func setCount(string) {}

func setIcon(s TrayState, dark bool) { systray.SetIcon(iconOf(icons, s, dark, "png")) }

// darkBar guesses the bar's colour by that of the desktop. Where that is not
// told, bars are dark more often than not.
func darkBar() bool {
	var scheme dbus.Variant
	err := bus.Ask("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop",
		"org.freedesktop.portal.Settings.Read", []any{"org.freedesktop.appearance", "color-scheme"}, &scheme)
	for inner, ok := scheme.Value().(dbus.Variant); ok; inner, ok = scheme.Value().(dbus.Variant) {
		scheme = inner // Read wraps its value once more than it should
	}
	const light = 2
	prefers, _ := scheme.Value().(uint32)
	return err != nil || prefers != light
}

// escape keeps the label's underscores from marking access keys.
func escape(label string) string { return strings.ReplaceAll(label, "_", "__") }
