package system

import (
	"errors"
	"os"
)

// This file has the desktop start Beckon, hidden, with the user's
// session, in whatever way the system does that. It writes one entry of
// Beckon's own and takes it away; it touches nothing else.

// name is what the entry is called.
const name = "beckon"

// remove takes a file away that may be gone.
func remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
