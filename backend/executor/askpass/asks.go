package askpass

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"strings"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
)

// answerMost is how long an answer may be in bytes: ssh reads no more.
const answerMost = 1000

// requestIn is how long a process may take to say what ssh asks.
const requestIn = 10 * time.Second

// Asks are the questions about one machine. Its methods may be called from any goroutine.
type Asks struct {
	changed func()

	mu    sync.Mutex // guards what follows
	open  *card
	given map[string]string // answers that nothing proved wrong, by question
	said  Said
	next  chan struct{} // closed at the next change
}

// Said is what the user said to the questions since Begin.
type Said struct {
	Yes     int  // how often
	Secret  bool // with a secret
	Refused bool
}

// card is a question that is shown.
type card struct {
	ask      executing.Ask
	question request
	answered chan struct{} // closed when the user has
	text     string
	yes      bool
}

// New returns no questions. changed is called, without a lock held, when another is open
// than before, or none.
func New(changed func()) *Asks {
	return &Asks{changed: changed, given: map[string]string{}, next: make(chan struct{})}
}

// Open returns the question that is open, nil for none, and a channel that is closed when
// something changes.
func (a *Asks) Open() (*executing.Ask, <-chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.open == nil {
		return nil, a.next
	}
	ask := a.open.ask
	return &ask, a.next
}

// Begin forgets what was asked and answered before.
func (a *Asks) Begin() {
	a.mu.Lock()
	was := a.open
	a.open, a.given, a.said = nil, map[string]string{}, Said{}
	a.mu.Unlock()
	if was != nil {
		a.wakeWaiters()
	}
}

// Said returns what the user said since Begin.
func (a *Asks) Said() Said {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.said
}

// Answer gives the user's answer to the question of that id. It is refused with
// beckon.ErrConflict where another is open, or none.
func (a *Asks) Answer(id string, r executing.Reply) error {
	if len(r.Text) > answerMost || strings.ContainsAny(r.Text, "\r\n\x00") {
		return beckon.Invalid("ssh takes one line of at most %d bytes", answerMost)
	}
	a.mu.Lock()
	c := a.open
	if c == nil || c.ask.ID != id {
		a.mu.Unlock()
		return fmt.Errorf("ssh asks something else by now, or nothing any more: %w", beckon.ErrConflict)
	}
	a.open, c.yes, c.text = nil, r.Yes && c.ask.Kind != executing.AskTouch, r.Text
	if c.yes {
		if isSecret(c.ask.Kind) {
			a.said.Secret = true
		} else {
			c.text = affirm(c.question.Prompt)
		}
		a.said.Yes++
		a.given[c.question.key()] = c.text
	} else {
		a.said.Refused = true
	}
	close(c.answered)
	a.mu.Unlock()
	a.wakeWaiters()
	return nil
}

// wakeWaiters wakes those who wait for a change.
func (a *Asks) wakeWaiters() {
	a.mu.Lock()
	close(a.next)
	a.next = make(chan struct{})
	a.mu.Unlock()
	a.changed()
}

// key is what two questions have in common that are the same.
func (r request) key() string { return r.Hint + "\x00" + r.Prompt }

// Door is where one ssh asks.
type Door struct {
	asks   *Asks
	socket net.Listener
	closed chan struct{}
	once   sync.Once
	work   sync.WaitGroup

	carried map[string]string // answers to hand over once; guarded by the mutex of asks
}

// Listen lets one ssh ask at a socket. What was answered before is handed to it once.
func (a *Asks) Listen(path string) (*Door, error) {
	socket, err := new(net.ListenConfig).Listen(context.Background(), "unix", path)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	d := &Door{asks: a, socket: socket, closed: make(chan struct{}), carried: maps.Clone(a.given)}
	a.mu.Unlock()
	d.work.Go(func() {
		for {
			conn, err := socket.Accept()
			if err != nil {
				return
			}
			d.work.Go(func() { d.serve(conn) })
		}
	})
	return d, nil
}

// Close lets nobody ask there any more. What is open stays open.
func (d *Door) Close() {
	if d == nil {
		return
	}
	d.once.Do(func() {
		close(d.closed)
		_ = d.socket.Close()
		d.work.Wait()
	})
}

// serve hears one question and answers it.
func (d *Door) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	over := make(chan struct{})
	defer close(over)
	go func() { // a closed door ends what it waits for
		select {
		case <-d.closed:
			_ = conn.Close()
		case <-over:
		}
	}()
	var r request
	_ = conn.SetReadDeadline(time.Now().Add(requestIn))
	in := json.NewDecoder(io.LimitReader(conn, 8*promptMost)) // each byte may be escaped
	if in.Decode(&r) != nil {
		return
	}
	if len(r.Prompt) > promptMost {
		r.Prompt = r.Prompt[:promptMost]
	}
	_ = conn.SetReadDeadline(time.Time{})
	gone := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, conn) // nothing comes but the end
		close(gone)
	}()
	if text, yes := d.ask(r, gone); yes {
		_ = json.NewEncoder(conn).Encode(reply{text}) // it may be gone by now
	}
}

// ask returns what the user answers, or answered to an ssh before.
func (d *Door) ask(r request, gone <-chan struct{}) (text string, yes bool) {
	a := d.asks
	a.mu.Lock()
	if text, carried := d.carried[r.key()]; carried {
		delete(d.carried, r.key())
		a.mu.Unlock()
		return text, true
	}
	a.mu.Unlock()
	c := d.show(r, gone)
	if c == nil {
		return "", false
	}
	select {
	case <-c.answered:
		return c.text, c.yes
	case <-gone:
	}
	if c.ask.Kind == executing.AskTouch { // it was touched
		a.mu.Lock()
		if a.open == c {
			a.open = nil
		}
		a.mu.Unlock()
		a.wakeWaiters()
	}
	return "", false
}

// show opens a question once no other is, and returns nil where ssh went before.
func (d *Door) show(r request, gone <-chan struct{}) *card {
	a := d.asks
	for {
		a.mu.Lock()
		switch {
		case a.said.Refused:
			a.mu.Unlock()
			return nil
		case a.open == nil:
			c := &card{ask: Understand(r.Hint, r.Prompt), question: r, answered: make(chan struct{})}
			_, was := a.given[r.key()]
			c.ask.ID, c.ask.Since, c.ask.Again = beckon.NewID(), beckon.Now(), was && isSecret(c.ask.Kind)
			delete(a.given, r.key())
			a.open = c
			a.mu.Unlock()
			a.wakeWaiters()
			return c
		case a.open.question == r:
			c := a.open // the ssh that asked first is gone
			a.mu.Unlock()
			return c
		}
		next := a.next
		a.mu.Unlock()
		select {
		case <-next:
		case <-gone:
			return nil
		}
	}
}
