package view

import (
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/channel/telegram/api"
)

// Progress is how far a question was answered in one message. It is kept with
// that, and the zero value is the beginning.
type Progress struct {
	Item    int                 `json:"item"`
	Answers []beckon.ItemAnswer `json:"answers"`
	// Pending is the verb that waits for a second press; empty for none.
	Pending Verb `json:"pending,omitempty"`
	// Wants says which words are asked for, and of which item, by the message
	// Asked; empty for none.
	Wants     Verb `json:"wants,omitempty"`
	WantsItem int  `json:"wantsItem,omitempty"`
	Asked     int  `json:"asked,omitempty"`
	// Late is set once somebody chose to answer what is settled.
	Late bool `json:"late,omitempty"`
}

// Do is what is to be done after a press or a reply.
type Do int

// What can be done. Whatever it is, the message shows the new progress.
const (
	Nothing Do = iota
	AskWords
	GiveAnswer
	HoldClock
	SendDiff
)

// Effect is what a press or reply brings about. Notice is what is said to the
// one who did it.
type Effect struct {
	Do     Do
	Answer beckon.Answer
	Notice Notice
}

// maxToast is how many units the service shows.
const maxToast = 200

// Notice is a toast, as a word of Words.
type Notice func(Words) string

// The notices of presses and replies.
func stale(w Words) string         { return w.Stale }
func nothingChosen(w Words) string { return w.NothingChosen }
func useButtons(w Words) string    { return w.UseButtons }
func tooLong(w Words) string       { return w.TooLong }
func ticked(w Words) string        { return w.Ticked }

// Press is what a button does to a question that is answered so far. It is
// not asked whether the presser may.
func Press(q beckon.Question, p Progress, c Callback) (Progress, Effect) {
	p.Answers = padded(p.Answers, len(q.Items))
	switch {
	case c.Verb == Late && CanLate(q):
		p.Late = true
		return p, Effect{}
	case !TakesPress(q, p, c):
		return p, Effect{Notice: stale}
	case c.Verb == Hold:
		if q.Deadline == 0 {
			return p, Effect{Notice: stale}
		}
		return p, Effect{Do: HoldClock}
	}
	p.Late = p.Late || unanswered(q)
	switch q.Kind {
	case beckon.Ask:
		return pressAsk(q, p, c)
	case beckon.Permission:
		return pressPermission(q, p, c)
	case beckon.Plan:
		return pressPlan(p, c)
	case beckon.Elicitation:
		return pressForm(q, p, c)
	}
	return p, Effect{Notice: stale}
}

// Takes reports whether q can be answered through this message.
func Takes(q beckon.Question, p Progress) bool {
	return q.Settlement == beckon.Open || p.Late && CanLate(q)
}

// TakesPress reports whether a button of the message still counts. An option that was
// pressed while q was open, and reaches Beckon once nobody waits any more, is a late
// answer.
func TakesPress(q beckon.Question, p Progress, c Callback) bool {
	return Takes(q, p) || c.Verb == Late || c.Verb != Hold && unanswered(q)
}

// unanswered reports whether q is settled, nobody and nothing answered it, and the
// desk still takes an answer.
func unanswered(q beckon.Question) bool { return CanLate(q) && q.RuleID == "" }

// CanLate reports whether the desk takes an answer for q though it is settled.
func CanLate(q beckon.Question) bool {
	if q.Kind != beckon.Ask && q.Kind != beckon.Plan || q.TaskID == "" {
		return false
	}
	switch q.Settlement {
	case beckon.Orphaned:
		return true
	case beckon.Expired:
		return q.Answer == nil
	case beckon.Answered:
		return q.RuleID != ""
	default:
		return false
	}
}

// padded is a copy of answers with one for each item.
func padded(answers []beckon.ItemAnswer, items int) []beckon.ItemAnswer {
	all := make([]beckon.ItemAnswer, items)
	copy(all, answers)
	for i := range all {
		all[i].Labels = append([]string{}, all[i].Labels...)
	}
	return all
}

func pressAsk(q beckon.Question, p Progress, c Callback) (Progress, Effect) {
	if c.Item != p.Item || p.Item >= len(q.Items) {
		return p, Effect{Notice: stale}
	}
	item, given := q.Items[p.Item], &p.Answers[p.Item]
	switch {
	case c.Verb == Choose && c.Option < len(item.Options):
		return choose(q, p, item.Options[c.Option].Label)
	case c.Verb == Done && item.Multiple:
		if len(given.Labels) == 0 && given.Other == "" {
			return p, Effect{Notice: nothingChosen}
		}
		return advance(q, p)
	case c.Verb == Other:
		p.Wants, p.WantsItem = Other, p.Item
		return p, Effect{Do: AskWords}
	case c.Verb == Back && p.Item > 0:
		p.Item--
		return unasked(p), Effect{}
	}
	return p, Effect{Notice: stale}
}

// choose picks an option of the item that is shown, or ticks it.
func choose(q beckon.Question, p Progress, label string) (Progress, Effect) {
	given := &p.Answers[p.Item]
	if !q.Items[p.Item].Multiple {
		*given = beckon.ItemAnswer{Labels: []string{label}}
		return advance(q, p)
	}
	if at := slices.Index(given.Labels, label); at >= 0 {
		given.Labels = slices.Delete(given.Labels, at, at+1)
	} else {
		given.Labels = append(given.Labels, label)
	}
	return p, Effect{}
}

