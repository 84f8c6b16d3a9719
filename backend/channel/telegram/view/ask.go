package view

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/channel/telegram/api"
)

// ask shows the item that is to be answered, and what was answered before it.
func (v View) ask(b *api.Builder) [][]Button {
	q, at := v.Question, min(v.Progress.Item, len(v.Question.Items)-1)
	if at < 0 {
		return nil
	}
	v.soFar(b, at)
	item := q.Items[at]
	options := v.options(item)
	b.Prose(item.Text, b.Room()-api.Units(options.Plain)-maxHead-maxSoFar, v.more)
	if len(options.Plain) > 0 {
		b.Say("\n\n")
		b.Append(options)
	}
	if n := len(item.Options) - maxButtons; n > 0 {
		b.Say("\n" + say(v.Words.MoreOptions, n))
	}
	given := v.Progress.Answers[at]
	if given.Other != "" {
		b.Say("\n✎ ")
		b.Plain(api.Line(given.Other), maxSoFar)
	}
	return v.choices(item, given, at)
}

// soFar lists the answers to the items before.
func (v View) soFar(b *api.Builder, at int) {
	if len(v.Question.Items) < 2 {
		return
	}
	b.Italic(say(v.Words.Of, at+1, len(v.Question.Items)), maxHead)
	b.Say("\n")
	for n, item := range v.Question.Items[:at] {
		name := cmp.Or(api.Line(item.Header), api.Line(item.Text))
		b.Plain("✓ "+api.Cut(name, maxSoFar/2)+": "+v.said(v.Progress.Answers[n]), maxSoFar)
		b.Say("\n")
	}
	b.Say("\n")
}

// said is an answer in one line.
func (v View) said(a beckon.ItemAnswer) string {
	all := append([]string{}, a.Labels...)
	if a.Other != "" {
		all = append(all, a.Other)
	}
	if len(all) == 0 {
		return v.Words.NoWords
	}
	return api.Line(strings.Join(all, ", "))
}

// options lists what can be chosen, where that says more than the buttons.
func (v View) options(item beckon.QuestionItem) api.Text {
	b := api.NewText(maxOptions)
	if !tellMore(item) {
		return b.Text()
	}
	shown := min(len(item.Options), maxButtons)
	each := max(40, maxOptions/max(1, shown)-10)
	for n, o := range item.Options[:shown] {
		if n > 0 {
			b.Say("\n")
		}
		b.Bold(strconv.Itoa(n+1)+". "+api.Line(o.Label), min(each, maxDescription))
		if left := min(maxDescription, each-api.Units(o.Label)-5); o.Description != "" && left > 20 {
			b.Say("\n")
			b.Plain(api.Line(o.Description), left)
		}
	}
	return b.Text()
}

// tellMore reports whether the buttons alone leave something unsaid.
func tellMore(item beckon.QuestionItem) bool {
	return slices.ContainsFunc(item.Options, func(o beckon.Option) bool {
		return o.Description != "" || api.Label(o.Label, maxLabel) != o.Label
	})
}

// choices are the buttons of an item, one option a row.
func (v View) choices(item beckon.QuestionItem, given beckon.ItemAnswer, at int) [][]Button {
	w, rows := v.Words, [][]Button{}
	for n, o := range item.Options[:min(len(item.Options), maxButtons)] {
		label := cmp.Or(api.Label(o.Label, maxLabel), strconv.Itoa(n+1))
		if slices.Contains(given.Labels, o.Label) {
			label = "✓ " + label
		} else if item.Multiple {
			label = "☐ " + label
		}
		rows = append(rows, []Button{v.button(label, Choose, n)})
	}
	other := w.Other
	if len(item.Options) == 0 {
		other = w.AnswerIt
	}
	rows = append(rows, []Button{v.button(other, Other, 0)})
	last := []Button{}
	if at > 0 {
		last = append(last, v.button(w.Back, Back, 0))
	}
	if item.Multiple {
		last = append(last, v.button(w.Done, Done, 0))
	}
	if len(last) > 0 {
		rows = append(rows, last)
	}
	return rows
}
