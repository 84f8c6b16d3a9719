package telegram

import (
	"context"
	"strconv"
	"strings"

	"beckon/backend/beckon/remote"
	"beckon/backend/store/away"
)

// questionPrefix is before a question's id in the subject of a row.
const questionPrefix = "question/"

// Told is the book of a database.
type Told struct {
	Rows  away.Told
	Pairs away.Paired
	// Bot is the number of the bot whose updates are counted.
	Bot int64
}

// botOf is the number of a token's bot.
func botOf(token string) int64 {
	number, _, _ := strings.Cut(token, ":")
	id, _ := strconv.ParseInt(number, 10, 64) // a token that has none is refused later
	return id
}

// rowOf is a row of the database as the bot knows it.
func rowOf(r away.Row) Row {
	chat, _ := strconv.ParseInt(r.Target, 10, 64) // Want wrote it
	message, _ := strconv.Atoi(r.Message)         // empty: not known
	return Row{
		ID: r.ID, Chat: chat, Question: strings.TrimPrefix(r.Subject, questionPrefix), Message: message,
		Due: r.Due, Tries: r.Tries, Version: r.Version, Notes: r.Notes,
	}
}

func rowsOf(all []away.Row, err error) ([]Row, error) {
	found := make([]Row, 0, len(all))
	for _, r := range all {
		found = append(found, rowOf(r))
	}
	return found, err
}

func targetOf(chat int64) string { return strconv.FormatInt(chat, 10) }

// messageOf is a message's number as it is kept; empty where it is not known.
func messageOf(message int) string {
	if message == 0 {
		return ""
	}
	return strconv.Itoa(message)
}

// Want has every chat told of a question that is news to it.
func (t Told) Want(ctx context.Context, question string) error {
	chats, err := t.Pairs.Chats(ctx)
	for _, c := range chats {
		if err == nil {
			err = t.Rows.Want(ctx, remote.Telegram, targetOf(c.ID), questionPrefix+question)
		}
	}
	return err
}

// Next implements telegram.Book, as the methods below do.
func (t Told) Next(ctx context.Context) ([]Row, error) {
	return rowsOf(t.Rows.Next(ctx, remote.Telegram))
}

// Begin marks a row as on its way.
func (t Told) Begin(ctx context.Context, id string) (Row, error) {
	r, err := t.Rows.Begin(ctx, id)
	return rowOf(r), err
}

// Took notes what the service has.
func (t Told) Took(ctx context.Context, sent Row, message int, over bool) error {
	return t.Rows.Took(ctx, away.Row{ID: sent.ID, Version: sent.Version}, messageOf(message), over)
}

// Later has a row tried again at a time.
func (t Told) Later(ctx context.Context, id string, due int64) error {
	return t.Rows.Later(ctx, id, due)
}

// End gives a row up.
func (t Told) End(ctx context.Context, id string) error { return t.Rows.End(ctx, id) }

// Row finds a row by its id.
func (t Told) Row(ctx context.Context, id string) (Row, error) {
	r, err := t.Rows.Row(ctx, id)
	return rowOf(r), err
}

// At finds a row by its message.
func (t Told) At(ctx context.Context, chat int64, message int) (Row, error) {
	r, err := t.Rows.At(ctx, remote.Telegram, targetOf(chat), messageOf(message))
	return rowOf(r), err
}

// Open returns the rows of a chat that are not over.
func (t Told) Open(ctx context.Context, chat int64) ([]Row, error) {
	return rowsOf(t.Rows.OpenAt(ctx, remote.Telegram, targetOf(chat)))
}

// Note keeps a row's notes, and has it sent again.
func (t Told) Note(ctx context.Context, r Row) error {
	return t.Rows.Note(ctx, r.ID, messageOf(r.Message), r.Notes)
}

// Offset is the newest update that was carried out.
func (t Told) Offset(ctx context.Context) (int64, error) { return t.Pairs.Offset(ctx, t.Bot) }

// SaveOffset keeps it.
func (t Told) SaveOffset(ctx context.Context, update int64) error {
	return t.Pairs.SaveOffset(ctx, t.Bot, update)
}
