package dialog

import (
	"slices"
	"strings"

	"beckon/backend/beckon"
)

// maxKeys is how many keys one answer may take; a text that is pasted counts as
// one.
const maxKeys = 20

// The keys that are typed, as tmux names them. Digits are the others.
const (
	KeyEnter  = "Enter"
	KeyTab    = "Tab"
	KeyEscape = "Escape"
	KeyDown   = "Down"
	KeyUp     = "Up"
	KeyErase  = "BSpace"
)

// Reply is what is typed: an answer, and what only a terminal knows.
type Reply struct {
	beckon.Answer
	// Row is the words of the row that the person chose for AllowAlways, as they
	// were on the screen (see CheckScreen): they differ with tool, folder and version.
	Row string
	// Interrupt makes Skip end the turn, as Escape does in the terminal. Else
	// the agent goes on, and hears that nobody answered.
	Interrupt bool
}

// step is what is typed next.
type step struct {
	key  string // as tmux names it; empty where text is pasted
	text string
	// done reports whether a later view shows what the step should do. It is nil
	// for the last step, after which the dialog goes.
	done func(view) bool
	page int // the question that is shown after it
	// ahead is a text that is pasted later, for which there has to be room.
	ahead string
}

func (s step) last() bool { return s.done == nil }

// next says what to type into a dialog that stands so.
func (sc *script) next(v view) (step, error) {
	if sc.question.Kind != beckon.Ask {
		return sc.nextVerdict(v)
	}
	if sc.reply.Verdict == beckon.Skip {
		return sc.skip(v)
	}
	if v.page != sc.page {
		return step{}, refuse(Begun)
	}
	if v.page == len(sc.question.Items) {
		return press(v.rows[0]), nil
	}
	item, answer := sc.question.Items[v.page], sc.reply.Items[v.page]
	switch {
	case item.Multiple:
		return sc.nextMultiple(v, answer)
	case hasPreviews(item):
		return sc.nextPreview(v, answer.Labels[0])
	case answer.Other != "":
		return sc.nextOther(v, answer.Other)
	default:
		if v.typed != "" {
			return step{}, refuse(Begun)
		}
		return sc.leaves(v, press(*find(v.rows, answer.Labels[0]))), nil
	}
}

// press types the number of a row.
func press(r row) step { return step{key: digit(r.number)} }

// leaves marks a step after which the next question is shown, or none.
func (sc *script) leaves(v view, s step) step {
	if n := len(sc.question.Items); n > 1 || n == 1 && sc.question.Items[0].Multiple {
		s.page = v.page + 1
		s.done = func(later view) bool { return later.page == s.page }
	}
	return s
}

func find(rows []row, words string) *row {
	for i := range rows {
		if rows[i].words == words {
			return &rows[i]
		}
	}
	return nil
}

// nextOther fills the row for other words: its number, the text, and Enter once
// the whole text is there.
func (sc *script) nextOther(v view, text string) (step, error) {
	switch {
	case v.typed == squeeze(text) && v.other.focused:
		return sc.leaves(v, step{key: KeyEnter}), nil
	case v.typed != "":
		return step{}, refuse(Begun)
	case !v.other.focused:
		s := press(*v.other)
		s.done = func(later view) bool { return later.other != nil && later.other.focused }
		s.ahead = text
		return s, nil
	default:
		return paste(text), nil
	}
}

// paste types text into the row for other words.
func paste(text string) step {
	return step{text: text, ahead: text, done: func(later view) bool { return later.typed == squeeze(text) }}
}

// nextPreview moves to a row, which shows its preview, and takes it.
func (sc *script) nextPreview(v view, label string) (step, error) {
	want := find(v.rows, label)
	switch {
	case v.chat.focused:
		return step{key: KeyUp, done: func(later view) bool { return !later.chat.focused }}, nil
	case want.focused:
		return sc.leaves(v, step{key: KeyEnter}), nil
	default:
		s := press(*want)
		s.done = func(later view) bool { r := find(later.rows, label); return r != nil && r.focused }
		return s, nil
	}
}

