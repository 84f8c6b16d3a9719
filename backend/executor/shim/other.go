//go:build !linux && !darwin

package shim

import (
	"errors"
	"io"
)

// Command says that no agent of this system can be run from another machine.
func Command([]string, io.Reader, io.WriteCloser, Here) error {
	return errors.New("agents on this system cannot be run from another machine")
}
