// Package phone is the second server: what phones see of Beckon, and do, through the
// tunnel of its user.
//
// A phone gets a table of routes of its own and nothing else of Beckon: what waits,
// one question with what was said before it, and what its rights let it do. It is
// known by a cookie whose hash is a row, and does nothing, and sees nothing, before
// somebody at the desk said that it is theirs. Each request asks the row again, so
// that what is taken away at the desk is gone at once; streams end then.
//
// The server listens on a port of this machine that stays the same, so that the
// tunnel finds it again, and with a certificate of the user's own where they have one.
// It answers to the names that loopback.Middleware knows it by, believes no header of
// a tunnel, and bounds how much anybody may ask. The package knows no database but
// the rows of devices: what waits, and who answers, is the business of its Desk.
package phone

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"sync"
	"time"

	"beckon/backend/assets"
	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/remote"
	"beckon/backend/channel/access"
	"beckon/backend/channel/phone/door"
	"beckon/backend/channel/phone/view"
	"beckon/backend/store/away"
)

// Desk is where the questions are. What it returns is not masked.
type Desk interface {
	// Asked returns a question, whether it waits or not; beckon.ErrNotFound: none.
	Asked(ctx context.Context, id string) (view.Asked, error)
	// Open returns what waits.
	Open(ctx context.Context) ([]view.Asked, error)
	// Answered returns what was answered since a time, the newest first.
	Answered(ctx context.Context, since int64) ([]view.Asked, error)
	// Entries returns the newest entries of the transcript of who asks.
	Entries(ctx context.Context, q beckon.Question) ([]beckon.Entry, error)
	// Answer settles a question from the phone of that name.
	Answer(ctx context.Context, id string, a beckon.Answer, by string) error
	Hold(ctx context.Context, id string, held bool) error
	Stop(ctx context.Context, taskID string) error
	// Message writes to a task's agent, once by that name.
	Message(ctx context.Context, taskID, text, name string) error
}

// Subscriptions are how the browsers of phones are sent messages.
type Subscriptions interface {
	// Key is what a browser needs to subscribe; beckon.ErrNotFound while nothing is
	// sent.
	Key(ctx context.Context) (string, error)
	Subscribe(ctx context.Context, device string, subscription []byte) error
	Unsubscribe(ctx context.Context, device string) error
}

// Config is what the server needs of the program.
type Config struct {
	Book  away.Devices
	Codes *access.Codes
	Desk  Desk
	Push  Subscriptions // nil: nothing is sent
	// Assets are the built page of phones, index.html at its root.
	Assets fs.FS
	View   view.View
	// Origin returns the address that the user's tunnel has, empty while there is none.
	Origin func() string
	// Port and SavePort keep the port of this machine; 0: none yet.
	Port     func(context.Context) (int, error)
	SavePort func(context.Context, int) error
	// Public is where to listen with Certificate; empty: nowhere.
	Public      string
	Certificate *door.Certificate
	// Changed is called when a device or the trouble is another, and Refused where
	// something is refused; they must not block.
	Changed, Refused func()
}

// Server serves phones from Start to Stop. Its methods may be called from any
// goroutine.
type Server struct {
	Config
	visitors visitors
	// strangers bounds what those may ask whom nobody knows.
	strangers bucket
	now       func() time.Time

	starting sync.Mutex // one Start or Stop at a time

	mu      sync.Mutex // guards what is below
	running *running   // nil: off
	trouble remote.Trouble
	detail  string
}

// New returns a server that is off.
func New(c Config) *Server {
	return &Server{Config: c, now: time.Now, strangers: bucket{rate: strangerRate, burst: strangerBurst}}
}

// Start listens and serves, in the place of what was served before. Without an address
// for phones it is problem.PhoneOrigin, and problem.PhonePort where another program
// listens on the port.
func (s *Server) Start(ctx context.Context) error {
	s.starting.Lock()
	defer s.starting.Unlock()
	s.stop()
	origin := s.Origin()
	if origin == "" {
		return problem.New(problem.PhoneOrigin, beckon.Invalid("phones have no address of this computer yet; enter the one of your tunnel, then switch it on"))
	}
	files, err := assets.Read(s.Assets)
	if err == nil && !files.Has(pageName) {
		err = errors.New("it has no " + pageName)
	}
	if err != nil {
		s.note(remote.Unreachable, err.Error())
		return fmt.Errorf("the page of phones is not in this build: %w", err)
	}
	r, trouble, err := s.listen(ctx, origin, files)
	if err != nil {
		s.note(trouble.kind, trouble.detail)
		return err
	}
	s.mu.Lock()
	s.running = r
	s.mu.Unlock()
	s.note("", "")
	r.serve(s)
	return nil
}

// Stop ends what is served, streams too. Devices stay paired.
func (s *Server) Stop() {
	s.starting.Lock()
	defer s.starting.Unlock()
	s.stop()
	s.note("", "")
}

func (s *Server) stop() {
	s.mu.Lock()
	r := s.running
	s.running = nil
	s.mu.Unlock()
	if r != nil {
		r.close()
	}
}

// note keeps what is wrong; empty for nothing.
func (s *Server) note(trouble remote.Trouble, detail string) {
	s.mu.Lock()
	same := s.trouble == trouble && s.detail == detail
	s.trouble, s.detail = trouble, detail
	s.mu.Unlock()
	if !same {
		s.Changed()
	}
}

// Trouble is why nothing is served, or not as it should be; empty for none.
func (s *Server) Trouble() (remote.Trouble, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trouble, s.detail
}

// Listens returns where the server listens, for the tunnel and with the certificate;
// empty where it does not.
func (s *Server) Listens() (addr, public string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running == nil {
		return "", ""
	}
	return s.running.addr, s.running.public
}

// OnEvent takes what happened. It does not wait for the network, nor for the disk.
func (s *Server) OnEvent(e beckon.Event) {
	if e.Question != nil || e.Task != nil || e.Project != nil || e.Gone != "" {
		s.visitors.wakeAll()
	}
}

// Confirm lets a phone in that was paired.
func (s *Server) Confirm(ctx context.Context, id string) error {
	return s.change(id, func() error { return s.Book.Confirm(ctx, id) })
}

// Allow sets what may be done from a phone.
func (s *Server) Allow(ctx context.Context, id string, rights remote.Rights) error {
	return s.change(id, func() error { return s.Book.Allow(ctx, id, rights) })
}

// Remove unpairs a phone. Once it returns, nothing is done from there any more.
func (s *Server) Remove(ctx context.Context, id string) error {
	err := s.change(id, func() error { return s.Book.Remove(ctx, id) })
	if err == nil {
		s.visitors.forget(id)
		s.unsubscribe(ctx, id)
	}
	return err
}

// unsubscribe has a phone that was removed sent nothing more.
func (s *Server) unsubscribe(ctx context.Context, id string) {
	if s.Push == nil {
		return
	}
	if err := s.Push.Unsubscribe(ctx, id); err != nil && !errors.Is(err, beckon.ErrNotFound) {
		slog.Error("a phone that was removed may be sent messages", "err", err)
	}
}

// change changes a phone's row while nothing is done from there, and has its streams
// and the desk see it.
func (s *Server) change(id string, do func() error) error {
	v := s.visitors.of(id)
	v.acting.Lock()
	err := do()
	v.acting.Unlock()
	v.wake()
	s.Changed()
	return err
}

// Apart returns when a phone was last there from two networks within a minute, Unix
// milliseconds; 0 for never. Only those can be seen that come to Beckon's own
// certificate: a tunnel is one network.
func (s *Server) Apart(id string) int64 { return s.visitors.of(id).apartAt() }
