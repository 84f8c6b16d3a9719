package telegram

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/channel/telegram/api"
	"beckon/backend/channel/telegram/view"
	"beckon/backend/store/away"

	"github.com/go-telegram/bot/models"
)

// message acts on what somebody wrote.
func (b *Bot) message(ctx context.Context, update int64, m *models.Message) error {
	if m.MigrateToChatID != 0 {
		return b.Pairs.Move(ctx, m.Chat.ID, m.MigrateToChatID)
	}
	if m.From == nil || m.From.IsBot || m.Text == "" && !bearsMedia(m) {
		return nil
	}
	name, args := b.commandOf(m.Text)
	if name == "start" && args != "" {
		return b.start(ctx, m, args)
	}
	chat, by, err := b.known(ctx, m.Chat.ID, *m.From)
	if gone(err) {
		return b.stranger(ctx, m, name, chat.ID != 0)
	}
	if err != nil {
		return err
	}
	topic := 0
	if m.IsTopicMessage {
		topic = m.MessageThreadID
	}
	words := view.NewWords(chat.Language)
	if m.Text == "" {
		b.say(ctx, chat, topic, m.ID, words.OnlyText)
		return nil
	}
	if strings.HasPrefix(m.Text, "/") {
		if name == "" {
			return nil // another bot's
		}
		return b.command(ctx, command{name, args, chat, by, topic, m.ID, update, words})
	}
	return b.reply(ctx, act{update: update, chat: chat, by: by, message: m.ID, topic: topic, words: words}, m)
}

// bearsMedia reports whether somebody sent what is no text. A message with
// neither is the service's own, such as that somebody joined.
func bearsMedia(m *models.Message) bool {
	return m.Voice != nil || m.Audio != nil || m.Video != nil || m.VideoNote != nil || m.Document != nil || m.Sticker != nil || len(m.Photo) > 0
}

// personOf is who wrote or pressed.
func personOf(u models.User) away.Person {
	name := api.Line(strings.TrimSpace(u.FirstName + " " + u.LastName))
	if u.Username != "" {
		name = "@" + api.Line(u.Username)
	}
	return away.Person{ID: u.ID, Name: api.Cut(cmp.Or(name, "?"), 40)}
}

// chatOf is a chat as the service names it.
func chatOf(c models.Chat, language string) away.Chat {
	return away.Chat{
		ID: c.ID, Name: api.Cut(api.Line(cmp.Or(c.Title, c.Username, c.FirstName)), 60), Language: language,
		Private: c.Type == models.ChatTypePrivate, Forum: c.IsForum,
	}
}

// start takes the code that pairs a private chat with its person.
func (b *Bot) start(ctx context.Context, m *models.Message, code string) error {
	words, chat := view.NewWords(m.From.LanguageCode), chatOf(m.Chat, m.From.LanguageCode)
	if !chat.Private {
		b.sayToStranger(ctx, chat, words.CodeInPrivate)
		return nil
	}
	err := b.Pairs.Pair(ctx, code, personOf(*m.From), chat)
	switch {
	case errors.Is(err, beckon.ErrInvalid), gone(err):
		b.sayToStranger(ctx, chat, words.WrongCode)
		return nil
	case err != nil:
		return err
	}
	b.say(ctx, chat, 0, 0, words.Welcome)
	b.Wake()
	return nil
}

// stranger answers one who is not paired with a sentence and nothing else. In a
// group that is paired, only those who speak to the bot get one.
func (b *Bot) stranger(ctx context.Context, m *models.Message, command string, inPaired bool) error {
	words, chat := view.NewWords(m.From.LanguageCode), chatOf(m.Chat, m.From.LanguageCode)
	switch {
	case !inPaired:
		b.sayToStranger(ctx, chat, words.Unknown)
	case command != "":
		b.sayToStranger(ctx, chat, words.NotPaired)
	}
	return nil
}

// refused counts one more that is refused, and returns what is said to it.
func (b *Bot) refused(words string) string {
	if b.Refused != nil {
		b.Refused()
	}
	return words
}

