package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"beckon/backend/beckon"
	"beckon/backend/store"
	"beckon/backend/store/database"
	"beckon/backend/store/textindex"
	"beckon/backend/transcript"
	"beckon/tests/timeout"
)

// patience is how long a test waits for the index.
var patience = timeout.For(20 * time.Second)

// world is an index with the store and the logs that it reads.
type world struct {
	*Index
	t       testing.TB
	dir     string
	project beckon.Project
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := stillWorld(t)
	w.Start()
	return w
}

// stillWorld is one whose index reads what waits only where readWaiting is called.
func stillWorld(t testing.TB) *world {
	t.Helper()
	dir := t.TempDir()
	s, err := store.Open(context.WithoutCancel(t.Context()), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	w := &world{t: t, dir: dir}
	w.project = beckon.Project{Key: "KES", Name: "Kestrel", Dir: dir, Color: 1, Mode: beckon.ModeAuto, Policy: beckon.Wait}
	if err := s.AddProject(t.Context(), &w.project); err != nil {
		t.Fatal(err)
	}
	w.join(s)
	return w
}

// open begins to index, as a Beckon that starts does.
func (w *world) open(s *store.Store) {
	w.t.Helper()
	w.join(s)
	w.Start()
}

func (w *world) join(s *store.Store) {
	w.t.Helper()
	words, err := textindex.Open(w.t.Context(), w.dir)
	if err != nil {
		w.t.Fatal(err)
	}
	x := New(s, words, w.dir+"/transcripts")
	w.Index = x
	w.t.Cleanup(func() {
		if err := x.Close(); err != nil {
			w.t.Error(err)
		}
	})
}

func (w *world) run() beckon.Run {
	w.t.Helper()
	task := beckon.Task{ProjectID: w.project.ID, Title: "Talk", Status: beckon.Backlog}
	if err := w.store.CreateTask(w.t.Context(), &task); err != nil {
		w.t.Fatal(err)
	}
	run := beckon.Run{TaskID: task.ID, Kind: beckon.ChatRun}
	if err := w.store.AddRun(w.t.Context(), &run); err != nil {
		w.t.Fatal(err)
	}
	return run
}

// write appends lines to a run's log and says so as the runner does.
func (w *world) write(run beckon.Run, lines ...string) {
	w.t.Helper()
	log, err := transcript.Open(w.logs, run.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	defer log.Close()
	raw := make([][]byte, len(lines))
	for i, line := range lines {
		raw[i] = []byte(line)
	}
	if _, err := log.Append(beckon.Now(), raw); err != nil {
		w.t.Fatal(err)
	}
	w.OnEvent(beckon.Event{Run: &run})
}

func says(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string cannot fail
	}
	return fmt.Sprintf(`{"type":"assistant","message":{"content":[{"type":"text","text":%s}]}}`, quoted)
}

// until searches until there are so many hits.
func (w *world) until(q beckon.SearchQuery, hits int) beckon.SearchPage {
	w.t.Helper()
	q.Limit = 50
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		page, err := w.Search(w.t.Context(), q)
		if err != nil {
			w.t.Fatal(err)
		}
		if len(page.Hits) == hits && page.Behind == 0 {
			return page
		}
		if time.Now().After(end) {
			w.t.Fatalf("%q: %d hits, want %d, %d runs behind", q.Text, len(page.Hits), hits, page.Behind)
		}
	}
}

// marked puts each mark of a snippet in brackets.
func marked(h beckon.SearchHit) string {
	units := utf16.Encode([]rune(h.Snippet))
	var b strings.Builder
	last := 0
	for i, at := range h.Marks {
		b.WriteString(string(utf16.Decode(units[last:at])) + "[]"[i%2:i%2+1])
		last = at
	}
	return b.String() + string(utf16.Decode(units[last:]))
}

