// Package watch follows the sessions that run elsewhere, for as long as the settings say
// so, and joins what sees them to what puts their questions to the desk, keeps their
// transcripts and continues them. It is safe for use from several goroutines. How each of
// these works is in the packages beside it.
package watch

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"

	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/sessionfile"
	"beckon/backend/agent/trial"
	"beckon/backend/beckon"
	"beckon/backend/feed"
	"beckon/backend/git/look"
	"beckon/backend/observe"
	"beckon/backend/observe/dialog"
	"beckon/backend/observe/mirror"
	"beckon/backend/observe/relay"
	"beckon/backend/observe/takeover"
	"beckon/backend/observe/tmux"
	"beckon/backend/question"
	"beckon/backend/runner/view"
	"beckon/backend/store"
	"beckon/backend/transcript"
)

// Outside joins what sees the sessions that run elsewhere to what their
// questions are put to, for as long as the user wants to see them.
type Outside struct {
	*relay.Relay
	*mirror.Mirrors
	*takeover.Taker
	store       *store.Store
	standing    *StandingAnswers
	publish     func(beckon.Event)
	hookCommand func() (string, error)
	trials      string // the folder of agents that are tried

	mu      sync.Mutex // held while the watch begins or ends
	watcher *observe.Watcher
	given   []string // the roots that it was given
	closed  bool
}

// Config is what an Outside needs.
type Config struct {
	Store   *store.Store
	Feed    *feed.Feed
	Desk    *question.Desk
	DataDir string
	// BeginRun gives a session a run to ask under, until end is called.
	BeginRun func(ctx context.Context, session string) (runID string, end func(), err error)
	// HookCommand returns what Claude Code is to call as Beckon's hook.
	HookCommand func() (string, error)
}

// New returns an Outside that sees nothing before TakeOver and Follow were called.
func New(c Config) *Outside {
	o := &Outside{store: c.Store, publish: c.Feed.Publish, hookCommand: c.HookCommand, trials: trial.Dir(c.DataDir)}
	home, err := os.UserHomeDir()
	if err != nil {
		slog.Warn("folders are shown in full", "err", err)
	}
	o.standing = NewStanding(StandingConfig{Answer: c.Desk.StandElsewhere, Projects: c.Store.Projects})
	o.Mirrors = mirror.New(mirror.Config{Dir: transcript.Dir(c.DataDir), Clients: view.Clients{
		Publish: c.Feed.Publish, Watched: c.Feed.Watched, Count: func() int { return 1 },
	}})
	o.Relay = relay.New(relay.Config{
		Desk: c.Desk, BeginRun: c.BeginRun, Check: o.check, Repo: look.MainWorktree, Home: home,
		Publish: func(s beckon.OutsideSession) {
			o.Mark(&s)
			o.standing.OnSession(s)
			c.Feed.Publish(beckon.Event{Session: &s})
		},
		Gone: func(id string) {
			c.Feed.Publish(beckon.Event{Gone: id})
			o.Mirrors.Forget(id)
		},
		Terminal: func(ctx context.Context, s observe.Session) (dialog.Terminal, error) {
			return paneOf(ctx, s)
		},
	})
	return o
}

// Follow begins to watch, or ends it and forgets what was seen, as the settings
// now say. It may take a moment.
func (o *Outside) Follow() {
	o.mu.Lock()
	defer o.mu.Unlock()
	settings, err := o.store.Settings.Load(context.Background())
	switch {
	case err != nil:
		slog.Error("sessions that run elsewhere are not shown", "err", err)
	case o.closed:
	case settings.Observe:
		if err := o.watch(append([]string{claude.ConfigDir(os.Environ())}, settings.ObserveRoots...)); err != nil {
			slog.Error("sessions that run elsewhere are not shown", "err", err)
		}
	case o.watcher != nil:
		o.unwatch()
		o.Relay.Forget()
		o.Taker.Forget()
	}
}

// watch begins to watch the roots, or goes on with them. The caller holds mu.
func (o *Outside) watch(roots []string) error {
	switch {
	case o.watcher == nil:
		w, err := observe.Open(observe.Options{Roots: roots, Ours: o.ours, Notify: o.onEvent})
		if err != nil {
			return err
		}
		o.watcher = w
	case !slices.Equal(o.given, roots):
		o.watcher.SetRoots(roots)
	}
	o.given = roots
	return nil
}

