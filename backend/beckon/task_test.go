package beckon

import (
	"errors"
	"slices"
	"testing"
)

// TestEveryMove holds the table of moves against this picture of it: a row for
// where a card stands, a column for where it goes.
func TestEveryMove(t *testing.T) {
	//          backlog queued running review done archived
	picture := map[Status]string{
		Backlog:  "= y y n y y",
		Queued:   "y = y n n y",
		Running:  "y y = y n n",
		Review:   "y y y = y y",
		Done:     "y n n y = y",
		Archived: "y n n y y =",
	}
	for _, from := range Statuses {
		for i, to := range Statuses {
			want := picture[from][2*i]
			task := Task{Status: from}
			err := task.Move(to)
			switch {
			case want == 'n' && (!errors.Is(err, ErrConflict) || task.Status != from):
				t.Errorf("%s → %s: err %v and status %s; want a conflict and no move", from, to, err, task.Status)
			case want != 'n' && (err != nil || task.Status != to):
				t.Errorf("%s → %s: err %v and status %s; want the move", from, to, err, task.Status)
			}
		}
	}
}

func TestMoveRefusesAColumnThatDoesNotExist(t *testing.T) {
	for _, from := range Statuses {
		task := Task{Status: from}
		if err := task.Move("elsewhere"); !errors.Is(err, ErrConflict) || task.Status != from {
			t.Errorf("from %s: err %v, status %s", from, err, task.Status)
		}
	}
}

// TestNoWorkIsTrapped: wherever a card stands, the user can bring it back to
// the backlog and put it away.
func TestNoWorkIsTrapped(t *testing.T) {
	for _, from := range Statuses {
		for _, goal := range []Status{Backlog, Archived} {
			if !reachable(from, goal) {
				t.Errorf("no way from %s to %s", from, goal)
			}
		}
	}
}

func reachable(from, goal Status) bool {
	seen := []Status{from}
	for i := 0; i < len(seen); i++ {
		for _, next := range moves[seen[i]] {
			if !slices.Contains(seen, next) {
				seen = append(seen, next)
			}
		}
	}
	return slices.Contains(seen, goal)
}

func TestAnArchivedCardGoesBackToWhereItWas(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		task Task
		want Status
	}{
		"not archived":                      {Task{Status: Done, ArchivedFrom: Review}, ""},
		"merged":                            {Task{ArchivedFrom: Done, Resolution: Merged}, Done},
		"queued, which would start":         {Task{ArchivedFrom: Queued}, Backlog},
		"discarded":                         {Task{ArchivedFrom: Done, Resolution: Discarded}, Review},
		"by an older Beckon":                {Task{}, Backlog},
		"by an older Beckon, with a branch": {Task{Branch: "beckon/kes-1"}, Review},
		"by an older Beckon, with a chat":   {Task{Session: "s"}, Review},
		"by an older Beckon, closed":        {Task{Resolution: Closed}, Done},
	} {
		if c.task.Status == "" {
			c.task.Status = Archived
		}
		if got := c.task.Home(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
