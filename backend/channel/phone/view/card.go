package view

import (
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/plain"
	"beckon/backend/store/away"
)

const (
	// The limits of texts beside a question, in bytes.
	maxBefore = 2000
	maxLine   = 400
	mostLines = 12
	mostTools = 3
)

// Said is what an agent did or said.
type Said struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Line is one of a transcript's.
type Line struct {
	Kind beckon.EntryKind `json:"kind"`
	Text string           `json:"text"`
}

// Before is what an agent did and said just before it asked.
type Before struct {
	Tools []Said `json:"tools"`
	Text  string `json:"text"`
}

// Card is one question in full.
type Card struct {
	Asked  Asked  `json:"asked"`
	Before Before `json:"before"`
	Lines  []Line `json:"lines"`
}

// Card is a question in full, with the newest entries of who asked. What an agent did,
// and the lines, are shown to phones with that right.
func (v View) Card(a Asked, entries []beckon.Entry, d away.Device) Card {
	card := Card{Asked: v.show(a, true), Before: v.before(entries, a), Lines: []Line{}}
	if d.Rights.Lines {
		card.Lines = v.lines(entries, a)
	} else {
		card.Before.Tools = []Said{}
	}
	return card
}

// before reads back from the call that asked, or from the end where no entry names it:
// to what was said before the last thing that was said.
func (v View) before(entries []beckon.Entry, a Asked) Before {
	before := Before{Tools: []Said{}}
	for _, e := range slices.Backward(untilAsked(entries, a.Question)) {
		if e.RunID != a.Question.RunID || e.Parent != "" {
			continue
		}
		if e.Kind == beckon.UserEntry || e.Kind == beckon.TurnEntry || e.Kind == beckon.TextEntry && before.Text != "" {
			break // what is older belongs to another turn, or to another thought
		}
		switch {
		case e.Kind == beckon.TextEntry:
			before.Text = plain.Cut(v.Mask(v.near(e.Text, a)), maxBefore)
		case e.Kind == beckon.ToolEntry && e.Tool != nil && e.Tool.Done && len(before.Tools) < mostTools:
			before.Tools = append(before.Tools, Said{e.Tool.Name, v.line(e.Tool.Target, a)})
		}
	}
	slices.Reverse(before.Tools)
	return before
}

func untilAsked(entries []beckon.Entry, q beckon.Question) []beckon.Entry {
	at := slices.IndexFunc(entries, func(e beckon.Entry) bool {
		return q.ToolUseID != "" && e.RunID == q.RunID && e.Tool != nil && e.Tool.UseID == q.ToolUseID
	})
	if at < 0 {
		return entries
	}
	return entries[:at]
}

// lines are the last of a transcript.
func (v View) lines(entries []beckon.Entry, a Asked) []Line {
	lines := []Line{}
	for _, e := range entries[max(0, len(entries)-mostLines):] {
		text := e.Text
		if e.Tool != nil {
			text = e.Tool.Name + " " + e.Tool.Target
		}
		if text = v.line(text, a); text != "" {
			lines = append(lines, Line{e.Kind, text})
		}
	}
	return lines
}

// line is a text in one line, without secrets.
func (v View) line(text string, a Asked) string {
	return plain.Line(v.Mask(v.near(text, a)), maxLine)
}
