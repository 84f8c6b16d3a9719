package telegram

import (
	"context"
	"slices"
	"time"

	"beckon/backend/channel/telegram/api"
	"beckon/backend/channel/telegram/view"
	"beckon/backend/store/away"
)

const (
	// progressEvery is how often it is said in a chat what agents do, at the most.
	progressEvery = 5 * time.Second
	// progressAfter is when that is tried again which did not go.
	progressAfter = time.Minute
)

// progress keeps one message in each chat that says what agents do, for as long as
// they do something. It is in no row: what it says is old within seconds.
type progress struct {
	*Bot
	news  chan struct{} // holds one
	every time.Duration
	chats map[int64]saying
}

// saying is the message of a chat.
type saying struct {
	message int
	text    string
}

func newProgress(b *Bot) *progress {
	return &progress{Bot: b, news: make(chan struct{}, 1), every: progressEvery, chats: map[int64]saying{}}
}

// wake has it say what agents do now. It does not wait.
func (p *progress) wake() {
	select {
	case p.news <- struct{}{}:
	default:
	}
}

// run says what agents do until ctx ends; of several changes the last one.
func (p *progress) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.news:
		}
		rest := p.every
		if err := p.say(ctx); err != nil {
			p.wake()
			rest = progressAfter
			if api.KindOf(err) == api.Limited {
				rest = max(api.Again(err), p.every)
			}
		}
		if api.Sleep(ctx, rest) != nil {
			return
		}
	}
}

// say brings the message of each chat up to date.
func (p *progress) say(ctx context.Context) error {
	if p.Progress == nil || !p.Progress() {
		clear(p.chats)
		return nil
	}
	tasks, err := p.Desk.Working(ctx)
	if err != nil {
		return err
	}
	chats, err := p.Pairs.Chats(ctx)
	for _, c := range chats {
		if err == nil {
			err = p.sayIn(ctx, c, tasks)
		}
	}
	return err
}

func (p *progress) sayIn(ctx context.Context, c away.Chat, tasks []Task) error {
	tasks = slices.DeleteFunc(slices.Clone(tasks), func(t Task) bool { return !ofProject(c, t.ProjectID) })
	before := p.chats[c.ID]
	if len(tasks) == 0 && before.message == 0 {
		return nil
	}
	now := p.textOf(view.NewWords(c.Language), tasks)
	if now.Plain == before.text {
		return nil
	}
	m := api.Message{Text: now, Silent: true}
	message, err := before.message, error(nil)
	if message == 0 {
		message, err = p.api.Send(ctx, c.ID, m)
	} else {
		err = p.api.Edit(ctx, c.ID, message, m)
	}
	if api.KindOf(err) == api.Refused || err == nil && len(tasks) == 0 {
		delete(p.chats, c.ID) // it is gone, or over: the next is a new one
		return nil
	}
	if err == nil {
		p.chats[c.ID] = saying{message, now.Plain}
	}
	return err
}

// textOf says what agents do.
func (p *progress) textOf(w view.Words, tasks []Task) api.Text {
	m := api.NewText(api.Max)
	if len(tasks) == 0 {
		m.Say(w.NoTasks)
		return m.Text()
	}
	m.Say(w.TasksHead)
	for _, t := range tasks[:min(len(tasks), maxListed)] {
		line := "\n• " + api.Cut(api.Line(t.Key+" "+p.Mask(t.Title)), 80)
		if does := w.Does(t.Agent, t.Activity.Verb, api.Cut(api.Line(p.Mask(t.Activity.Target)), 60)); does != "" {
			line += ": " + does
		}
		m.Plain(line, 200)
	}
	return m.Text()
}
