package disk

import "io/fs"

// Owned believes every file: the profile is closed to others, who may write where is
// up to its access list, and a write that is refused changes nothing.
func Owned(fs.FileInfo) bool { return true }
