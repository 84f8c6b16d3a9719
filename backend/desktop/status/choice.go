package status

import (
	"strconv"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/plain"
)

// choices returns the labels that answer q in one choice, cut to size bytes,
// or none where it takes more: several items, several options, or labels that
// look the same once they are cut.
func choices(q beckon.Question, size int) []string {
	if q.Kind != beckon.Ask || len(q.Items) != 1 || q.Items[0].Multiple {
		return nil
	}
	labels, seen := []string{}, map[string]bool{}
	for _, o := range q.Items[0].Options {
		label := plain.Line(o.Label, size)
		if label == "" || seen[label] {
			return nil
		}
		seen[label] = true
		labels = append(labels, label)
	}
	return labels
}

// answerKey names the choice of q's option n, wherever that is pressed.
func answerKey(q beckon.Question, n int) string { return "answer/" + strconv.Itoa(n) + "/" + q.ID }

// chosen returns which question and option a key names.
func chosen(key string) (id string, n int, ok bool) {
	rest, isAnswer := strings.CutPrefix(key, "answer/")
	number, id, whole := strings.Cut(rest, "/")
	n, err := strconv.Atoi(number)
	return id, n, isAnswer && whole && err == nil
}

// choose answers q with its option n.
func choose(q beckon.Question, n int) (beckon.Answer, bool) {
	if len(q.Items) != 1 || n < 0 || n >= len(q.Items[0].Options) {
		return beckon.Answer{}, false
	}
	return beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{q.Items[0].Options[n].Label}}}}, true
}

// write answers q in words of the user's own.
func write(q beckon.Question, text string) (beckon.Answer, bool) {
	if !writable(q) || strings.TrimSpace(text) == "" {
		return beckon.Answer{}, false
	}
	return beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{}, Other: text}}}, true
}

// writable reports whether one text can answer q.
func writable(q beckon.Question) bool { return q.Kind == beckon.Ask && len(q.Items) == 1 }
