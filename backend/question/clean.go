package question

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"beckon/backend/beckon"
	"beckon/backend/plain"
)

// This file makes what agents write fit to be shown and answered: no words
// are hidden from the user or reordered, and nothing grows without end.

// Sizes, in bytes, of the texts that beckon has no word for.
const (
	maxHeader      = 60
	maxDescription = 2 << 10
	maxPermission  = 64 << 10
	maxPatch       = 512 << 10
)

// cleanQuestion returns q with texts that show what they say. The caller's slices are
// left as they were.
func cleanQuestion(q beckon.Question) beckon.Question {
	q.Agent = plain.Line(q.Agent, beckon.MaxOptionLabel)
	q.Plan = cleanText(q.Plan, beckon.MaxBrief)
	q.Message = cleanText(q.Message, beckon.MaxQuestionText)
	q.Origin = plain.Line(q.Origin, beckon.MaxOptionLabel)
	items := make([]beckon.QuestionItem, 0, len(q.Items))
	for _, i := range q.Items {
		items = append(items, item(i))
	}
	q.Items = items
	if q.Permission != nil {
		q.Permission = permission(*q.Permission)
	}
	return q
}

func item(i beckon.QuestionItem) beckon.QuestionItem {
	i.Header = plain.Line(i.Header, maxHeader)
	i.Text = cleanText(i.Text, beckon.MaxQuestionText)
	i.Options = slices.Clone(i.Options)
	if i.Options == nil {
		i.Options = []beckon.Option{}
	}
	labels := labelsOf(i.Options)
	for n, o := range i.Options {
		i.Options[n] = beckon.Option{
			ID:          plain.Line(o.ID, beckon.MaxOptionLabel),
			Label:       labels[n],
			Description: cleanText(o.Description, maxDescription),
			Preview:     cleanText(o.Preview, beckon.MaxQuestionText),
		}
	}
	return i
}

// cleanAnswer returns an answer that was not written here as it can be shown.
func cleanAnswer(a beckon.Answer) beckon.Answer {
	a.Text = cleanText(a.Text, beckon.MaxQuestionText)
	a.Items = slices.Clone(a.Items)
	for i, item := range a.Items {
		labels := make([]string, 0, len(item.Labels))
		for _, label := range item.Labels {
			labels = append(labels, plain.Line(label, beckon.MaxOptionLabel))
		}
		a.Items[i] = beckon.ItemAnswer{Labels: labels, Other: cleanText(item.Other, beckon.MaxQuestionText)}
	}
	return a
}

// labelsOf returns the labels as they are shown. Those that would look alike
// because of that are numbered; those that are alike stay so, and are refused.
func labelsOf(options []beckon.Option) []string {
	shown := make([]string, 0, len(options))
	for n, o := range options {
		label := plain.Line(o.Label, beckon.MaxOptionLabel)
		twin := slices.ContainsFunc(options[:n], func(other beckon.Option) bool { return other.Label == o.Label })
		for i := 2; label != "" && !twin && slices.Contains(shown, label); i++ {
			number := fmt.Sprintf(" (%d)", i)
			label = plain.Line(o.Label, beckon.MaxOptionLabel-len(number)) + number
		}
		shown = append(shown, label)
	}
	return shown
}

// permission keeps every character of what would run: one that cannot be seen
// is written out, for the user consents to the command and not to its looks.
func permission(w beckon.PermissionRequest) *beckon.PermissionRequest {
	w.Tool = plain.Line(w.Tool, beckon.MaxOptionLabel)
	w.Description = cleanText(w.Description, beckon.MaxQuestionText)
	w.Reason = cleanText(w.Reason, beckon.MaxQuestionText)
	w.Always = whole(spellOut(w.Always, unseenInLine), maxDescription)
	w.Lasting = lines(w.Lasting)
	w.Command = plain.Cut(spellOut(w.Command, unseen), maxPermission)
	w.Path = plain.Cut(spellOut(w.Path, unseen), maxPermission)
	w.Input = plain.Cut(spellOut(w.Input, hidden), maxPermission)
	w.Diff = plain.Cut(spellOut(w.Diff, hidden), maxPatch)
	return &w
}

// lines leaves out what cannot be shown as it is: nobody agrees to a rule
// that reads otherwise than it works.
func lines(all []string) []string {
	seen := make([]string, 0, len(all))
	for _, s := range all {
		if s == plain.Line(s, beckon.MaxRule) && !strings.ContainsFunc(s, unseenInLine) {
			seen = append(seen, s)
		}
	}
	return seen
}

// cleanText returns prose of several lines, cut at size bytes.
func cleanText(s string, size int) string {
	return plain.Cut(strings.TrimSpace(strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && plain.Hidden(r) {
			return -1
		}
		return r
	}, s)), size)
}

// whole returns s, or nothing where it is longer: a part of what is allowed is
// not what is allowed.
func whole(s string, size int) string {
	if len(s) > size {
		return ""
	}
	return s
}

// hidden reports whether a text of several lines does not show r.
func hidden(r rune) bool { return r != '\n' && r != '\t' && plain.Hidden(r) }

// unseen reports whether a command does not show r: emoji are written with some
// of these, but a command's effect is not read from its emoji.
func unseen(r rune) bool {
	const zwnj, zwj, blank = '\u200c', '\u200d', '\u2800'
	return hidden(r) || r == zwnj || r == zwj || r == blank ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// unseenInLine is unseen where the text is shown in one line.
func unseenInLine(r rune) bool { return unseen(r) || plain.Hidden(r) }

// spellOut writes the characters that are not shown as \u202e, which JSON reads
// as the same character.
func spellOut(s string, unshown func(rune) bool) string {
	if !strings.ContainsFunc(s, unshown) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !unshown(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
