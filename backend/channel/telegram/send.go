package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/channel"
	"beckon/backend/channel/access"
	"beckon/backend/channel/telegram/api"
	"beckon/backend/channel/telegram/view"
	"beckon/backend/store/away"
)

// notes are what the bot keeps with a row.
type notes struct {
	view.Progress
	// Update is the last one that changed the row.
	Update int64 `json:"update"`
}

func notesOf(r Row) notes {
	var n notes
	_ = json.Unmarshal([]byte(r.Notes), &n) // what is unreadable begins again
	return n
}

func (n notes) String() string {
	kept, _ := json.Marshal(n) // it cannot fail
	return string(kept)
}

// due are the rows that are to be sent.
func (b *Bot) due(ctx context.Context) ([]channel.Item, error) {
	rows, err := b.Book.Next(ctx)
	items := make([]channel.Item, 0, len(rows))
	for _, r := range rows {
		items = append(items, channel.Item{ID: r.ID, Due: r.Due})
	}
	return items, err
}

// goesOn reports whether the bot goes on after an error, and tells of it.
func (b *Bot) goesOn(err error) bool {
	if api.KindOf(err) == api.BadToken {
		return false
	}
	b.Trouble(err)
	return true
}

// deliver has a message show how its question stands.
func (b *Bot) deliver(ctx context.Context, id string) error {
	row, err := b.Book.Begin(ctx, id)
	if errors.Is(err, beckon.ErrConflict) || gone(err) {
		return nil
	}
	if err != nil {
		return err
	}
	chat, err := b.Pairs.Chat(ctx, row.Chat)
	if gone(err) {
		return b.Book.End(ctx, row.ID)
	}
	if err != nil {
		return err
	}
	asked, err := b.Desk.Asked(ctx, row.Question)
	if gone(err) {
		return b.Book.End(ctx, row.ID)
	}
	if err != nil {
		return err
	}
	return b.show(ctx, chat, row, asked)
}

// show sends or edits the message of a row.
func (b *Bot) show(ctx context.Context, chat away.Chat, row Row, asked Asked) error {
	waits := asked.Question.Settlement == beckon.Open || asked.Question.Settlement == beckon.Orphaned
	if row.Message == 0 && (!waits || !takes(chat, asked)) {
		return b.Book.End(ctx, row.ID) // it was never told, and need not be any more
	}
	ctx, done := finishing(ctx)
	defer done()
	seen := b.view(chat, row, asked)
	rendered := view.Render(seen)
	m := api.Message{Text: rendered.Text, Below: rendered.Keyboard, Silent: b.now().UnixMilli() < chat.MutedUntil}
	message, err := row.Message, error(nil)
	if message == 0 {
		m.Topic = b.topic(ctx, chat, asked)
		message, err = b.sendAnyway(ctx, chat, m)
	} else {
		err = b.api.Edit(ctx, chat.ID, message, m)
	}
	if err != nil {
		return b.failed(ctx, row, err)
	}
	b.Trouble(nil)
	over := !waits && !view.CanLate(asked.Question)
	return b.Book.Took(ctx, row, message, over)
}

// finishTime is how long a message that is on its way may take once the bot is to
// end: whether the service took it could not be known otherwise.
const finishTime = 5 * time.Second

// finishing is ctx, ending that much later.
func finishing(ctx context.Context) (context.Context, context.CancelFunc) {
	later, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(finishTime, cancel) })
	return later, func() {
		stop()
		cancel()
	}
}

// sendAnyway sends a message; one that the service refuses it sends as plain text.
func (b *Bot) sendAnyway(ctx context.Context, chat away.Chat, m api.Message) (int, error) {
	id, err := b.api.Send(ctx, chat.ID, m)
	if api.KindOf(err) != api.Refused {
		return id, err
	}
	m.Entities, m.Topic = nil, 0
	return b.api.Send(ctx, chat.ID, m)
}

// failed decides when a message is tried again, if at all.
func (b *Bot) failed(ctx context.Context, row Row, err error) error {
	if ctx.Err() != nil {
		return nil // it is sent again: nobody knows whether the service took it
	}
	refused := new(api.Error)
	switch errors.As(err, &refused); refused.Kind {
	case api.BadToken:
		return err
	case api.Closed:
		return errors.Join(b.Pairs.Unpair(ctx, row.Chat), b.Book.End(ctx, row.ID))
	case api.Moved:
		return b.Pairs.Move(ctx, row.Chat, refused.MovedTo)
	case api.Refused:
		b.Trouble(err)
		return b.Book.End(ctx, row.ID)
	case api.Limited:
		return b.Book.Later(ctx, row.ID, b.now().Add(api.Again(err)).UnixMilli())
	default:
		b.Trouble(err)
		pause := time.Duration(0)
		for range min(row.Tries+1, 10) {
			pause = api.NextPause(pause)
		}
		return b.Book.Later(ctx, row.ID, b.now().Add(pause).UnixMilli())
	}
}

// takes reports whether a question is for a chat.
func takes(c away.Chat, a Asked) bool {
	if !access.Sees(c.Rights, a.Question) {
		return false
	}
	return ofProject(c, a.ProjectID) && (len(c.Kinds) == 0 || slices.Contains(c.Kinds, a.Question.Kind))
}

// ofProject reports whether what is of a project is for a chat.
func ofProject(c away.Chat, id string) bool {
	return len(c.Projects) == 0 || slices.Contains(c.Projects, id)
}

// view is a question as a chat sees it: without what looks like a secret.
func (b *Bot) view(chat away.Chat, row Row, asked Asked) view.View {
	plans, diffs := b.Leaves()
	v := view.View{
		Question: asked.Question, Progress: notesOf(row).Progress,
		Task: strings.TrimSpace(asked.Key + " " + asked.Title), Project: asked.Project, Agent: asked.Agent, By: asked.By, Link: asked.Link,
		Plans: plans, Diffs: diffs, Zone: b.Zone, Words: view.NewWords(chat.Language), ID: row.ID, Chat: chat.ID, Key: b.Key,
	}
	return v.Masked(b.Mask)
}

// topic is where a project's questions are in a forum; a chat that has none, or
// where the bot may make none, gets all in one line.
func (b *Bot) topic(ctx context.Context, chat away.Chat, asked Asked) int {
	if !chat.Forum || asked.Project == "" {
		return 0
	}
	if known := chat.Topics[asked.ProjectID]; known != 0 {
		return known
	}
	made, err := b.api.AddTopic(ctx, chat.ID, b.Mask(asked.Project))
	if err != nil || b.Pairs.AddTopic(ctx, chat.ID, asked.ProjectID, made) != nil {
		return 0
	}
	return made
}

// say writes words of Beckon's to a chat. That it fails changes nothing.
func (b *Bot) say(ctx context.Context, chat away.Chat, topic, replyTo int, words string) {
	t := api.NewText(api.Max)
	t.Say(words)
	_, _ = b.api.Send(ctx, chat.ID, api.Message{Text: t.Text(), Topic: topic, ReplyTo: replyTo, Silent: true})
}
