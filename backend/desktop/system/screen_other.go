//go:build !linux

package system

// followScreen calls locked with every change, until it is closed.
func followScreen(func(bool)) (end func(), err error) { return func() {}, nil }
