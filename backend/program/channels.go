package program

import (
	"context"

	"beckon/backend/channel"
	"beckon/backend/channel/desk"
	"beckon/backend/channel/phone/push"
	"beckon/backend/channel/webhook"
	"beckon/backend/feed"
	"beckon/backend/secrets"
	"beckon/backend/store"
)

// openChannels starts what tells of questions away from the desk, as far as the user
// switched it on.
func openChannels(ctx context.Context, s *store.Store, kept *secrets.Secrets, o Options, f *feed.Feed) (*channel.Hub, desk.Pushes, error) {
	sender := push.New(push.Config{Devices: s.Devices, Keys: push.NewKeyBook(kept, s.Settings)})
	hub, err := channel.Open(ctx, channel.Config{
		Store: s, Secrets: kept, Publish: f.Publish, Messages: o.Build.Messages, Hook: webhook.New(), Push: sender,
	})
	return hub, desk.Pushes{Sender: sender, Hub: hub}, err
}