// nextMultiple ticks what is wanted and not what is not, fills the row for other
// words, and goes on.
func (sc *script) nextMultiple(v view, a beckon.ItemAnswer) (step, error) {
	for i, r := range v.rows {
		if r.ticked != slices.Contains(a.Labels, r.words) {
			s := press(r)
			s.done = func(later view) bool { return i < len(later.rows) && later.rows[i].ticked != r.ticked }
			s.ahead = a.Other
			return s, nil
		}
	}
	wordsDone := v.typed == squeeze(a.Other) && v.other.ticked == (a.Other != "")
	switch focus := v.focus(); {
	case v.typed != "" && !wordsDone, v.other.ticked && a.Other == "":
		return step{}, refuse(Begun)
	case focus == v.chat:
		return step{key: KeyUp, done: func(later view) bool { return !later.chat.focused }}, nil
	case wordsDone && focus == v.submit:
		return sc.leaves(v, step{key: KeyEnter}), nil
	case wordsDone && focus == v.other:
		return step{key: KeyTab, done: func(later view) bool { return later.page > v.page || later.submit != nil && later.submit.focused }}, nil
	case wordsDone:
		return sc.leaves(v, step{key: KeyTab}), nil
	case focus == v.submit:
		return step{key: KeyUp, done: func(later view) bool { return later.other != nil && later.other.focused }}, nil
	case focus == v.other:
		return paste(a.Other), nil
	default:
		return step{key: KeyDown, done: func(later view) bool { f := later.focus(); return f != nil && f.number == focus.number+1 }}, nil
	}
}

// skip leaves the question unanswered.
func (sc *script) skip(v view) (step, error) {
	switch {
	case sc.reply.Interrupt:
		return step{key: KeyEscape}, nil
	case v.chat == nil:
		return step{}, refuse(Begun) // the review, which has no such row
	case v.chat.number > 0:
		return press(*v.chat), nil
	case v.chat.focused:
		return step{key: KeyEnter}, nil
	default: // with previews it has no number
		return step{key: KeyDown, done: func(later view) bool {
			f, was := later.focus(), v.focus()
			return f != nil && f.number != was.number
		}}, nil
	}
}

// nextVerdict chooses the row that says the verdict.
func (sc *script) nextVerdict(v view) (step, error) {
	if sc.reply.Verdict == beckon.Deny && sc.reply.Text != "" {
		if v.other == nil {
			return step{}, refuse(NoWords)
		}
		return sc.nextOther(v, sc.reply.Text)
	}
	if v.typed != "" {
		return step{}, refuse(Begun)
	}
	if sc.reply.Verdict == beckon.Deny && v.other != nil {
		return step{key: KeyEscape}, nil // its last row wants words
	}
	var chosen []row
	for _, r := range v.rows {
		if sc.says(squeeze(r.words)) {
			chosen = append(chosen, r)
		}
	}
	if len(chosen) != 1 {
		return step{}, refuse(NoChoice)
	}
	return press(chosen[0]), nil
}

// says reports whether a row of a permission or plan says the verdict.
func (sc *script) says(words string) bool {
	switch {
	case sc.reply.Verdict == beckon.Deny:
		return words == "No" || strings.HasPrefix(words, "No,andtellClaude")
	case sc.reply.Verdict == beckon.AllowAlways:
		return strings.HasPrefix(words, "Yes,") && words == squeeze(sc.reply.Row)
	case sc.question.Kind == beckon.Permission || words == "Yes":
		return words == "Yes"
	}
	switch sc.reply.Mode {
	case beckon.ModeAuto:
		return words == "Yes,anduseautomode"
	case beckon.ModeAcceptEdits:
		return words == "Yes,andauto-acceptedits" || words == "Yes,auto-acceptedits"
	case beckon.ModeDefault, "":
		return words == "Yes,manuallyapproveedits" || words == "Yes,andmanuallyapproveedits"
	default:
		return false
	}
}