func TestWordsAreFoundWhereTheyWereSaid(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	run := w.run()
	w.write(run,
		string(transcript.MessageLine("u-1", "Please mend the Überlauf 🙂 of the parser")),
		`{"type":"user","uuid":"u-1","isReplay":true,"message":{"content":"Please mend the Überlauf of the parser"}}`,
		`{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"A buffer, perhaps"},{"type":"text","text":"I look."}]}}`,
		`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"grep -n\nneedle src/scan.go"}}]}}`,
		says("Meanwhile"),
		`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"scan.go:12: haystack_of_straw"}]}}`,
		`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t2","name":"AskUserQuestion","input":{"questions":[{"question":"Which colour?","options":[{"label":"Vermilion"}]}]}}]}}`,
		`{"type":"result","is_error":true,"result":"Credit is exhausted","uuid":"r"}`,
	)
	for text, want := range map[string]struct {
		kind beckon.EntryKind
		pos  int64
		mark string
	}{
		"uberlauf":        {beckon.UserEntry, 0, "Please mend the [Überlauf] 🙂 of the parser"},
		"parser PLEASE":   {beckon.UserEntry, 0, "[Please] mend the Überlauf 🙂 of the [parser]"},
		"buffer":          {beckon.ThinkingEntry, 2, "A [buffer], perhaps"},
		"needle":          {beckon.ToolEntry, 3, "grep -n [needle] src/scan.go"},
		"haystack straw":  {beckon.ToolEntry, 3, "scan.go:12: [haystack]_of_[straw]"},
		"hayst":           {beckon.ToolEntry, 3, "scan.go:12: [haystack]_of_straw"},
		"vermilion which": {beckon.QuestionEntry, 6, "[Which] colour? [Vermilion]"},
		"exhausted":       {beckon.TurnEntry, 7, "Credit is [exhausted]"},
	} {
		hit := w.until(beckon.SearchQuery{Text: text}, 1).Hits[0]
		if hit.Kind != want.kind || hit.Pos != want.pos || marked(hit) != want.mark || hit.RunID != run.ID || hit.TaskID != run.TaskID || hit.At == 0 {
			t.Errorf("%q: %+v, %q", text, hit, marked(hit))
		}
	}
	w.until(beckon.SearchQuery{Text: "needle haystack"}, 0) // in two lines
	w.until(beckon.SearchQuery{Text: "command"}, 0)         // the name of a field
}

func TestNewestIsFirstAndPagesGoOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	run := w.run()
	for i := range 7 {
		w.write(run, says(fmt.Sprintf("common %d", i)))
	}
	w.until(beckon.SearchQuery{Text: "common"}, 7)
	var got []int64
	for q := (beckon.SearchQuery{Text: "com", Limit: 3}); ; {
		page, err := w.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range page.Hits {
			got = append(got, h.Pos)
		}
		if q.Before = page.Before; q.Before == "" {
			break
		}
	}
	if !slices.Equal(got, []int64{6, 5, 4, 3, 2, 1, 0}) {
		t.Error(got)
	}
}

func TestCallWhoseResultRepeatsItIsOneHit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(w.run(),
		`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"echo kingfisher"}}]}}`,
		`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"a kingfisher"}]}}`,
		says("No kingfisher here"),
	)
	page := w.until(beckon.SearchQuery{Text: "kingfi"}, 2)
	if h := page.Hits[1]; h.Pos != 0 || marked(h) != "a [kingfisher]" {
		t.Errorf("%d: %s", h.Pos, marked(h))
	}
}

func TestSnippetBeginsWithAWholeWord(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"short heron": "short heron",
		strings.Repeat("x", 50) + " long words heron":    "long words heron",
		strings.Repeat("ü", 200) + "/heron":              strings.Repeat("ü", 29) + "/heron",
		"begins " + strings.Repeat("a b ", 20) + "heron": strings.Repeat("b a ", 14) + "b heron",
	} {
		if got, _ := snippet(text, []string{"heron"}); got != want {
			t.Errorf("%q", got)
		}
	}
}

func TestFiltersLeaveWhatIsMeant(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, b := w.run(), w.run()
	w.write(a, says("shared word"), string(transcript.MessageLine("1", "shared word")))
	w.write(b, says("shared word"))
	w.until(beckon.SearchQuery{Text: "shared"}, 3)
	w.until(beckon.SearchQuery{Text: "shared", TaskID: a.TaskID}, 2)
	w.until(beckon.SearchQuery{Text: "shared", Kind: beckon.UserEntry}, 1)
	w.until(beckon.SearchQuery{Text: "shared", ProjectID: w.project.ID, Kind: beckon.TextEntry}, 2)
	w.until(beckon.SearchQuery{Text: "shared", ProjectID: "other"}, 0)
}

