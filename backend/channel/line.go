package channel

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/remote"
	"beckon/backend/channel/outbox"
	"beckon/backend/store/told"
)

// Sender hands letters over to a service.
type Sender interface {
	// Send tells a letter. An error is a *Failure, or the end of ctx.
	Send(ctx context.Context, to Recipient, l Letter) error
	// Again says how long after the first, second, … failure a letter is tried
	// again, and that it is given up after the last.
	Again() []time.Duration
}

// Recipient is whom a sender sends to.
type Recipient struct {
	Shape remote.Shape
	// Secret returns a secret of the channel.
	Secret func(name string) (string, error)
}

// Failure is why a service did not take a letter.
type Failure struct {
	Trouble remote.Trouble
	Detail  string // such as the status of HTTP; no secret
	After   time.Duration
}

// Error names it for the log.
func (f *Failure) Error() string { return string(f.Trouble) + ": " + f.Detail }

// line is the outbox of a channel: one goroutine, one letter at a time.
type line struct {
	hub     *Hub
	channel remote.Channel
	sender  Sender
	box     *outbox.Outbox

	mu     sync.Mutex
	failed *Failure // of the newest try
}

func newLine(h *Hub, channel remote.Channel, s Sender) *line {
	l := &line{hub: h, channel: channel, sender: s}
	l.box = outbox.New(outbox.Outbox{Next: l.due, Deliver: l.deliver, Failed: func(err error) bool {
		slog.Error("a channel tells nothing for a while", "channel", channel, "err", err)
		return true
	}})
	return l
}

// due are the messages that are to be sent; none while the channel is off.
func (l *line) due(ctx context.Context) (items []outbox.Item, err error) {
	if !l.hub.all()[l.channel].On {
		return nil, nil
	}
	rows, err := l.hub.Store.Told.Next(ctx, l.channel)
	for _, r := range rows {
		items = append(items, outbox.Item{ID: r.ID, Due: r.Due})
	}
	return items, err
}

// reset forgets what went wrong, as after the user changed something.
func (l *line) reset() {
	l.note(nil)
	l.box.Look()
}

func (l *line) trouble() (remote.Trouble, string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed == nil {
		return "", ""
	}
	return l.failed.Trouble, l.failed.Detail
}

func (l *line) note(f *Failure) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failed = f
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
	letter, is, err := l.hub.write(ctx, l.channel, setup, row.ID, row.Subject)
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

func (l *line) send(ctx context.Context, setup remote.Setup, row told.Row, letter Letter) error {
	err := l.sender.Send(ctx, l.recipient(setup), letter)
	if ctx.Err() != nil {
		return nil // it is sent again: nobody knows whether it was taken
	}
	failure := (*Failure)(nil)
	if err != nil && !errors.As(err, &failure) {
		failure = &Failure{Trouble: remote.Refused, Detail: err.Error()}
	}
	l.note(failure)
	if failure != nil {
		slog.Warn("a channel did not take a message", "channel", l.channel, "err", failure)
		err = l.again(ctx, row, failure)
	} else {
		err = l.hub.Store.Told.Took(ctx, row, string(letter.Event), letter.Event != Asked)
	}
	l.hub.publish(ctx)
	return err
}

// again has a message tried once more, or gives it up.
func (l *line) again(ctx context.Context, row told.Row, f *Failure) error {
	after := l.sender.Again()
	if row.Tries >= len(after) {
		return l.hub.Store.Told.End(ctx, row.ID)
	}
	return l.hub.Store.Told.Later(ctx, row.ID, time.Now().Add(max(after[row.Tries], f.After)).UnixMilli())
}

func (l *line) recipient(setup remote.Setup) Recipient {
	return Recipient{Shape: setup.Shape, Secret: func(name string) (string, error) {
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
	return problem.Of(kind, fmt.Errorf("the address did not take it (%s): check it and try again: %w", f.Detail, beckon.ErrUnavailable), "detail", f.Detail)
}