// advance goes on to the next item, or answers after the last.
func advance(q beckon.Question, p Progress) (Progress, Effect) {
	p = unasked(p)
	if p.Item+1 < len(q.Items) {
		p.Item++
		return p, Effect{}
	}
	return p, Effect{Do: GiveAnswer, Answer: beckon.Answer{Items: padded(p.Answers, len(q.Items))}}
}

// unasked is p with no words asked for. Asked stays, so that the message that
// asked can be removed.
func unasked(p Progress) Progress {
	p.Wants, p.WantsItem = "", 0
	return p
}

func pressPermission(q beckon.Question, p Progress, c Callback) (Progress, Effect) {
	verdict := map[Verb]beckon.Verdict{Allow: beckon.AllowOnce, AllowAlways: beckon.AllowAlways}
	pending := p.Pending
	p.Pending = ""
	switch {
	case c.Verb == File && q.Permission.Diff != "":
		p.Pending = pending
		return p, Effect{Do: SendDiff}
	case c.Verb == Deny:
		return p, give(beckon.Answer{Verdict: beckon.Deny})
	case c.Verb == Not && pending != "":
		return p, Effect{}
	case c.Verb == Really && pending != "":
		return p, give(beckon.Answer{Verdict: verdict[pending]})
	case verdict[c.Verb] == "" || pending != "" || c.Verb == AllowAlways && !alwaysShown(q.Permission):
		p.Pending = pending
		return p, Effect{Notice: stale}
	case needsSecond(q):
		p.Pending = c.Verb
		return p, Effect{}
	}
	return p, give(beckon.Answer{Verdict: verdict[c.Verb]})
}

// needsSecond reports whether allowing q takes a second press: because it
// destroys, or because not all of what it would run fits into a message.
func needsSecond(q beckon.Question) bool {
	_, left := commandShown(q.Permission.Command)
	return q.Permission.Destructive || left
}

func pressPlan(p Progress, c Callback) (Progress, Effect) {
	switch c.Verb {
	case Approve:
		return unasked(p), give(beckon.Answer{Verdict: beckon.AllowOnce})
	case AcceptEdits:
		return unasked(p), give(beckon.Answer{Verdict: beckon.AllowOnce, Mode: beckon.ModeAcceptEdits})
	case Change:
		p.Wants = Change
		return p, Effect{Do: AskWords}
	default:
		return p, Effect{Notice: stale}
	}
}

func pressForm(q beckon.Question, p Progress, c Callback) (Progress, Effect) {
	switch {
	case c.Verb == Deny:
		return p, give(beckon.Answer{Verdict: beckon.Deny})
	case c.Verb == Allow && q.Form == "":
		return p, give(beckon.Answer{Verdict: beckon.AllowOnce})
	}
	return p, Effect{Notice: stale}
}

func give(a beckon.Answer) Effect {
	a.Items = []beckon.ItemAnswer{}
	return Effect{Do: GiveAnswer, Answer: a}
}

// Type is what a person's words do that reply to a question's message, or to
// the one that asked for them.
func Type(q beckon.Question, p Progress, words string) (Progress, Effect) {
	p.Answers = padded(p.Answers, len(q.Items))
	words = strings.TrimSpace(api.Visible(words))
	switch {
	case !Takes(q, p):
		return p, Effect{Notice: stale}
	case len(words) > beckon.MaxAnswerText:
		return p, Effect{Notice: tooLong}
	case words == "":
		return p, Effect{Notice: useButtons}
	case q.Kind == beckon.Plan && p.Wants == Change:
		return unasked(p), give(beckon.Answer{Verdict: beckon.Deny, Text: words})
	case q.Kind != beckon.Ask || p.Item >= len(q.Items):
		return p, Effect{Notice: useButtons}
	}
	if p.Wants == Other && p.WantsItem < len(q.Items) {
		p.Item = p.WantsItem
	}
	item := q.Items[p.Item]
	if at := slices.IndexFunc(item.Options, func(o beckon.Option) bool { return strings.EqualFold(o.Label, words) }); at >= 0 {
		return typedLabel(q, p, item.Options[at].Label)
	}
	if item.Multiple {
		p.Answers[p.Item].Other = words
		return unasked(p), Effect{Notice: ticked}
	}
	p.Answers[p.Item] = beckon.ItemAnswer{Labels: []string{}, Other: words}
	return advance(q, p)
}

// typedLabel chooses what was typed as an option's label; typed twice, it stays.
func typedLabel(q beckon.Question, p Progress, label string) (Progress, Effect) {
	if !q.Items[p.Item].Multiple {
		return choose(q, p, label)
	}
	if given := &p.Answers[p.Item]; !slices.Contains(given.Labels, label) {
		given.Labels = append(given.Labels, label)
	}
	return unasked(p), Effect{Notice: ticked}
}

// Toast is a notice fit for the service.
func (n Notice) Toast(w Words) string {
	if n == nil {
		return ""
	}
	return api.Cut(n(w), maxToast)
}
