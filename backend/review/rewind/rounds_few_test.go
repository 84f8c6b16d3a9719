//go:build !soak

package rewind

// A few rewinds of each bench each time; the tag soak has hundreds.
const rounds = 4
