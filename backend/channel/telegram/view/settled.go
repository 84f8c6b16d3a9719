package view

import (
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/channel/telegram/api"
)

// settled is a question that takes no answer any more, in one line, or one that
// takes a late one, with a button for that.
func settled(v View) Message {
	b := api.NewText(api.Max)
	if key, _, _ := strings.Cut(v.Task, " "); key != "" {
		b.Bold(api.Line(key), maxHead)
		b.Say(" · ")
	}
	b.Plain(Outcome(v), 3*maxOneLine)
	m := Message{Text: b.Text(), Keyboard: Keyboard{[][]Button{}}}
	if CanLate(v.Question) {
		m.Keyboard.Rows = append(m.Keyboard.Rows, []Button{v.button(v.Words.Late, Late, 0)})
	}
	return m
}

// Outcome says in one line how a question was settled.
func Outcome(v View) string {
	q, w := v.Question, v.Words
	switch q.Settlement {
	case beckon.Withdrawn:
		return w.Withdrawn
	case beckon.Orphaned:
		if q.Policy == beckon.Park && q.WaitMs > 0 {
			return w.Parked
		}
		return w.Orphaned
	case beckon.Expired:
		if q.Answer == nil {
			return v.expired()
		}
	case beckon.Open, beckon.Answered:
	}
	if q.Answer == nil {
		return w.Gone
	}
	line := say(w.Answered, v.answer(*q.Answer)) + say(w.AnsweredBy, v.by())
	if q.Answer.At > 0 {
		line += ", " + v.clock(q.Answer.At)
	}
	if len(q.Earlier) > 0 {
		line += ". " + say(w.AnsweredFirst, v.answer(q.Earlier[len(q.Earlier)-1]))
	}
	if q.Settlement == beckon.Expired {
		line += ". " + w.LateTaken
	}
	return line
}

// expired says what was decided when nobody answered.
func (v View) expired() string {
	switch v.Question.Kind {
	case beckon.Permission:
		return v.Words.ExpiredPermission
	case beckon.Plan:
		return v.Words.ExpiredPlan
	case beckon.Elicitation:
		return v.Words.ExpiredForm
	default:
		return v.Words.ExpiredAsk
	}
}

func (v View) by() string {
	switch {
	case v.Question.Answer.By == beckon.ByRule:
		return v.Words.ByRule
	case v.Question.Answer.By == beckon.ByTerminal:
		return v.Words.ByTerminal
	case v.By != "":
		return api.Line(v.By)
	default:
		return v.Words.ByBeckon
	}
}

// answer is what was answered, in one line.
func (v View) answer(a beckon.Answer) string {
	w := v.Words
	if len(a.Items) > 0 {
		parts := make([]string, 0, len(a.Items))
		for _, item := range a.Items {
			parts = append(parts, v.said(item))
		}
		return api.Cut(strings.Join(parts, "; "), maxOneLine)
	}
	isPlan := v.Question.Kind == beckon.Plan
	said := map[beckon.Verdict]string{beckon.AllowOnce: w.Allowed, beckon.AllowAlways: w.AllowedAlways, beckon.Deny: w.Denied, beckon.Skip: w.Skipped}[a.Verdict]
	switch {
	case isPlan && a.Verdict == beckon.AllowOnce:
		said = w.Approved
	case isPlan && a.Verdict == beckon.Deny:
		said = w.ChangeAsked
	}
	if a.Text != "" {
		said += ": " + api.Line(a.Text)
	}
	return api.Cut(said, maxOneLine)
}
