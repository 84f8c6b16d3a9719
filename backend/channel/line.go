package channel

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/remote"
	"beckon/backend/store/away"
)

// Sender hands letters over to a service.
type Sender interface {
	// Send tells a letter. An error is a *Failure, or the end of ctx.
	Send(ctx context.Context, to Recipient, l Letter) error
	// Again says how long after a letter failed it is tried again, where so many
	// tries failed before; false: it is given up.
	Again(failed int) (after time.Duration, again bool)
}

// Group is a sender that has several receivers.
type Group interface {
	Sender
	// Receivers are those whom it tells.
	Receivers(ctx context.Context) ([]Receiver, error)
	// Ready returns what is missing for it to be switched on.
	Ready(ctx context.Context) error
}

// Receiver is one whom a channel tells.
type Receiver struct {
	// ID is the target of its messages; empty where a channel has one receiver.
	ID string
	// Language is what it reads; empty: that of Settings.
	Language string
	// Elsewhere reports whether it has the right to see what sessions ask that
	// Beckon did not start.
	Elsewhere bool
}

// one is the receiver of a channel that has one.
func one(context.Context) ([]Receiver, error) { return []Receiver{{}}, nil }

// Recipient is whom a sender sends to.
type Recipient struct {
	// ID is the receiver's.
	ID    string
	Shape remote.Shape
	// Secret returns a secret of the channel.
	Secret func(name string) (string, error)
}

// Failure is why a service did not take a letter.
type Failure struct {
	Trouble remote.Trouble
	Detail  string // such as the status of HTTP; no secret
	After   time.Duration
	// Final says that another try would fail as well.
	Final bool
}

// ErrGone is the error of a sender whose receiver is no more.
var ErrGone = errors.New("the receiver is gone")

// Error names it for the log.
func (f *Failure) Error() string { return string(f.Trouble) + ": " + f.Detail }

// line is the outbox of a channel: one goroutine, one letter at a time.
type line struct {
	hub       *Hub
	channel   remote.Channel
	sender    Sender
	receivers func(ctx context.Context) ([]Receiver, error)
	box       *Outbox

	mu     sync.Mutex
	failed map[string]*Failure // of the newest try for each receiver
	held   map[string]int64    // until when all for a receiver waits, Unix milliseconds
}

func newLine(h *Hub, channel remote.Channel, s Sender, receivers func(ctx context.Context) ([]Receiver, error)) *line {
	l := &line{hub: h, channel: channel, sender: s, receivers: receivers, failed: map[string]*Failure{}, held: map[string]int64{}}
	l.box = NewOutbox(Outbox{Next: l.due, Deliver: l.deliver, Failed: func(err error) bool {
		slog.Error("a channel tells nothing for a while", "channel", channel, "err", err)
		return true
	}})
	return l
}

// due are the messages that are to be sent; none while the channel is off.
func (l *line) due(ctx context.Context) (items []Item, err error) {
	if !l.hub.all()[l.channel].On {
		return nil, nil
	}
	rows, err := l.hub.Store.Told.NextDue(ctx, l.channel)
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range rows {
		items = append(items, Item{ID: r.ID, Due: max(r.Due, l.held[r.Target])})
	}
	return items, err
}

// reset forgets what went wrong, as after the user changed something.
func (l *line) reset() {
	l.mu.Lock()
	clear(l.failed)
	clear(l.held)
	l.mu.Unlock()
	l.box.Wake()
}

func (l *line) trouble() (remote.Trouble, string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, receiver := range slices.Sorted(maps.Keys(l.failed)) {
		return l.failed[receiver].Trouble, l.failed[receiver].Detail
	}
	return "", ""
}

// note keeps why a receiver got nothing, or that it did, and reports whether that is
// news.
func (l *line) note(receiver string, f *Failure) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := l.failed[receiver]
	if f == nil {
		delete(l.failed, receiver)
		delete(l.held, receiver)
		return before != nil
	}
	l.failed[receiver] = f
	return before == nil || before.Error() != f.Error()
}

