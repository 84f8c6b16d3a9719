package datadir

// lives says that a process is there: no child inherits a lock on Windows, so the one
// that holds it lives.
func lives(int) bool { return true }
