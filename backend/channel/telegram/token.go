package telegram

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/channel/telegram/api"
)

// tokenVariable is the environment variable that has the bot's token, before
// anything that is kept.
const tokenVariable = "BECKON_TELEGRAM_TOKEN"

// Token returns the bot's token from the environment, or as it is kept; empty where
// there is none.
func Token(getenv func(string) string, kept func() (string, error)) (string, error) {
	if token := strings.TrimSpace(getenv(tokenVariable)); token != "" {
		return token, nil
	}
	token, err := kept()
	return strings.TrimSpace(token), err
}

// Check returns the user name of a token's bot. A token that the service does not
// know is beckon.ErrInvalid, and a service that is out of reach
// beckon.ErrUnavailable.
func Check(ctx context.Context, server, token string) (name string, err error) {
	client, err := api.New(cmp.Or(server, api.Server), token)
	if err == nil {
		defer client.Close()
		name, err = client.Me(ctx)
	}
	switch {
	case err == nil:
		return name, nil
	case api.KindOf(err) == api.BadToken:
		return "", fmt.Errorf("%w: %w", err, beckon.ErrInvalid)
	default:
		return "", fmt.Errorf("%w: %w", err, beckon.ErrUnavailable)
	}
}
