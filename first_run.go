package main

import (
	"os"

	"beckon/backend/claude"
	"beckon/backend/claude/cli"
	"beckon/backend/demo/guest"
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

// Account asks the claude of this machine who is signed in. It looks again each time.
func (a *App) Account() (who claude.Login, err error) {
	defer recovered(&err)
	o, err := a.claude()
	if err != nil {
		return claude.Login{}, nil // About says what is wrong with it
	}
	return cli.LoginOf(a.ctx, o), nil
}

// Folders returns the folders whose paths begin with what was typed.
func (a *App) Folders(typed string) (fs []nearby.Folder, err error) {
	defer recovered(&err)
	home, _ := os.UserHomeDir() // without it ~ is nobody's
	return nearby.Folders(a.ctx, typed, home)
}

// StartDemo starts a demo beside this Beckon, unless one runs. It ends with this
// Beckon, or when it is left.
func (a *App) StartDemo() (err error) {
	defer recovered(&err)
	return a.demo.Start(a.ctx)
}

// CallDemo calls a method of the demo with the JSON array of its arguments.
func (a *App) CallDemo(method, args string) (r guest.Reply, err error) {
	defer recovered(&err)
	g, err := a.demo.Guest()
	if err != nil {
		return r, err
	}
	return g.Call(a.ctx, method, args)
}

// DemoFrames returns the demo's frames for a client since the last call, as a
// JSON array, and waits a little for one.
func (a *App) DemoFrames(client string) (frames string, err error) {
	defer recovered(&err)
	g, err := a.demo.Guest()
	if err != nil {
		return "", err
	}
	return g.Frames(a.ctx, client)
}

// LeaveDemo lets a page go from the demo, which ends with the last of them, if one
// runs; its data is deleted with it.
func (a *App) LeaveDemo(client string) (err error) {
	defer recovered(&err)
	a.demo.Leave(client)
	return nil
}
