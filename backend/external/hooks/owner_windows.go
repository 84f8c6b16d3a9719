package hooks

import "io/fs"

// isOwner believes every file: who may write where is up to its access list,
// and a write that is refused changes nothing.
func isOwner(fs.FileInfo) bool { return true }
