package api

import (
	"os"

	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/cli"
	"beckon/backend/nearby"
)

// Nearby finds the repositories in the user's home folder, the one worked in
// last first. It reads plain files only.
func (a *API) Nearby() (f nearby.Found, err error) {
	defer recovered(&err)
	home, err := os.UserHomeDir()
	if err != nil {
		return nearby.Found{Repositories: []nearby.Repository{}}, nil // nobody's home holds nothing
	}
	return nearby.Search(a.ctx, home)
}

// Account asks the claude of this machine who is signed in. It looks again each time.
func (a *API) Account() (who claude.Login, err error) {
	defer recovered(&err)
	o, err := a.parts.Claude()
	if err != nil {
		return claude.Login{}, nil // About says what is wrong with it
	}
	return cli.LoginOf(a.ctx, o), nil
}

// Folders returns the folders whose paths begin with what was typed.
func (a *API) Folders(typed string) (fs []nearby.Folder, err error) {
	defer recovered(&err)
	home, _ := os.UserHomeDir() // without it ~ is nobody's
	return nearby.Folders(a.ctx, typed, home)
}
