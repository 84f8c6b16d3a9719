package main

import (
	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
)

// Phone returns how phones reach Beckon.
func (a *App) Phone() (s remote.PhoneSetup, err error) {
	defer recovered(&err)
	return a.devices.Page.Setup(a.ctx)
}

// SetPhone keeps the address that the user's tunnel or proxy gives Beckon. An empty
// one forgets it, and switches phones off.
func (a *App) SetPhone(origin string) (s remote.PhoneSetup, err error) {
	defer recovered(&err)
	return a.devices.Page.SetOrigin(a.ctx, origin)
}

// SetTelegram keeps the token of a bot that the service knows, and returns the bot's
// user name. An empty token forgets it, and switches the bot off.
func (a *App) SetTelegram(token string) (name string, err error) {
	defer recovered(&err)
	return a.devices.Bot.SetToken(a.ctx, token)
}

// PairDevice makes a code that pairs the phone or the private chat which shows it.
func (a *App) PairDevice(channel remote.Channel) (p remote.Pairing, err error) {
	defer recovered(&err)
	return a.devices.Pair(channel)
}

// CancelPairing ends the code that holds.
func (a *App) CancelPairing(channel remote.Channel) (err error) {
	defer recovered(&err)
	return a.devices.CancelPairing(channel)
}

// AllowPairing allows pairing again after too many wrong tries ended it.
func (a *App) AllowPairing(channel remote.Channel) (err error) {
	defer recovered(&err)
	return a.devices.AllowPairing(channel)
}

// ConfirmDevice lets a phone in that was paired.
func (a *App) ConfirmDevice(id string) (err error) {
	defer recovered(&err)
	return a.devices.Page.Confirm(a.ctx, id)
}

// Devices returns the phones and the chats that are paired.
func (a *App) Devices() (all []remote.Device, err error) {
	defer recovered(&err)
	return a.devices.All(a.ctx)
}

// EditDevice sets what may be done from a device.
func (a *App) EditDevice(id string, rights remote.Rights) (err error) {
	defer recovered(&err)
	return a.devices.Edit(a.ctx, id, rights)
}

// ShowDevice sets which projects' questions come to a chat, and of which kinds; an
// empty list is everything.
func (a *App) ShowDevice(id string, projects []string, kinds []beckon.QuestionKind) (err error) {
	defer recovered(&err)
	return a.devices.Bot.Show(a.ctx, id, projects, kinds)
}

// RemoveDevice unpairs a device at once.
func (a *App) RemoveDevice(id string) (err error) {
	defer recovered(&err)
	return a.devices.Remove(a.ctx, id)
}