func TestHostileQueriesAreOnlyWords(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(w.run(), says("plain words here"))
	w.until(beckon.SearchQuery{Text: "words"}, 1)
	for _, text := range []string{
		"", " ", `"`, `"words`, `words"`, `'; DROP TABLE entry; --`, "words*", "*", "^words", "tokens:words", "{tokens}: words",
		"words AND", "OR words", "NOT", "NEAR(words here, 2)", "NEAR", "(words", "words)", "-words", "+words", "words + here",
		"\x00", "words\x00here", "\xff\xfe", "\uE000kuser", "e\u0301", "\u0301", strings.Repeat("words ", 10_000), strings.Repeat("w", 100_000), "½ ² Ⅷ 𝔴𝔬𝔯𝔡", "漢字",
	} {
		for _, q := range []beckon.SearchQuery{{Text: text}, {Text: "words", ProjectID: text}, {Text: "words", TaskID: text}} {
			q.Limit = 10
			if _, err := w.Search(t.Context(), q); err != nil {
				t.Errorf("%.40q: %v", text, err)
			}
		}
	}
	for _, q := range []beckon.SearchQuery{{Limit: 0}, {Limit: 101}, {Limit: 1, Kind: "x"}, {Limit: 1, Before: "x"}, {Limit: 1, Before: "-1"}} {
		if _, err := w.Search(t.Context(), q); !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

func TestIndexGoesOnWhereAnEarlierBeckonStopped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	run := w.run()
	w.write(run, says("first"), `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"make"}}]}}`)
	w.until(beckon.SearchQuery{Text: "first"}, 1)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w.write(run, says("second"), `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"outcome"}]}}`)
	w.open(w.store)
	w.until(beckon.SearchQuery{Text: "second"}, 1)
	w.until(beckon.SearchQuery{Text: "first"}, 1)
	if hit := w.until(beckon.SearchQuery{Text: "outcome"}, 1).Hits[0]; hit.Pos != 1 {
		t.Errorf("the result is shown at line %d, its call is at 1", hit.Pos)
	}
}

// TestWhatALiveRunSaysIsFoundAsItGoesOn: a line makes no event of its run, and the
// result of a call may come long after it.
func TestWhatALiveRunSaysIsFoundAsItGoesOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	run := w.run()
	log, err := transcript.Open(w.logs, run.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	say := func(lines ...string) {
		t.Helper()
		raw := make([][]byte, len(lines))
		for i, line := range lines {
			raw[i] = []byte(line)
		}
		if _, err := log.Append(beckon.Now(), raw); err != nil {
			t.Fatal(err)
		}
		w.OnWritten(run.ID)
	}
	say(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"make"}}]}}`)
	w.until(beckon.SearchQuery{Text: "make"}, 1)
	for range 2 * backLines {
		say(says("Meanwhile"))
	}
	say(says("done waiting"))
	w.until(beckon.SearchQuery{Text: "waiting"}, 1)
	say(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"outcome"}]}}`)
	if hit := w.until(beckon.SearchQuery{Text: "outcome"}, 1).Hits[0]; hit.Pos != 0 {
		t.Errorf("the result is shown at line %d, its call is at 0", hit.Pos)
	}
}

// TestRunsThatWriteTogetherAreReadTogether: what many runs wrote in one moment goes in
// together, also where it is more than one commit, and a run that has nothing new or no
// log keeps none of the others out. Nothing is in twice.
func TestRunsThatWriteTogetherAreReadTogether(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	runs := make([]beckon.Run, 12)
	for i := range runs {
		runs[i] = w.run()
	}
	for round := range 3 {
		for i, run := range runs {
			lines := []string{says(fmt.Sprintf("together r%dn%02d", round, i))}
			if i == 5 { // more than one commit takes
				lines = append(lines, says(strings.Repeat("long ", loadBytes/5)), says(fmt.Sprintf("after r%d", round)))
			}
			if i == 7 {
				for range loadMost + 10 {
					lines = append(lines, says("many"))
				}
			}
			w.write(run, lines...)
		}
		silent := w.run() // without a log
		w.OnEvent(beckon.Event{Run: &silent})
		w.until(beckon.SearchQuery{Text: "together"}, (round+1)*len(runs))
		for i, run := range runs {
			page := w.until(beckon.SearchQuery{Text: fmt.Sprintf("r%dn%02d", round, i)}, 1)
			if page.Hits[0].RunID != run.ID {
				t.Errorf("what run %d said is found in another", i)
			}
		}
		w.until(beckon.SearchQuery{Text: fmt.Sprintf("after r%d", round)}, 1)
	}
}

// TestWhatCouldNotBeWrittenIsReadAgain: as where the disk was full for a while. Until then
// the search says that it is behind.
func TestWhatCouldNotBeWrittenIsReadAgain(t *testing.T) {
	t.Parallel()
	w := stillWorld(t)
	w.rests = time.Millisecond
	file, err := database.Open(w.dir+"/search.db", "")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.ExecContext(t.Context(), "CREATE TRIGGER full BEFORE INSERT ON entry BEGIN SELECT RAISE(ABORT, 'no room'); END"); err != nil {
		t.Fatal(err)
	}
	const runs = 3
	for range runs {
		w.write(w.run(), says("kept"))
	}
	w.readWaiting()
	page, err := w.Search(t.Context(), beckon.SearchQuery{Text: "kept", Limit: 50})
	if err != nil || len(page.Hits) > 0 || page.Behind != runs {
		t.Errorf("%d hits, %d runs behind, %v", len(page.Hits), page.Behind, err)
	}
	if _, err := file.ExecContext(t.Context(), "DROP TRIGGER full"); err != nil {
		t.Fatal(err)
	}
	w.readWaiting()
	if page, err = w.Search(t.Context(), beckon.SearchQuery{Text: "kept", Limit: 50}); err != nil || len(page.Hits) != runs || page.Behind != 0 {
		t.Errorf("then %d hits, %d runs behind, %v", len(page.Hits), page.Behind, err)
	}
}

