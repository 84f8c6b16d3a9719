// Package screen tells when the user's screen is locked, on Linux, from the
// desktop's own screen saver. Where nobody tells, nothing is told. That the
// machine slept needs nobody to tell: the question desk's clocks notice.
package screen
