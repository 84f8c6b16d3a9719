//go:build !linux

package awake

import (
	"errors"
	"time"
)

// followSleep would hear when a sleep is over.
func followSleep(func(time.Duration)) (end func(), err error) {
	return nil, errors.New("only logind is asked for that")
}
