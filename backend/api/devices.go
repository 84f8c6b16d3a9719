package api

import (
	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
)

// Phone returns how phones reach Beckon.
func (a *API) Phone() (s remote.PhoneSetup, err error) {
	defer recovered(&err)
	return a.parts.Devices.Page.Setup(a.ctx)
}

// SetPhone keeps the address that the user's tunnel or proxy gives Beckon. An empty
// one forgets it, and switches phones off.
func (a *API) SetPhone(origin string) (s remote.PhoneSetup, err error) {
	defer recovered(&err)
	return a.parts.Devices.Page.SetOrigin(a.ctx, origin)
}

// SetTelegram keeps the token of a bot that the service knows, and returns the bot's
// user name. An empty token forgets it, and switches the bot off.
func (a *API) SetTelegram(token string) (name string, err error) {
	defer recovered(&err)
	return a.parts.Devices.Bot.SetToken(a.ctx, token)
}

// PairDevice makes a code that pairs the phone or the private chat which shows it.
func (a *API) PairDevice(channel remote.Channel) (p remote.Pairing, err error) {
	defer recovered(&err)
	return a.parts.Devices.Pair(channel)
}

// CancelPairing ends the code that holds.
func (a *API) CancelPairing(channel remote.Channel) (err error) {
	defer recovered(&err)
	return a.parts.Devices.CancelPairing(channel)
}

// AllowPairing allows pairing again after too many wrong tries ended it.
func (a *API) AllowPairing(channel remote.Channel) (err error) {
	defer recovered(&err)
	return a.parts.Devices.AllowPairing(channel)
}

// ConfirmDevice lets a phone in that was paired.
func (a *API) ConfirmDevice(id string) (err error) {
	defer recovered(&err)
	return a.parts.Devices.Page.Confirm(a.ctx, id)
}

// Devices returns the phones and the chats that are paired.
func (a *API) Devices() (all []remote.Device, err error) {
	defer recovered(&err)
	return a.parts.Devices.All(a.ctx)
}

// EditDevice sets what may be done from a device.
func (a *API) EditDevice(id string, rights remote.Rights) (err error) {
	defer recovered(&err)
	return a.parts.Devices.Edit(a.ctx, id, rights)
}

// ShowDevice sets which projects' questions come to a chat, and of which kinds; an
// empty list is everything.
func (a *API) ShowDevice(id string, projects []string, kinds []beckon.QuestionKind) (err error) {
	defer recovered(&err)
	return a.parts.Devices.Bot.Show(a.ctx, id, projects, kinds)
}

// RemoveDevice unpairs a device at once.
func (a *API) RemoveDevice(id string) (err error) {
	defer recovered(&err)
	return a.parts.Devices.Remove(a.ctx, id)
}
