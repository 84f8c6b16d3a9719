package board

import (
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/savedview"
)

// What a view may have at the most.
const (
	most        = 100 // views
	mostClauses = 16  // of one; the page's mask of a card has a bit for each
	mostValues  = 100 // of a clause
	longestName = 80  // characters
	longest     = 200 // characters of a value
)

func checkView(view savedview.View) error {
	if n := utf8.RuneCountInString(view.Name); n == 0 || n > longestName || !utf8.ValidString(view.Name) {
		return problem.Of(problem.ViewName, beckon.Invalid("a view has a name of 1 to %d characters", longestName), "most", strconv.Itoa(longestName))
	}
	if len(view.Clauses) > mostClauses {
		return beckon.Invalid("a view has up to %d conditions, not %d", mostClauses, len(view.Clauses))
	}
	for _, clause := range view.Clauses {
		if err := checkClause(clause); err != nil {
			return err
		}
	}
	return checkDisplay(view.Display)
}

func checkClause(c savedview.Clause) error {
	if err := known("field", c.Field, savedview.Fields); err != nil {
		return err
	}
	if n := len(c.Values); n == 0 || n > mostValues {
		return beckon.Invalid("a condition has 1 to %d values, not %d", mostValues, n)
	}
	for _, value := range c.Values {
		if !utf8.ValidString(value) || utf8.RuneCountInString(value) > longest {
			return beckon.Invalid("a value of a condition has up to %d characters", longest)
		}
		if allowed, closed := valuesOf[c.Field]; closed && !slices.Contains(allowed, value) {
			return beckon.Invalid("%q is no %s", value, c.Field)
		}
	}
	return nil
}

// valuesOf are the values of fields that have no others.
var valuesOf = map[savedview.Field][]string{
	savedview.Priority: {"0", "1", "2", "3", "4"},
	savedview.State:    {string(beckon.Backlog), string(beckon.Queued), string(beckon.Running), string(beckon.Review), string(beckon.Done), "stopped"},
	savedview.Waiting:  {"you"},
}

func checkDisplay(d savedview.Display) error {
	if err := known("group", d.Group, savedview.Groups); err != nil {
		return err
	}
	if err := known("order", d.Sort, savedview.Sorts); err != nil {
		return err
	}
	if len(d.Shows) > len(savedview.Parts) {
		return beckon.Invalid("a card shows up to %d parts, not %d", len(savedview.Parts), len(d.Shows))
	}
	for _, part := range d.Shows {
		if err := known("part of a card", part, savedview.Parts); err != nil {
			return err
		}
	}
	return nil
}

func known[T ~string](what string, value T, all []T) error {
	if slices.Contains(all, value) {
		return nil
	}
	return fmt.Errorf("there is no %s %.40q: %w", what, string(value), beckon.ErrInvalid)
}
