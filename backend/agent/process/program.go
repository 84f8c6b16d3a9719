package process

import (
	"os"
	"syscall"
)

// WriteProgram writes a file that can be executed once it returns. A file that anybody
// has open to be written cannot, and a process that is being started has open what
// this program has, until it executes its own: so none is started meanwhile.
func WriteProgram(name, text string) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(name, []byte(text), 0o700)
}
