package telegram

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
	"beckon/backend/channel/access"
	"beckon/backend/store/away"
)

// This file runs the bot of Telegram, with its book and its pairs in the
// database, from when it is switched on until it is switched off or ends by itself.
// It knows no network and no question: the bot does.

// Parts are what the service is made of.
type Parts struct {
	Server string // empty: Telegram's
	Rows   away.Told
	Pairs  away.Paired
	Codes  *access.Codes
	Desk   Desk
	// Token and Key return what is kept in secret.
	Token  func() (string, error)
	Key    func() ([]byte, error)
	Mask   func(string) string
	Leaves func() (plans, diffs bool)
	// Elsewhere reports whether chats hear of sessions that Beckon did not start, and
	// Progress whether they hear what agents do.
	Elsewhere, Progress func() bool
	Zone                *time.Location
	// Changed is called when State is another; it must not block.
	Changed func()
}

// Service runs the bot from Start to Stop.
type Service struct {
	Parts
	access.Refusals

	starting sync.Mutex // one Start or Stop at a time

	mu      sync.Mutex
	now     *running // nil: off
	trouble error
}

// running is a bot at work.
type running struct {
	bot  *Bot
	told Told
	end  context.CancelFunc
	over sync.WaitGroup

	mu    sync.Mutex
	news  map[string]how // questions that changed
	order []string       // in which they did
	wake  chan struct{}  // holds one
}

// errKeyless is the trouble of a token that is kept and cannot be read, as while the
// key ring is locked.
var errKeyless = errors.New("the bot's token cannot be read")

// how a question is news.
type how int

const (
	known     how = iota // what chats have of it is looked at
	elsewhere            // chats are to have it, where sessions elsewhere may leave
	ofTask               // chats are to have it
	corrected            // what chats have of it says an answer that was changed
)

// State is how the bot does.
type State struct {
	On      bool
	Name    string // the bot's user name; empty until it was reached
	Trouble error  // nil: none
}

// NewService returns one that is off.
func NewService(p Parts) *Service { return &Service{Parts: p} }

// State returns how the bot does.
func (s *Service) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now == nil {
		return State{Trouble: s.trouble}
	}
	return State{On: true, Name: s.now.bot.Name(), Trouble: s.trouble}
}

// Start runs the bot of the token, in the place of the one before. A token that is
// missing is beckon.ErrInvalid.
func (s *Service) Start(context.Context) error {
	s.starting.Lock()
	defer s.starting.Unlock()
	s.stop()
	token, err := s.Token()
	if err != nil && !errors.Is(err, beckon.ErrInvalid) {
		s.note(fmt.Errorf("%w: %w", errKeyless, err))
	}
	if err != nil {
		return err
	}
	key, err := s.Key()
	if err != nil {
		return err
	}
	r := &running{
		told: Told{Rows: s.Rows, Pairs: s.Pairs, Bot: botOf(token)}, news: map[string]how{}, wake: make(chan struct{}, 1),
	}
	bot, err := New(Config{
		Server: s.Server, Token: token, Key: key, Desk: s.Desk, Pairs: Paired{Paired: s.Pairs, Rows: s.Rows, Codes: s.Codes, News: func(ctx context.Context) error { return r.catchUp(ctx, s.Desk, s.Elsewhere()) }},
		Book: r.told, Mask: s.Mask, Leaves: s.Leaves, Progress: s.Progress, Refused: s.Add, Trouble: s.note, Zone: s.Zone,
	})
	if err != nil {
		return errors.Join(err, beckon.ErrInvalid)
	}
	ctx, end := context.WithCancel(context.Background())
	r.bot, r.end = bot, end
	s.mu.Lock()
	s.now, s.trouble = r, nil
	s.mu.Unlock()
	r.over.Go(func() { r.follow(ctx, s.Elsewhere) })
	r.over.Go(func() { s.run(ctx, r) })
	return nil
}

// run runs the bot to its end; one that ends by itself says why.
func (s *Service) run(ctx context.Context, r *running) {
	if err := r.catchUp(ctx, s.Desk, s.Elsewhere()); err != nil && ctx.Err() == nil {
		s.note(err)
	}
	if err := r.bot.Run(ctx); err != nil && ctx.Err() == nil {
		slog.Warn("the bot of Telegram ended", "err", err)
		s.note(err)
		r.end()
	}
}

