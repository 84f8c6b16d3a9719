package dialog

import (
	"slices"
	"strings"

	"beckon/backend/answer"
	"beckon/backend/beckon"
)

// script knows from a view of a question what to type next to answer it so.
type script struct {
	question beckon.Question
	reply    Reply
	want     []string // the answer to each item of an ask, as the CLI records it
	page     int      // the question that has to be shown
}

// newScript checks that an answer can be typed.
func newScript(q beckon.Question, r Reply) (*script, error) {
	r.Items = slices.Clone(r.Items) // the texts become what is typed
	sc := &script{question: q, reply: r}
	switch q.Kind {
	case beckon.Ask:
		if r.Verdict == beckon.Skip {
			return sc, nil
		}
		if r.Verdict != beckon.NoVerdict || len(r.Items) != len(q.Items) || len(q.Items) == 0 {
			return nil, refuse(NoChoice)
		}
		for i := range q.Items {
			want, err := wanted(q.Items[i], &r.Items[i])
			if err != nil {
				return nil, err
			}
			sc.want = append(sc.want, want)
		}
	case beckon.Permission:
		if q.Permission == nil || r.Verdict == beckon.Skip || r.Verdict == beckon.NoVerdict || r.Verdict == beckon.AllowAlways && r.Row == "" {
			return nil, refuse(NoChoice)
		}
		if strings.TrimSpace(r.Text) != "" {
			return nil, refuse(NoWords)
		}
	case beckon.Plan:
		if r.Verdict != beckon.AllowOnce && r.Verdict != beckon.Deny || r.Plan != "" {
			return nil, refuse(NoChoice)
		}
		if r.Verdict == beckon.AllowOnce && strings.TrimSpace(r.Text) != "" {
			return nil, refuse(NoWords)
		}
		if err := clean(&sc.reply.Text); err != nil {
			return nil, err
		}
	default:
		return nil, refuse(NoChoice)
	}
	if sc.keys() > maxKeys {
		return nil, refuse(TooLong)
	}
	return sc, nil
}

// wanted returns the answer to an item as the CLI records it, and puts what is
// typed into the form in which it is typed.
func wanted(item beckon.QuestionItem, a *beckon.ItemAnswer) (string, error) {
	if a.Note != "" {
		return "", refuse(NoWords)
	}
	if err := clean(&a.Other); err != nil {
		return "", err
	}
	if a.Other != "" && hasPreviews(item) {
		return "", refuse(NoWords)
	}
	chosen := 0
	for _, o := range item.Options {
		if slices.Contains(a.Labels, o.Label) {
			chosen++
		}
	}
	if chosen != len(a.Labels) {
		return "", refuse(NoChoice)
	}
	if a.Other != "" {
		chosen++
	}
	if chosen == 0 || chosen > 1 && !item.Multiple {
		return "", refuse(NoChoice)
	}
	return answer.Recorded(item, *a), nil
}

// clean makes a text what a terminal takes as text. A control character would be
// a key; the end of a paste is one of them.
func clean(text *string) error {
	*text = strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(*text, "\r\n", "\n"), "\t", "    "))
	for _, r := range *text {
		if r != '\n' && (r < ' ' || r >= 0x7F && r < 0xA0 || r == '\uFFFD') {
			return refuse(BadText)
		}
	}
	if *text != "" && squeeze(*text) == "" {
		return refuse(BadText)
	}
	return nil
}

// keys is the most that the answer may take.
func (sc *script) keys() (n int) {
	for i, item := range sc.question.Items {
		if len(sc.want) == 0 {
			break
		}
		a := sc.reply.Items[i]
		n += len(a.Labels)
		switch {
		case item.Multiple && a.Other != "":
			n += len(item.Options) + 3 // Down to the row, the text, Tab, Enter
		case item.Multiple:
			n++ // Tab
		case a.Other != "":
			n += 3 // the row, the text, Enter
		case hasPreviews(item):
			n++ // Enter
		}
	}
	return n + 1
}

// match reads a screen, which has to show the question.
func (sc *script) match(s Screen) (view, error) { return match(sc.question, sc.want, s) }

func match(q beckon.Question, want []string, s Screen) (view, error) {
	switch {
	case q.Kind == beckon.Ask:
		return matchAsk(q.Items, want, s)
	case q.Kind == beckon.Permission && q.Permission != nil:
		return matchPermission(q, s)
	case q.Kind == beckon.Plan:
		return matchPlan(q.Plan, s)
	default:
		return view{}, refuse(OtherDialog)
	}
}