// unwatch ends the watch, if there is one. The caller holds mu.
func (o *Outside) unwatch() {
	if o.watcher == nil {
		return
	}
	if err := o.watcher.Close(); err != nil {
		slog.Error("end the watch over sessions", "err", err)
	}
	o.watcher = nil
}

// OnQuestion gives the standing answers that hold elsewhere to a question, if one does.
func (o *Outside) OnQuestion(q beckon.Question) { o.standing.OnQuestion(q) }

// onEvent takes what the watcher found out.
func (o *Outside) onEvent(e observe.Event) {
	o.Relay.OnEvent(e)
	o.Mirrors.Update(e.Session)
	o.Taker.OnEvent(e)
}

// TakeOver joins the sessions to what continues them. Nothing is watched before.
func (o *Outside) TakeOver(agents takeover.Agents, create func(context.Context, beckon.NewTask) (beckon.Task, error), publish func(beckon.Event)) {
	o.Taker = takeover.New(takeover.Config{
		Store: o.store, Agents: agents, CreateTask: create, Publish: publish, Watcher: o.watched, Changed: o.changed,
		Past: observe.Past{}, Copy: o.Copy, Repo: look.MainWorktree, Logs: o.Mirrors.Dir, Trials: o.trials, Home: claude.ConfigDir(os.Environ()),
	})
}

// watched returns what sees the sessions, nil where nothing is to be seen.
func (o *Outside) watched() *observe.Watcher {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.watcher
}

// changed tells the clients of a session that is waited for, or no longer.
func (o *Outside) changed(id string) {
	for _, s := range o.Sessions() {
		if s.ID == id {
			o.publish(beckon.Event{Session: &s})
		}
	}
}

// Sessions implements history.Outside.
func (o *Outside) Sessions() []beckon.OutsideSession {
	all := o.Relay.Sessions()
	for i := range all {
		o.Mark(&all[i])
	}
	return all
}

// Rescan looks again for what no watched folder tells of, soon and without making
// anybody wait, not even for a watch that is about to begin or end.
func (o *Outside) Rescan() {
	go func() {
		if w := o.watched(); w != nil {
			w.Rescan()
		}
	}()
}

// Run implements history.Outside.
func (o *Outside) Run(ctx context.Context, id string) (run beckon.Run, is bool, err error) {
	session, listed := o.Relay.Session(id)
	if !listed {
		return run, false, nil
	}
	runID, err := o.Relay.RunOf(ctx, id)
	if err == nil {
		err = o.Mirrors.Follow(session, runID)
	}
	return mirror.RunOf(session, runID), true, err
}

// paneOf finds the pane of a session, first where its hook or its environment
// says that it is.
func paneOf(ctx context.Context, s observe.Session) (*tmux.Pane, error) {
	return tmux.Find(ctx, tmux.Process{PID: s.PID, Socket: s.Terminal.TmuxSocket})
}

// ShowTerminal selects the pane of a session in its tmux.
func (o *Outside) ShowTerminal(ctx context.Context, id string) error {
	session, listed := o.Relay.Session(id)
	if !listed {
		return fmt.Errorf("the session has ended: %w", beckon.ErrNotFound)
	}
	pane, err := paneOf(ctx, session)
	if err != nil {
		return err
	}
	return pane.Show(ctx)
}

// ours reports whether a session is of a run of Beckon's. Where that cannot be
// told it is: rather one too few than a run twice.
func (o *Outside) ours(session string) bool {
	own, err := o.store.IsOwnSession(context.Background(), session)
	return own || err != nil
}

func (o *Outside) check(session, call string) (open bool, result *sessionfile.Result) {
	w := o.watched()
	if w == nil {
		return false, nil
	}
	return w.Check(session, call)
}

// Close ends the watch, lets the hooks go, and closes what was asked.
func (o *Outside) Close() {
	o.mu.Lock()
	o.closed = true
	o.unwatch()
	o.mu.Unlock()
	o.standing.Close()
	o.Taker.Close()
	o.Relay.Close()
	o.Mirrors.Close()
}
