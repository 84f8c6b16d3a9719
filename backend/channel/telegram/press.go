package telegram

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/channel/access"
	"beckon/backend/channel/telegram/api"
	"beckon/backend/channel/telegram/view"
	"beckon/backend/store/away"

	"github.com/go-telegram/bot/models"
)

// act is what somebody does to a question.
type act struct {
	update  int64
	chat    away.Chat
	by      away.Person
	message int // that was pressed, or written
	topic   int
	words   view.Words
	row     Row
	asked   Asked
	before  notes
}

// press carries out a pressed button, and tells the presser what came of it.
func (b *Bot) press(ctx context.Context, update int64, q *models.CallbackQuery) error {
	toast, err := b.pressed(ctx, update, q)
	if err != nil {
		return err
	}
	// One that is too old to be answered has done what it does all the same.
	_ = b.api.Toast(ctx, q.ID, toast, false)
	return nil
}

func (b *Bot) pressed(ctx context.Context, update int64, q *models.CallbackQuery) (toast string, err error) {
	chatID, message := whereOf(q.Message)
	words := view.NewWords(q.From.LanguageCode)
	chat, by, err := b.known(ctx, chatID, q.From)
	if gone(err) {
		return b.refused(words.NotYours), nil
	}
	if err != nil {
		return "", err
	}
	words = view.NewWords(chat.Language)
	c, err := b.Key.Parse(chatID, q.Data)
	if err != nil {
		return b.refused(words.Forged), nil
	}
	a := act{update: update, chat: chat, by: by, message: message, words: words}
	if c.Verb.OfTask() {
		return b.pressStop(ctx, a, c.Verb, c.ID)
	}
	if toast, err := b.find(ctx, &a, c.ID); toast != "" || err != nil {
		return toast, err
	}
	if a.before.Update >= update {
		return "", nil // it was carried out, and came again
	}
	if no := a.mayNot(); no != "" {
		return b.refused(no), nil
	}
	if !view.TakesPress(a.asked.Question, a.before.Progress, c) {
		return b.over(ctx, a)
	}
	after, effect := view.Press(a.asked.Question, a.before.Progress, c)
	return b.carryOut(ctx, a, after, effect)
}

// known returns a chat and a person of it, both of which must be paired.
func (b *Bot) known(ctx context.Context, chatID int64, from models.User) (away.Chat, away.Person, error) {
	chat, err := b.Pairs.Chat(ctx, chatID)
	if err != nil {
		return chat, away.Person{}, err
	}
	by, err := b.Pairs.Person(ctx, from.ID)
	return chat, by, err
}

// whereOf is the chat and the number of a message, which may be too old to be
// shown.
func whereOf(m models.MaybeInaccessibleMessage) (chat int64, message int) {
	switch {
	case m.Message != nil:
		return m.Message.Chat.ID, m.Message.ID
	case m.InaccessibleMessage != nil:
		return m.InaccessibleMessage.Chat.ID, m.InaccessibleMessage.MessageID
	}
	return 0, 0
}

// find reads the row of a pressed button and its question. A twin of the message,
// sent because nobody knew that the first had arrived, counts too, and loses its
// buttons.
func (b *Bot) find(ctx context.Context, a *act, id string) (toast string, err error) {
	a.row, err = b.Book.Row(ctx, id)
	if gone(err) || err == nil && a.row.Chat != a.chat.ID {
		_ = b.api.Unbutton(ctx, a.chat.ID, a.message)
		return a.words.Gone, nil
	}
	if err != nil {
		return "", err
	}
	if a.row.Message != 0 && a.row.Message != a.message {
		_ = b.api.Unbutton(ctx, a.chat.ID, a.message)
	} else {
		a.row.Message = a.message
	}
	return b.read(ctx, a)
}

// read reads the question of a row.
func (b *Bot) read(ctx context.Context, a *act) (toast string, err error) {
	a.before = notesOf(a.row)
	a.asked, err = b.Desk.Asked(ctx, a.row.Question)
	if gone(err) {
		_ = b.api.Unbutton(ctx, a.chat.ID, a.row.Message)
		return a.words.Gone, b.Book.End(ctx, a.row.ID)
	}
	return "", err
}

// mayNot says why the chat or the person may not answer; empty where they may.
func (a act) mayNot() string {
	held := a.chat.Rights.And(a.by.Rights)
	switch q := a.asked.Question; {
	case access.MayAnswer(held, q):
		return ""
	case !access.Sees(held, q):
		return a.words.MayNotAnswer
	case q.Kind == beckon.Permission:
		return a.words.MayNotAllow
	case q.Kind == beckon.Plan:
		return a.words.MayNotApprove
	default:
		return a.words.MayNotAnswer
	}
}

// over tells how a question was settled, and has its message show that, at once
// without buttons where nothing can be answered any more.
func (b *Bot) over(ctx context.Context, a act) (toast string, err error) {
	now, err := b.Desk.Asked(ctx, a.row.Question)
	if err != nil {
		return "", err
	}
	if !view.CanLate(now.Question) {
		_ = b.api.Unbutton(ctx, a.chat.ID, a.row.Message)
	}
	said := fmt.Sprintf(a.words.Already, view.Outcome(b.view(a.chat, a.row, now)))
	return said, b.note(ctx, a, a.before.Progress)
}

