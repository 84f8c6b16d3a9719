//go:build !linux && !windows

package system

// grabHotkey calls pressed whenever k is pressed, until it is released.
func grabHotkey(hotkeys, func()) (release func(), err error) { return nil, ErrUnavailable }
