//go:build !soak

package git

// A few states each time; the tag soak has thousands.
const cleanUps = 96
