package telegram

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
	"beckon/backend/channel/telegram/view"
	"beckon/backend/store/away"
	"beckon/tests/telegramtest"
	"beckon/tests/timeout"
)

const mira, stranger int64 = 501, 666

var all = remote.Rights{Questions: true, Plans: true, Commands: true, Steer: true, Elsewhere: true}

// world is the desk, the pairs and the book of a test, as they are on disk. It
// can die at any step, and then does nothing until it is born again.
type world struct {
	t testing.TB
	s *telegramtest.Server

	mu        sync.Mutex
	asked     map[string]*Asked
	order     []string
	given     map[string][]string // answers that the desk took
	held      []string
	stopped   []string
	said      map[string]string // messages to agents and cards, by once
	tasks     []Task
	chats     map[int64]away.Chat
	people    map[int64]away.Person
	code      string
	rows      []*Row
	due, over map[string]bool
	offset    int64
	troubles  []error
	diffs     bool // may leave
	works     bool // what agents do is said
	refused   int

	steps int // until it dies; 0: never
	dead  bool
	kill  func()
	bot   *Bot
	ended chan struct{}
}

var errDead = errors.New("killed")

func newWorld(t testing.TB) *world {
	t.Helper()
	return &world{
		t: t, s: telegramtest.New(t), asked: map[string]*Asked{}, given: map[string][]string{}, said: map[string]string{},
		chats: map[int64]away.Chat{}, people: map[int64]away.Person{}, code: "CODE1234", due: map[string]bool{}, over: map[string]bool{},
	}
}

// step is a moment at which the world may die. The lock is held.
func (w *world) step() error {
	if w.steps > 0 {
		if w.steps--; w.steps == 0 {
			w.dead = true
			w.kill()
		}
	}
	if w.dead {
		return errDead
	}
	return nil
}

// do is one step before what is done and one behind.
func (w *world) do(what func() error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.step(); err != nil {
		return err
	}
	err := what()
	if dead := w.step(); dead != nil {
		return dead
	}
	return err
}

// counted waits until that much was refused.
func (w *world) counted(n int) {
	w.t.Helper()
	w.eventually(fmt.Sprintf("%d are counted as refused", n), func() bool { return w.refused == n })
}

