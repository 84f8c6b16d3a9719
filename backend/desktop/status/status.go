// Package status shows Beckon outside its window: who waits in the tray's
// icon and menu, and what happens in notifications, which also take answers.
//
// It follows the program's events like any other client, and what the user does
// goes back through the same doors as from the page; what was answered
// elsewhere is taken away. What is worth a notice package notify decides. One
// goroutine owns all of it, so a desktop that hangs delays nothing else.
package status

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/notifying"
	"beckon/backend/language"
	"beckon/backend/notify"
)

// calm is how long a notification takes no answer, so that a click meant for
// something else settles nothing.
const calm = 500 * time.Millisecond

// Program is what Beckon is to the desktop.
type Program struct {
	// Messages are the page's, a folder for each language.
	Messages fs.FS
	// Attach sends frames to sink until detach; State is the whole state.
	Attach   func(sink func(beckon.Frame)) (detach func())
	State    func() (beckon.Frame, error)
	Answer   func(ctx context.Context, questionID string, a beckon.Answer) error
	PauseAll func(ctx context.Context, paused bool) error
	// Show brings the window forward, at a route of its page; an empty one
	// leaves it where it is.
	Show    func(route string)
	NewTask func() // brings it forward with the sheet for a task
	Quit    func() // asks first, where agents work
	// Seen reports whether the user looks at the task at this moment.
	Seen func(taskID string) bool
}

// Status is Beckon in the tray and in notifications.
type Status struct {
	p         Program
	languages map[string]messages
	tray      *Tray
	detach    func()
	frames    chan beckon.Frame
	choices   chan string
	responses chan NoteResponse
	ready     chan Notifier
	quit      chan struct{}
	working   sync.WaitGroup
	notifies  atomic.Pointer[Notifier] // for who only asks whether it is there

	// The rest is the goroutine's.
	view     view
	notifier Notifier
	since    map[string]time.Time // when a note was first shown
	notes    map[string]Note      // as it was shown last
	mute     bool                 // showing failed, which is logged once
}

// Open shows the tray and begins to follow. On macOS it must be called on the
// main goroutine, before the window runs.
func Open(p Program) (*Status, error) {
	all, err := readMessages(p.Messages)
	if err != nil {
		return nil, err
	}
	o := &Status{
		p: p, languages: all, frames: make(chan beckon.Frame), choices: make(chan string, 8),
		responses: make(chan NoteResponse, 8), ready: make(chan Notifier), quit: make(chan struct{}),
		view: newView(), since: map[string]time.Time{}, notes: map[string]Note{},
	}
	o.detach = p.Attach(func(f beckon.Frame) { give(o, o.frames, f) })
	whole, err := p.State()
	if err != nil {
		close(o.quit) // or detach waits for a frame that nobody takes
		o.detach()
		return nil, err
	}
	for _, e := range whole.Events {
		o.view.Apply(e) // what was there before is shown by the window that opens
	}
	o.tray = &Tray{}
	if !o.view.Settings.Notify.TrayHidden {
		o.tray = startTray(o.view.trayModel(o.messages()), TrayHandlers{
			Chose:  func(id string) { o.trayChose(id) },
			Tapped: func() { o.trayChose(tapped) },
		})
	}
	o.working.Go(o.run)
	return o, nil
}

// tapped is sent when the icon itself is chosen.
const tapped = "tapped"

// Notify begins to show notifications, for which some systems need the
// window's context and ask the user.
func (o *Status) Notify(window context.Context) {
	go func() {
		n, err := newNotifier(window, func(r NoteResponse) { give(o, o.responses, r) })
		if err != nil {
			slog.Warn("there are no notifications", "err", err)
			return
		}
		if !give(o, o.ready, n) {
			n.End()
		}
	}()
}

// TrayShown reports whether somebody shows the icon, so that a window which
// hides can be found again.
func (o *Status) TrayShown() bool { return o.tray.Shown() }

// Notifies reports whether somebody shows notifications.
func (o *Status) Notifies() bool {
	n := o.notifies.Load()
	return n != nil && (*n).Available()
}

// Close takes everything off the desktop.
func (o *Status) Close() {
	close(o.quit)
	o.detach()
	o.working.Wait()
	o.tray.Close()
	if o.notifier != nil {
		o.notifier.End()
	}
}

// give hands v over unless o closes first.
func give[T any](o *Status, to chan<- T, v T) bool {
	select {
	case to <- v:
		return true
	case <-o.quit:
		return false
	}
}