// carryOut does what a press or a reply brings about, and notes it. What is done
// at the desk is done first: an update that comes again finds it done.
func (b *Bot) carryOut(ctx context.Context, a act, after view.Progress, e view.Effect) (said string, err error) {
	said = e.Notice.Toast(a.words)
	switch e.Do {
	case view.GiveAnswer:
		said, err = b.answer(ctx, a, e.Answer)
	case view.HoldClock:
		said, err = a.words.HeldNow, b.Desk.Hold(ctx, a.asked.Question.ID)
		if errors.Is(err, beckon.ErrConflict) {
			return b.over(ctx, a)
		}
	case view.AskWords:
		prompt, sent := b.prompt(ctx, a, after)
		if sent != nil {
			return a.words.Failed, nil
		}
		b.remove(ctx, a.chat, after.Asked)
		after.Asked = prompt
	case view.SendDiff:
		b.sendDiff(ctx, a)
	case view.Nothing:
	}
	if err != nil {
		return "", err
	}
	if after.Wants == "" {
		b.remove(ctx, a.chat, after.Asked)
		after.Asked = 0
	}
	return said, b.note(ctx, a, after)
}

// answer gives the desk an answer; the one who comes second hears who was first.
func (b *Bot) answer(ctx context.Context, a act, given beckon.Answer) (said string, err error) {
	err = b.Desk.Answer(ctx, a.asked.Question.ID, given, a.by.Name)
	switch {
	case errors.Is(err, beckon.ErrConflict):
		return b.over(ctx, a)
	case refuses(err):
		return b.notTaken(a.words, err), nil
	}
	if err == nil {
		err = b.Pairs.Answered(ctx, a.by.ID)
	}
	if gone(err) {
		err = nil // they were unpaired in the same moment
	}
	if a.asked.Question.Settlement != beckon.Open {
		return a.words.LateTaken, err
	}
	return a.words.Sent, err
}

// refuses reports whether an error is for the one who asked for something, and
// not one of Beckon's own.
func refuses(err error) bool {
	return errors.Is(err, beckon.ErrInvalid) || errors.Is(err, beckon.ErrConflict) || errors.Is(err, beckon.ErrUnavailable) || gone(err)
}

// notTaken says why something was refused.
func (b *Bot) notTaken(w view.Words, err error) string {
	return fmt.Sprintf(w.NotTaken, api.Inert(api.Line(b.Mask(err.Error()))))
}

// sendDiff sends the diff of a permission as a file, where code may leave.
func (b *Bot) sendDiff(ctx context.Context, a act) {
	if _, may := b.Leaves(); !may {
		return
	}
	name, topic := cmp.Or(a.asked.Key, "edit")+".diff", a.chat.Topics[a.asked.ProjectID]
	_, _ = b.api.SendFile(ctx, a.chat.ID, topic, name, []byte(b.Mask(a.asked.Question.Permission.Diff)))
}

// prompt asks for words by a message that is to be replied to.
func (b *Bot) prompt(ctx context.Context, a act, after view.Progress) (int, error) {
	a.row.Notes = notes{Progress: after}.String()
	prompt := view.ReplyPrompt(b.view(a.chat, a.row, a.asked))
	return b.api.Send(ctx, a.chat.ID, api.Message{
		Text: prompt, Below: api.ForceReply(a.words.WriteAnswer), Topic: a.chat.Topics[a.asked.ProjectID], ReplyTo: a.row.Message, Silent: true,
	})
}

// remove deletes a passing message of the bot's; one that is too old stays.
func (b *Bot) remove(ctx context.Context, chat away.Chat, message int) {
	if message != 0 {
		_ = b.api.Delete(ctx, chat.ID, message)
	}
}

// note keeps how far a question is answered, and has its message show it.
func (b *Bot) note(ctx context.Context, a act, p view.Progress) error {
	a.row.Notes = notes{p, a.update}.String()
	if err := b.Book.Note(ctx, a.row); err != nil {
		return err
	}
	b.Wake()
	return nil
}

// pressStop stops a task's agent, at the second press. A task that is not at work
// any more is not in the list that takes the message's place.
func (b *Bot) pressStop(ctx context.Context, a act, verb view.Verb, id string) (toast string, err error) {
	if !a.chat.Rights.And(a.by.Rights).Steer {
		return b.refused(a.words.MayNotSteer), nil
	}
	tasks, err := b.Desk.Working(ctx)
	if err != nil {
		return "", err
	}
	at := slices.IndexFunc(tasks, func(t Task) bool { return view.TaskID(t.ID) == id })
	if at < 0 || verb == view.StopNot {
		return "", b.listTasks(ctx, a.chat, a.message, 0)
	}
	t, m := tasks[at], api.NewText(api.Max)
	if verb == view.Stop {
		m.Plain(fmt.Sprintf(a.words.ReallyStop, t.Key+" "+b.Mask(t.Title)), api.Max)
		b.amend(ctx, a, api.Message{Text: m.Text(), Below: view.ReallyStop(b.Key, a.chat.ID, t.ID, a.words)})
		return "", nil
	}
	err = b.Desk.Stop(ctx, t.ID)
	if refuses(err) {
		return b.notTaken(a.words, err), nil
	}
	if err != nil {
		return "", err
	}
	m.Plain(fmt.Sprintf(a.words.Stopped, t.Key), api.Max)
	b.amend(ctx, a, api.Message{Text: m.Text()})
	return "", nil
}

// amend changes the pressed message. That it fails changes nothing.
func (b *Bot) amend(ctx context.Context, a act, m api.Message) {
	_ = b.api.Edit(ctx, a.chat.ID, a.message, m)
}
