package telegram

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/channel/telegram/api"
	"beckon/backend/channel/telegram/view"
	"beckon/backend/store/away"
)

// maxListed is how many questions or tasks a list has.
const maxListed = 20

// maxMute is the longest that a chat is silent.
const maxMute = 7 * 24 * time.Hour

// command is a message that begins with a slash.
type command struct {
	name, args     string
	chat           away.Chat
	by             away.Person
	topic, message int
	update         int64
	words          view.Words
}

// commandOf reads a command to this bot; "" for anything else.
func (b *Bot) commandOf(words string) (name, args string) {
	first, args, _ := strings.Cut(strings.TrimSpace(words), " ")
	name, slash := strings.CutPrefix(first, "/")
	if !slash {
		return "", ""
	}
	name, to, addressed := strings.Cut(name, "@")
	if addressed && !strings.EqualFold(to, b.Name()) {
		return "", ""
	}
	return strings.ToLower(name), strings.TrimSpace(args)
}

// command carries out a command of somebody who is paired.
func (b *Bot) command(ctx context.Context, c command) error {
	said, err := "", error(nil)
	switch c.name {
	case "waiting":
		said, err = b.waiting(ctx, c)
	case "tasks":
		return b.listTasks(ctx, c.chat, 0, c.topic)
	case "hold":
		if !c.chat.Rights.And(c.by.Rights).Questions {
			said = b.refused(c.words.MayNotAnswer)
			break
		}
		said, err = c.words.HeldAll, b.Desk.HoldAll(ctx)
	case "mute":
		said, err = b.mute(ctx, c)
	case "new":
		said, err = b.newCard(ctx, c)
	case "forget":
		b.say(ctx, c.chat, c.topic, c.message, c.words.Forgotten)
		return b.Pairs.Unpair(ctx, c.chat.ID)
	default:
		said = c.words.Help
	}
	if err != nil {
		return err
	}
	b.say(ctx, c.chat, c.topic, c.message, said)
	return nil
}

// waiting lists what waits for an answer in a chat.
func (b *Bot) waiting(ctx context.Context, c command) (string, error) {
	open, err := b.Desk.Open(ctx)
	lines := []string{c.words.WaitingHead}
	for _, a := range open {
		if takes(c.chat, a) && len(lines) <= maxListed {
			lines = append(lines, "• "+api.Inert(api.Cut(api.Line(strings.TrimSpace(a.Key+" "+b.Mask(a.Title))), 150)))
		}
	}
	if len(lines) == 1 {
		return c.words.NothingWaits, err
	}
	return strings.Join(lines, "\n"), err
}

// listTasks lists the agents at work, with a button to stop each; in place of a
// message where one is given.
func (b *Bot) listTasks(ctx context.Context, chat away.Chat, message, topic int) error {
	tasks, err := b.Desk.Working(ctx)
	if err != nil {
		return err
	}
	w, m := view.NewWords(chat.Language), api.NewText(api.Max)
	keys := view.Keyboard{Rows: [][]view.Button{}}
	if len(tasks) == 0 {
		m.Say(w.NoTasks)
	} else {
		m.Say(w.TasksHead)
	}
	for _, t := range tasks[:min(len(tasks), maxListed)] {
		m.Plain("\n• "+api.Line(t.Key+" "+b.Mask(t.Title)), 150)
		if chat.Rights.Steer {
			keys.Rows = append(keys.Rows, view.StopRow(b.Key, chat.ID, t.ID, t.Key, w))
		}
	}
	list := api.Message{Text: m.Text(), Below: keys, Topic: topic, Silent: true}
	if message != 0 {
		_ = b.api.Edit(ctx, chat.ID, message, list)
		return nil
	}
	_, _ = b.api.Send(ctx, chat.ID, list)
	return nil
}

// mute has a chat's messages come without a sound.
func (b *Bot) mute(ctx context.Context, c command) (string, error) {
	if strings.EqualFold(c.args, "off") {
		return c.words.Unmuted, b.Pairs.Mute(ctx, c.chat.ID, 0)
	}
	span, err := time.ParseDuration(c.args)
	if err != nil || span <= 0 || span > maxMute {
		return c.words.MuteHow, nil
	}
	until := b.now().Add(span)
	return fmt.Sprintf(c.words.MutedFor, until.In(b.Zone).Format("15:04")), b.Pairs.Mute(ctx, c.chat.ID, until.UnixMilli())
}

// newCard makes a card in a Backlog, which runs nothing.
func (b *Bot) newCard(ctx context.Context, c command) (string, error) {
	if !c.chat.Rights.And(c.by.Rights).Questions {
		return b.refused(c.words.MayNotAnswer), nil
	}
	project, words, _ := strings.Cut(c.args, " ")
	words = strings.TrimSpace(api.Visible(words))
	if words == "" || len(words) > beckon.MaxAnswerText {
		return c.words.NewHow, nil
	}
	key, err := b.Desk.NewCard(ctx, project, words, once(c.update))
	switch {
	case gone(err):
		return fmt.Sprintf(c.words.NoProject, api.Cut(api.Line(project), 40)), nil
	case refuses(err):
		return b.notTaken(c.words, err), nil
	}
	return fmt.Sprintf(c.words.NewMade, key), err
}

// once names what an update brings about.
func once(update int64) string { return "telegram/" + strconv.FormatInt(update, 10) }
