package numbers

import (
	"context"
	"slices"

	"beckon/backend/store/table"
)

// Spell is what a task's runs took in a quarter of an hour.
type Spell struct {
	At     int64 `json:"at"` // when the quarter began, Unix milliseconds
	Tokens int64 `json:"tokens"`
}

// mostSpells is how many quarters of an hour Spells has of one task.
const mostSpells = 48

// Spells returns the last quarters of an hour in which a task's runs took something, at most 48,
// in order.
func (r Rows) Spells(ctx context.Context, taskID string) ([]Spell, error) {
	spells, err := table.Rows(ctx, r.read, func(s *Spell) []any { return []any{&s.At, &s.Tokens} },
		"SELECT at, sum(tokens) FROM spent WHERE task_id = ? GROUP BY at ORDER BY at DESC LIMIT ?", taskID, mostSpells)
	slices.Reverse(spells)
	return spells, err
}
