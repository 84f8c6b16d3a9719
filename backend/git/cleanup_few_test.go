//go:build !soak

package git

import "time"

// A few states each time; the tag soak has thousands.
const (
	cleanUps    = 180
	cleanUpTime = 3 * time.Minute
)
