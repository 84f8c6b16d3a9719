//go:build desktop

package desktop

import "os"

// Core returns the path of beckon-core: the same program without a window,
// which lies beside it. It is "" where there is none, and where this program
// is it.
//
// A program that can show a window is linked to WebKit and all that it needs,
// which costs even what never shows one 25 MB and a fifth of a second. Other
// systems load their web view only where it is shown.
func Core() string {
	self, err := os.Executable()
	if err != nil {
		return ""
	}
	return CoreBeside(self)
}
