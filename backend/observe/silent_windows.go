package observe

import "strings"

// silentOpen reports whether a folder's file system may report no changes.
func silentOpen(dir string) bool { return strings.HasPrefix(dir, `\\`) }
