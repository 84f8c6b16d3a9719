package toolserver

import (
	"context"
	"encoding/json"
	"net/http"
)

// hookPath is where the hooks of sessions elsewhere say what is asked there.
const hookPath = "/hook"

// HookCall is what a hook says of a session that asks its user. Nothing of it
// is checked here but Pids.
type HookCall struct {
	// Pids are the hook's process, its parent, that one's parent and so on. The
	// desk gets them as the system has them, where that shows who made the
	// connection, and none where it was somebody else; elsewhere as the hook saw
	// them.
	Pids []int `json:"pids"`
	// Tmux and Pane are what tmux says of the terminal, "" outside of it.
	Tmux string `json:"tmux"`
	Pane string `json:"pane"`
	// Input is what Claude Code gave to the hook.
	Input json.RawMessage `json:"input"`
}

// serveHook puts what a session elsewhere asks to the user, for as long as its
// hook waits, and writes what Claude Code is to read: nothing, where the
// terminal is to decide.
func (s *Server) serveHook(w http.ResponseWriter, r *http.Request) {
	var call HookCall
	if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
		refuse(w, http.StatusBadRequest, "invalid", "a hook's call is {\"pids\",\"tmux\",\"pane\",\"input\"}")
		return
	}
	call.Pids = Checked(r, call.Pids)
	// A hook never calls the tools, so that it gets a token which opens nothing.
	if s.prove(w, r, "hook") != nil {
		return // gone already
	}
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	defer context.AfterFunc(s.ctx, func() { cancel(context.Cause(s.ctx)) })()
	if decision := s.desk.OnHook(ctx, call); decision != nil && ctx.Err() == nil {
		_ = json.NewEncoder(w).Encode(decision) // to a hook that may be gone
	}
}
