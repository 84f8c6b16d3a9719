package main

import (
	"context"
	"io/fs"

	"beckon/backend/beckon/remote"
	"beckon/backend/channel"
	"beckon/backend/channel/desk"
	"beckon/backend/channel/phone/push"
	"beckon/backend/channel/phone/push/vapid"
	"beckon/backend/channel/secrets"
	"beckon/backend/channel/webhook"
	"beckon/backend/feed"
	"beckon/backend/store"
)

// openChannels starts what tells of questions away from the desk, as far as the user
// switched it on.
func openChannels(ctx context.Context, s *store.Store, dir string, f *feed.Feed) (*channel.Hub, desk.Pushes, error) {
	files, err := fs.Sub(messages, "frontend/messages")
	if err != nil {
		panic(err) // the folder is compiled in
	}
	kept := secrets.In(dir)
	sender := push.New(push.Config{Devices: s.Devices, Keys: vapid.In(kept, s.Table)})
	hub, err := channel.Open(ctx, channel.Config{
		Store: s, Secrets: kept, Publish: f.Publish, Messages: files, Hook: webhook.New(), Push: sender,
	})
	return hub, desk.Pushes{Sender: sender, Hub: hub}, err
}

// Channels returns what leaves this computer, and how that goes.
func (a *App) Channels() (all remote.Channels, err error) {
	defer recovered(&err)
	return a.channels.Channels(a.ctx)
}

// SwitchChannel switches a channel on or off.
func (a *App) SwitchChannel(channel remote.Channel, on bool) (err error) {
	defer recovered(&err)
	return a.channels.Switch(a.ctx, channel, on)
}

// SwitchChannelsOff switches off all that leaves this computer.
func (a *App) SwitchChannelsOff() (err error) {
	defer recovered(&err)
	return a.channels.SwitchOff(a.ctx)
}

// ChoosePart has an optional part leave by a channel, or not.
func (a *App) ChoosePart(channel remote.Channel, part remote.Part, on bool) (err error) {
	defer recovered(&err)
	return a.channels.Choose(a.ctx, channel, part, on)
}

// SetHook keeps where the hook sends to, and returns the key of its signatures, once.
func (a *App) SetHook(address remote.Address) (key string, err error) {
	defer recovered(&err)
	return a.channels.SetHook(a.ctx, address)
}

// TryHook sends the hook a message that says that it is a test.
func (a *App) TryHook() (err error) {
	defer recovered(&err)
	return a.channels.TryHook(a.ctx)
}
