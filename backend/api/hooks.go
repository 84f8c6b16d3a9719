package api

import "beckon/backend/external/hooks"

// HookStates tells how Beckon's hook stands in each folder of Claude Code's.
func (a *API) HookStates() (states []hooks.State, err error) {
	defer recovered(&err)
	return a.parts.Outside.HookStates()
}

// PreviewHook tells what installing Beckon's hook, or taking it out, would do to the
// settings of a folder of Claude Code's. It writes nothing.
func (a *API) PreviewHook(root string, install bool) (c hooks.Shown, err error) {
	defer recovered(&err)
	return a.parts.Outside.PreviewHook(root, install)
}

// ChangeHook makes the very change that the user saw, by its token.
func (a *API) ChangeHook(root string, install bool, token string) (c hooks.Shown, err error) {
	defer recovered(&err)
	return a.parts.Outside.ChangeHook(root, install, token)
}
