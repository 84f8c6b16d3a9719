//go:build soak

package git

const cleanUps = 6000
