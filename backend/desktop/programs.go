package desktop

import (
	"cmp"
	"os"
)

// Program returns the path by which this Beckon is started: that of beckon, also
// where beckon has become the program of the window.
func Program() (string, error) {
	self, err := os.Executable()
	return cmp.Or(Core(), self), err
}
