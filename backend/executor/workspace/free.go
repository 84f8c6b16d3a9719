//go:build linux || darwin

package workspace

import "golang.org/x/sys/unix"

// free returns how many bytes may be written to a folder's disk; 0 where that is not known.
func free(dir string) int64 {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) != nil {
		return 0
	}
	return int64(st.Bavail) * int64(st.Bsize) //nolint:unconvert // their types differ by system
}
