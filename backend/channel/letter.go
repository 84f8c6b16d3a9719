package channel

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
	"beckon/backend/mask"
	"beckon/backend/plain"
)

// Event is why a letter is written.
type Event string

// The events.
const (
	Asked   Event = "asked"
	Settled Event = "settled" // answered, or withdrawn
	Expired Event = "expired"
	Ended   Event = "ended" // a task's run
	Test    Event = "test"
)

// Letter is what a channel tells. It has only what may leave this computer, and
// of that nothing that looks like a secret. Times are Unix milliseconds.
type Letter struct {
	// ID is the same however often it is sent, and for each change of its subject.
	ID    string
	Event Event
	// Question is the question's own id; empty for a run.
	Question string
	// Kind is that of the question, or the outcome of a run.
	Kind     string
	Task     string // its key, such as KES-47; empty for a session elsewhere
	Agent    string // the kind of its agent; empty for Claude Code
	Project  string
	Title    string // in the user's language
	Count    int    // of what waits in all
	Text     string
	Options  []string
	Link     string // to the question on the page for phones; empty while there is none
	Deadline int64
	Time     int64
}

// What letters are about.
const (
	questionPrefix = "question/"
	runPrefix      = "run/"
)

// mostText is how much of a question's text leaves, in bytes.
const mostText = 2000

// write writes the letter on how a subject stands, as its receiver may be told; none
// where they may not or there is nothing to tell. What waits in all is not counted
// yet.
func (h *Hub) write(ctx context.Context, to audience, id, subject string) (l Letter, is bool, err error) {
	if questionID, of := strings.CutPrefix(subject, questionPrefix); of {
		l, is, err = h.aboutQuestion(ctx, to, questionID)
	} else {
		l, is, err = h.aboutRun(ctx, to, strings.TrimPrefix(subject, runPrefix))
	}
	if !is || err != nil {
		return Letter{}, false, err
	}
	l.ID = id
	return l, true, nil
}

func (h *Hub) aboutQuestion(ctx context.Context, to audience, id string) (Letter, bool, error) {
	q, err := h.Store.Question(ctx, id)
	if err != nil || q.TaskID == "" && !to.may(remote.Elsewhere) {
		return Letter{}, false, err
	}
	l := Letter{Event: eventOf(q), Question: q.ID, Kind: string(q.Kind), Time: cmp.Or(q.Settled, q.Asked), Deadline: q.Deadline}
	if err := h.address(ctx, &l, q.TaskID); err != nil {
		return l, false, err
	}
	l.Title = h.say(ctx, to.Language, string(l.Event)+"_"+l.Kind, l)
	if to.may(remote.Text) {
		l.Text, l.Options = textOf(q), optionsOf(q)
	}
	if to.may(remote.Link) {
		l.Link = h.Link(q.ID)
	}
	return l, true, nil
}

func (h *Hub) aboutRun(ctx context.Context, to audience, id string) (Letter, bool, error) {
	run, err := h.Store.Run(ctx, id)
	if err != nil || run.Ended == 0 || !to.may(remote.Ended) {
		return Letter{}, false, err
	}
	l := Letter{Event: Ended, Kind: string(run.Outcome), Time: run.Ended}
	if err := h.address(ctx, &l, run.TaskID); err != nil {
		return l, false, err
	}
	l.Agent = run.Agent
	l.Title = h.say(ctx, to.Language, "ended_"+l.Kind, l)
	return l, true, nil
}

// address writes whose task it is, if it is of one.
func (h *Hub) address(ctx context.Context, l *Letter, taskID string) error {
	if taskID == "" {
		return nil
	}
	t, err := h.Store.Task(ctx, taskID)
	if err != nil {
		return err
	}
	p, err := h.Store.Project(ctx, t.ProjectID)
	l.Task, l.Agent, l.Project = t.Key, t.Agent, plain.Line(mask.Text(p.Name), beckon.MaxOptionLabel)
	return err
}

func eventOf(q beckon.Question) Event {
	switch q.Settlement {
	case beckon.Open, beckon.Orphaned: // an answer resumes the latter
		return Asked
	case beckon.Expired:
		return Expired
	default:
		return Settled
	}
}

// textOf is what a question asks. What hides in texts was spelled out when it was
// asked.
func textOf(q beckon.Question) string {
	lines := []string{}
	for i, item := range q.Items {
		number := ""
		if len(q.Items) > 1 {
			number = fmt.Sprintf("%d. ", i+1)
		}
		lines = append(lines, number+item.Text)
	}
	if p := q.Permission; p != nil {
		lines = append(lines, cmp.Or(p.Command, strings.TrimSpace(p.Tool+" "+p.Path)))
	}
	if q.Message != "" {
		lines = append(lines, q.Message)
	}
	return plain.Cut(mask.Text(strings.Join(lines, "\n")), mostText)
}

// optionsOf are the labels that answer a single question.
func optionsOf(q beckon.Question) (labels []string) {
	if len(q.Items) != 1 {
		return nil
	}
	for _, o := range q.Items[0].Options {
		labels = append(labels, plain.Line(mask.Text(o.Label), beckon.MaxOptionLabel))
	}
	return labels
}
