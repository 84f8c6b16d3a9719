//go:build window

package desktop

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/prop"
)

// The names that a desktop has on its bus.
const (
	watcherName = "org.kde.StatusNotifierWatcher"
	itemName    = "org.kde.StatusNotifierItem"
	menuName    = "com.canonical.dbusmenu"
	notesName   = "org.freedesktop.Notifications"
	notesPath   = "/org/freedesktop/Notifications"
)

// bus starts a bus of the test's own and returns its address.
func bus(t *testing.T) string {
	t.Helper()
	address := "unix:path=" + t.TempDir() + "/bus"
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	daemon := exec.Command("dbus-daemon", "--session", "--nofork", "--nopidfile", "--address="+address, "--print-address=3")
	daemon.ExtraFiles = []*os.File{write}
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	t.Cleanup(func() {
		_ = daemon.Process.Kill()
		_ = daemon.Wait()
	})
	if _, err := read.Read(make([]byte, 256)); err != nil { // it listens
		t.Fatalf("dbus-daemon: %v", err)
	}
	return address
}

// fake is a desktop: it watches tray icons, and shows notifications to nobody.
type fake struct {
	t    *testing.T
	conn *dbus.Conn

	mu    sync.Mutex
	item  dbus.BusObject // the icon that registered
	menu  dbus.BusObject
	notes map[uint32]note // those that are shown
	told  []note          // all that ever were
	last  uint32
	quick func(note) // called before Notify returns, if it is not nil
}

// note is a notification as the desktop got it.
type note struct {
	id, replaces uint32
	title, body  string
	actions      []string // key, label, key, label
	hints        map[string]dbus.Variant
}

// key returns the key of the action with the label, "" for none.
func (n note) key(label string) string {
	for i := 0; i+1 < len(n.actions); i += 2 {
		if n.actions[i+1] == label && n.actions[i] != "default" {
			return n.actions[i]
		}
	}
	return ""
}

// newFake connects to the bus; what the desktop offers, it then begins to.
func newFake(t *testing.T, address string) *fake {
	t.Helper()
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &fake{t: t, conn: conn, notes: map[uint32]note{}}
}

func (f *fake) own(name string) {
	f.t.Helper()
	if reply, err := f.conn.RequestName(name, dbus.NameFlagDoNotQueue); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		f.t.Fatalf("own %s: %v, %v", name, reply, err)
	}
}

func (f *fake) export(what any, path dbus.ObjectPath, iface string) {
	f.t.Helper()
	if err := f.conn.Export(what, path, iface); err != nil {
		f.t.Fatal(err)
	}
}

// watch begins to show tray icons.
func (f *fake) watch() {
	f.t.Helper()
	const path = "/StatusNotifierWatcher"
	f.export(watcher{f}, path, watcherName)
	_, err := prop.Export(f.conn, path, prop.Map{watcherName: {
		"IsStatusNotifierHostRegistered": {Value: true, Emit: prop.EmitTrue},
		"ProtocolVersion":                {Value: int32(0), Emit: prop.EmitTrue},
	}})
	if err != nil {
		f.t.Fatal(err)
	}
	f.own(watcherName)
}

// announce begins to show notifications.
func (f *fake) announce() {
	f.t.Helper()
	f.export(server{f}, notesPath, notesName)
	f.own(notesName)
}

// watcher is what a tray icon calls.
type watcher struct{ f *fake }

func (w watcher) RegisterStatusNotifierItem(service string, sender dbus.Sender) *dbus.Error {
	where, path := string(sender), service
	if !strings.HasPrefix(service, "/") {
		where, path = service, "/StatusNotifierItem"
	}
	w.f.mu.Lock()
	defer w.f.mu.Unlock()
	w.f.item = w.f.conn.Object(where, dbus.ObjectPath(path))
	w.f.menu = w.f.conn.Object(where, dbus.ObjectPath(path+"/menu"))
	return nil
}

// server is what notifications are shown by.
type server struct{ f *fake }

func (s server) GetCapabilities() ([]string, *dbus.Error) {
	return []string{"actions", "body", "body-markup", "inline-reply", "sound"}, nil
}

func (s server) GetServerInformation() (name, vendor, version, spec string, err *dbus.Error) {
	return "fake", "tests", "1", "1.2", nil
}

func (s server) Notify(_ string, replaces uint32, _, title, body string, actions []string, hints map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	n := s.f.take(replaces, title, body, actions, hints)
	if s.f.quick != nil {
		s.f.quick(n)
	}
	return n.id, nil
}

// take shows a notification and returns it.
func (f *fake) take(replaces uint32, title, body string, actions []string, hints map[string]dbus.Variant) note {
	f.mu.Lock()
	defer f.mu.Unlock()
	id := replaces
	if _, there := f.notes[replaces]; !there {
		f.last++
		id = f.last
	}
	n := note{id, replaces, title, body, actions, hints}
	f.notes[id] = n
	f.told = append(f.told, n)
	return n
}

func (s server) CloseNotification(id uint32) *dbus.Error {
	const byCall = 3
	s.f.gone(id, byCall)
	return nil
}

// gone takes a notification away and says why.
func (f *fake) gone(id, reason uint32) {
	f.mu.Lock()
	delete(f.notes, id)
	f.mu.Unlock()
	f.emit("NotificationClosed", id, reason)
}