func TestDeletedTaskTakesItsWordsAlong(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, b := w.run(), w.run()
	w.write(a, says("shared secret"))
	w.write(b, says("shared public"))
	w.until(beckon.SearchQuery{Text: "shared"}, 2)
	w.OnEvent(beckon.Event{Gone: a.TaskID})
	w.until(beckon.SearchQuery{Text: "shared"}, 1)
	w.until(beckon.SearchQuery{Text: "secret"}, 0)
}

func TestLineThatIsBeingWrittenIsLeftForLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	run := w.run()
	w.write(run, says("whole"))
	w.until(beckon.SearchQuery{Text: "whole"}, 1)
	log, err := transcript.Open(w.logs, run.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	if n := log.Whole(); n != 1 {
		t.Fatal(n)
	}
	half := []byte(says("torn"))
	appendBytes(t, w.logs+"/"+run.ID+".ndjson", half[:30])
	w.OnEvent(beckon.Event{Run: &run})
	w.until(beckon.SearchQuery{Text: "whole"}, 1)
	appendBytes(t, w.logs+"/"+run.ID+".ndjson", append(half[30:], '\n'))
	w.OnEvent(beckon.Event{Run: &run})
	w.until(beckon.SearchQuery{Text: "torn"}, 1)
}

func TestLandmarksAreInOrderWhetherIndexedOrNot(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	run := w.run()
	first := []string{
		string(transcript.MessageLine("u-1", "Begin\nhere")), says("I do"),
		`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t2","name":"AskUserQuestion","input":{"questions":[{"question":"Which colour?"}]}}]}}`,
		`{"type":"result","uuid":"r1"}`,
	}
	want := []string{"user Begin", "question Which colour?", "turn "}
	w.write(run, first...)
	read := func() (list []string) {
		marks, err := w.Landmarks(t.Context(), run.TaskID)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range marks {
			if m.RunID != run.ID {
				t.Errorf("%+v", m)
			}
			list = append(list, string(m.Kind)+" "+m.Text)
		}
		return list
	}
	if got := read(); !slices.Equal(got, want) {
		t.Errorf("before they are indexed: %q", got)
	}
	w.until(beckon.SearchQuery{Text: "begin"}, 1)
	w.write(run, `{"type":"user","uuid":"u-1","isReplay":true,"message":{"content":"Begin\nhere"}}`, `{"type":"result","is_error":true,"result":"No credit","uuid":"r2"}`)
	want = append(want, "turn No credit")
	if got := read(); !slices.Equal(got, want) {
		t.Errorf("half indexed: %q", got)
	}
	w.until(beckon.SearchQuery{Text: "credit"}, 1)
	if got := read(); !slices.Equal(got, want) {
		t.Errorf("indexed: %q", got)
	}
	if _, err := w.Landmarks(t.Context(), "other"); !errors.Is(err, beckon.ErrNotFound) {
		t.Error(err)
	}
}

func appendBytes(t *testing.T, path string, raw []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.Write(raw)
	}
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkRead has one line of 1 KB in each round, of words of which a few are in
// nearly every line and most in a few.
func BenchmarkRead(b *testing.B) {
	const most = 20_000
	word := rand.NewZipf(rand.New(rand.NewSource(1)), 1.1, 4, 200_000)
	lines := make([]string, most)
	for i := range lines {
		var text strings.Builder
		for text.Len() < 700 {
			fmt.Fprintf(&text, "w%dx ", word.Uint64())
		}
		lines[i] = says(text.String())
	}
	w := stillWorld(b)
	for done := 0; done < b.N; done += most {
		b.StopTimer()
		run := w.run()
		w.write(run, lines[:min(most, b.N-done)]...)
		b.StartTimer()
		w.await(run.ID)
		w.readWaiting()
	}
}

// BenchmarkReadFewOfMany has one line of 2.6 KB of each of sixteen runs in each round, as
// agents write that are read along with.
func BenchmarkReadFewOfMany(b *testing.B) {
	const runs = 16
	w := stillWorld(b)
	all := make([]beckon.Run, runs)
	for i := range all {
		all[i] = w.run()
	}
	word := rand.NewZipf(rand.New(rand.NewSource(1)), 1.1, 4, 200_000)
	for b.Loop() {
		b.StopTimer()
		for _, run := range all {
			var text strings.Builder
			for text.Len() < 2600 {
				fmt.Fprintf(&text, "w%dx ", word.Uint64())
			}
			w.write(run, says(text.String()))
		}
		b.StartTimer()
		w.readWaiting()
	}
}
