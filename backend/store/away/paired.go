package away

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"strconv"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
	"beckon/backend/store/table"
)

// This file keeps the chats that are paired with Beckon, and the people in
// them. Who is removed here may do nothing from that moment on, whether a bot runs
// or not. The package knows no service.

// firstRights are the rights of a person, chat or phone that was just paired.
var firstRights = remote.Rights{Questions: true}

// Chat is one that is paired. Times are Unix milliseconds.
type Chat struct {
	ID       int64
	Name     string
	Language string
	Private  bool
	Forum    bool
	Rights   remote.Rights
	// Projects and Kinds are what comes there; none for all.
	Projects []string
	Kinds    []beckon.QuestionKind
	// MutedUntil is when messages have a sound again.
	MutedUntil int64
	// Topics are those of a forum, by project.
	Topics map[string]int
	Since  int64
}

// Person is somebody who may answer in the chats.
type Person struct {
	ID     int64
	Name   string
	Rights remote.Rights
	Since  int64
	Last   int64 // when they last answered; 0 for never
}

var chats = table.Of[Chat]{
	Name: "chat",
	Columns: []string{
		"id", "name", "language", "private", "forum", "rights", "projects", "kinds",
		"muted_until", "topics", "since",
	},
	Fields: func(c *Chat) []any {
		return []any{
			&c.ID, &c.Name, &c.Language, &c.Private, &c.Forum, table.JSON(&c.Rights),
			table.JSON(&c.Projects), table.JSON(&c.Kinds),
			&c.MutedUntil, table.JSON(&c.Topics), &c.Since,
		}
	},
	Tidy: func(c *Chat) { c.Projects, c.Kinds = table.NonNil(c.Projects), table.NonNil(c.Kinds) },
}

var people = table.Of[Person]{
	Name:    "chat_person",
	Columns: []string{"id", "name", "rights", "since", "last"},
	Fields: func(p *Person) []any {
		return []any{&p.ID, &p.Name, table.JSON(&p.Rights), &p.Since, &p.Last}
	},
	Tidy: func(*Person) {},
}

// Paired is the tables in an open database.
type Paired struct {
	read   *sql.DB
	change table.Transaction
}

// NewPaired returns the book of a database, by its readers and what writes to it.
func NewPaired(read *sql.DB, change table.Transaction) Paired { return Paired{read, change} }

func chatKey(id int64) string { return strconv.FormatInt(id, 10) }

// Chat returns a chat that is paired, or beckon.ErrNotFound.
func (b Paired) Chat(ctx context.Context, id int64) (Chat, error) {
	return chats.One(ctx, b.read, chatKey(id))
}

// Person returns a person who is paired, or beckon.ErrNotFound.
func (b Paired) Person(ctx context.Context, id int64) (Person, error) {
	return people.One(ctx, b.read, chatKey(id))
}

// Chats returns all chats, the oldest first.
func (b Paired) Chats(ctx context.Context) ([]Chat, error) {
	all, err := chats.List(ctx, b.read, "ORDER BY since, id")
	return table.NonNil(all), err
}

// People returns all people, the oldest first.
func (b Paired) People(ctx context.Context) ([]Person, error) {
	all, err := people.List(ctx, b.read, "ORDER BY since, id")
	return table.NonNil(all), err
}

// Add pairs a person and their private chat. Who is paired already keeps their
// rights.
func (b Paired) Add(ctx context.Context, p Person, c Chat) error {
	return b.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := people.UpdateIn(ctx, tx, chatKey(p.ID), func(_ context.Context, _ *sql.Tx, old *Person) error {
			old.Name = p.Name
			return nil
		})
		if errors.Is(err, beckon.ErrNotFound) {
			err = people.Insert(ctx, tx, &Person{ID: p.ID, Name: p.Name, Rights: firstRights, Since: beckon.Now()})
		}
		if err != nil {
			return err
		}
		return addChat(ctx, tx, c)
	})
}

// AddGroup pairs a group that somebody paired brought the bot to.
func (b Paired) AddGroup(ctx context.Context, c Chat) error {
	return b.change(ctx, func(ctx context.Context, tx *sql.Tx) error { return addChat(ctx, tx, c) })
}

