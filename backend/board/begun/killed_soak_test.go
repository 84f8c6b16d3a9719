//go:build soak

package begun_test

var killedIn = []string{"proto", "dash"}
