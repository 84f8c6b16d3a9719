package api

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/go-telegram/bot"
)

// Kind says what can be done about an error.
type Kind int

// The kinds.
const (
	Unreachable Kind = iota + 1 // no network, or the service fails: later
	Limited                     // too often: after RetryAfter
	Conflict                    // another program polls for the bot
	Hooked                      // the bot has a webhook, which gets its updates
	BadToken                    // the service does not know the bot
	Closed                      // the bot may not write to the chat
	Moved                       // the chat is MovedTo
	Refused                     // never as it is
)

var kindNames = map[Kind]string{
	Unreachable: "Telegram cannot be reached", Limited: "Telegram wants to be asked less often",
	Conflict: "another program uses this bot", Hooked: "this bot has a webhook", BadToken: "Telegram does not know this bot's token",
	Closed: "the bot may not write to this chat", Moved: "the chat has another number", Refused: "Telegram refuses this",
}

// Error is why a call failed.
type Error struct {
	Kind       Kind
	Method     string
	Detail     string
	RetryAfter time.Duration
	MovedTo    int64
}

// Error says it in words; the token is not in them.
func (e *Error) Error() string {
	said := kindNames[e.Kind]
	if e.Method != "" {
		said = e.Method + ": " + said
	}
	if e.Detail != "" {
		said += " (" + e.Detail + ")"
	}
	return said
}

// KindOf is the kind of an error of this package; 0 for any other.
func KindOf(err error) Kind {
	e := new(Error)
	if errors.As(err, &e) {
		return e.Kind
	}
	return 0
}

// classify makes an *Error of what the library returned. That a message is not
// modified is no error.
func (c *Client) classify(method string, err error) error {
	if err == nil || errors.Is(err, bot.ErrorBadRequest) && strings.Contains(err.Error(), "message is not modified") {
		return nil
	}
	e := &Error{Method: method, Kind: Unreachable, Detail: c.scrub(rootOf(err).Error())}
	limited, moved, own := new(bot.TooManyRequestsError), new(bot.MigrateError), new(Error)
	switch {
	case errors.As(err, &own):
		*e = *own
		e.Method = method
	case errors.As(err, &limited):
		e.Kind, e.RetryAfter, e.Detail = Limited, time.Duration(limited.RetryAfter)*time.Second, fmt.Sprintf("again in %d s", limited.RetryAfter)
	case errors.As(err, &moved):
		e.Kind, e.MovedTo = Moved, int64(moved.MigrateToChatID)
	case errors.Is(err, bot.ErrorConflict):
		e.Kind = Conflict
	case errors.Is(err, bot.ErrorUnauthorized), errors.Is(err, bot.ErrorNotFound):
		e.Kind = BadToken
	case errors.Is(err, bot.ErrorForbidden):
		e.Kind = Closed
	case errors.Is(err, bot.ErrorBadRequest):
		e.Kind = Refused
	}
	return e
}

// rootOf is what failed, without the address that it failed at.
func rootOf(err error) error {
	at := new(url.Error)
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// scrub takes the token out of a text, and its secret part where that stands
// alone.
func (c *Client) scrub(s string) string {
	_, secret, _ := strings.Cut(c.token, ":")
	return strings.ReplaceAll(strings.ReplaceAll(s, c.token, "***"), secret, "***")
}
