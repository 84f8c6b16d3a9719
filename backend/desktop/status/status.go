// Package outside shows Beckon outside its window: who waits in the tray's
// icon and menu, and what happens in notifications, which also take answers.
//
// It follows the program's events like any other client, and what the user does
// goes back through the same doors as from the page; what was answered
// elsewhere is taken away. It decides only what is worth showing. One goroutine
// owns all of it, so a desktop that hangs delays nothing else.
package outside

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
	"beckon/backend/desktop/notify"
	"beckon/backend/desktop/tray"
)

// calm is how long a notification takes no answer, so that a click meant for
// something else settles nothing.
const calm = 500 * time.Millisecond

// Program is what Beckon is to the desktop.
type Program struct {
	// Words are the page's messages, a folder for each language.
	Words fs.FS
	// Attach sends frames to sink until detach; State is the whole state.
	Attach   func(sink func(beckon.Frame)) (detach func())
	State    func() (beckon.Frame, error)
	Answer   func(ctx context.Context, questionID string, a beckon.Answer) error
	PauseAll func(ctx context.Context, held bool) error
	// Show brings the window forward, at a route of its page; an empty one
	// leaves it where it is.
	Show    func(route string)
	NewTask func() // brings it forward with the sheet for a task
	Quit    func() // asks first, where agents work
	// Seen reports whether the user looks at the task at this moment.
	Seen func(taskID string) bool
}

// Outside is Beckon in the tray and in notifications.
type Outside struct {
	p        Program
	words    map[string]words
	tray     *tray.Tray
	detach   func()
	frames   chan beckon.Frame
	chose    chan string
	heard    chan notify.Response
	ready    chan notify.Notifier
	quit     chan struct{}
	working  sync.WaitGroup
	notifies atomic.Pointer[notify.Notifier] // for who only asks whether it is there

	// The rest is the goroutine's.
	view     *view
	ledger   *ledger
	notifier notify.Notifier
	since    map[string]time.Time   // when a note was first shown
	notes    map[string]notify.Note // as it was shown last
	mute     bool                   // showing failed, which is logged once
}

// Open shows the tray and begins to follow. On macOS it must be called on the
// main goroutine, before the window runs.
func Open(p Program) (*Outside, error) {
	all, err := readWords(p.Words)
	if err != nil {
		return nil, err
	}
	o := &Outside{
		p: p, words: all, frames: make(chan beckon.Frame), chose: make(chan string, 8),
		heard: make(chan notify.Response, 8), ready: make(chan notify.Notifier), quit: make(chan struct{}),
		view: newView(), ledger: newLedger(), since: map[string]time.Time{}, notes: map[string]notify.Note{},
	}
	o.detach = p.Attach(func(f beckon.Frame) { give(o, o.frames, f) })
	whole, err := p.State()
	if err != nil {
		close(o.quit) // or detach waits for a frame that nobody takes
		o.detach()
		return nil, err
	}
	for _, e := range whole.Events {
		o.view.apply(e) // what was there before is shown by the window that opens
	}
	o.tray = tray.Start(o.view.face(o.said()), tray.Heard{
		Chose:  func(id string) { o.tell(id) },
		Tapped: func() { o.tell(tapped) },
	})
	o.working.Go(o.run)
	return o, nil
}

// tapped is called when the icon itself is chosen.
const tapped = "tapped"

