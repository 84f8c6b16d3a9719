//go:build !linux && !darwin

package keeper

import (
	"errors"
	"io"

	"beckon/backend/executor/shim"
)

// Command says that no agent of this system can be run from another machine.
func Command([]string, io.Reader, io.WriteCloser, shim.Here) error {
	return errors.New("agents on this system cannot be run from another machine")
}
