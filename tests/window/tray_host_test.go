//go:build window

package window

import (
	"fmt"
	"os"
	"strings"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/prop"
	"github.com/jezek/xgb/xproto"
)

// panel is the least that shows a tray icon.
type panel struct{ came chan string }

// RegisterStatusNotifierItem is how an icon comes.
func (p panel) RegisterStatusNotifierItem(service string) *dbus.Error {
	select {
	case p.came <- service:
	default:
	}
	return nil
}

// RegisterStatusNotifierHost belongs to the interface.
func (panel) RegisterStatusNotifierHost(string) *dbus.Error { return nil }

// hostTray puts a tray on the window's bus, and waits for its icon.
func (w *win) hostTray() {
	w.t.Helper()
	conn, err := dbus.Connect(w.busAddress())
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { conn.Close() })
	p := panel{make(chan string, 1)}
	const name, path = "org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher"
	if err := conn.Export(p, path, name); err != nil {
		w.t.Fatal(err)
	}
	if _, err := prop.Export(conn, path, prop.Map{name: {
		"IsStatusNotifierHostRegistered": {Value: true, Emit: prop.EmitTrue},
		"ProtocolVersion":                {Value: int32(0), Emit: prop.EmitTrue},
		"RegisteredStatusNotifierItems":  {Value: []string{}, Emit: prop.EmitTrue},
	}}); err != nil {
		w.t.Fatal(err)
	}
	if _, err := conn.RequestName(name, dbus.NameFlagDoNotQueue); err != nil {
		w.t.Fatal(err)
	}
	w.until("the icon", func() bool { return len(p.came) > 0 })
}

// busAddress is that of the window's own bus.
func (w *win) busAddress() string {
	env, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", w.pid))
	for entry := range strings.SplitSeq(string(env), "\x00") {
		if address, ok := strings.CutPrefix(entry, "DBUS_SESSION_BUS_ADDRESS="); ok {
			return address
		}
	}
	w.t.Fatal("it has no bus")
	return ""
}

// holdK takes Ctrl+Alt+K as another program would.
func (w *win) holdK() {
	w.t.Helper()
	x := w.x()
	root := xproto.Setup(x).DefaultScreen(x).Root
	const k = 45 // on every evdev keyboard, as Xvfb's
	if err := xproto.GrabKeyChecked(x, true, root, xproto.ModMaskControl|xproto.ModMask1, k, xproto.GrabModeAsync, xproto.GrabModeAsync).Check(); err != nil {
		w.t.Fatal(err)
	}
}
