package observe

import "golang.org/x/sys/unix"

// silentOpen reports whether a folder's file system may report no changes.
func silentOpen(dir string) bool {
	var st unix.Statfs_t
	return unix.Statfs(dir, &st) == nil && st.Flags&unix.MNT_LOCAL == 0
}