func addChat(ctx context.Context, tx *sql.Tx, c Chat) error {
	_, err := chats.UpdateIn(ctx, tx, chatKey(c.ID), func(_ context.Context, _ *sql.Tx, old *Chat) error {
		old.Name, old.Language, old.Private, old.Forum = c.Name, c.Language, c.Private, c.Forum
		return nil
	})
	if !errors.Is(err, beckon.ErrNotFound) {
		return err
	}
	c.Rights, c.Projects, c.Kinds, c.Topics, c.MutedUntil, c.Since = firstRights, []string{}, []beckon.QuestionKind{},
		map[string]int{}, 0, beckon.Now()
	return chats.Insert(ctx, tx, &c)
}

// Allow sets what may be done from a chat.
func (b Paired) Allow(ctx context.Context, chat int64, r remote.Rights) error {
	return b.edit(ctx, chat, func(c *Chat) { c.Rights = r })
}

// AllowPerson sets what a person may do.
func (b Paired) AllowPerson(ctx context.Context, person int64, r remote.Rights) error {
	_, err := people.Update(ctx, b.change, chatKey(person), func(_ context.Context, _ *sql.Tx, p *Person) error {
		p.Rights = r
		return nil
	})
	return err
}

// Show sets what comes to a chat; an empty list is everything.
func (b Paired) Show(ctx context.Context, chat int64, projects []string, kinds []beckon.QuestionKind) error {
	return b.edit(ctx, chat, func(c *Chat) { c.Projects, c.Kinds = projects, kinds })
}

// Mute has a chat's messages come without a sound until then.
func (b Paired) Mute(ctx context.Context, chat, until int64) error {
	return b.edit(ctx, chat, func(c *Chat) { c.MutedUntil = until })
}

// AddTopic keeps which topic of a forum is a project's; 0: none any more.
func (b Paired) AddTopic(ctx context.Context, chat int64, project string, topic int) error {
	return b.edit(ctx, chat, func(c *Chat) {
		topics := map[string]int{}
		maps.Copy(topics, c.Topics)
		if topics[project] = topic; topic == 0 {
			delete(topics, project)
		}
		c.Topics = topics
	})
}

// Answered notes that a person answered.
func (b Paired) Answered(ctx context.Context, person int64) error {
	_, err := people.Update(ctx, b.change, chatKey(person), func(_ context.Context, _ *sql.Tx, p *Person) error {
		p.Last = beckon.Now()
		return nil
	})
	return err
}

func (b Paired) edit(ctx context.Context, chat int64, change func(*Chat)) error {
	_, err := chats.Update(ctx, b.change, chatKey(chat), func(_ context.Context, _ *sql.Tx, c *Chat) error {
		change(c)
		return nil
	})
	return err
}

// Unpair removes a chat, and with a private one its person. One that is not there
// is removed.
func (b Paired) Unpair(ctx context.Context, chat int64) error {
	return b.exec(ctx, "DELETE FROM chat WHERE id = ?1", "DELETE FROM chat_person WHERE id = ?1", chat)
}

// UnpairPerson removes a person, and their private chat.
func (b Paired) UnpairPerson(ctx context.Context, person int64) error { return b.Unpair(ctx, person) }

// Move gives a chat another number. Its topics are of the old one.
func (b Paired) Move(ctx context.Context, from, to int64) error {
	return b.exec(ctx, "UPDATE OR IGNORE chat SET id = ?2, topics = '{}' WHERE id = ?1",
		"DELETE FROM chat WHERE id = ?1 AND ?2 <> ?1", from, to)
}

// exec runs two statements in one transaction.
func (b Paired) exec(ctx context.Context, one, two string, args ...any) error {
	return b.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, one, args...)
		if err == nil {
			_, err = tx.ExecContext(ctx, two, args...)
		}
		return err
	})
}

// Offset is the newest update of a bot that was carried out; 0 for none.
func (b Paired) Offset(ctx context.Context, bot int64) (update int64, err error) {
	err = b.read.QueryRowContext(ctx,
		"SELECT coalesce(max(update_id), 0) FROM chat_offset WHERE bot = ?", bot).Scan(&update)
	return update, err
}

// SaveOffset keeps it.
func (b Paired) SaveOffset(ctx context.Context, bot, update int64) error {
	return b.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO chat_offset (bot, update_id) VALUES (?, ?)
			ON CONFLICT (bot) DO UPDATE SET update_id = excluded.update_id`, bot, update)
		return err
	})
}

// Key returns the key that signs buttons: fresh, at the first call ever.
func (b Paired) Key(ctx context.Context, fresh []byte) (key []byte, err error) {
	err = b.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO chat_key (id, key) VALUES (1, ?)", fresh); err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, "SELECT key FROM chat_key").Scan(&key)
	})
	return key, err
}
