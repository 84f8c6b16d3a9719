package export

import (
	"context"
	"strings"

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
	words := []string{}
	for _, item := range q.Answer.Items {
		words = append(words, item.Labels...)
		words = append(words, item.Other, item.Note)
	}
	words = append(words, verdicts[q.Answer.Verdict], q.Answer.Text)
	said := strings.Builder{}
	for _, w := range words {
		if w != "" && said.Len() > 0 {
			said.WriteString(", ")
		}
		said.WriteString(w)
	}
	return &asked{
		Settlement: q.Settlement, Answer: mask.Text(said.String()), At: q.Answer.At,
		By: q.Answer.By, ByName: q.Answer.ByName,
	}
}

var verdicts = map[beckon.Verdict]string{
	beckon.AllowOnce: "allowed", beckon.AllowAlways: "always allowed", beckon.Deny: "denied", beckon.Skip: "skipped",
}

// places say in words where an answer was given.
var places = map[beckon.By]string{
	beckon.ByUser: "in Beckon", beckon.ByTray: "in the tray", beckon.ByNotification: "in a notification", beckon.ByPhone: "on",
	beckon.ByTelegram: "over Telegram by", beckon.ByRule: "by a standing answer", beckon.ByTerminal: "in the terminal",
}

// From says who answered and where.
func (a *asked) From() string { return strings.TrimSpace(places[a.By] + " " + a.ByName) }
