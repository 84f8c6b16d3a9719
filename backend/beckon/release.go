package beckon

// This file has the words for newer versions of Beckon.

// InstallWay is how a version is installed.
type InstallWay string

// The ways.
const (
	InstallPackage   InstallWay = "package"   // by a command of the system
	InstallArchive   InstallWay = "archive"   // by a command in the unpacked folder
	InstallInstaller InstallWay = "installer" // by starting it
	InstallDiskImage InstallWay = "diskImage"
)

// InstallWays lists every one.
var InstallWays = []InstallWay{InstallPackage, InstallArchive, InstallInstaller, InstallDiskImage}

// ReleaseNotice says that there is a newer version; without a version there is none.
type ReleaseNotice struct {
	Version string `json:"version"` // as 1.2.3
	Page    string `json:"page"`    // where it is described, and can be had
	// Way is how this program was installed, and so how the newer one is; empty where that
	// is unknown, as of one that was built from the sources.
	Way     InstallWay `json:"way"`
	File    string     `json:"file"`    // the one on that page
	Command string     `json:"command"` // in a terminal, where File is; empty where none is needed
}

// Build says where a program comes from. What is unknown of it is empty.
type Build struct {
	Commit  string `json:"commit"`
	Date    string `json:"date"`    // the day of that commit
	Notices string `json:"notices"` // the file with the licences of what others made
}

// ReleaseState is what is known of newer versions from one start to the next.
type ReleaseState struct {
	ReleaseNotice

	Asked   int64  `json:"asked"`   // when that was last asked, in Unix milliseconds
	Skipped string `json:"skipped"` // the version that the user does not want to hear of
}
