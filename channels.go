package main

import (
	"context"
	"io/fs"

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
