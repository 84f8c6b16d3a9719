package status

import (
	"context"
	"fmt"
	"html"
	"slices"
	"sync"

	"beckon/backend/desktop/bus"

	"github.com/godbus/dbus/v5"
)

const (
	service    = "org.freedesktop.Notifications"
	notifyPath = dbus.ObjectPath("/org/freedesktop/Notifications")
	closed     = service + ".NotificationClosed"
	invoked    = service + ".ActionInvoked"
	replied    = service + ".NotificationReplied" // KDE's
	owned      = "org.freedesktop.DBus.NameOwnerChanged"
)

// What the specification names: the action of the note itself, and KDE's of
// writing into it.
const (
	onNote  = "default"
	inReply = "inline-reply"
)

// linux speaks to the notification service of the session.
type linux struct {
	conn    *dbus.Conn
	service dbus.BusObject
	heard   func(NoteResponse)
	ended   chan struct{}

	// showing is held from before the service has a note until its number is known
	// here: what is done with the note may be heard before that.
	showing sync.Mutex

	mu sync.Mutex
	// abilities are the service's own, asked for once it is needed and again
	// when another one takes its place; nil is unknown.
	abilities []string
	numbers   map[string]uint32
	ids       map[uint32]string
}

// newNotifier returns a notifier that tells heard what users do, which must not wait
// for anything. An error means that the session has no bus. The context is
// the window's; it is not needed here.
func newNotifier(_ context.Context, heard func(NoteResponse)) (Notifier, error) {
	conn, err := bus.Connect()
	if err != nil {
		return nil, fmt.Errorf("reach the session bus: %w", err)
	}
	l := &linux{
		conn: conn, service: conn.Object(service, notifyPath), heard: heard, ended: make(chan struct{}),
		numbers: map[string]uint32{}, ids: map[uint32]string{},
	}
	err = conn.AddMatchSignal(dbus.WithMatchInterface(service), dbus.WithMatchObjectPath(notifyPath), dbus.WithMatchSender(service))
	if err == nil {
		err = conn.AddMatchSignal(dbus.WithMatchSender("org.freedesktop.DBus"), dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, service))
	}
	if err != nil {
		return nil, fmt.Errorf("listen for notifications: %w, %w", err, conn.Close())
	}
	signals := make(chan *dbus.Signal, 32)
	conn.Signal(signals)
	go l.listen(signals)
	return l, nil
}

func (l *linux) Show(n Note) error {
	able, err := l.able()
	if err != nil {
		return err
	}
	body := n.Body
	if slices.Contains(able, "body-markup") {
		body = html.EscapeString(body)
	}
	l.showing.Lock()
	defer l.showing.Unlock()
	l.mu.Lock()
	replaces := l.numbers[n.ID]
	l.mu.Unlock()
	var number uint32
	err = bus.Call(l.service, service+".Notify", []any{
		"Beckon", replaces, "beckon", n.Title, body, actions(n, able), hints(n), int32(-1),
	}, &number)
	if err != nil {
		return fmt.Errorf("show a notification: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.ids, replaces)
	l.numbers[n.ID], l.ids[number] = number, n.ID
	return nil
}

// able returns what the service can do.
func (l *linux) able() ([]string, error) {
	l.mu.Lock()
	known := l.abilities
	l.mu.Unlock()
	if known != nil {
		return known, nil
	}
	asked := []string{}
	if err := bus.Call(l.service, service+".GetCapabilities", nil, &asked); err != nil {
		return nil, fmt.Errorf("ask what notifications can do: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.abilities = asked
	return asked, nil
}

func actions(n Note, able []string) []string {
	if !slices.Contains(able, "actions") {
		return []string{}
	}
	list := []string{onNote, n.Open}
	for _, a := range n.Actions {
		list = append(list, a.Key, a.Label)
	}
	if n.Reply != "" && slices.Contains(able, inReply) {
		list = append(list, inReply, n.Reply)
	}
	return list
}

func hints(n Note) map[string]dbus.Variant {
	h := map[string]dbus.Variant{
		"desktop-entry": dbus.MakeVariant("beckon"),
		"category":      dbus.MakeVariant("im.received"),
	}
	if n.Urgent {
		const critical = byte(2)
		h["urgency"] = dbus.MakeVariant(critical)
	}
	if n.Sound {
		h["sound-name"] = dbus.MakeVariant("message-new-instant")
	} else {
		h["suppress-sound"] = dbus.MakeVariant(true)
	}
	return h
}

func (l *linux) Close(id string) {
	l.mu.Lock()
	number, shown := l.numbers[id]
	l.mu.Unlock()
	if !shown {
		return
	}
	l.forget(number)
	// It may be gone, or its service; then there is nothing to close.
	_ = bus.CallRunning(l.service, service+".CloseNotification", []any{number})
}

func (l *linux) Available() bool {
	_, err := l.able()
	return err == nil
}

func (l *linux) End() {
	l.mu.Lock()
	ids := []string{}
	for id := range l.numbers {
		ids = append(ids, id)
	}
	l.mu.Unlock()
	for _, id := range ids {
		l.Close(id)
	}
	_ = l.conn.Close()
	<-l.ended
}

// listen ends with the connection.
func (l *linux) listen(signals <-chan *dbus.Signal) {
	defer close(l.ended)
	for s := range signals {
		if s.Name == owned {
			l.forgetAll(s)
		} else if number, ok := first(s); ok {
			l.hear(s, number)
		}
	}
}

// forgetAll forgets the service that is gone: another one knows none of its
// notes. One that begins where none was takes nothing away, and may have been
// started by the note that it shows first.
func (l *linux) forgetAll(s *dbus.Signal) {
	if len(s.Body) < 2 || s.Body[1] == "" { // name, old owner, new owner
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.abilities, l.numbers, l.ids = nil, map[string]uint32{}, map[uint32]string{}
}

// first returns the number of the note that a signal is about.
func first(s *dbus.Signal) (uint32, bool) {
	if len(s.Body) < 2 {
		return 0, false
	}
	number, ok := s.Body[0].(uint32)
	return number, ok
}

// hear tells what was done with one of our notes; others' are of no concern.
func (l *linux) hear(s *dbus.Signal, number uint32) {
	l.showing.Lock()
	l.mu.Lock()
	id, ours := l.ids[number]
	l.mu.Unlock()
	l.showing.Unlock()
	if !ours {
		return
	}
	text, _ := s.Body[1].(string)
	switch s.Name {
	case closed:
		l.forget(number)
	case replied:
		l.heard(NoteResponse{ID: id, Text: text})
	case invoked:
		if text == onNote || text == inReply {
			text = ""
		}
		l.heard(NoteResponse{ID: id, Action: text})
	}
}

func (l *linux) forget(number uint32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	id := l.ids[number]
	delete(l.ids, number)
	if l.numbers[id] == number {
		delete(l.numbers, id)
	}
}
