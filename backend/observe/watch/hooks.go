package watch

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
	"beckon/backend/external/hooks"
	"beckon/backend/observe"
)

// Observed lists the folders that are read for sessions elsewhere, the user's own
// first, and those in them that report no changes; none while nothing is shown.
func (o *Outside) Observed() (roots, polled []string) {
	w, _ := o.settled()
	if w == nil {
		return []string{}, []string{}
	}
	state := w.State()
	return inOrder(state.Roots), beckon.NonNil(slices.Sorted(maps.Keys(state.Polled)))
}

// settled returns the watcher, nil while nothing is shown, once it looks where the
// settings say: who has just saved them asks at once.
func (o *Outside) settled() (w *observe.Watcher, closed bool) {
	o.Follow()
	o.mu.Lock()
	w, closed = o.watcher, o.closed
	o.mu.Unlock()
	if w != nil {
		w.Settle()
	}
	return w, closed
}

// inOrder returns the roots with the user's own first, whether or not sessions are
// watched there.
func inOrder(roots []string) []string {
	own := claude.ConfigDir(os.Environ())
	if real, err := filepath.EvalSymlinks(own); err == nil {
		own = real
	}
	return append([]string{own}, slices.DeleteFunc(slices.Clone(roots), func(dir string) bool { return dir == own })...)
}

// HookStates tells how Beckon's hook stands in each folder of Claude Code's. The demo
// has none: it does not touch the user's settings.
func (o *Outside) HookStates() ([]hooks.State, error) {
	states := []hooks.State{}
	offer, roots, err := o.hooks()
	for _, dir := range roots {
		states = append(states, offer.State(dir))
	}
	return states, err
}

// PreviewHook tells what ChangeHook would do to the settings of a folder.
func (o *Outside) PreviewHook(root string, install bool) (hooks.Shown, error) {
	offer, err := o.hooksIn(root)
	if err != nil {
		return hooks.Shown{}, err
	}
	return offer.Preview(root, install)
}

// ChangeHook makes the change that PreviewHook gave the token.
func (o *Outside) ChangeHook(root string, install bool, token string) (hooks.Shown, error) {
	offer, err := o.hooksIn(root)
	if err != nil {
		return hooks.Shown{}, err
	}
	return offer.Apply(root, install, token, time.Now())
}

// hooksIn is for a root that is one of those that are read: no other file is
// changed.
func (o *Outside) hooksIn(root string) (hooks.Offer, error) {
	offer, roots, err := o.hooks()
	if err == nil && !slices.Contains(roots, root) {
		err = beckon.Invalid("%.200q is not read for sessions", root)
	}
	return offer, err
}

func (o *Outside) hooks() (offer hooks.Offer, roots []string, err error) {
	w, closed := o.settled()
	if closed {
		return offer, nil, nil
	}
	if w != nil {
		roots = w.State().Roots
	}
	offer.Command, err = o.hookCommand()
	return offer, inOrder(roots), err
}
