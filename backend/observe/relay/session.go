package relay

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/observe"
)

// Why questions close without an answer.
var (
	errEnded       = reason.Of(reason.SessionEnded).Err()
	errInterrupted = reason.Of(reason.InterruptedThere).Err()
	errHookLeft    = reason.Of(reason.AskedNoMore).Err()
)

// session is one that runs elsewhere, and what it asks. The Relay's mu guards it.
type session struct {
	r   *Relay
	now observe.Session
	// checked says that the watcher has seen the session; of another one a hook
	// has told, whose word it is.
	checked bool
	asks    []*ask // the oldest first
	// repo is the main worktree of the folder dir, once that was looked for.
	dir, repo string
	// reported is the terminal that its hook says it has, which beats what the
	// environment of its process says.
	reported observe.Terminal

	runID string // empty before it asks

	beginning sync.Mutex // held while the run begins or ends
	end       func()     // of the run; nil before it begins
	over      bool       // no run begins any more
}

func newSession(r *Relay) *session { return &session{r: r} }

// run returns the session's run, and begins it at first.
func (s *session) run(ctx context.Context, sessionID string) (string, error) {
	s.beginning.Lock()
	defer s.beginning.Unlock()
	if s.over {
		return "", errEnded
	}
	if s.end != nil {
		return s.runID, nil
	}
	runID, end, err := s.r.BeginRun(ctx, sessionID)
	if err != nil {
		return "", err
	}
	s.end = end
	s.r.mu.Lock()
	defer s.r.mu.Unlock()
	s.runID = runID
	return runID, nil
}

func (s *session) sessionID() string {
	s.r.mu.Lock()
	defer s.r.mu.Unlock()
	return s.now.SessionID
}

// endRun ends the session's run, if it has one.
func (s *session) endRun() {
	s.beginning.Lock()
	defer s.beginning.Unlock()
	s.over = true
	if s.end != nil {
		s.end()
		s.end = nil
	}
}

// opened takes a call that the session file has, and for which the session
// waits.
func (s *session) opened(now observe.Ask) {
	if s.byCall(now.ID) != nil {
		return
	}
	req := requestOf(now)
	if a := s.match(req, func(a *ask) bool { return a.req.ToolUseID == "" }); a != nil {
		a.req.ToolUseID = now.ID // the hook told of it first
		return
	}
	s.add(req, agentName(now.Agent))
}

// requestOf is a call as a hook would tell of it.
func requestOf(now observe.Ask) claude.Request {
	return claude.Request{Subtype: claude.CanUseTool, ToolName: now.Tool, Input: now.Input, ToolUseID: now.ID, AgentID: now.Agent.ID}
}

// agentName is what a sub-agent is called on its questions.
func agentName(a observe.Agent) string {
	if a.Description != "" {
		return a.Description
	}
	return a.Type
}

// settled takes what came of a call.
func (s *session) settled(e observe.Event) {
	a := s.byCall(e.Ask.ID)
	if a == nil {
		return
	}
	s.remove(a)
	for _, next := range s.asks {
		next.looked = next.looked && next.row != "" // its dialog may be the one that is drawn now
	}
	a.over = &e
	switch {
	case a.given != nil:
		s.r.working.Go(func() { a.compare(*a.given) })
	case a.typing == 0: // else who types it sees to that
		a.conclude(e)
	}
}

// mark notes of which calls a dialog may be on the screen.
func (s *session) mark(now []observe.Ask) {
	for _, a := range s.asks {
		i := slices.IndexFunc(now, func(n observe.Ask) bool { return n.ID == a.req.ToolUseID })
		a.mayShow = i >= 0 && now[i].MayShow
	}
}

func (s *session) byCall(id string) *ask {
	i := slices.IndexFunc(s.asks, func(a *ask) bool { return a.req.ToolUseID == id })
	if i < 0 {
		return nil
	}
	return s.asks[i]
}

// match returns the oldest call of the same tool with the same input that is
// free, or nil.
func (s *session) match(req claude.Request, free func(*ask) bool) *ask {
	i := slices.IndexFunc(s.asks, func(a *ask) bool { return free(a) && sameCall(a.req, req) })
	if i < 0 {
		return nil
	}
	return s.asks[i]
}

// add puts a call to the desk, and returns nil where the session asks too much.
func (s *session) add(req claude.Request, agent string) *ask {
	if len(s.asks) >= mostAsks {
		return nil
	}
	a := newAsk(s, req, agent)
	s.asks = append(s.asks, a)
	s.r.working.Go(a.askDesk)
	return a
}

func (s *session) remove(a *ask) {
	s.asks = slices.DeleteFunc(s.asks, func(other *ask) bool { return other == a })
}

// calledBy reports whether all hooks that wait were called by a process.
func (s *session) calledBy(pid int) bool {
	return !slices.ContainsFunc(s.asks, func(a *ask) bool { return !slices.Contains(a.pids, pid) })
}

// origin says who asks, and from where, as a card shows it.
func (s *session) origin() string {
	dir := s.r.short(s.now.CWD)
	if !s.checked {
		return "says it is in " + dir
	}
	if s.now.Name != "" {
		return s.now.Name + " · " + dir
	}
	return dir
}

// shown is the session as clients see it.
func (s *session) shown() beckon.OutsideSession {
	shown := beckon.OutsideSession{
		ID: s.now.ID, RunID: s.runID, Name: s.now.Name, Dir: s.now.CWD, Repo: s.repo, Root: s.now.Root, Version: s.now.Version, Entrypoint: s.now.Entrypoint,
		Status: beckon.OutsideStatus(s.now.Status), Started: s.now.Started, Ended: s.now.Ended,
		LastText: s.now.Last.Text, LastByUser: s.now.Last.User, LastAt: s.now.Last.At,
		Tmux: s.now.Terminal.TmuxPane != "", Agents: []string{}, Asks: []beckon.OutsideAsk{},
	}
	for _, a := range s.now.Agents {
		if s.now.Ended > 0 {
			break // they died with it
		}
		shown.Agents = append(shown.Agents, agentName(a))
	}
	if shown.Name == "" {
		shown.Name = strings.TrimPrefix(filepath.Base(shown.Dir), string(filepath.Separator))
	}
	only := 0
	for _, a := range s.asks {
		if a.mayShow {
			only++
		}
	}
	for _, a := range s.asks {
		shown.Asks = append(shown.Asks, beckon.OutsideAsk{QuestionID: a.id, Way: a.way(), OnScreen: a.mayShow && only == 1})
	}
	return shown
}

// locate looks once for the repository that the session's folder is a worktree of:
// the folder may be anywhere, so nobody waits for it. The caller holds mu.
func (s *session) locate() {
	dir := s.now.CWD
	if s.r.Repo == nil || s.dir == dir {
		return
	}
	s.dir, s.repo = dir, ""
	go func() {
		repo := s.r.Repo(dir)
		s.r.mu.Lock()
		defer s.r.mu.Unlock()
		if repo == "" || s.dir != dir || s.r.ctx.Err() != nil || s.r.sessions[s.now.ID] != s {
			return
		}
		s.repo = repo
		s.r.Publish(s.shown())
	}()
}
