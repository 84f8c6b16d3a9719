//go:build unix

package files

import (
	"io/fs"
	"os"
	"syscall"
)

// Owned reports whether a file is this user's.
func Owned(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid()
}