// run starts a bot that dies after so many steps, or never, and returns what ends
// it and waits.
func (w *world) run(steps int) (stop func() error) {
	w.t.Helper()
	ctx, cancel := context.WithCancel(w.t.Context())
	b, err := New(Config{
		Server: w.s.URL, Token: telegramtest.Token, Key: view.Key("a key of tests"), Desk: (*desk)(w), Pairs: (*pairs)(w), Book: (*book)(w),
		Mask: func(s string) string { return strings.ReplaceAll(s, "hunter2", "[masked]") },
		Leaves: func() (bool, bool) {
			w.mu.Lock()
			defer w.mu.Unlock()
			return true, w.diffs
		},
		Progress: func() bool {
			w.mu.Lock()
			defer w.mu.Unlock()
			return w.works
		},
		Refused: func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.refused++
		},
		Trouble: func(err error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			if err != nil {
				w.troubles = append(w.troubles, err)
			}
		},
		Zone: time.UTC,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	b.works.every = 10 * time.Millisecond
	w.mu.Lock()
	ended := make(chan struct{})
	w.steps, w.dead, w.kill, w.bot, w.ended = steps, false, cancel, b, ended
	w.mu.Unlock()
	done := make(chan error, 1)
	go func() {
		done <- b.Run(ctx)
		close(ended)
	}()
	return func() error {
		cancel()
		select {
		case err := <-done:
			return err
		case <-time.After(timeout.For(30 * time.Second)):
			return errors.New("the bot does not end")
		}
	}
}

// pair pairs Mira's private chat, with all rights.
func (w *world) pair() *telegramtest.Person {
	p := w.s.Person(mira, "Mira")
	p.Type(mira, "hello")
	w.mu.Lock()
	defer w.mu.Unlock()
	w.people[mira] = away.Person{ID: mira, Name: "@mira", Rights: all}
	w.chats[mira] = away.Chat{ID: mira, Private: true, Language: "en", Rights: all}
	return p
}

// ask asks q in every chat.
func (w *world) ask(q beckon.Question) {
	w.mu.Lock()
	defer w.mu.Unlock()
	q.Settlement = beckon.Open
	if _, known := w.asked[q.ID]; !known {
		w.order = append(w.order, q.ID)
	}
	w.asked[q.ID] = &Asked{Question: q, Key: "KES-" + q.ID, Title: "Title of " + q.ID, ProjectID: "p", Project: "kestrel"}
	for id := range w.chats {
		row := &Row{ID: "ROWS" + letters(len(w.rows)), Chat: id, Question: q.ID, Version: 1}
		w.rows = append(w.rows, row)
		w.due[row.ID] = true
	}
	if w.bot != nil {
		w.bot.Wake()
	}
}

// letters writes n in four letters.
func letters(n int) string {
	b := []byte("AAAA")
	for i := range b {
		b[len(b)-1-i] = byte('A' + n%26)
		n /= 26
	}
	return string(b)
}

// settle settles a question at the desk.
func (w *world) settle(id string, to beckon.Settlement, a *beckon.Answer, by string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked[id].Question.Settlement, w.asked[id].Question.Answer, w.asked[id].By = to, a, by
	w.changed(id)
}

func (w *world) changed(question string) {
	for _, r := range w.rows {
		if r.Question == question && !w.over[r.ID] {
			r.Version++
			w.due[r.ID] = true
		}
	}
	w.bot.Wake()
}

// eventually waits until is holds of the world.
func (w *world) eventually(what string, is func() bool) {
	w.t.Helper()
	deadline := time.Now().Add(timeout.For(30 * time.Second))
	for {
		w.mu.Lock()
		held := is()
		w.mu.Unlock()
		if held {
			return
		}
		if time.Now().After(deadline) {
			w.t.Fatalf("waited in vain: %s", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

type desk world

func (d *desk) do(what func() error) error { return (*world)(d).do(what) }

func (d *desk) Asked(_ context.Context, id string) (a Asked, err error) {
	err = d.do(func() error {
		found := d.asked[id]
		if found == nil {
			return beckon.ErrNotFound
		}
		a = *found
		return nil
	})
	return a, err
}

func (d *desk) Open(context.Context) (open []Asked, err error) {
	err = d.do(func() error {
		for _, id := range d.order {
			if a := d.asked[id]; a.Question.Settlement == beckon.Open {
				open = append(open, *a)
			}
		}
		return nil
	})
	return open, err
}

// spoken is an answer in one line.
func spoken(a beckon.Answer) string {
	parts := []string{}
	for _, i := range a.Items {
		said := slices.Clone(i.Labels)
		if i.Other != "" {
			said = append(said, i.Other)
		}
		parts = append(parts, strings.Join(said, "+"))
	}
	return string(a.Verdict) + " " + strings.Join(parts, ";") + a.Text
}

func (d *desk) Answer(_ context.Context, id string, a beckon.Answer, by string) error {
	return d.do(func() error {
		q := d.asked[id]
		if q.Question.Settlement != beckon.Open && !view.CanLate(q.Question) {
			return fmt.Errorf("answered already: %w", beckon.ErrConflict)
		}
		d.given[id] = append(d.given[id], spoken(a))
		a.At = time.Date(2026, 5, 1, 14, 31, 0, 0, time.UTC).UnixMilli()
		if q.Question.Answer, q.By = &a, by; q.Question.Settlement != beckon.Expired {
			q.Question.Settlement = beckon.Answered
		}
		(*world)(d).changed(id)
		return nil
	})
}

func (d *desk) Hold(_ context.Context, id string) error {
	return d.do(func() error { d.held = append(d.held, id); return nil })
}

func (d *desk) HoldAll(context.Context) error {
	return d.do(func() error { d.held = append(d.held, "all"); return nil })
}

func (d *desk) Working(context.Context) (tasks []Task, err error) {
	err = d.do(func() error { tasks = slices.Clone(d.tasks); return nil })
	return tasks, err
}

func (d *desk) Stop(_ context.Context, taskID string) error {
	return d.do(func() error { d.stopped = append(d.stopped, taskID); return nil })
}

func (d *desk) Message(_ context.Context, taskID, words, once string) error {
	return d.do(func() error { d.said[once] = taskID + ": " + words; return nil })
}

func (d *desk) NewCard(_ context.Context, project, words, once string) (string, error) {
	return "KES-99", d.do(func() error {
		if project != "KES" {
			return beckon.ErrNotFound
		}
		d.said[once] = project + ": " + words
		return nil
	})
}

type pairs world

func (p *pairs) do(what func() error) error { return (*world)(p).do(what) }

func (p *pairs) Chat(_ context.Context, id int64) (c away.Chat, err error) {
	err = p.do(func() error {
		found, ok := p.chats[id]
		if c = found; !ok {
			return beckon.ErrNotFound
		}
		return nil
	})
	return c, err
}

func (p *pairs) Chats(context.Context) (all []away.Chat, err error) {
	err = p.do(func() error {
		for _, c := range p.chats {
			all = append(all, c)
		}
		return nil
	})
	return all, err
}

func (p *pairs) Person(_ context.Context, id int64) (who away.Person, err error) {
	err = p.do(func() error {
		found, ok := p.people[id]
		if who = found; !ok {
			return beckon.ErrNotFound
		}
		return nil
	})
	return who, err
}

func (p *pairs) Pair(_ context.Context, code string, who away.Person, c away.Chat) error {
	return p.do(func() error {
		if code != p.code {
			return beckon.ErrInvalid
		}
		p.code, who.Rights, c.Rights = "", remote.Rights{Questions: true}, remote.Rights{Questions: true}
		p.people[who.ID], p.chats[c.ID] = who, c
		return nil
	})
}

func (p *pairs) AddGroup(_ context.Context, c away.Chat) error {
	return p.do(func() error { c.Rights = all; p.chats[c.ID] = c; return nil })
}

func (p *pairs) Answered(context.Context, int64) error { return p.do(func() error { return nil }) }

func (p *pairs) Mute(_ context.Context, chat, until int64) error {
	return p.do(func() error { c := p.chats[chat]; c.MutedUntil = until; p.chats[chat] = c; return nil })
}

func (p *pairs) AddTopic(_ context.Context, chat int64, project string, topic int) error {
	return p.do(func() error {
		c := p.chats[chat]
		c.Topics = map[string]int{project: topic}
		p.chats[chat] = c
		return nil
	})
}

func (p *pairs) Unpair(_ context.Context, chat int64) error {
	return p.do(func() error { delete(p.chats, chat); return nil })
}

func (p *pairs) Move(_ context.Context, from, to int64) error {
	return p.do(func() error {
		c, ok := p.chats[from]
		if !ok {
			return nil
		}
		c.ID = to
		delete(p.chats, from)
		p.chats[to] = c
		for _, r := range p.rows {
			if r.Chat == from {
				r.Chat, r.Message, p.due[r.ID] = to, 0, true
			}
		}
		return nil
	})
}

type book world

func (k *book) do(what func() error) error { return (*world)(k).do(what) }

func (k *book) find(is func(*Row) bool) *Row {
	if at := slices.IndexFunc(k.rows, is); at >= 0 {
		return k.rows[at]
	}
	return nil
}

func (k *book) change(id string, what func(*Row) error) error {
	return k.do(func() error {
		if r := k.find(func(r *Row) bool { return r.ID == id }); r != nil {
			return what(r)
		}
		return beckon.ErrNotFound
	})
}

func (k *book) Next(context.Context) (next []Row, err error) {
	err = k.do(func() error {
		chats := map[int64]bool{}
		for _, r := range k.rows {
			if k.due[r.ID] && !k.over[r.ID] && !chats[r.Chat] {
				chats[r.Chat] = true
				next = append(next, *r)
			}
		}
		return nil
	})
	return next, err
}

func (k *book) Begin(_ context.Context, id string) (row Row, err error) {
	err = k.change(id, func(r *Row) error {
		row = *r
		if !k.due[id] || k.over[id] {
			return beckon.ErrConflict
		}
		return nil
	})
	return row, err
}

func (k *book) Took(_ context.Context, sent Row, message int, over bool) error {
	return k.change(sent.ID, func(r *Row) error {
		if r.Message == 0 {
			r.Message = message
		}
		r.Tries, k.over[r.ID], k.due[r.ID] = 0, over, r.Version != sent.Version
		return nil
	})
}

func (k *book) Later(_ context.Context, id string, due int64) error {
	return k.change(id, func(r *Row) error { r.Due, r.Tries = due, r.Tries+1; return nil })
}

func (k *book) End(_ context.Context, id string) error {
	return k.change(id, func(*Row) error { k.over[id] = true; return nil })
}

func (k *book) Row(_ context.Context, id string) (row Row, err error) {
	err = k.change(id, func(r *Row) error { row = *r; return nil })
	return row, err
}

func (k *book) At(_ context.Context, chat int64, message int) (row Row, err error) {
	err = k.do(func() error {
		r := k.find(func(r *Row) bool { return r.Chat == chat && r.Message == message })
		if r == nil {
			return beckon.ErrNotFound
		}
		row = *r
		return nil
	})
	return row, err
}

func (k *book) Open(_ context.Context, chat int64) (open []Row, err error) {
	err = k.do(func() error {
		for _, r := range k.rows {
			if r.Chat == chat && !k.over[r.ID] {
				open = append(open, *r)
			}
		}
		return nil
	})
	return open, err
}

func (k *book) Note(_ context.Context, noted Row) error {
	return k.change(noted.ID, func(r *Row) error {
		if r.Message == 0 && noted.Message != 0 {
			r.Message = noted.Message
			delete(k.over, r.ID)
		}
		r.Notes = noted.Notes
		r.Version++
		k.due[r.ID] = !k.over[r.ID]
		return nil
	})
}

func (k *book) Offset(context.Context) (offset int64, err error) {
	err = k.do(func() error { offset = k.offset; return nil })
	return offset, err
}

func (k *book) SaveOffset(_ context.Context, update int64) error {
	return k.do(func() error { k.offset = update; return nil })
}
