package files

import "strings"

// silent reports whether a folder's file system may report no changes.
func silent(dir string) bool { return strings.HasPrefix(dir, `\\`) }
