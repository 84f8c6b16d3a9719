package api

import "beckon/backend/beckon/remote"

// Channels returns what leaves this computer, and how that goes.
func (a *API) Channels() (all remote.Channels, err error) {
	defer recovered(&err)
	return a.parts.Channels.Channels(a.ctx)
}

// SwitchChannel switches a channel on or off.
func (a *API) SwitchChannel(channel remote.Channel, on bool) (err error) {
	defer recovered(&err)
	return a.parts.Channels.Switch(a.ctx, channel, on)
}

// SwitchChannelsOff switches off all that leaves this computer.
func (a *API) SwitchChannelsOff() (err error) {
	defer recovered(&err)
	return a.parts.Channels.SwitchOff(a.ctx)
}

// ChoosePart has an optional part leave by a channel, or not.
func (a *API) ChoosePart(channel remote.Channel, part remote.Part, on bool) (err error) {
	defer recovered(&err)
	return a.parts.Channels.Choose(a.ctx, channel, part, on)
}

// SetHook keeps where the hook sends to, and returns the key of its signatures, once.
func (a *API) SetHook(address remote.Address) (key string, err error) {
	defer recovered(&err)
	return a.parts.Channels.SetHook(a.ctx, address)
}

// TryHook sends the hook a message that says that it is a test.
func (a *API) TryHook() (err error) {
	defer recovered(&err)
	return a.parts.Channels.TryHook(a.ctx)
}
