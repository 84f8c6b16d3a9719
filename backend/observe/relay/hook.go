package relay

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"time"

	"beckon/backend/agent/claude"
	"beckon/backend/observe"
)

// HookCall is what a hook says.
type HookCall struct {
	// Pids are the hook's process, its parent and so on, as far as the system shows
	// them: the session's is among them.
	Pids []int
	// Tmux and Pane are the variables of tmux, which the session has too.
	Tmux, Pane string
	Input      json.RawMessage
}

// OnHook takes the call of a hook, and returns its output once the user has
// answered here; nil leaves the session to its terminal. The context ends with
// the hook.
func (r *Relay) OnHook(ctx context.Context, from HookCall) json.RawMessage {
	var in claude.HookInput
	if json.Unmarshal(from.Input, &in) != nil || in.Event != claude.PermissionHook || in.SessionID == "" {
		return nil
	}
	if !r.enter() {
		return nil
	}
	defer r.leave()
	a := r.claim(ctx, from, in)
	if a == nil {
		return nil
	}
	defer r.tidy(a.s)
	select {
	case output := <-a.hook:
		return output
	case <-ctx.Done():
	case <-r.ctx.Done():
	}
	return a.unhook()
}

// enter counts one hook that waits, and reports whether it may.
func (r *Relay) enter() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.hooks >= mostHooks || r.ctx.Err() != nil {
		return false
	}
	r.hooks++
	return true
}

func (r *Relay) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hooks--
}

// claimed is an ask with the channel on which its hook hears.
type claimed struct {
	*ask
	hook chan json.RawMessage
}

// claim finds the call that a hook tells of, once the session file has it, or
// takes the hook's word for it after a moment.
func (r *Relay) claim(ctx context.Context, from HookCall, in claude.HookInput) *claimed {
	wait := time.NewTimer(r.fileIn)
	defer wait.Stop()
	look := time.NewTicker(r.fileIn / 10)
	defer look.Stop()
	for {
		if c := r.known(from, in); c != nil {
			return c
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return nil
		case <-wait.C:
			return r.told(from, in)
		}
	}
}

// known returns the call in a session file that a hook tells of, or nil.
func (r *Relay) known(from HookCall, in claude.HookInput) *claimed {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.filed(from, in)
}

// filed is known for a caller that holds mu.
func (r *Relay) filed(from HookCall, in claude.HookInput) *claimed {
	s := r.caller(from, in)
	if s == nil {
		return nil
	}
	free := func(a *ask) bool { return a.hook == nil && a.given == nil && a.over == nil && a.typing == 0 }
	a := s.match(in.Request(), free)
	if a == nil {
		return nil
	}
	a.req.Suggestions = in.Suggestions
	c := a.hooked(from)
	a.offered()
	return c
}

// told returns a call that only a hook tells of, or nil where there are too many.
func (r *Relay) told(from HookCall, in claude.HookInput) *claimed {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ctx.Err() != nil {
		return nil
	}
	if c := r.filed(from, in); c != nil { // since the last look
		return c
	}
	s := r.caller(from, in)
	id := "hook/" + in.SessionID
	if s == nil {
		s = r.sessions[id]
	}
	if s == nil {
		slog.Info("a hook is taken at its word", "session", in.SessionID, "pids", from.Pids)
		s = newSession(r)
		s.now = observe.Session{ID: id, SessionID: in.SessionID, CWD: in.CWD}
		r.sessions[id] = s
	}
	a := s.add(in.Request(), "")
	if a == nil {
		return nil
	}
	return a.hooked(from)
}

// caller returns the session that a hook speaks of, if it is above the hook:
// what another process claims is never taken for the session's. nil: none that
// was seen.
func (r *Relay) caller(from HookCall, in claude.HookInput) *session {
	for _, s := range r.sessions {
		if s.checked && s.now.SessionID == in.SessionID && s.now.Ended == 0 && slices.Contains(from.Pids, s.now.PID) {
			return s
		}
	}
	return nil
}

// hooked has a hook wait for the answer. The caller holds mu.
func (a *ask) hooked(from HookCall) *claimed {
	a.hook, a.pids = make(chan json.RawMessage, 1), from.Pids
	if at := observe.TerminalOf(from.Tmux, from.Pane); at != (observe.Terminal{}) {
		a.s.reported, a.s.now.Terminal = at, at
	}
	if a.s.checked {
		a.s.r.Publish(a.s.shown())
	}
	return &claimed{a, a.hook}
}

// unhook takes the hook away that left, and returns what was decided in that
// very moment. What only the hook told of is no longer asked.
func (c *claimed) unhook() json.RawMessage {
	c.s.r.mu.Lock()
	defer c.s.r.mu.Unlock()
	select {
	case output := <-c.hook:
		return output
	default:
	}
	c.ask.hook = nil
	if c.req.ToolUseID == "" {
		c.s.remove(c.ask)
		c.end(errHookLeft)
	} else {
		c.offered()
	}
	if c.s.checked {
		c.s.read()
		c.s.r.Publish(c.s.shown())
	}
	return nil
}

// tidy takes what was answered in a session that only hooks tell of for heard,
// since no file will say so, and forgets the session once nothing waits there.
func (r *Relay) tidy(s *session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.checked || r.ctx.Err() != nil {
		return
	}
	s.asks = slices.DeleteFunc(s.asks, func(a *ask) bool {
		heard := a.hook == nil && a.given != nil
		if heard {
			r.working.Go(a.heard)
		}
		return heard
	})
	if len(s.asks) == 0 && r.sessions[s.now.ID] == s {
		delete(r.sessions, s.now.ID)
		r.working.Go(s.endRun)
	}
}

// doubt ends what only hooks told of, once the session has waited for nobody for
// a while: it was answered in the terminal before the file was read, or the file
// tells of it in other words. The caller holds mu.
func (s *session) doubt() {
	waits := s.now.Status != observe.Idle && s.now.Status != observe.Busy
	for _, a := range s.asks {
		switch told := a.req.ToolUseID == ""; {
		case a.unseen != nil && (waits || !told):
			a.unseen.Stop()
			a.unseen = nil
		case a.unseen == nil && told && !waits:
			a.unseen = time.AfterFunc(s.r.doubtIn, a.dismiss)
		}
	}
}

// dismiss forgets a call that only a hook told of, and lets the hook go.
func (a *ask) dismiss() {
	r := a.s.r
	r.mu.Lock()
	defer r.mu.Unlock()
	if a.req.ToolUseID != "" || r.ctx.Err() != nil || !slices.Contains(a.s.asks, a) {
		return
	}
	a.s.remove(a)
	if a.given != nil {
		r.working.Go(a.heard)
	}
	a.end(errHookLeft)
	if a.hook != nil {
		a.hook <- nil
		a.hook = nil
	}
	r.Publish(a.s.shown())
}

// heard notes that a session has an answer of which no file tells.
func (a *ask) heard() {
	logged("note a delivery", a.s.r.Desk.Delivered(context.WithoutCancel(a.ctx), a.id), "question", a.id)
}
