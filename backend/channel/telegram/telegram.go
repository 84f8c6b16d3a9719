// Package telegram answers agents' questions from a chat with a bot.
//
// The bot is a client of the desk and nothing more: what it shows it reads there,
// what is pressed it answers there, and who was first the desk decides. A message
// shows how its question stands; it is a row of the book before it is sent, so that
// nothing is lost while the network or Beckon is away. An update is confirmed once
// what it asks for is done, and one that comes twice is done once. Who may do
// what is asked of the pairs at each press, by the person and not by the chat.
package telegram

import (
	"context"
	"errors"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/channel"
	"beckon/backend/channel/telegram/api"
	"beckon/backend/channel/telegram/view"
	"beckon/backend/store/away"

	"github.com/go-telegram/bot/models"
)

// Desk is where questions are answered, and agents steered.
type Desk interface {
	// Asked returns a question; beckon.ErrNotFound: it is gone.
	Asked(ctx context.Context, id string) (Asked, error)
	// Open returns what waits for an answer, the oldest first.
	Open(ctx context.Context) ([]Asked, error)
	// Answer is the desk's; by names who answered.
	Answer(ctx context.Context, id string, a beckon.Answer, by string) error
	Hold(ctx context.Context, id string) error
	HoldAll(ctx context.Context) error
	// Working returns the tasks whose agents are at work.
	Working(ctx context.Context) ([]Task, error)
	Stop(ctx context.Context, taskID string) error
	// Message writes to a task's agent, and NewCard a card into a project's
	// Backlog. Once is the same where Beckon died before it noted what it did.
	Message(ctx context.Context, taskID, words, once string) error
	NewCard(ctx context.Context, project, words, once string) (key string, err error)
}

// Asked is a question with what people know it by.
type Asked struct {
	Question  beckon.Question
	Key       string // of its task; empty for a session elsewhere
	Title     string
	Agent     string // the kind of its agent; empty for Claude Code
	ProjectID string
	Project   string
	By        string // who answered
	Link      string // to a page that the person can reach; empty for none
}

// Task is one that an agent is at work on, and what it does.
type Task struct {
	ID, Key, Title, ProjectID string
	Agent                     string // the kind; empty for Claude Code
	Activity                  beckon.Activity
}

// Pairs are the chats and people that may use the bot. What is not paired is
// beckon.ErrNotFound.
type Pairs interface {
	Chat(ctx context.Context, id int64) (away.Chat, error)
	Chats(ctx context.Context) ([]away.Chat, error)
	Person(ctx context.Context, id int64) (away.Person, error)
	// Pair takes a code, once; a wrong one is beckon.ErrInvalid.
	Pair(ctx context.Context, code string, p away.Person, c away.Chat) error
	AddGroup(ctx context.Context, c away.Chat) error
	// Answered notes that a person answered.
	Answered(ctx context.Context, person int64) error
	Mute(ctx context.Context, chat, until int64) error
	AddTopic(ctx context.Context, chat int64, project string, topic int) error
	Unpair(ctx context.Context, chat int64) error
	Move(ctx context.Context, from, to int64) error
}

// Row is a message that shows how a question stands.
type Row struct {
	ID       string // eight letters of base 32
	Chat     int64
	Question string
	Message  int   // its number in the chat; 0 until that is known
	Due      int64 // when it may be sent, Unix milliseconds
	Tries    int   // that failed
	Version  int64 // counts its changes
	Notes    string
}

// Book keeps the rows, and how far updates were taken.
type Book interface {
	// Next returns the first row that is to be sent for each chat, questions in
	// the order of asking.
	Next(ctx context.Context) ([]Row, error)
	// Begin returns a row that is about to be sent as it is by then;
	// beckon.ErrConflict: it is not to be sent any more.
	Begin(ctx context.Context, id string) (Row, error)
	// Took notes what the service has. A row that changed meanwhile stays due.
	Took(ctx context.Context, sent Row, message int, over bool) error
	Later(ctx context.Context, id string, due int64) error
	End(ctx context.Context, id string) error
	// Row and At find a row, whether it is over or not.
	Row(ctx context.Context, id string) (Row, error)
	At(ctx context.Context, chat int64, message int) (Row, error)
	// Open returns the rows of a chat that are not over.
	Open(ctx context.Context, chat int64) ([]Row, error)
	// Note keeps a row's notes, and its message where that was not known, and has
	// it sent again; where it was over, only if its message was not known.
	Note(ctx context.Context, r Row) error
	Offset(ctx context.Context) (int64, error)
	SaveOffset(ctx context.Context, update int64) error
}

