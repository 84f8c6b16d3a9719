// Package dialog answers the dialogs of Claude Code in a terminal: it reads a
// screen, decides whether the dialog on it is the very question that is pending,
// and says which key is next. It promises that no key follows unless every word
// of that question is on the screen, the terminal takes keys, and the session's
// own record has the question open; and that no answer is typed twice. It reaches
// terminals through an interface, and does not know which sessions there are.
package dialog

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"beckon/backend/beckon"
)

// How long the terminal may take: to do what a key makes it do, seconds on a busy machine;
// to write down how a question was settled; to show a key that came too late. How long two
// looks are apart, and how late a record may be read.
const (
	taking   = 10 * time.Second
	settling = 3 * time.Second
	showing  = 3 * time.Second
	looking  = 40 * time.Millisecond
	straying = 500 * time.Millisecond
)

// Pending is a question that is open in a session, with what the session's own
// record says of it. Its functions read the record at the moment of the call.
type Pending struct {
	// Question has the name of its agent where a sub-agent asks.
	Question beckon.Question
	// Dir is the folder in which the session works.
	Dir string
	// Others are the other questions that are open in the session: one at a time
	// is on the screen.
	Others []beckon.Question
	// Several says that sub-agents work beside the session, so that one of them may
	// ask what its record does not have yet.
	Several bool
	// Open reports whether it still waits: the call has no result, the process
	// lives, and its presence says that it waits.
	Open func() bool
	// Settled returns what the record has as the result, once it has one.
	Settled func() (Settled, bool)
}

// Settled is how a question ended by the session's own record.
type Settled struct {
	// Answers are those to an ask, by the question's text. None: it was declined.
	Answers map[string]string
	// Declined is set for an ask, a permission or a plan that was refused.
	Declined bool
}

// Terminal is a screen that takes keys.
type Terminal interface {
	// ID tells terminals apart.
	ID() string
	// Screen returns what is visible, after it made sure that the session is
	// what is in front there.
	Screen(ctx context.Context) (Screen, error)
	// Key types one key, and Paste a text as it is.
	Key(ctx context.Context, key string) error
	Paste(ctx context.Context, text string) error
}

// Typist types answers, one at a time into each terminal; a program has one. Its
// zero value is ready.
type Typist struct {
	mu   sync.Mutex
	busy map[string]bool
}

// hold keeps others from typing into a terminal until release is called.
func (t *Typist) hold(id string) (release func(), err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.busy[id] {
		return nil, refuse(Busy)
	}
	if t.busy == nil {
		t.busy = map[string]bool{}
	}
	t.busy[id] = true
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.busy, id)
	}, nil
}

// CheckScreen reports whether a question is what the terminal shows, and returns the
// words of the rows that can be chosen: nil, or a Refusal.
func CheckScreen(ctx context.Context, on Terminal, p Pending) ([]string, error) {
	a := attempt{on: on, pending: p, script: &script{question: p.Question}}
	v, err := a.checkScreen(ctx)
	var words []string
	for _, r := range v.rows {
		words = append(words, r.words)
	}
	return words, err
}

// Answer types an answer into the terminal, where the question has to be on the
// screen before each key. It returns nil once the session's own record has
// exactly that answer, else a Refusal.
func (t *Typist) Answer(ctx context.Context, on Terminal, p Pending, r Reply) error {
	sc, err := newScript(p.Question, r)
	if err != nil {
		return err
	}
	release, err := t.hold(on.ID())
	if err != nil {
		return err
	}
	defer release()
	a := &attempt{on: on, pending: p, script: sc}
	err = a.run(ctx)
	if refusal := (*Refusal)(nil); errors.As(err, &refusal) {
		refusal.Keys = a.typed
	}
	return err
}

// attempt is one answer on its way.
type attempt struct {
	on      Terminal
	pending Pending
	script  *script
	screen  Screen // the last that was looked at
	typed   int
	lastKey string // the last one, unless the dialog was seen to take it
}

func (a *attempt) run(ctx context.Context) error {
	for a.typed < maxKeys {
		v, err := a.checkScreen(ctx)
		if err != nil {
			return a.explain(ctx, err)
		}
		s, err := a.script.next(v)
		if err == nil {
			err = a.room(v, s.ahead)
		}
		if err == nil {
			err = a.send(ctx, s)
		}
		if err == nil && s.last() {
			return a.outcome(ctx)
		}
		if err == nil {
			err = a.drawn(ctx, s)
		}
		if err != nil {
			return a.explain(ctx, err)
		}
		a.script.page = max(a.script.page, s.page)
	}
	return refuse(NotTaken)
}

// checkScreen is the check before a key: the question is the one on the screen, the
// pane takes keys, and the record says that it is open.
func (a *attempt) checkScreen(ctx context.Context) (view, error) {
	screen, err := a.on.Screen(ctx)
	if err == nil {
		err = screen.takesKeys()
	}
	if err != nil {
		return view{}, err
	}
	a.screen, screen.dir = screen, a.pending.Dir
	v, err := a.script.match(screen)
	if err == nil && v.wrapped && a.pending.Several {
		err = refuse(TooSmall)
	}
	if err != nil {
		return view{}, err
	}
	screen.any = true
	for _, other := range a.pending.Others {
		if _, err := match(other, nil, screen); err == nil {
			return view{}, refuse(Ambiguous)
		}
	}
	if !a.pending.Open() {
		return view{}, refuse(Closed)
	}
	return v, nil
}

// room refuses a text that would push the dialog off the screen, where it could
// not be seen before Enter.
func (a *attempt) room(v view, text string) error {
	width := max(2, a.screen.Width-8)
	if len(text) != len([]rune(text)) {
		width /= 2 // a letter may be two columns wide
	}
	lines := v.lines - 1 // the row for it is there already
	for line := range strings.SplitSeq(text, "\n") {
		lines += 1 + len([]rune(line))/width
	}
	if lines > a.screen.Height {
		return refuse(TooSmall)
	}
	return nil
}

// send types a step. What tmux refused was not typed; where it did not answer,
// nobody knows.
func (a *attempt) send(ctx context.Context, s step) (err error) {
	if s.text != "" {
		err = a.on.Paste(ctx, s.text)
	} else {
		a.lastKey = s.key
		err = a.on.Key(ctx, s.key)
	}
	if err == nil || errors.Is(err, refuse(Unreachable)) {
		a.typed++
	}
	return err
}

// drawn waits until the screen shows what a step does.
func (a *attempt) drawn(ctx context.Context, s step) error {
	last := error(refuse(NotTaken))
	for end := time.Now().Add(taking); time.Now().Before(end); {
		switch v, err := a.checkScreen(ctx); {
		case err == nil && s.done(v):
			a.lastKey = ""
			return nil
		case errors.Is(err, refuse(Gone)), errors.Is(err, refuse(Unreachable)), errors.Is(err, refuse(Closed)),
			errors.Is(err, refuse(CopyMode)), errors.Is(err, refuse(Synchronized)):
			return err
		case err != nil && !a.pending.Open():
			return refuse(Closed)
		case err != nil:
			last = err // it may be half drawn
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
	return last
}

func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(looking):
		return nil
	}
}
