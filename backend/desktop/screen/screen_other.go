//go:build !linux

package screen

// Follow calls locked with every change, until it is closed.
func Follow(func(bool)) (end func(), err error) { return func() {}, nil }
