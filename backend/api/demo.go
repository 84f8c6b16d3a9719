package api

import "beckon/backend/demo"

// StartDemo starts a demo beside this Beckon, unless one runs. It ends with this
// Beckon, or when it is left.
func (a *API) StartDemo() (err error) {
	defer recovered(&err)
	return a.parts.Demo.Start(a.ctx)
}

// CallDemo calls a method of the demo with the JSON array of its arguments.
func (a *API) CallDemo(method, args string) (r demo.GuestReply, err error) {
	defer recovered(&err)
	g, err := a.parts.Demo.Guest()
	if err != nil {
		return r, err
	}
	return g.Call(a.ctx, method, args)
}

// DemoFrames returns the demo's frames for a client since the last call, as a
// JSON array, and waits a little for one.
func (a *API) DemoFrames(client string) (frames string, err error) {
	defer recovered(&err)
	g, err := a.parts.Demo.Guest()
	if err != nil {
		return "", err
	}
	return g.Frames(a.ctx, client)
}

// LeaveDemo lets a page go from the demo, which ends with the last of them, if one
// runs; its data is deleted with it.
func (a *API) LeaveDemo(client string) (err error) {
	defer recovered(&err)
	a.parts.Demo.Leave(client)
	return nil
}
