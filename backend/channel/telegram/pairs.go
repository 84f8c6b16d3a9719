package telegram

import (
	"context"
	"errors"

	"beckon/backend/beckon/remote"
	"beckon/backend/channel/access"
	"beckon/backend/store/away"
)

// Paired are the pairs of a database, to which codes add.
type Paired struct {
	away.Paired
	Rows  away.Told
	Codes *access.Codes
	// News has a chat that is new told of what waits.
	News func(context.Context) error
}

// Pair pairs who shows a code.
func (p Paired) Pair(ctx context.Context, code string, who away.Person, c away.Chat) error {
	err := p.Codes.Redeem(code, func() error { return p.Paired.Add(ctx, who, c) })
	if err == nil {
		err = p.News(ctx)
	}
	return err
}

// AddGroup pairs a group.
func (p Paired) AddGroup(ctx context.Context, c away.Chat) error {
	err := p.Paired.AddGroup(ctx, c)
	if err == nil {
		err = p.News(ctx)
	}
	return err
}

// Unpair removes a chat, and what it was told.
func (p Paired) Unpair(ctx context.Context, chat int64) error {
	return errors.Join(p.Paired.Unpair(ctx, chat), p.Rows.ForgetAt(ctx, remote.Telegram, targetOf(chat)))
}

// Move gives a chat, and what it was told, another number.
func (p Paired) Move(ctx context.Context, from, to int64) error {
	return errors.Join(p.Paired.Move(ctx, from, to), p.Rows.Move(ctx, remote.Telegram, targetOf(from), targetOf(to)))
}
