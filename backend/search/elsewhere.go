package search

import (
	"context"
	"slices"
	"strings"

	"beckon/backend/beckon"
)

const (
	elsewhereMost   = 20   // are shown
	elsewhereLooked = 5000 // are looked through, which takes a moment at most
)

// elsewhere finds questions that are no task's, the newest first: in what was
// asked, offered and answered, and in who asked from where.
func (x *Index) elsewhere(ctx context.Context, q beckon.SearchQuery, words []string) ([]beckon.Question, error) {
	list := []beckon.Question{}
	if q.Before != "" || q.ProjectID != "" || q.TaskID != "" || q.Kind != "" && q.Kind != beckon.QuestionEntry || len(words) == 0 {
		return list, nil
	}
	all, err := x.store.AskedElsewhere(ctx, elsewhereLooked)
	if err != nil {
		return list, err
	}
	for _, one := range all {
		if len(list) < elsewhereMost && hasAll(textOf(one), words) {
			list = append(list, one)
		}
	}
	return list, nil
}

// hasAll reports whether a text has the words, the last one by its beginning, as
// the index finds them.
func hasAll(text string, words []string) bool {
	has := strings.Fields(normalise(text))
	last := words[len(words)-1]
	return !slices.ContainsFunc(words[:len(words)-1], func(w string) bool { return !slices.Contains(has, w) }) &&
		slices.ContainsFunc(has, func(w string) bool { return strings.HasPrefix(w, last) })
}

// textOf is all that one may remember of a question.
func textOf(q beckon.Question) string {
	text := []string{q.Origin, q.Agent, q.Message, q.Plan, q.Reason.String()}
	for _, item := range q.Items {
		text = append(text, item.Header, item.Text)
		for _, o := range item.Options {
			text = append(text, o.Label, o.Description)
		}
	}
	if p := q.Permission; p != nil {
		text = append(text, p.Tool, p.Description, p.Command, p.Path)
	}
	if a := q.Answer; a != nil {
		text = append(text, a.Text)
		for _, item := range a.Items {
			text = append(append(text, item.Labels...), item.Other, item.Note)
		}
	}
	return strings.Join(text, "\n")
}
