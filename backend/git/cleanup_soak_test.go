//go:build soak

package git

import "time"

const (
	cleanUps    = 6000
	cleanUpTime = 60 * time.Minute
)
