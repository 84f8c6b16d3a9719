package textindex

import (
	"fmt"
	"testing"

	"beckon/backend/beckon"
)

// TestWordsAreFoundOnBothSidesOfATablesEnd: rows that go in together may belong to two
// tables of words.
func TestWordsAreFoundOnBothSidesOfATablesEnd(t *testing.T) {
	t.Parallel()
	x, err := Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	line := int64(0)
	put := func(n int) {
		t.Helper()
		var places []Place
		for range n {
			places = append(places, Place{
				Line: line, Pos: line, Kind: beckon.TextEntry,
				Normalised: fmt.Sprintf("word%d", line),
			})
			line++
		}
		if err := x.Add(t.Context(), []Lines{{
			RunID: "run", Progress: Progress{TaskID: "task", ProjectID: "project", Done: line}, Places: places,
		}}, func() {}); err != nil {
			t.Fatal(err)
		}
	}
	found := func(token string) []Place {
		t.Helper()
		list, err := x.Find(t.Context(), Query{Tokens: []string{token}, TaskID: "task", Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	put(1)
	if _, err := x.write.ExecContext(t.Context(), "UPDATE sqlite_sequence SET seq = ? WHERE name = 'entry'",
		1<<tableBits-4); err != nil {
		t.Fatal(err)
	}
	put(6)
	put(1)
	for i := range line {
		if list := found(fmt.Sprintf("word%d", i)); len(list) != 1 || list[0].Line != i {
			t.Errorf("the word of line %d is in %+v", i, list)
		}
	}
	if list := found("word"); len(list) != int(line) || list[0].Line != line-1 {
		t.Errorf("what begins so is in %d of %d lines", len(list), line)
	}
	if err := x.Forget(t.Context(), "task"); err != nil {
		t.Fatal(err)
	}
	put(1)
	if list := found("word"); len(list) != 1 {
		t.Errorf("after the task was forgotten %d of its lines are found, and one that was said since", len(list))
	}
}

// TestLinesOfManyRunsAreAddedTogether: each run's words are its own, wherever the
// tables end, and a run that has nothing to find is noted all the same.
func TestLinesOfManyRunsAreAddedTogether(t *testing.T) {
	t.Parallel()
	x, err := Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if _, err := x.write.ExecContext(t.Context(), "INSERT INTO sqlite_sequence (name, seq) VALUES ('entry', ?)",
		1<<tableBits-4); err != nil {
		t.Fatal(err)
	}
	var all []Lines
	for n := range int64(6) {
		lines := Lines{RunID: fmt.Sprintf("run%d", n), Progress: Progress{TaskID: fmt.Sprintf("task%d", n), Done: n}}
		for line := range n { // the first run has none
			lines.Places = append(lines.Places, Place{Line: line, Kind: beckon.TextEntry, Normalised: fmt.Sprintf("said word%d", n)})
		}
		all = append(all, lines)
	}
	if err := x.Add(t.Context(), all, func() {}); err != nil {
		t.Fatal(err)
	}
	for n := range int64(6) {
		list, err := x.Find(t.Context(), Query{Tokens: []string{"said", "word"}, TaskID: fmt.Sprintf("task%d", n), Limit: 50})
		if err != nil || len(list) != int(n) {
			t.Errorf("of task %d %d lines are found, %v", n, len(list), err)
		}
		for _, at := range list {
			if at.RunID != fmt.Sprintf("run%d", n) {
				t.Errorf("a line of task %d is of %s", n, at.RunID)
			}
		}
		if done, err := x.Done(t.Context(), fmt.Sprintf("run%d", n)); err != nil || done != n {
			t.Errorf("of run %d %d lines are in, %v", n, done, err)
		}
	}
	if list, err := x.Find(t.Context(), Query{Tokens: []string{"word4"}, Limit: 50}); err != nil || len(list) != 4 {
		t.Errorf("a word of one run is in %d lines, %v", len(list), err)
	}
}
