// Package release has the words for newer versions of Beckon. Like beckon it is words,
// and no work.
package release

// Way is how a version is installed.
type Way string

// The ways.
const (
	Package   Way = "package"   // by a command of the system
	Archive   Way = "archive"   // by a command in the unpacked folder
	Installer Way = "installer" // by starting it
	DiskImage Way = "diskImage"
)

// Ways lists every one.
var Ways = []Way{Package, Archive, Installer, DiskImage}

// Notice says that there is a newer version; without a version there is none.
type Notice struct {
	Version string `json:"version"` // as 1.2.3
	Page    string `json:"page"`    // where it is described, and can be had
	// Way is how this program was installed, and so how the newer one is; empty where that
	// is unknown, as of one that was built from the sources.
	Way     Way    `json:"way"`
	File    string `json:"file"`    // the one on that page
	Command string `json:"command"` // in a terminal, where File is; empty where none is needed
}

// Build says where a program comes from. What is unknown of it is empty.
type Build struct {
	Commit  string `json:"commit"`
	Date    string `json:"date"`    // the day of that commit
	Notices string `json:"notices"` // the file with the licences of what others made
}

// State is what is known of newer versions from one start to the next.
type State struct {
	Notice

	Asked   int64  `json:"asked"`   // when that was last asked, in Unix milliseconds
	Skipped string `json:"skipped"` // the version that the user does not want to hear of
}