// Notify begins to show notifications, for which some systems need the
// window's context and ask the user.
func (o *Outside) Notify(window context.Context) {
	go func() {
		n, err := notify.New(window, func(r notify.Response) { give(o, o.heard, r) })
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
func (o *Outside) TrayShown() bool { return o.tray.Shown() }

// Notifies reports whether somebody shows notifications.
func (o *Outside) Notifies() bool {
	n := o.notifies.Load()
	return n != nil && (*n).Available()
}

// Close takes everything off the desktop.
func (o *Outside) Close() {
	close(o.quit)
	o.detach()
	o.working.Wait()
	o.tray.Close()
	if o.notifier != nil {
		o.notifier.End()
	}
}

// give hands v over unless o closes first.
func give[T any](o *Outside, to chan<- T, v T) bool {
	select {
	case to <- v:
		return true
	case <-o.quit:
		return false
	}
}

// tell takes what was chosen in the tray. Somebody who presses on while
// nothing happens is not heard more than a few times.
func (o *Outside) tell(id string) {
	select {
	case o.chose <- id:
	default:
	}
}

func (o *Outside) run() {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		timer.Reset(o.untilReminder(time.Now()))
		select {
		case <-o.quit:
			return
		case f := <-o.frames:
			o.follow(f)
		case id := <-o.chose:
			o.choose(id)
		case r := <-o.heard:
			o.respond(r)
		case n := <-o.ready:
			o.begin(n)
		case <-timer.C:
			o.do(o.ledger.remind(o.view, o.said(), time.Now()))
		}
		o.tray.Show(o.view.face(o.said()))
	}
}

// untilReminder returns how long nothing is to be done by itself. A clock that
// the machine slept through is looked at after an hour at the latest.
func (o *Outside) untilReminder(now time.Time) time.Duration {
	next := o.ledger.next(o.view)
	if next.IsZero() {
		return time.Hour
	}
	return max(0, min(time.Hour, next.Sub(now)))
}

// said returns the words of the language in use.
func (o *Outside) said() words {
	return o.words[languageOf(o.view.settings.Language, systemLanguage())]
}

// follow takes a frame. After one that says it lost some, the whole state is
// read; what it does not name was settled meanwhile.
func (o *Outside) follow(f beckon.Frame) {
	events := f.Events
	if f.Lost {
		whole, err := o.p.State()
		if err != nil {
			slog.Error("the tray cannot read what it missed", "err", err)
			return
		}
		events = append(o.view.vanished(whole.Events), whole.Events...)
	}
	for _, e := range events {
		s := o.ledger.hear(o.view, e, o.said(), time.Now())
		o.view.apply(e)
		o.do(s)
	}
}

// begin shows what came before there was anyone to show it.
func (o *Outside) begin(n notify.Notifier) {
	o.notifier = n
	o.notifies.Store(&n)
	for id, note := range o.notes {
		o.since[id] = time.Now()
		o.show(note)
	}
}

// do shows and closes notifications.
func (o *Outside) do(s step) {
	for _, id := range s.close {
		delete(o.since, id)
		delete(o.notes, id)
		if o.notifier != nil {
			o.notifier.Close(id)
		}
	}
	for _, n := range s.show {
		if o.p.Seen(o.taskOf(n.ID)) {
			continue
		}
		if _, again := o.since[n.ID]; !again {
			o.since[n.ID] = time.Now()
		}
		o.notes[n.ID] = n
		o.show(n)
	}
}

// taskOf returns the id of the task that a note is about.
func (o *Outside) taskOf(noteID string) string {
	if taskID, is := strings.CutPrefix(noteID, taskNoteID("")); is {
		return taskID
	}
	return o.view.questions[noteID].TaskID
}

func (o *Outside) show(n notify.Note) {
	if o.notifier == nil {
		return
	}
	err := o.notifier.Show(n)
	if err != nil && !o.mute {
		slog.Warn("a notification was not shown; the tray and the Inbox have it", "err", err)
	}
	o.mute = err != nil
}

// settle gives an answer. Who comes second sees the question go: it was
// settled, and its notification closes.
func (o *Outside) settle(id string, a beckon.Answer) {
	err := o.p.Answer(context.Background(), id, a)
	if errors.Is(err, beckon.ErrConflict) {
		o.do(o.ledger.drop(id))
		return
	}
	if err != nil {
		slog.Error("an answer was not taken", "question", id, "err", err)
		o.open(id)
	}
}