// Stop ends the bot. What it was to tell stays to be told.
func (s *Service) Stop() {
	s.starting.Lock()
	defer s.starting.Unlock()
	s.stop()
}

func (s *Service) stop() {
	s.mu.Lock()
	r := s.now
	s.now, s.trouble = nil, nil
	s.mu.Unlock()
	if r != nil {
		r.end()
		r.over.Wait()
	}
}

// note keeps what goes wrong, and nil once it does not any more.
func (s *Service) note(err error) {
	s.mu.Lock()
	same := s.trouble == nil && err == nil || s.trouble != nil && err != nil && s.trouble.Error() == err.Error()
	s.trouble = err
	s.mu.Unlock()
	if !same {
		s.Changed()
	}
}

// OnEvent takes what happened. It does not wait for the network, nor for the disk.
func (s *Service) OnEvent(e beckon.Event) {
	s.mu.Lock()
	r := s.now
	s.mu.Unlock()
	if r == nil {
		return
	}
	if e.Run != nil {
		r.bot.Worked()
	}
	if e.Question == nil {
		return
	}
	switch {
	case len(e.Question.Earlier) > 0:
		r.changed(e.Question.ID, corrected)
	case e.Question.TaskID == "":
		r.changed(e.Question.ID, elsewhere)
	default:
		r.changed(e.Question.ID, ofTask)
	}
}

func (r *running) changed(question string, is how) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before, already := r.news[question]
	if !already {
		r.order = append(r.order, question)
	}
	r.news[question] = max(before, is)
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// follow writes down what is to be told of what changed, in that order, and has the
// bot look.
func (r *running) follow(ctx context.Context, mayLeave func() bool) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.wake:
		}
		r.mu.Lock()
		news, order := r.news, r.order
		r.news, r.order = map[string]how{}, nil
		r.mu.Unlock()
		for _, id := range order {
			is := news[id]
			err := r.told.Rows.Changed(ctx, questionPrefix+id)
			if err == nil && is == corrected {
				err = r.told.Rows.Again(ctx, remote.Telegram, questionPrefix+id)
			}
			if err == nil && (is == ofTask || is == elsewhere && mayLeave()) {
				err = r.told.Want(ctx, id)
			}
			if err != nil && ctx.Err() == nil {
				slog.Error("a question is not told in Telegram", "question", id, "err", err)
			}
		}
		r.bot.Wake()
	}
}

// keepTold is how many messages are remembered that nothing will change: a reply to
// one is for its task.
const keepTold = 1000

// catchUp tells what waits already, and looks once more at what was told: Beckon
// may have died between a change and its row.
func (r *running) catchUp(ctx context.Context, desk Desk, mayLeave bool) error {
	open, err := desk.Open(ctx)
	err = errors.Join(err, r.told.Rows.Trim(ctx, remote.Telegram, keepTold))
	if err != nil {
		return err
	}
	// In the order of asking, for rows are sent in the order in which they came.
	for _, a := range open {
		if a.Question.TaskID == "" && !mayLeave {
			continue
		}
		if err := r.told.Want(ctx, a.Question.ID); err != nil {
			return err
		}
	}
	chats, err := r.told.Pairs.Chats(ctx)
	for _, c := range chats {
		rows, err := r.told.Open(ctx, c.ID)
		if err != nil {
			return err
		}
		for _, row := range rows {
			r.changed(row.Question, known)
		}
	}
	return err
}

// Trouble is why nothing goes; empty for none.
func (s *Service) Trouble() (remote.Trouble, string) {
	err := s.State().Trouble
	if err == nil {
		return "", ""
	}
	if errors.Is(err, errKeyless) {
		return remote.Keyless, ""
	}
	return TroubleOf(err), err.Error()
}

// Unpair removes a chat, and what it was told.
func (s *Service) Unpair(ctx context.Context, chat int64) error {
	return Paired{Paired: s.Pairs, Rows: s.Rows}.Unpair(ctx, chat)
}
