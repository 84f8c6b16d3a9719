package search

import (
	"testing"

	"beckon/backend/beckon"
)

// asked keeps a question of a session elsewhere that was answered in its terminal.
func (w *world) asked(text, answer string) beckon.Question {
	w.t.Helper()
	run := beckon.Run{Kind: beckon.ExternalRun, Session: "s"}
	if err := w.store.AddRun(w.t.Context(), &run); err != nil {
		w.t.Fatal(err)
	}
	q := beckon.Question{
		ID: beckon.NewID(), RunID: run.ID, Kind: beckon.Ask, Policy: beckon.Wait, Settlement: beckon.Open, Asked: beckon.Now(),
		Origin: "kestrel · /home/dev/kestrel",
		Items:  []beckon.QuestionItem{{Header: "Database", Text: text, Options: []beckon.Option{{Label: "PostgreSQL"}, {Label: answer}}}},
	}
	if err := w.store.AddQuestion(w.t.Context(), q); err != nil {
		w.t.Fatal(err)
	}
	q, err := w.store.Settle(w.t.Context(), q.ID, beckon.Answered, &beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{answer}}}, By: beckon.ByTerminal, At: beckon.Now()}, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return q
}

// TestAQuestionOfASessionElsewhereIsFound by what was asked, by the answer, and by
// where it was asked; with who answered it, and not among those of a project.
func TestAQuestionOfASessionElsewhereIsFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	want := w.asked("Which database shall I take?", "SQLite")
	other := w.asked("Rename it?", "Never")
	for text, wants := range map[string][]string{
		"database": {other.ID, want.ID}, "database shall": {want.ID}, "sqli": {want.ID}, "kestrel never": {other.ID}, "sqlite nowhere": {}, "": {},
	} {
		page, err := w.Search(t.Context(), beckon.SearchQuery{Text: text, Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, q := range page.Elsewhere {
			got = append(got, q.ID)
		}
		if len(got) != len(wants) || len(got) > 0 && got[0] != wants[0] {
			t.Errorf("%q finds %q, want %q", text, got, wants)
		}
	}
	page, err := w.Search(t.Context(), beckon.SearchQuery{Text: "sqlite", Kind: beckon.QuestionEntry, Limit: 10})
	if err != nil || len(page.Elsewhere) != 1 || page.Elsewhere[0].Answer.By != beckon.ByTerminal {
		t.Errorf("found %+v, %v", page.Elsewhere, err)
	}
	for _, narrow := range []beckon.SearchQuery{{ProjectID: w.project.ID}, {Kind: beckon.ToolEntry}, {Before: "5"}} {
		narrow.Text, narrow.Limit = "sqlite", 10
		if page, err := w.Search(t.Context(), narrow); err != nil || len(page.Elsewhere) > 0 {
			t.Errorf("%+v finds %+v, %v", narrow, page.Elsewhere, err)
		}
	}
}
