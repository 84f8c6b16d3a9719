package files

import "strings"

// Silent reports whether a folder's file system may report no changes.
func Silent(dir string) bool { return strings.HasPrefix(dir, `\\`) }
