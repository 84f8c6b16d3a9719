//go:build !linux && !windows

package hotkey

// Grab calls pressed whenever k is pressed, until it is released.
func Grab(Keys, func()) (release func(), err error) { return nil, ErrUnavailable }
