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
		if err := x.AddLines(t.Context(), "run", Progress{TaskID: "task", ProjectID: "project", Done: line}, places, nil,
			func() {}); err != nil {
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
