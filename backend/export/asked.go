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
}

// asked is how a question was settled, and by whom.
type asked struct {
	Settlement beckon.Settlement `json:"settlement"`
	Answer     string            `json:"answer"`
	By         beckon.By         `json:"by,omitempty"`
	ByName     string            `json:"byName,omitempty"`
	At         int64             `json:"at"`
	// Earlier are the answers that were changed, the first one first.
	Earlier []earlier `json:"earlier,omitempty"`
}

// earlier is an answer that was changed.
type earlier struct {
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
		return &asked{Settlement: q.Settlement, At: q.Settled}
	}
	now := &asked{
		Settlement: q.Settlement, Answer: said(*q.Answer), At: q.Answer.At,
		By: q.Answer.By, ByName: q.Answer.ByName,
	}
	for _, a := range q.Earlier {
		now.Earlier = append(now.Earlier, earlier{said(a), a.By, a.ByName, a.At})
	}
	return now
}

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

// From says who answered and where.
func (a *asked) From() string { return from(a.By, a.ByName) }

// From says who gave it and where.
func (e earlier) From() string { return from(e.By, e.ByName) }

func from(by beckon.By, name string) string {
	switch by {
	case beckon.ByUser:
		return "in Beckon"
	case beckon.ByRule:
		return "by a standing answer"
	default:
		return answer.Where(beckon.Answer{By: by, ByName: name})
	}
}
