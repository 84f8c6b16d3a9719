package api

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/url"
	"strconv"
	"time"

	"github.com/go-telegram/bot/models"
)

// How the poll waits.
const (
	pollTime    = 50 * time.Second // the longest that the service offers
	pollGrace   = 20 * time.Second // for the network, beyond that
	firstPause  = time.Second
	longestWait = time.Minute
	// conflictPause is between two tries where another program polls: an older
	// poll of this one may still be ending.
	conflictPause = 5 * time.Second
	maxConflicts  = 3
)

// kinds are the updates that the bot is for.
const kinds = `["message","edited_message","callback_query","my_chat_member"]`

// Poll is how updates are taken.
type Poll struct {
	// After is the number of the last update that was handled.
	After int64
	// Handle carries an update out. Where it fails the update comes again, until
	// it does not: so it may come twice.
	Handle func(context.Context, *models.Update) error
	// Handled keeps the number of an update that was handled.
	Handled func(context.Context, int64) error
	// Trouble is called with why no updates come, and with nil once they do.
	Trouble func(error)
}

// Poll takes updates one after the other until ctx ends, which is no error, or
// until it is useless to go on: the token is refused, or another program polls.
func (c *Client) Poll(ctx context.Context, p Poll) error {
	tries := new(tries)
	for ctx.Err() == nil {
		began := time.Now()
		updates, err := c.updates(ctx, p.After+1)
		if err == nil {
			tries.conflicts = 0
			err = p.handleUpdates(ctx, updates)
		}
		if ctx.Err() != nil {
			break
		}
		p.Trouble(err)
		wait, useless := tries.after(err)
		if useless {
			return err
		}
		if err == nil && len(updates) == 0 && time.Since(began) < firstPause {
			wait = firstPause // a long poll that is none
		}
		if wait > 0 && c.sleep(ctx, wait) != nil {
			break
		}
	}
	return nil
}

// tries counts what failed in a row.
type tries struct {
	pause     time.Duration
	conflicts int
}

// after returns how long to wait after a try, and whether there is no use in
// another.
func (t *tries) after(err error) (wait time.Duration, useless bool) {
	if err == nil {
		t.pause = 0
		return 0, false
	}
	switch KindOf(err) {
	case BadToken:
		return 0, true
	case Conflict:
		t.conflicts++
		return conflictPause, t.conflicts == maxConflicts
	case Limited:
		return Again(err), false
	default:
		t.pause = NextPause(t.pause)
		return t.pause, false
	}
}

// NextPause is how long to wait after a failure that came after such a pause:
// 1, 2, 4 seconds and so on, up to a minute.
func NextPause(last time.Duration) time.Duration {
	return min(longestWait, max(firstPause, 2*last))
}

// Again is when a call may be tried again that came too often: when the service
// says, and a little later, so that not all chats come at once.
func Again(err error) time.Duration {
	e := &Error{RetryAfter: firstPause}
	_ = errors.As(err, &e)
	return e.RetryAfter + rand.N(time.Second)
}

// handleUpdates handles updates in order, and stops at one that cannot be handled yet.
func (p *Poll) handleUpdates(ctx context.Context, updates []json.RawMessage) error {
	for _, raw := range updates {
		var named struct {
			ID int64 `json:"update_id"`
		}
		if err := json.Unmarshal(raw, &named); err != nil || named.ID <= p.After {
			continue
		}
		var u models.Update
		// What cannot be read never can: it is passed over, for nothing behind it
		// would ever come.
		if json.Unmarshal(raw, &u) == nil {
			if err := p.Handle(ctx, &u); err != nil {
				return err
			}
		}
		if err := p.Handled(ctx, named.ID); err != nil {
			return err
		}
		p.After = named.ID
	}
	return nil
}

// updates is the long poll.
func (c *Client) updates(ctx context.Context, offset int64) ([]json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(ctx, pollTime+pollGrace)
	defer cancel()
	form := url.Values{
		"offset": {strconv.FormatInt(offset, 10)}, "timeout": {strconv.Itoa(int(pollTime / time.Second))}, "allowed_updates": {kinds},
	}
	var found []json.RawMessage
	err := c.call(ctx, "getUpdates", form.Encode(), &found)
	if KindOf(err) == Conflict && c.hooked(ctx) {
		err = &Error{Method: "getUpdates", Kind: Hooked}
	}
	return found, err
}

// hooked reports whether the bot has a webhook: the service has one answer for that and for
// another poll.
func (c *Client) hooked(ctx context.Context) bool {
	var info models.WebhookInfo
	return c.call(ctx, "getWebhookInfo", "", &info) == nil && info.URL != ""
}

// Sleep waits, unless ctx ends before.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
