package main

import (
	"context"
	"fmt"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/remote"
	"beckon/backend/channel"
	"beckon/backend/channel/pairing"
	"beckon/backend/store"
	"beckon/backend/store/device"
)

// phonePage is the page that phones are served, and what pairs them.
type phonePage struct {
	codes pairing.Codes
	store *store.Store
	hub   *channel.Hub
}

// Phone returns how phones reach Beckon.
func (a *App) Phone() (s remote.PhoneSetup, err error) {
	defer recovered(&err)
	return a.phone.setup(a.ctx)
}

// SetPhone keeps the address that the user's tunnel or proxy gives Beckon. An empty
// one forgets it, and switches phones off.
func (a *App) SetPhone(origin string) (s remote.PhoneSetup, err error) {
	defer recovered(&err)
	if err := a.channels.Name(a.ctx, remote.Phone, origin); err != nil {
		return s, err
	}
	return a.phone.setup(a.ctx)
}

func (p *phonePage) setup(ctx context.Context) (remote.PhoneSetup, error) {
	port, err := p.store.PhonePort(ctx)
	return remote.PhoneSetup{Origin: p.hub.To(remote.Phone), Port: port}, err
}

// pair makes a code that pairs the phone which opens the link.
func (p *phonePage) pair() (remote.Pairing, error) {
	origin := p.hub.To(remote.Phone)
	if origin == "" {
		return remote.Pairing{}, problem.Of(problem.PhoneOrigin, fmt.Errorf("phones have no address yet: %w", beckon.ErrUnavailable))
	}
	return pairingOf(&p.codes, origin+"/#pair=")
}

func remoteDevice(d device.Device) remote.Device {
	return remote.Device{
		ID: d.ID, Channel: remote.Phone, Name: d.Name, Private: true, Rights: d.Rights, Since: d.Since, Last: d.Last,
		Projects: []string{}, Kinds: []string{},
		Confirmed: d.Confirmed, Push: d.Push != "", Seen: d.Seen,
	}
}

func (p *phonePage) devices(ctx context.Context) ([]remote.Device, error) {
	found, err := p.store.Devices.All(ctx)
	all := make([]remote.Device, 0, len(found))
	for _, d := range found {
		all = append(all, remoteDevice(d))
	}
	return all, err
}

func (p *phonePage) confirm(ctx context.Context, id string) error {
	return p.store.Devices.Confirm(ctx, id)
}

func (p *phonePage) allow(ctx context.Context, id string, rights remote.Rights) error {
	return p.store.Devices.Allow(ctx, id, rights)
}

func (p *phonePage) remove(ctx context.Context, id string) error {
	return p.store.Devices.Remove(ctx, id)
}
