package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/store/checkpoints"
	"beckon/backend/store/decisions"
	"beckon/backend/store/table"
)

// decide adds questions of a run, each as the edit leaves it, in one transaction.
func decide(t *testing.T, s *Store, run beckon.Run, n int, edit func(i int, q *beckon.Question)) []beckon.Question {
	t.Helper()
	all := make([]beckon.Question, n)
	err := s.change(deadline(t), func(ctx context.Context, tx *sql.Tx) error {
		for i := range all {
			q := someQuestion(run)
			q.ID = fmt.Sprintf("q%06d", i)
			q.Settlement, q.Answer, q.Settled = beckon.Answered, answer("keep it"), int64(1000+i)
			edit(i, &q)
			if err := questions.Insert(ctx, tx, &q); err != nil {
				return err
			}
			all[i] = q
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// pages reads all pages of a filter.
func pages(t *testing.T, s *Store, f decisions.Filter) (ids []string, counts decisions.Counts) {
	t.Helper()
	for after := ""; ; {
		p, err := s.Decisions.Page(deadline(t), f, after)
		if err != nil {
			t.Fatal(err)
		}
		if (p.Counts != nil) != (after == "") {
			t.Errorf("the page after %q has the counts %v", after, p.Counts)
		}
		if p.Counts != nil {
			counts = *p.Counts
		}
		for _, q := range p.Rows {
			ids = append(ids, q.ID)
		}
		if after = p.Next; after == "" {
			return ids, counts
		}
	}
}

// TestEachDecisionIsOnOnePage: of decisions of the same moment none is left out between two
// pages, and none comes twice.
func TestEachDecisionIsOnOnePage(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	decide(t, s, run, 350, func(i int, q *beckon.Question) { q.Settled = 1000 + int64(i/175) })
	addQuestion(t, s, run) // it waits
	ids, counts := pages(t, s, decisions.Filter{})
	if len(ids) != 350 || counts.All != 350 || counts.Found != 350 {
		t.Fatalf("%d rows, %+v", len(ids), counts)
	}
	for i, id := range ids {
		if want := fmt.Sprintf("q%06d", 349-i); id != want {
			t.Fatalf("row %d is %s, not %s", i, id, want)
		}
	}
	if _, err := s.Decisions.Page(deadline(t), decisions.Filter{}, "x"); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("a page after nothing: %v", err)
	}
}

// TestDecisionsAreFoundByWhatTheyAre: by kind, by place, by project, by what was assumed, and by
// words of the question, its options and the answer; a word is a word, whatever it means to SQL.
func TestDecisionsAreFoundByWhatTheyAre(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	kinds := []func(q *beckon.Question){
		func(q *beckon.Question) { // q000000: asked, answered from a phone
			q.Answer.By, q.Answer.ByName = beckon.ByPhone, "Pixel 9"
			q.Items[0].Options = []beckon.Option{{Label: "a <b> & \"c\"", Description: "100%_sure"}}
		},
		func(q *beckon.Question) { // q000001: the clock
			q.Settlement, q.Answer = beckon.Expired, nil
		},
		func(q *beckon.Question) { // q000002: a permission, denied
			q.Kind, q.Items = beckon.Permission, []beckon.QuestionItem{}
			q.Permission = &beckon.PermissionRequest{Tool: "Bash", Command: "curl -sSf get.sh", Diff: "secret", Input: "{}"}
			q.Answer = &beckon.Answer{Verdict: beckon.Deny, Text: "the Debian package does it", By: beckon.ByTelegram}
		},
		func(q *beckon.Question) { // q000003: a plan, by a standing answer
			q.Kind, q.Items, q.Plan = beckon.Plan, []beckon.QuestionItem{}, "# Bound memory\n"+strings.Repeat("x", 1000)
			q.Answer = &beckon.Answer{Verdict: beckon.AllowOnce, By: beckon.ByRule}
		},
		func(q *beckon.Question) { // q000004: withdrawn, with what the agent assumed
			q.Settlement, q.Answer, q.Assumption = beckon.Withdrawn, nil, "64 rows"
		},
		func(q *beckon.Question) { // withdrawn and nothing more: no decision
			q.Settlement, q.Answer = beckon.Withdrawn, nil
		},
	}
	decide(t, s, run, len(kinds), func(i int, q *beckon.Question) { kinds[i](q) })
	task, err := s.Task(deadline(t), run.TaskID)
	if err != nil {
		t.Fatal(err)
	}
	for i, step := range map[int]checkpoints.Step{2: checkpoints.Moved, 3: checkpoints.Returned} {
		w := checkpoints.Rewind{
			ID: fmt.Sprint(i), TaskID: task.ID, QuestionID: fmt.Sprintf("q%06d", i), Step: step,
			Answer: beckon.Answer{Verdict: beckon.AllowOnce}, At: 2000,
		}
		if err := s.Checkpoints.Begin(deadline(t), w); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		f    decisions.Filter
		want string
	}{
		{decisions.Filter{}, "4 3 2 1 0"},
		{decisions.Filter{Kind: decisions.Questions}, "4 1 0"},
		{decisions.Filter{Kind: decisions.Permissions}, "2"},
		{decisions.Filter{Kind: decisions.Plans}, "3"},
		{decisions.Filter{Assumed: true}, "4 1"},
		{decisions.Filter{From: "phone"}, "0"},
		{decisions.Filter{From: "clock"}, "1"},
		{decisions.Filter{From: "agent"}, "4"},
		{decisions.Filter{From: "rule"}, "3"},
		{decisions.Filter{ProjectID: task.ProjectID}, "4 3 2 1 0"},
		{decisions.Filter{ProjectID: "another"}, ""},
		{decisions.Filter{TaskID: task.ID}, "4 3 2 1 0"},
		{decisions.Filter{TaskID: "another"}, ""},
		{decisions.Filter{Undone: true}, "2"},
		{decisions.Filter{Undone: true, Assumed: true}, ""},
		{decisions.Filter{Since: 1001}, "4 1 3 2"},
		{decisions.Filter{Since: 1001, Until: 1002}, "1 2"},
		{decisions.Filter{Until: 1000}, "0"},
		{decisions.Filter{Text: "debian CURL"}, "2"},
		{decisions.Filter{Text: "<b> \"c\""}, "0"},
		{decisions.Filter{Text: "100%_sure"}, "0"},
		{decisions.Filter{Text: "1%sure"}, ""},
		{decisions.Filter{Text: "pixel"}, "0"},
		{decisions.Filter{Text: "label"}, ""}, // a key of the JSON is no word of the question
		{decisions.Filter{Text: "64 rows"}, "4"},
		{decisions.Filter{Text: "keep", Kind: decisions.Questions, Assumed: true}, "4 1"},
	} {
		ids, counts := pages(t, s, c.f)
		for i := range ids {
			ids[i] = strings.TrimLeft(ids[i], "q0")
			if ids[i] == "" {
				ids[i] = "0"
			}
		}
		if got := strings.Join(ids, " "); got != c.want || counts.Found != len(ids) {
			t.Errorf("%+v leaves %q, %+v; want %q", c.f, got, counts, c.want)
		}
	}
	_, counts := pages(t, s, decisions.Filter{Kind: decisions.Plans, Assumed: true})
	if want := (decisions.Counts{All: 5, Questions: 3, Permissions: 1, Plans: 1, Assumed: 2, Undone: 1}); counts != want {
		t.Errorf("the counts are %+v", counts)
	}
	p, err := s.Decisions.Page(deadline(t), decisions.Filter{}, "")
	if err != nil || len(p.Rows[1].Plan) > 400 || p.Rows[2].Permission.Diff != "" {
		t.Errorf("rows carry what they do not show, %v", err)
	}
	if len(p.Instead) != 1 || p.Instead["q000002"].Verdict != beckon.AllowOnce {
		t.Errorf("chosen differently are %+v", p.Instead)
	}
	for _, f := range []decisions.Filter{{Kind: "x"}, {From: "x"}} {
		if _, err := s.Decisions.Page(deadline(t), f, ""); !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%+v: %v", f, err)
		}
	}
}

// TestTenThousandDecisionsAreReadAPageAtATime: a page is read by the index, without a sort, and
// the first one is there at once.
func TestTenThousandDecisionsAreReadAPageAtATime(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	decide(t, s, run, 10_000, func(i int, q *beckon.Question) {
		if i%3 == 0 {
			q.Kind, q.Items, q.Permission = beckon.Permission, []beckon.QuestionItem{}, &beckon.PermissionRequest{Tool: "Bash", Command: "go test ./..."}
		}
	})
	ids, counts := pages(t, s, decisions.Filter{Since: 2000, Until: 2300})
	if len(ids) != 301 || counts.Found != 301 || ids[0] != "q001300" || ids[300] != "q001000" {
		t.Errorf("%d of a span, %+v", len(ids), counts)
	}
	steps, err := table.Rows(deadline(t), s.read, func(p *[4]string) []any { return []any{&p[0], &p[1], &p[2], &p[3]} },
		"EXPLAIN QUERY PLAN SELECT id FROM question WHERE (settlement IN ('answered', 'expired') OR assumption <> '') AND 1 AND (settled, id) < (9000, 'q') ORDER BY settled DESC, id DESC LIMIT 101")
	if err != nil || len(steps) != 1 || !strings.Contains(steps[0][3], "SEARCH question USING INDEX question_decided ((settled,id)<(?,?))") {
		t.Errorf("a page is read by %v, %v", steps, err)
	}
	best := time.Hour
	for range 5 {
		began := time.Now()
		p, err := s.Decisions.Page(deadline(t), decisions.Filter{}, "")
		if best = min(best, time.Since(began)); err != nil || len(p.Rows) != 100 || p.Counts.All != 10_000 {
			t.Fatalf("%d rows, %v", len(p.Rows), err)
		}
	}
	began := time.Now()
	_, counts = pages(t, s, decisions.Filter{Kind: decisions.Permissions, Text: "go test"})
	t.Logf("the first page took %v, all that a search finds %v", best, time.Since(began))
	if counts.Found != 3334 {
		t.Errorf("a search counts %+v", counts)
	}
	if best > 150*time.Millisecond {
		t.Errorf("the first page took %v", best)
	}
}

// TestWhatWasAssumedMeanwhileComesFirst: on each page of a span.
func TestWhatWasAssumedMeanwhileComesFirst(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	decide(t, s, run, 450, func(i int, q *beckon.Question) {
		switch i % 3 {
		case 1:
			q.Settlement, q.Answer = beckon.Expired, nil
		case 2:
			q.Assumption = "64 rows"
		}
	})
	ids, counts := pages(t, s, decisions.Filter{Since: 1})
	seen := map[string]bool{}
	for i, id := range ids {
		nth, _ := strconv.Atoi(id[1:])
		seen[id] = true
		if later := i > 0 && id > ids[i-1]; (nth%3 != 0) != (i < 300) || later && i != 300 {
			t.Errorf("%s is in place %d, after %s", id, i, ids[max(i-1, 0)])
		}
	}
	if len(ids) != 450 || len(seen) != 450 || counts.Assumed != 300 {
		t.Errorf("%d of %d, %+v", len(seen), len(ids), counts)
	}
}

// TestWhatWasNotAskedIsTheAgents: it is no decision of the clock's, and parts no two others.
func TestWhatWasNotAskedIsTheAgents(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	all := decide(t, s, run, 3, func(i int, q *beckon.Question) {
		if i == 1 {
			q.Settlement, q.Answer, q.Assumption, q.Reason = beckon.Expired, nil, "kept", reason.Of(reason.NotAsked)
		}
	})
	for from, want := range map[string]string{"agent": all[1].ID, "clock": "", "user": all[2].ID + " " + all[0].ID} {
		if ids, _ := pages(t, s, decisions.Filter{From: from}); strings.Join(ids, " ") != want {
			t.Errorf("from %s are %q, want %q", from, ids, want)
		}
	}
	if n, err := s.Decisions.Neighbors(t.Context(), all[2]); err != nil || n.Before.ID != all[0].ID || n.After.ID != "" {
		t.Errorf("between %q and %q, %v; want only the first before", n.Before.ID, n.After.ID, err)
	}
}
