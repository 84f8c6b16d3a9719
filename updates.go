package main

import (
	"os"
	"strings"

	"beckon/backend/update"
)

// repository is where the releases of this build are, at GitHub; the build sets it.
var repository string

// updates is what asks for newer versions.
func (p *program) updates(o options) *update.Watch {
	return update.New(update.Config{
		Version: version, Repository: releasesAt(o), Publish: p.publish,
		Settings: p.store.Settings, Kept: p.store.Release, Keep: p.store.SaveRelease,
		Installed: update.Installed(),
	})
}

// releasesAt is the repository whose releases are asked for, empty for none: in the demo,
// in a build that nobody publishes yet, and where a distribution brings the updates and
// sets BECKON_NO_UPDATE_CHECK.
func releasesAt(o options) string {
	owner, _, _ := strings.Cut(repository, "/")
	if o.demo || strings.HasSuffix(owner, ".invalid") || os.Getenv("BECKON_NO_UPDATE_CHECK") != "" {
		return ""
	}
	return repository
}