// trayChose takes what was chosen in the tray. Of somebody who keeps pressing
// while nothing happens a few presses count.
func (o *Status) trayChose(id string) {
	select {
	case o.choices <- id:
	default:
	}
}

func (o *Status) run() {
	for {
		select {
		case <-o.quit:
			return
		case f := <-o.frames:
			o.follow(f)
		case id := <-o.choices:
			o.choose(id)
		case r := <-o.responses:
			o.respond(r)
		case n := <-o.ready:
			o.begin(n)
		}
		o.tray.Show(o.view.trayModel(o.messages()))
	}
}

// messages returns those of the language in use.
func (o *Status) messages() messages {
	return o.languages[language.Choose(o.view.Settings.Language)]
}

// follow takes a frame. After one that says it lost some, the whole state is
// read; what it does not name was settled meanwhile.
func (o *Status) follow(f beckon.Frame) {
	events := f.Events
	if f.Lost {
		whole, err := o.p.State()
		if err != nil {
			slog.Error("the tray cannot read what it missed", "err", err)
			return
		}
		events = append(o.view.Vanished(whole.Events), whole.Events...)
	}
	for _, e := range events {
		if e.Session != nil {
			o.renew(*e.Session)
		}
		o.view.Apply(e)
	}
	for _, e := range events { // after all that they are about
		if e.Notice != nil {
			o.tell(*e.Notice)
		}
	}
	if f.Lost {
		o.dropSettled()
	}
}

// tell shows what was decided, unless the user looks at it, or takes it away.
func (o *Status) tell(n notifying.Notice) {
	if n.Over || !n.Banner {
		o.close(n.ID)
		return
	}
	note, known := o.view.note(n, o.messages())
	if !known || n.Why == notifying.News && o.p.Seen(o.taskOf(n.ID)) {
		return
	}
	if _, again := o.since[n.ID]; !again {
		o.since[n.ID] = time.Now()
	}
	o.show(note)
}

// renew gives a note that is shown the buttons that it can have now: the hook of a session
// elsewhere comes a moment after its question, and may leave before that is answered. It takes
// the session's new value before the view does.
func (o *Status) renew(s beckon.OutsideSession) {
	for _, a := range s.Asks {
		q, waits := o.view.Questions[a.QuestionID]
		_, shown := o.notes[a.QuestionID]
		if !waits || !shown || (a.Way == beckon.WayTerminal) == (o.view.WayOf(a.QuestionID) == beckon.WayTerminal) {
			continue
		}
		o.show(noteOf(q, o.view.headline(q, o.messages()), a.Way, o.messages()))
	}
}

// dropSettled closes the notes of questions that were settled while events were lost.
func (o *Status) dropSettled() {
	for id := range o.notes {
		if _, waits := o.view.Questions[id]; !waits && !strings.Contains(id, "/") && id != notifying.Summary {
			o.close(id)
		}
	}
}

// begin shows what came before there was anyone to show it.
func (o *Status) begin(n Notifier) {
	o.notifier = n
	o.notifies.Store(&n)
	for id, note := range o.notes {
		o.since[id] = time.Now()
		o.show(note)
	}
}

// close takes a note away.
func (o *Status) close(id string) {
	_, shown := o.notes[id]
	delete(o.since, id)
	delete(o.notes, id)
	if shown && o.notifier != nil {
		o.notifier.Close(id)
	}
}

// taskOf returns the id of the task that a note is about.
func (o *Status) taskOf(noteID string) string {
	if taskID, is := strings.CutPrefix(noteID, notify.TaskNote("")); is {
		return taskID
	}
	return o.view.Questions[noteID].TaskID
}

func (o *Status) show(n Note) {
	o.notes[n.ID] = n
	if o.notifier == nil {
		return
	}
	err := o.notifier.Show(n)
	if err != nil && !o.mute {
		slog.Warn("a notification was not shown; the tray and the Inbox have it", "err", err)
	}
	o.mute = err != nil
}

// settle gives an answer. The second to answer sees the question disappear: it
// was settled, and its notification closes.
func (o *Status) settle(id string, a beckon.Answer) {
	err := o.p.Answer(context.Background(), id, a)
	if errors.Is(err, beckon.ErrConflict) {
		o.close(id)
		return
	}
	if err != nil {
		slog.Error("an answer was not taken", "question", id, "err", err)
		o.open(id)
	}
}
