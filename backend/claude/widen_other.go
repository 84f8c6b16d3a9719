//go:build !linux

package claude

import "os"

// widen does nothing where the size of a pipe can not be set.
func widen(*os.File) {}
