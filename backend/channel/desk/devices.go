package desk

import (
	"context"
	"errors"
	"strconv"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/remote"
	"beckon/backend/channel/access"

	"rsc.io/qr"
)

// Devices are the phones and the chats from which people reach the desk.
type Devices struct {
	Bot  *Bot
	Page *Page
}

// Pair makes a code that pairs the phone or the private chat which shows it.
func (d Devices) Pair(channel remote.Channel) (remote.Pairing, error) {
	switch channel {
	case remote.Telegram:
		return d.Bot.pair(d.Bot.hub.To(remote.Telegram))
	case remote.Phone:
		return d.Page.pair()
	default:
		return remote.Pairing{}, noPairing(channel)
	}
}

// pairingOf makes a code, and the link that a person follows with it.
func pairingOf(codes *access.Codes, link string) (remote.Pairing, error) {
	code, until, err := codes.Issue()
	if err != nil {
		return remote.Pairing{}, problem.New(problem.PairingOff, err)
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
func (d Devices) CancelPairing(channel remote.Channel) error {
	codes, err := d.codes(channel)
	if err == nil {
		codes.Cancel()
	}
	return err
}

// AllowPairing allows pairing again after too many wrong tries ended it.
func (d Devices) AllowPairing(channel remote.Channel) error {
	codes, err := d.codes(channel)
	if err == nil {
		codes.On()
	}
	return err
}

func (d Devices) codes(channel remote.Channel) (*access.Codes, error) {
	switch channel {
	case remote.Telegram:
		return &d.Bot.codes, nil
	case remote.Phone:
		return &d.Page.codes, nil
	default:
		return nil, noPairing(channel)
	}
}

func noPairing(channel remote.Channel) error {
	return beckon.Invalid("nothing is paired with %q", channel)
}

// All returns the phones and the chats that are paired.
func (d Devices) All(ctx context.Context) ([]remote.Device, error) {
	chats, err := d.Bot.devices(ctx)
	phones, err2 := d.Page.devices(ctx)
	return append(phones, chats...), errors.Join(err, err2)
}

// Edit sets what may be done from a device.
func (d Devices) Edit(ctx context.Context, id string, rights remote.Rights) error {
	if chat, err := strconv.ParseInt(id, 10, 64); err == nil {
		return d.Bot.allow(ctx, chat, rights)
	}
	return d.Page.Allow(ctx, id, rights)
}

// Remove unpairs a device at once.
func (d Devices) Remove(ctx context.Context, id string) error {
	if chat, err := strconv.ParseInt(id, 10, 64); err == nil {
		return d.Bot.Unpair(ctx, chat)
	}
	return d.Page.Remove(ctx, id)
}