// deliver tells how the subject of a message stands, where that is news.
func (l *line) deliver(ctx context.Context, id string) error {
	setup := l.hub.all()[l.channel]
	book := l.hub.Store.Told
	row, err := book.Begin(ctx, id)
	if errors.Is(err, beckon.ErrConflict) || errors.Is(err, beckon.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	to, is, err := l.receiver(ctx, row.Target)
	if err != nil {
		return err
	}
	if !is {
		return l.gone(ctx, row.Target)
	}
	letter, is, err := l.hub.write(ctx, audience{to, l.channel, setup}, row.ID, row.Subject)
	switch {
	case errors.Is(err, beckon.ErrNotFound), err == nil && !is:
		return book.End(ctx, row.ID)
	case err != nil:
		return err
	case row.Message == string(letter.Event):
		return book.Same(ctx, row)
	case row.Message == "" && letter.Event != Asked && letter.Event != Ended:
		return book.End(ctx, row.ID) // nobody was told that it waited
	}
	open, err := l.hub.Store.OpenQuestions(ctx)
	if err != nil {
		return err
	}
	letter.Count = len(open)
	return l.send(ctx, setup, row, letter)
}

// receiver finds the receiver of a message among those who hear of it.
func (l *line) receiver(ctx context.Context, id string) (Receiver, bool, error) {
	all, err := l.receivers(ctx)
	at := slices.IndexFunc(all, func(r Receiver) bool { return r.ID == id })
	if err != nil || at < 0 {
		return Receiver{}, false, err
	}
	return all[at], true, nil
}

// gone forgets a receiver that is no more.
func (l *line) gone(ctx context.Context, receiver string) error {
	l.note(receiver, nil)
	return l.hub.Store.Told.ForgetAt(ctx, l.channel, receiver)
}

func (l *line) send(ctx context.Context, setup remote.Setup, row away.Row, letter Letter) error {
	err := l.sender.Send(ctx, l.recipient(setup, row.Target), letter)
	if ctx.Err() != nil {
		return nil // it is sent again: nobody knows whether it was taken
	}
	if errors.Is(err, ErrGone) {
		err = l.gone(ctx, row.Target)
		l.hub.publish(ctx)
		return err
	}
	failure := (*Failure)(nil)
	if err != nil && !errors.As(err, &failure) {
		failure = &Failure{Trouble: remote.Refused, Detail: err.Error()}
	}
	news := l.note(row.Target, failure)
	if failure != nil {
		if news {
			slog.Warn("a channel did not take a message", "channel", l.channel, "err", failure)
		}
		err = l.again(ctx, row, failure)
	} else {
		err = l.hub.Store.Told.Took(ctx, row, string(letter.Event), letter.Event != Asked)
	}
	l.hub.publish(ctx)
	return err
}

// again has a message tried once more, or gives it up. Those behind it wait as well where the
// service said so, or nothing: it would not take them either.
func (l *line) again(ctx context.Context, row away.Row, f *Failure) error {
	after, again := l.sender.Again(row.Tries)
	if !again || f.Final {
		return l.hub.Store.Told.End(ctx, row.ID)
	}
	due := time.Now().Add(max(after, f.After)).UnixMilli()
	if f.After > 0 || f.Trouble == remote.Unreachable {
		l.hold(row.Target, due)
	}
	return l.hub.Store.Told.Later(ctx, row.ID, due)
}

func (l *line) hold(receiver string, until int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held[receiver] = until
}

func (l *line) recipient(setup remote.Setup, id string) Recipient {
	return Recipient{ID: id, Shape: setup.Shape, Secret: func(name string) (string, error) {
		secret, err := l.hub.Secrets.Get(string(l.channel) + "." + name)
		if err != nil {
			return "", fmt.Errorf("%w: %w", err, &Failure{Trouble: remote.Keyless, Detail: name})
		}
		return secret, nil
	}}
}

// explain is the failure as its user reads it at once.
func (f *Failure) explain() error {
	kind := problem.HookNotFound
	if f.Trouble == remote.Refused {
		kind = problem.HookRefused
	}
	return problem.New(kind, fmt.Errorf("the address did not take it (%s): check it and try again: %w", f.Detail, beckon.ErrUnavailable), "detail", f.Detail)
}
