package views

import (
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
)

// What a view may have at the most.
const (
	most        = 100 // views
	mostClauses = 16  // of one; the page's mask of a card has a bit for each
	mostValues  = 100 // of a clause
	longestName = 80  // characters
	longest     = 200 // characters of a value
)

func checkView(view beckon.View) error {
	if n := utf8.RuneCountInString(view.Name); n == 0 || n > longestName || !utf8.ValidString(view.Name) {
		return problem.New(problem.ViewName, beckon.Invalid("a view has a name of 1 to %d characters", longestName), "most", strconv.Itoa(longestName))
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

func checkClause(c beckon.ViewClause) error {
	if err := known("field", c.Field, beckon.ViewFields); err != nil {
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
var valuesOf = map[beckon.ViewField][]string{
	beckon.FieldPriority: {"0", "1", "2", "3", "4"},
	beckon.FieldState:    {string(beckon.Backlog), string(beckon.Queued), string(beckon.Running), string(beckon.Review), string(beckon.Done), "stopped"},
	beckon.FieldWaiting:  {"you"},
}

func checkDisplay(d beckon.ViewDisplay) error {
	if err := known("group", d.Group, beckon.ViewGroups); err != nil {
		return err
	}
	if err := known("order", d.Sort, beckon.ViewSorts); err != nil {
		return err
	}
	if len(d.Shows) > len(beckon.ViewParts) {
		return beckon.Invalid("a card shows up to %d parts, not %d", len(beckon.ViewParts), len(d.Shows))
	}
	for _, part := range d.Shows {
		if err := known("part of a card", part, beckon.ViewParts); err != nil {
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
