package rewind

import (
	"context"
	"slices"
	"strings"

	"beckon/backend/answer"
	"beckon/backend/beckon"
	"beckon/backend/store/checkpoints"
)

// span is a time of which nothing is left in a worktree, from its end on; both in Unix milliseconds.
type span struct{ after, until int64 }

// line is how a worktree came to what it was when a question was asked: the work of several runs,
// without what was taken back in between.
type line struct {
	aside   []span
	answers map[string]beckon.Answer // the other ones, by their questions
}

// lineTo returns the line to a question. The rewinds of its task are the newest first: one that
// was itself set aside changed nothing in the line.
func lineTo(q beckon.Question, all []beckon.Question, rewinds []checkpoints.Rewind) line {
	l := line{aside: []span{{q.Asked, beckon.Now()}}, answers: map[string]beckon.Answer{}}
	for _, w := range rewinds {
		at := slices.IndexFunc(all, func(one beckon.Question) bool { return one.ID == w.QuestionID })
		switch {
		case l.without(w.At):
		case w.Step == checkpoints.Returned:
			l.aside = append(l.aside, span{w.At, w.After.Until})
		case at >= 0:
			l.aside = append(l.aside, span{all[at].Asked, w.At})
			if _, newer := l.answers[w.QuestionID]; !newer {
				l.answers[w.QuestionID] = w.Answer
			}
		}
	}
	return l
}

// without reports whether what was at a time is not in the line.
func (l line) without(at int64) bool {
	return slices.ContainsFunc(l.aside, func(s span) bool { return s.after < at && at <= s.until })
}

// told are the questions of the line before its end, with what holds of their answers.
func (l line) told(q beckon.Question, all []beckon.Question) (told []beckon.Question) {
	for _, one := range all {
		if one.ID == q.ID || one.Kind == beckon.Permission || one.Budget != nil || l.without(one.Asked) {
			continue
		}
		heard := one.Settlement == beckon.Answered || one.Settlement == beckon.Expired
		if other, is := l.answers[one.ID]; is {
			one.Answer = &other
		} else if !heard || one.Settled == 0 || l.without(one.Settled) {
			continue
		}
		told = append(told, one)
	}
	return told
}

// Opening is how a story of an agent that begins at a checkpoint begins, and what stands before
// the question and the answer.
type Opening struct{ Begin, Decision string }

// changed is that of an agent that begins with another answer in the place of the first.
var changed = Opening{
	"An agent worked on this task before you. The user has changed a decision of it, so the worktree is as it was " +
		"when that was asked, and what was done after it is set aside. Look at what there is before you change it.",
	"The decision that was changed:",
}

// Story is what the new agent gets behind the brief: what was decided before, and the other
// answer. Nothing of it is younger than the decision, and nothing was taken back before that.
func (r *Rewinder) Story(ctx context.Context, q beckon.Question, a beckon.Answer, opening Opening) (string, error) {
	all, err := r.Questions(ctx, q.TaskID)
	if err != nil {
		return "", err
	}
	rewinds, err := r.Rows.All(ctx, q.TaskID)
	if err != nil {
		return "", err
	}
	parts := []string{opening.Begin}
	if told := answer.AllHandedOver(lineTo(q, all, rewinds).told(q, all)); len(told) > 0 {
		parts = append(parts, "What was asked before that:\n\n"+strings.Join(told, "\n\n"))
	}
	q.Answer = &a
	parts = append(parts, opening.Decision+"\n\n"+answer.HandedOver(q), "Carry on with the task from there, with this answer.")
	return strings.Join(parts, "\n\n"), nil
}
