// Package relay joins the sessions that run elsewhere to the desk: what one of
// them asks becomes a question, and what is answered here goes back through the
// hook that waits for it.
//
// Two sources tell of the same call. The session file has it, with an id, and
// says later what came of it; the hook has no id, waits, and can answer. They
// come in any order, and either may be missing. The file has the last word: what
// it says was answered, was. A question closes when the file says so, or, where
// only the hook told of it, when the hook leaves.
package relay

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"beckon/backend/agent/claude/sessionfile"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/observe"
	"beckon/backend/observe/dialog"
	"beckon/backend/question"
)

// Desk is where the questions wait.
type Desk interface {
	Ask(context.Context, beckon.Question) (beckon.Question, error)
	// Check returns an open question with an answer that fits it.
	Check(ctx context.Context, id string, a beckon.Answer) (beckon.Question, error)
	Answer(ctx context.Context, id string, a beckon.Answer) error
	Delivered(ctx context.Context, id string) error
	Overtake(ctx context.Context, id string, e question.Elsewhere) error
	// Offer changes what an open permission would allow always.
	Offer(ctx context.Context, id, always string, lasting []string) error
}

// Config is what a Relay works with.
type Config struct {
	Desk Desk
	// BeginRun records a session, under whose run its questions are kept until end
	// is called. It is called once for a session that asks.
	BeginRun func(ctx context.Context, sessionID string) (runID string, end func(), err error)
	// Publish tells the clients of a session as it now is, and Gone of one that is
	// no longer listed. They must not block.
	Publish func(beckon.OutsideSession)
	Gone    func(sessionID string)
	// Check reads the session's files now: whether a call waits, and what came of
	// it.
	Check func(sessionID, callID string) (open bool, result *sessionfile.Result)
	// Repo returns the main worktree of the repository that a folder is another
	// worktree of, "" where it is none; nil: not looked for.
	Repo func(dir string) string
	// Home is the user's folder, which is shown as ~.
	Home string
	// Terminal returns the pane that a session is drawn in.
	Terminal func(context.Context, observe.Session) (dialog.Terminal, error)
}

// Relay is safe for use from several goroutines.
type Relay struct {
	Config
	typist  dialog.Typist
	fileIn  time.Duration
	doubtIn time.Duration
	ctx     context.Context
	cancel  context.CancelCauseFunc
	working sync.WaitGroup

	mu       sync.Mutex
	sessions map[string]*session // by observe.Session.ID
	hooks    int                 // that wait
	allowed  map[string]bool     // versions of the CLI whose screens are not known, and that are typed into
}

const (
	// fileIn is how long a hook waits for the session file to have its call, which
	// gives that an id.
	fileIn = 300 * time.Millisecond
	// doubtIn is how long a hook may wait whose call no session file has, after the
	// session was last seen to wait for somebody: a busy machine is late with both.
	doubtIn = 30 * time.Second
	// mostHooks is how many hooks may wait at once, and mostAsks how many questions
	// of one session. What comes beyond that is asked in its terminal alone.
	mostHooks = 200
	mostAsks  = 20
)

// errQuit is why questions of sessions elsewhere close when Beckon ends.
var errQuit = reason.Of(reason.QuitElsewhere).Err()

// New returns a Relay that knows no session.
func New(c Config) *Relay {
	r := &Relay{Config: c, fileIn: fileIn, doubtIn: doubtIn, sessions: map[string]*session{}, allowed: map[string]bool{}}
	r.ctx, r.cancel = context.WithCancelCause(context.Background())
	return r
}

// Close closes every question, and waits until that is recorded. Hooks that
// wait leave, and the dialogs in the terminals stay.
func (r *Relay) Close() {
	r.mu.Lock()
	r.cancel(errQuit) // nothing begins to work after it
	r.mu.Unlock()
	r.working.Wait()
	for _, s := range r.sessions {
		s.endRun()
	}
}

// Forget drops every session, as after the last event of a watcher that ended.
// Hooks that wait leave.
func (r *Relay) Forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ctx.Err() != nil {
		return
	}
	for id := range r.sessions {
		r.drop(id)
	}
}

// OnEvent takes what the watcher found out. It waits for nothing.
func (r *Relay) OnEvent(e observe.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ctx.Err() != nil {
		return
	}
	if e.Kind == observe.Left {
		r.drop(e.Session.ID)
		return
	}
	s := r.session(e.Session)
	if e.Kind == observe.Opened {
		s.opened(*e.Ask)
	}
	if e.Kind == observe.Settled {
		s.settled(e)
	}
	s.mark(e.Session.Asks)
	s.locate()
	s.doubt()
	s.read()
	r.Publish(s.shown())
}

// Sessions returns what is listed, the oldest session first.
func (r *Relay) Sessions() []beckon.OutsideSession {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := []beckon.OutsideSession{}
	for _, s := range r.sessions {
		if s.checked {
			all = append(all, s.shown())
		}
	}
	slices.SortFunc(all, func(a, b beckon.OutsideSession) int { return int(a.Started - b.Started) })
	return all
}

// Session returns a session that is listed.
func (r *Relay) Session(id string) (now observe.Session, listed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.sessions[id]
	if s == nil || !s.checked {
		return now, false
	}
	return s.now, true
}

// RunOf returns the run of a session that is listed, and begins it at first.
func (r *Relay) RunOf(ctx context.Context, id string) (runID string, err error) {
	r.mu.Lock()
	s := r.sessions[id]
	r.mu.Unlock()
	if s == nil {
		return "", fmt.Errorf("the session is no longer listed: %w", beckon.ErrNotFound)
	}
	return s.run(ctx, s.sessionID())
}

// session returns the session, adding one that is new. The caller holds mu.
func (r *Relay) session(now observe.Session) *session {
	s := r.sessions[now.ID]
	if s == nil {
		s = r.unchecked(now)
		r.sessions[now.ID] = s
	}
	s.now, s.checked = now, true
	if s.reported != (observe.Terminal{}) {
		s.now.Terminal = s.reported
	}
	return s
}

// unchecked takes out the session that only hooks have told of, if all of them
// were called by its process, or returns a new one. The caller holds mu.
func (r *Relay) unchecked(now observe.Session) *session {
	for id, s := range r.sessions {
		if !s.checked && s.now.SessionID == now.SessionID && s.calledBy(now.PID) {
			delete(r.sessions, id)
			return s
		}
	}
	return newSession(r)
}

// drop forgets a session that is no longer listed. The caller holds mu.
func (r *Relay) drop(id string) {
	s := r.sessions[id]
	if s == nil {
		return
	}
	delete(r.sessions, id)
	for _, a := range s.asks {
		a.end(errEnded)
	}
	r.working.Go(s.endRun)
	r.Gone(id)
}

// short is a folder as people write it.
func (r *Relay) short(dir string) string {
	rest, ok := strings.CutPrefix(dir, r.Home)
	if !ok || r.Home == "" || rest != "" && rest[0] != filepath.Separator {
		return dir
	}
	return "~" + rest
}

func logged(doing string, err error, args ...any) {
	if err != nil {
		slog.Error(doing, append(args, "err", err)...)
	}
}
