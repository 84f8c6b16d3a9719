//go:build !soak

package begun_test

// One further repository each time; the tag soak has two.
var killedIn = []string{"proto"}
