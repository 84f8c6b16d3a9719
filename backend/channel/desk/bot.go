package desk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/remote"
	"beckon/backend/channel"
	"beckon/backend/channel/access"
	"beckon/backend/channel/telegram"
	"beckon/backend/channel/telegram/view"
	"beckon/backend/mask"
	"beckon/backend/store"
	"beckon/backend/store/away"
)

// telegramServer is the environment variable that names a Bot API server of one's
// own.
const telegramServer = "BECKON_TELEGRAM_SERVER"

// telegramToken is the secret that the bot's token is kept as.
const telegramToken = "telegram.token"

// Bot is the bot, and what pairs people with it.
type Bot struct {
	*telegram.Service
	codes access.Codes
	store *store.Store
	hub   *channel.Hub
}

// Join adds the bot to the channels, and starts it where the user switched it on.
func (b *Bot) Join(ctx context.Context, d Away) error {
	hub := d.Hub
	b.store, b.hub = d.Store, hub
	b.Service = telegram.NewService(telegram.Parts{
		Server: os.Getenv(telegramServer), Rows: d.Store.Told, Pairs: d.Store.Paired, Codes: &b.codes, Desk: Telegram{d},
		Token: func() (string, error) { return tokenOf(hub) },
		Key:   func() ([]byte, error) { return d.Store.Paired.Key(ctx, view.NewKey()) }, Mask: mask.Text,
		Leaves: func() (plans, diffs bool) {
			return hub.May(remote.Telegram, remote.Plan), hub.May(remote.Telegram, remote.Diff)
		},
		Elsewhere: func() bool { return hub.May(remote.Telegram, remote.Elsewhere) },
		Progress:  func() bool { return hub.May(remote.Telegram, remote.Progress) },
		Zone:      time.Local, Changed: hub.Changed,
	})
	return hub.Join(ctx, remote.Telegram, b)
}

// tokenOf returns the token of the bot.
func tokenOf(hub *channel.Hub) (string, error) {
	token, err := telegram.Token(os.Getenv, func() (string, error) { return hub.Secrets.Get(telegramToken) })
	if token == "" && (err == nil || hub.To(remote.Telegram) == "") {
		return "", problem.New(problem.NoBot, beckon.Invalid("there is no bot of Telegram yet; enter its token, then switch it on"))
	}
	return token, err
}

// SetToken keeps the token of a bot that the service knows, and returns the bot's
// user name. An empty token forgets it, and switches the bot off.
func (b *Bot) SetToken(ctx context.Context, token string) (name string, err error) {
	if token == "" {
		b.Stop()
	} else if name, err = telegram.Check(ctx, os.Getenv(telegramServer), token); err != nil {
		kind := problem.BotAway
		if errors.Is(err, beckon.ErrInvalid) {
			kind = problem.BotToken
		}
		return "", problem.New(kind, err)
	}
	if err := b.hub.Secrets.Set(telegramToken, token); err != nil {
		return "", err
	}
	if err := b.hub.Name(ctx, remote.Telegram, name); err != nil {
		return "", err
	}
	if b.State().On {
		err = b.Start(ctx)
	}
	return name, err
}

// pair makes a code that pairs the private chat which sends it to the bot. One that has
// just begun may not have said its name yet: it is called as it was known.
func (b *Bot) pair(known string) (remote.Pairing, error) {
	name := cmp.Or(b.State().Name, known)
	if name == "" {
		return remote.Pairing{}, problem.New(problem.BotStarts, fmt.Errorf("Telegram has not said yet what the bot is called: %w", beckon.ErrUnavailable))
	}
	return pairingOf(&b.codes, "https://t.me/"+name+"?start=")
}

// devices returns the chats that are paired.
func (b *Bot) devices(ctx context.Context) ([]remote.Device, error) {
	chats, err := b.Pairs.Chats(ctx)
	people, err2 := b.Pairs.People(ctx)
	all := make([]remote.Device, 0, len(chats))
	for _, c := range chats {
		d := remote.Device{
			ID: strconv.FormatInt(c.ID, 10), Channel: remote.Telegram, Name: c.Name, Private: c.Private, Rights: c.Rights, Since: c.Since, Confirmed: true,
			Projects: c.Projects, Kinds: kindsOf(c.Kinds),
		}
		if at := slices.IndexFunc(people, func(p away.Person) bool { return p.ID == c.ID }); at >= 0 {
			d.Name, d.Rights, d.Last = people[at].Name, c.Rights.And(people[at].Rights), people[at].Last
		}
		all = append(all, d)
	}
	return all, errors.Join(err, err2)
}

// allow sets what may be done from a chat, and by the person whose private one it is.
func (b *Bot) allow(ctx context.Context, chat int64, rights remote.Rights) error {
	if err := b.Pairs.Allow(ctx, chat, rights); err != nil {
		return err
	}
	if err := b.Pairs.AllowPerson(ctx, chat, rights); !errors.Is(err, beckon.ErrNotFound) {
		return err
	}
	return nil // a group
}

func kindsOf(kinds []beckon.QuestionKind) []string {
	names := make([]string, 0, len(kinds))
	for _, k := range kinds {
		names = append(names, string(k))
	}
	return names
}

// Show sets which projects' questions come to a chat, and of which kinds; an
// empty list is everything.
func (b *Bot) Show(ctx context.Context, id string, projects []string, kinds []beckon.QuestionKind) error {
	chat, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return beckon.ErrNotFound
	}
	for _, k := range kinds {
		if !slices.Contains(beckon.QuestionKinds, k) {
			return beckon.Invalid("there is no kind of question %q", k)
		}
	}
	for _, project := range projects {
		if _, err := b.store.Project(ctx, project); err != nil {
			return err
		}
	}
	return b.Pairs.Show(ctx, chat, beckon.NonNil(projects), beckon.NonNil(kinds))
}