// sayToStranger refuses somebody, and says so as often as strangers are answered.
func (b *Bot) sayToStranger(ctx context.Context, chat away.Chat, words string) {
	words = b.refused(words)
	if b.unknown.allows(chat.ID, b.now()) {
		b.say(ctx, chat, 0, 0, words)
	}
}

// reply acts on words that are no command: what they reply to says what for.
func (b *Bot) reply(ctx context.Context, a act, m *models.Message) error {
	to := 0
	if m.ReplyToMessage != nil && m.ReplyToMessage.ID != a.topic {
		to = m.ReplyToMessage.ID
	}
	row, found, err := b.meant(ctx, a.chat.ID, to)
	if err != nil {
		return err
	}
	if !found {
		if a.chat.Private || to != 0 {
			b.say(ctx, a.chat, a.topic, a.message, a.words.WhichOne)
		}
		return nil
	}
	a.row = row
	said, err := b.read(ctx, &a)
	if said == "" && err == nil {
		said, err = b.typed(ctx, a, m.Text)
	}
	if said != "" && err == nil {
		b.say(ctx, a.chat, a.topic, a.message, said)
	}
	return err
}

// meant finds the row that a reply is for: of the message replied to, or of the
// one that asked for words. Words that reply to nothing are for the one that
// waits for words, where that is one.
func (b *Bot) meant(ctx context.Context, chat int64, to int) (Row, bool, error) {
	if to != 0 {
		row, err := b.Book.At(ctx, chat, to)
		if !gone(err) {
			return row, err == nil, err
		}
	}
	open, err := b.Book.Open(ctx, chat)
	var found []Row
	for _, r := range open {
		n := notesOf(r)
		if to != 0 && n.Asked == to || to == 0 && n.Wants != "" {
			found = append(found, r)
		}
	}
	if err != nil || len(found) != 1 {
		return Row{}, false, err
	}
	return found[0], true, nil
}

// typed takes words for a question, or for the agent of one that is settled.
func (b *Bot) typed(ctx context.Context, a act, words string) (said string, err error) {
	if a.before.Update >= a.update {
		return "", nil // they were taken, and came again
	}
	if !view.Takes(a.asked.Question, a.before.Progress) {
		return b.steer(ctx, a, words)
	}
	if no := a.mayNot(); no != "" {
		return b.refused(no), nil
	}
	after, effect := view.Type(a.asked.Question, a.before.Progress, words)
	said, err = b.carryOut(ctx, a, after, effect)
	if said == a.words.Sent || said == a.words.LateTaken {
		said = "" // the question's message says so
	}
	return said, err
}

// steer writes to the agent of a task.
func (b *Bot) steer(ctx context.Context, a act, words string) (said string, err error) {
	q := a.asked.Question
	if q.TaskID == "" {
		return fmt.Sprintf(a.words.Already, view.Outcome(b.view(a.chat, a.row, a.asked))), nil
	}
	if !a.chat.Rights.And(a.by.Rights).Steer {
		return b.refused(a.words.MayNotSteer), nil
	}
	err = b.Desk.Message(ctx, q.TaskID, api.Visible(words), once(a.update))
	if refuses(err) {
		return b.notTaken(a.words, err), nil
	}
	return fmt.Sprintf(a.words.MessageSent, a.asked.Key), err
}

// member acts on what became of the bot in a chat.
func (b *Bot) member(ctx context.Context, m *models.ChatMemberUpdated) error {
	switch m.NewChatMember.Type {
	case models.ChatMemberTypeLeft, models.ChatMemberTypeBanned:
		return b.Pairs.Unpair(ctx, m.Chat.ID)
	case models.ChatMemberTypeMember, models.ChatMemberTypeAdministrator:
		chat := chatOf(m.Chat, m.From.LanguageCode)
		_, err := b.Pairs.Person(ctx, m.From.ID)
		if gone(err) || chat.Private {
			return nil
		}
		if err == nil {
			err = b.Pairs.AddGroup(ctx, chat)
		}
		if err == nil {
			b.say(ctx, chat, 0, 0, view.NewWords(chat.Language).GroupAdded)
		}
		return err
	default:
		return nil
	}
}
