//go:build unix

package disk

import (
	"io/fs"
	"os"
	"syscall"
)

// Owned reports whether what info is of is this user's: the one whose files this
// process makes, and not the one who called it. It says nothing of where a link leads,
// unless info is of that.
func Owned(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}