// Config is what the bot needs of the program.
type Config struct {
	Server string // empty: Telegram's
	Token  string
	Key    view.Key
	Desk   Desk
	Pairs  Pairs
	Book   Book
	// Mask hides what looks like a secret.
	Mask func(string) string
	// Leaves reports whether plans and diffs may leave this computer.
	Leaves func() (plans, diffs bool)
	// Progress reports whether chats hear what agents do; nil: they do not.
	Progress func() bool
	// Refused is called where somebody is refused who is not paired, may not do that, or
	// shows what is forged or wrong; nil: nobody counts that. It must not block.
	Refused func()
	// Trouble is called with why nothing goes, and with nil once it does again.
	Trouble func(error)
	Zone    *time.Location
}

// Bot is one that is not running yet.
type Bot struct {
	Config
	api     *api.Client
	box     *channel.Outbox
	works   *progress
	now     func() time.Time
	unknown *limiter

	mu   sync.Mutex
	name string // its user name, once the service said it
}

// New returns a bot. A token that cannot be one is refused.
func New(c Config) (*Bot, error) {
	if c.Server == "" {
		c.Server = api.Server
	}
	if c.Zone == nil {
		c.Zone = time.Local
	}
	client, err := api.New(c.Server, c.Token)
	if err != nil {
		return nil, err
	}
	b := &Bot{Config: c, api: client, now: time.Now, unknown: newLimiter()}
	b.box = channel.NewOutbox(channel.Outbox{Next: b.due, Deliver: b.deliver, Failed: b.goesOn, Now: func() time.Time { return b.now() }})
	b.works = newProgress(b)
	return b, nil
}

// Name is the bot's user name; empty until it was reached.
func (b *Bot) Name() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.name
}

// Wake has the bot look at what is to be sent.
func (b *Bot) Wake() { b.box.Wake() }

// Worked has the bot look at what agents do. It does not wait.
func (b *Bot) Worked() { b.works.wake() }

// Run serves until ctx ends, which is no error. It ends by itself where the token
// is refused, or another program takes the bot's updates.
func (b *Bot) Run(ctx context.Context) error {
	defer b.api.Close()
	if err := b.meet(ctx); err != nil || ctx.Err() != nil {
		return err
	}
	after, err := b.Book.Offset(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var sender sync.WaitGroup
	sender.Go(func() {
		if err := b.box.Run(ctx); err != nil {
			cancel(err)
		}
	})
	sender.Go(func() { b.works.run(ctx) })
	b.Worked()
	err = b.api.Poll(ctx, api.Poll{After: after, Handle: b.handle, Handled: b.Book.SaveOffset, Trouble: b.Trouble})
	cancel(err)
	sender.Wait()
	if cause := context.Cause(ctx); err == nil && api.KindOf(cause) != 0 {
		return cause
	}
	return err
}

// meet learns the bot's name and sets its menu, as soon as the service can be
// reached.
func (b *Bot) meet(ctx context.Context) error {
	for pause := time.Duration(0); ; {
		name, err := b.api.Me(ctx)
		if err == nil {
			b.mu.Lock()
			b.name = name
			b.mu.Unlock()
			b.setMenu(ctx)
			return nil
		}
		if ctx.Err() != nil {
			return nil
		}
		b.Trouble(err)
		if api.KindOf(err) == api.BadToken {
			return err
		}
		pause = api.NextPause(pause)
		if api.Sleep(ctx, pause) != nil {
			return nil
		}
	}
}

// setMenu names the commands in each language; the app shows none where that
// fails, and they work all the same.
func (b *Bot) setMenu(ctx context.Context) {
	for _, language := range []string{"", "de"} {
		w := view.NewWords(language)
		_ = b.api.SetMenu(ctx, language, []api.Command{
			{Name: "waiting", Description: w.CmdWaiting},
			{Name: "tasks", Description: w.CmdTasks},
			{Name: "hold", Description: w.CmdHold},
			{Name: "mute", Description: w.CmdMute},
			{Name: "new", Description: w.CmdNew},
			{Name: "forget", Description: w.CmdForget},
			{Name: "help", Description: w.CmdHelp},
		})
	}
}

// handle carries out an update. An error has it come again, so it is one of
// Beckon's own: that a reply could not be sent undoes nothing.
func (b *Bot) handle(ctx context.Context, u *models.Update) error {
	switch {
	case u.CallbackQuery != nil:
		return b.press(ctx, u.ID, u.CallbackQuery)
	case u.Message != nil:
		return b.message(ctx, u.ID, u.Message)
	case u.MyChatMember != nil:
		return b.member(ctx, u.MyChatMember)
	}
	return nil // what was said before and changed since has been acted on
}

// gone reports whether an error says that there is no such thing.
func gone(err error) bool { return errors.Is(err, beckon.ErrNotFound) }
