package observe

import "golang.org/x/sys/unix"

// The file systems that report no change that another machine made, or none at
// all.
var remote = []int64{
	unix.NFS_SUPER_MAGIC, unix.SMB_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, unix.V9FS_MAGIC,
	unix.CEPH_SUPER_MAGIC, unix.AFS_SUPER_MAGIC, unix.FUSE_SUPER_MAGIC, unix.CODA_SUPER_MAGIC, unix.NCP_SUPER_MAGIC,
}

// silentOpen reports whether a folder's file system may report no changes.
func silentOpen(dir string) bool {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) != nil {
		return false
	}
	for _, magic := range remote {
		if int64(st.Type) == magic {
			return true
		}
	}
	return false
}
