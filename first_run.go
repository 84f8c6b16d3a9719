package main

import (
	"os"

	"beckon/backend/nearby"
)

// Nearby finds the repositories in the user's home folder, the one worked in
// last first. It reads plain files only.
func (a *App) Nearby() (f nearby.Found, err error) {
	defer recovered(&err)
	home, err := os.UserHomeDir()
	if err != nil {
		return nearby.Found{Repositories: []nearby.Repository{}}, nil // nobody's home holds nothing
	}
	return nearby.Search(a.ctx, home)
}

// Folders returns the folders whose paths begin with what was typed.
func (a *App) Folders(typed string) (fs []nearby.Folder, err error) {
	defer recovered(&err)
	home, _ := os.UserHomeDir() // without it ~ is nobody's
	return nearby.Folders(a.ctx, typed, home)
}
