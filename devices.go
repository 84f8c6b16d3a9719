package main

import (
	"errors"
	"strconv"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/remote"
	"beckon/backend/channel/pairing"

	"rsc.io/qr"
)

// PairDevice makes a code that pairs the phone or the private chat which shows it.
func (a *App) PairDevice(channel remote.Channel) (p remote.Pairing, err error) {
	defer recovered(&err)
	switch channel {
	case remote.Telegram:
		return a.telegram.pair(a.channels.To(remote.Telegram))
	case remote.Phone:
		return a.phone.pair()
	default:
		return p, noPairing(channel)
	}
}

// pairingOf makes a code, and the link that a person follows with it.
func pairingOf(codes *pairing.Codes, link string) (remote.Pairing, error) {
	code, until, err := codes.Issue()
	if err != nil {
		return remote.Pairing{}, problem.Of(problem.PairingOff, err)
	}
	p := remote.Pairing{Code: code, Link: link + code, Until: until.UnixMilli()}
	drawn, err := qr.Encode(p.Link, qr.M)
	if err != nil {
		return p, err
	}
	p.QR, p.Size = squares(drawn), drawn.Size
	return p, nil
}

// squares draws a QR code as an SVG path, a run of dark squares a rectangle.
func squares(c *qr.Code) string {
	path := []byte{}
	for y := range c.Size {
		for x := 0; x < c.Size; x++ {
			from := x
			for x < c.Size && c.Black(x, y) {
				x++
			}
			if n := strconv.Itoa(x - from); x > from {
				path = append(path, "M"+strconv.Itoa(from)+" "+strconv.Itoa(y)+"h"+n+"v1h-"+n+"z"...)
			}
		}
	}
	return string(path)
}

// CancelPairing ends the code that holds.
func (a *App) CancelPairing(channel remote.Channel) (err error) {
	defer recovered(&err)
	codes, err := a.codes(channel)
	if err == nil {
		codes.Cancel()
	}
	return err
}

// AllowPairing allows pairing again after too many wrong tries ended it.
func (a *App) AllowPairing(channel remote.Channel) (err error) {
	defer recovered(&err)
	codes, err := a.codes(channel)
	if err == nil {
		codes.On()
	}
	return err
}

func (a *App) codes(channel remote.Channel) (*pairing.Codes, error) {
	switch channel {
	case remote.Telegram:
		return &a.telegram.codes, nil
	case remote.Phone:
		return &a.phone.codes, nil
	default:
		return nil, noPairing(channel)
	}
}

func noPairing(channel remote.Channel) error {
	return beckon.Invalid("nothing is paired with %q", channel)
}

// ConfirmDevice lets a phone in that was paired.
func (a *App) ConfirmDevice(id string) (err error) {
	defer recovered(&err)
	return a.phone.Confirm(a.ctx, id)
}

// Devices returns the phones and the chats that are paired.
func (a *App) Devices() (all []remote.Device, err error) {
	defer recovered(&err)
	chats, err := a.telegram.devices(a.ctx)
	phones, err2 := a.phone.devices(a.ctx)
	return append(phones, chats...), errors.Join(err, err2)
}

// EditDevice sets what may be done from a device.
func (a *App) EditDevice(id string, rights remote.Rights) (err error) {
	defer recovered(&err)
	if chat, err := strconv.ParseInt(id, 10, 64); err == nil {
		return a.telegram.allow(a.ctx, chat, rights)
	}
	return a.phone.Allow(a.ctx, id, rights)
}

// RemoveDevice unpairs a device at once.
func (a *App) RemoveDevice(id string) (err error) {
	defer recovered(&err)
	if chat, err := strconv.ParseInt(id, 10, 64); err == nil {
		return a.telegram.Unpair(a.ctx, chat)
	}
	return a.phone.Remove(a.ctx, id)
}
