package channel

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"beckon/backend/beckon/remote"
	"beckon/tests/timeout"
)

// lockedBot is a bot whose token cannot be read at first.
type lockedBot struct {
	page
	locked  atomic.Bool
	started atomic.Int32 // starts that were tried
	on      atomic.Bool
}

func (b *lockedBot) Start(context.Context) error {
	b.started.Add(1)
	if b.locked.Load() {
		return errors.New("the key ring is locked")
	}
	b.on.Store(true)
	return nil
}

func (b *lockedBot) Stop() { b.on.Store(false) }

// TestABotStartsOnceTheKeyRingIsOpen: a session that starts Beckon at log-in may open
// the key ring later.
func TestABotStartsOnceTheKeyRingIsOpen(t *testing.T) {
	noRing(t)
	ctx := t.Context()
	d := newDesk(t)
	bot := &lockedBot{}
	bot.locked.Store(true)
	if err := d.Store.Settings.SaveChannels(ctx, map[remote.Channel]remote.Setup{remote.Telegram: {On: true, To: "beckon_bot"}}); err != nil {
		t.Fatal(err)
	}
	d.stop()
	d.open()
	if err := d.Join(ctx, remote.Telegram, bot); err == nil {
		t.Fatal("it started without its token")
	}
	waitFor(t, "it tried again", func() bool { return bot.started.Load() > 2 })
	bot.locked.Store(false)
	waitFor(t, "it started", bot.on.Load)

	bot.locked.Store(true)
	d.stop()
	d.open()
	if err := d.Join(ctx, remote.Telegram, bot); err == nil {
		t.Fatal("it started without its token")
	}
	if err := d.Switch(ctx, remote.Telegram, false); err != nil {
		t.Fatal(err)
	}
	bot.locked.Store(false)
	tried := bot.started.Load()
	d.startLate(remote.Telegram, bot)
	if bot.on.Load() || bot.started.Load() != tried {
		t.Error("a bot that was switched off started by itself")
	}
}

func waitFor(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(timeout.For(30 * time.Second)); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}
