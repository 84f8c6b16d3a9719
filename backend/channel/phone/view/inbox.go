// Package view is what phones are shown of questions: in which order, with what before
// them, and without what looks like a secret. It asks nobody, and sends nothing.
package view

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/channel/access"
	"beckon/backend/plain"
	"beckon/backend/store/away"
)

const (
	// mostAnswered is how many of today's answers are shown.
	mostAnswered = 50
	maxTitle     = 200 // bytes
)

// Project is whose the question is.
type Project struct {
	Name  string `json:"name"`
	Color int    `json:"color"`
}

// Agent is which agent asks.
type Agent struct {
	Kind string `json:"kind"` // empty for Claude Code
	Says string `json:"says"` // what it is called: "Codex"
}

// Asked is a question with what people know it by.
type Asked struct {
	Question beckon.Question `json:"question"`
	Key      string          `json:"key"` // of the task; empty for a session elsewhere
	Title    string          `json:"title"`
	Project  Project         `json:"project"`
	Agent    Agent           `json:"agent"`
	// Folders are those that the agent works in, of which phones see nothing.
	Folders []string `json:"-"`
	// Blocks: its agent holds a slot that queued tasks wait for.
	Blocks bool `json:"-"`
}

// SeenFrom reports whether a phone is shown the question, whether it may answer it or
// not.
func (a Asked) SeenFrom(d away.Device) bool { return access.Sees(d.Rights, a.Question) }

// TakenFrom reports whether a phone may answer the question.
func (a Asked) TakenFrom(d away.Device) bool { return access.MayAnswer(d.Rights, a.Question) }

// Answered is a question that is settled.
type Answered struct {
	ID         string              `json:"id"`
	Kind       beckon.QuestionKind `json:"kind"`
	Title      string              `json:"title"` // what was asked, in one line
	Key        string              `json:"key"`
	Answer     string              `json:"answer"`  // the words of it
	Verdict    beckon.Verdict      `json:"verdict"` // empty: words only
	By         beckon.By           `json:"by"`
	ByName     string              `json:"byName"`
	At         int64               `json:"at"`
	Mine       bool                `json:"mine"` // from this phone
	Settlement beckon.Settlement   `json:"settlement"`
	Unasked    bool                `json:"unasked"` // an agent decided it without asking
}

// Inbox is what a phone shows first. Times are Unix milliseconds.
type Inbox struct {
	Host     string     `json:"host"`
	Now      int64      `json:"now"`
	Waiting  []Asked    `json:"waiting"`
	Answered []Answered `json:"answered"`
}

// View is what all phones are shown alike.
type View struct {
	Host string // what this computer is called
	Home string // the folder of its user
	// Mask hides what looks like a secret.
	Mask func(string) string
	Zone *time.Location
}

// Today is when the day of a moment began, Unix milliseconds.
func (v View) Today(now time.Time) int64 {
	now = now.In(v.Zone)
	return time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, v.Zone).UnixMilli()
}

// Inbox is what waits, and what was answered, the newest first, as a phone sees it. It
// has no time yet.
func (v View) Inbox(open, answered []Asked, d away.Device) Inbox {
	inbox := Inbox{Host: v.Host, Waiting: []Asked{}, Answered: []Answered{}}
	blocking := map[string]bool{}
	for _, a := range open {
		blocking[a.Question.ID] = a.Blocks
	}
	order := beckon.CompareUrgency(func(q beckon.Question) bool { return blocking[q.ID] })
	for _, a := range slices.SortedFunc(slices.Values(open), func(a, b Asked) int { return order(a.Question, b.Question) }) {
		if a.SeenFrom(d) {
			inbox.Waiting = append(inbox.Waiting, v.show(a, false))
		}
	}
	for _, a := range answered {
		if len(inbox.Answered) < mostAnswered && a.SeenFrom(d) {
			inbox.Answered = append(inbox.Answered, v.Settled(a, d))
		}
	}
	return inbox
}

// Settled is how a question was settled.
func (v View) Settled(a Asked, d away.Device) Answered {
	q := a.Question
	shown := Answered{ID: q.ID, Kind: q.Kind, Title: plain.Line(v.Mask(v.near(titleOf(q), a)), maxTitle), Key: a.Key, At: q.Settled, Settlement: q.Settlement, Unasked: q.Reason.Is(reason.NotAsked)}
	if q.Answer == nil {
		return shown
	}
	shown.By, shown.ByName, shown.Verdict = q.Answer.By, q.Answer.ByName, q.Answer.Verdict
	shown.At = cmp.Or(q.Answer.At, q.Settled)
	shown.Mine = q.Answer.By == beckon.ByPhone && q.Answer.ByName == d.Name
	shown.Answer = plain.Line(v.Mask(wordsOf(*q.Answer)), maxTitle)
	return shown
}

// titleOf is what was asked.
func titleOf(q beckon.Question) string {
	switch {
	case len(q.Items) > 0:
		return q.Items[0].Text
	case q.Permission != nil:
		return cmp.Or(q.Permission.Command, strings.TrimSpace(q.Permission.Tool+" "+q.Permission.Path))
	case q.Plan != "":
		first, _, _ := strings.Cut(strings.TrimLeft(q.Plan, "# \t\r\n"), "\n")
		return first
	default:
		return q.Message
	}
}

// wordsOf are the words of an answer.
func wordsOf(a beckon.Answer) string {
	words := []string{}
	for _, i := range a.Items {
		words = append(words, i.Labels...)
		words = append(words, i.Other)
	}
	words = slices.DeleteFunc(append(words, a.Text), func(w string) bool { return w == "" })
	return strings.Join(words, ", ")
}
