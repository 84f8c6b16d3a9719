package export

import (
	"context"
	"slices"
	"strings"

	"beckon/backend/answer"
	"beckon/backend/beckon"
	"beckon/backend/mask"
)

// exported is an entry of the transcript; one that asked, with what became of that.
type exported struct {
	beckon.Entry
	Asked *asked `json:"asked,omitempty"`
	left  int    // how many bytes of its text are not here
	more  bool   // the transcript left out more, nobody knows how much
}

// asked is how a question was settled, and by whom.
type asked struct {
	Settlement beckon.Settlement `json:"settlement"`
	given
	// Earlier are the answers that were changed, the first one first.
	Earlier []given `json:"earlier,omitempty"`
	waited  string  // for how long
	id      string  // of the question
	omitted int     // how many of Earlier are not here
}

// given is an answer, or only when it was settled without one.
type given struct {
	Answer string    `json:"answer"`
	By     beckon.By `json:"by,omitempty"`
	ByName string    `json:"byName,omitempty"`
	At     int64     `json:"at"`
}

// askedBy returns what a run asked, by the tool call that did.
func (x *Exporter) askedBy(ctx context.Context, run beckon.Run) (map[string]*asked, error) {
	all, err := x.Store.Questions(ctx, run.TaskID)
	found := map[string]*asked{}
	for _, q := range all {
		if q.RunID == run.ID && q.ToolUseID != "" {
			found[q.ToolUseID] = settled(q)
		}
	}
	return found, err
}

func settled(q beckon.Question) *asked {
	if q.Answer == nil {
		return &asked{Settlement: q.Settlement, given: given{At: q.Settled}, id: q.ID}
	}
	now := &asked{Settlement: q.Settlement, given: givenBy(*q.Answer), id: q.ID}
	if q.Settled > q.Asked {
		now.waited = spell(q.Settled - q.Asked)
	}
	for _, a := range q.Earlier {
		now.Earlier = append(now.Earlier, givenBy(a))
	}
	return now
}

func givenBy(a beckon.Answer) given { return given{said(a), a.By, a.ByName, a.At} }

// said is an answer in a line, masked.
func said(a beckon.Answer) string {
	words := []string{}
	for _, item := range a.Items {
		words = append(words, item.Labels...)
		words = append(words, item.Other, item.Note)
	}
	words = append(words, verdicts[a.Verdict], a.Text)
	return mask.Text(strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), ", "))
}

var verdicts = map[beckon.Verdict]string{
	beckon.AllowOnce: "allowed", beckon.AllowAlways: "always allowed", beckon.Deny: "denied", beckon.Skip: "skipped",
}

// From says who gave it and where.
func (g given) From() string {
	switch g.By {
	case beckon.ByUser:
		return "in Beckon"
	case beckon.ByRule:
		return "by a standing answer"
	default:
		return answer.Where(beckon.Answer{By: g.By, ByName: g.ByName})
	}
}