func (f *fake) emit(signal string, values ...any) {
	if err := f.conn.Emit(notesPath, notesName+"."+signal, values...); err != nil {
		f.t.Error(err)
	}
}

// dismiss closes a notification as a user does who wants it out of the way.
func (f *fake) dismiss(n note) {
	const byUser = 2
	f.gone(n.id, byUser)
}

// press presses a notification's button, or the notification with "default".
// It stays, as it does in some desktops.
func (f *fake) press(n note, key string) { f.emit("ActionInvoked", n.id, key) }

// reply writes into a notification, as KDE lets one.
func (f *fake) reply(n note, text string) { f.emit("NotificationReplied", n.id, text) }

// shown returns the notifications that are shown.
func (f *fake) shown() []note {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := []note{}
	for _, n := range f.notes {
		all = append(all, n)
	}
	slices.SortFunc(all, func(a, b note) int { return int(a.id) - int(b.id) })
	return all
}

// ever returns all notifications that were ever shown.
func (f *fake) ever() []note {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.told)
}

// property returns a property of the tray's icon.
func property[T any](f *fake, name string) (value T, ok bool) {
	f.mu.Lock()
	item := f.item
	f.mu.Unlock()
	if item == nil {
		return value, false
	}
	v, err := item.GetProperty(itemName + "." + name)
	if err != nil {
		return value, false
	}
	return value, v.Store(&value) == nil
}

// pixmap is a picture as the bus carries it: four bytes a pixel, alpha first.
type pixmap struct {
	W, H int32
	ARGB []byte
}

// dotted reports whether the icon has the marigold dot.
func (f *fake) dotted() bool {
	icons, ok := property[[]pixmap](f, "IconPixmap")
	if !ok || len(icons) != 1 {
		return false
	}
	for i := 0; i+3 < len(icons[0].ARGB); i += 4 {
		if slices.Equal(icons[0].ARGB[i:i+4], []byte{0xff, 0xfd, 0xb2, 0x1d}) {
			return true
		}
	}
	return false
}

// tooltip returns what is said of the icon.
func (f *fake) tooltip() string {
	tip, _ := property[struct {
		Name  string
		Icons []pixmap
		Title string
		Text  string
	}](f, "ToolTip")
	return tip.Title
}

// entry is one line of the menu.
type entry struct {
	id      int32
	path    string // its label behind those of the menus that it is in
	checked bool
	enabled bool
}

// layout is a menu as the bus carries it.
type layout struct {
	ID       int32
	Props    map[string]dbus.Variant
	Children []dbus.Variant
}

// entries returns the menu's lines that can be seen.
func (f *fake) entries() []entry {
	f.mu.Lock()
	menu := f.menu
	f.mu.Unlock()
	if menu == nil {
		return nil
	}
	var revision uint32
	var root layout
	if err := menu.Call(menuName+".GetLayout", 0, int32(0), int32(-1), []string{}).Store(&revision, &root); err != nil {
		f.t.Errorf("the menu: %v", err)
		return nil
	}
	return unfold(root.Children, "")
}

func unfold(children []dbus.Variant, above string) (all []entry) {
	for _, c := range children {
		var l layout
		if err := dbus.Store([]any{c.Value()}, &l); err != nil {
			continue
		}
		label, _ := l.Props["label"].Value().(string)
		if kind, _ := l.Props["type"].Value().(string); kind == "separator" {
			continue
		}
		state, _ := l.Props["toggle-state"].Value().(int32)
		enabled, _ := l.Props["enabled"].Value().(bool)
		path := strings.TrimPrefix(above+" > "+label, " > ")
		all = append(all, entry{l.ID, path, state == 1, enabled})
		all = append(all, unfold(l.Children, path)...)
	}
	return all
}

// labels returns the menu's lines.
func (f *fake) labels() []string {
	all := []string{}
	for _, e := range f.entries() {
		all = append(all, e.path)
	}
	return all
}

// find returns the menu's line with the path.
func (f *fake) find(path string) (entry, bool) {
	all := f.entries()
	i := slices.IndexFunc(all, func(e entry) bool { return e.path == path })
	if i < 0 {
		return entry{}, false
	}
	return all[i], true
}

// click waits for a line of the menu, and chooses it.
func (f *fake) click(path string) {
	f.t.Helper()
	e, ok := f.find(path)
	for end := time.Now().Add(patience); !ok; e, ok = f.find(path) {
		if time.Now().After(end) {
			f.t.Fatalf("there is no %q in the menu %q", path, f.labels())
		}
		time.Sleep(20 * time.Millisecond)
	}
	if err := f.menu.Call(menuName+".Event", 0, e.id, "clicked", dbus.MakeVariant(""), uint32(0)).Err; err != nil {
		f.t.Fatal(err)
	}
}

// activate clicks on the icon itself.
func (f *fake) activate() {
	f.t.Helper()
	if err := f.item.Call(itemName+".Activate", 0, int32(1), int32(1)).Err; err != nil {
		f.t.Fatal(err)
	}
}

// String shows what the desktop shows, for a test that failed.
func (f *fake) String() string {
	return fmt.Sprintf("tooltip %q, dot %v\nmenu %q\nshown %+v\never %+v", f.tooltip(), f.dotted(), f.labels(), f.shown(), f.ever())
}
