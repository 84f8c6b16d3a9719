//go:build soak

package rewind

const rounds = 60
