package relay

import (
	"context"
	"encoding/json"
	"time"

	"beckon/backend/claude"
	"beckon/backend/observe"
)

// OnHook takes the call of a hook, and returns its output once the user has
// answered here; nil leaves the session to its terminal. The context ends with
// the hook.
func (r *Relay) OnHook(ctx context.Context, input json.RawMessage) json.RawMessage {
	var in claude.HookInput
	if json.Unmarshal(input, &in) != nil || in.Event != claude.PermissionHook || in.SessionID == "" {
		return nil
	}
	if !r.enter() {
		return nil
	}
	defer r.leave()
	a := r.claim(ctx, in)
	if a == nil {
		return nil
	}
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
func (r *Relay) claim(ctx context.Context, in claude.HookInput) *claimed {
	wait := time.NewTimer(r.fileIn)
	defer wait.Stop()
	look := time.NewTicker(r.fileIn / 10)
	defer look.Stop()
	for {
		if c := r.known(in); c != nil {
			return c
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return nil
		case <-wait.C:
			return r.told(in)
		}
	}
}

// known returns the call in a session file that a hook tells of, or nil.
func (r *Relay) known(in claude.HookInput) *claimed {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.bySession(in.SessionID)
	if s == nil {
		return nil
	}
	free := func(a *ask) bool { return a.hook == nil && a.given == nil && a.over == nil }
	a := s.match(in.Request(), free)
	if a == nil {
		return nil
	}
	a.req.Suggestions = in.Suggestions
	return a.hooked()
}

// told returns a call that only a hook tells of.
func (r *Relay) told(in claude.HookInput) *claimed {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ctx.Err() != nil {
		return nil
	}
	s := r.bySession(in.SessionID)
	if s == nil {
		s = newSession(r)
		s.now = observe.Session{ID: "hook/" + in.SessionID, SessionID: in.SessionID, CWD: in.CWD}
		r.sessions[s.now.ID] = s
	}
	return s.add(in.Request(), "").hooked()
}

// bySession returns the session that lives under an id of the CLI's.
func (r *Relay) bySession(id string) *session {
	for _, s := range r.sessions {
		if s.now.SessionID == id && s.now.Ended == 0 {
			return s
		}
	}
	return nil
}

// hooked has a hook wait for the answer. The caller holds mu.
func (a *ask) hooked() *claimed {
	a.hook = make(chan json.RawMessage, 1)
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
	}
	if c.s.checked {
		c.s.r.Publish(c.s.shown())
	}
	return nil
}
