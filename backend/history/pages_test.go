package history

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/store"
	"beckon/backend/transcript"
)

// dead is no live run.
type dead struct{}

func (dead) Present(run beckon.Run) beckon.Run             { return run }
func (dead) Log(beckon.Run) (*transcript.Log, bool)        { return nil, false }
func (dead) State(context.Context) ([]beckon.Event, error) { return nil, nil }

// nowhere has the transcript of no session that runs elsewhere.
type nowhere struct{ Outside }

func (nowhere) Run(context.Context, string) (run beckon.Run, is bool, err error) { return }
func (nowhere) Log(string) (log *transcript.Log, is bool)                        { return }

// Sessions are none.
func (nowhere) Sessions() []beckon.OutsideSession { return nil }

// library is a history without live runs: a task with runs whose agents said so
// many things each.
func library(t *testing.T, said ...int) (*History, beckon.Task, []beckon.Run) {
	t.Helper()
	ctx, dir := t.Context(), t.TempDir()
	s, err := store.Open(context.WithoutCancel(ctx), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	r := &History{Store: s, Dir: filepath.Join(dir, "transcripts"), Live: dead{}, Outside: nowhere{}}
	p := beckon.Project{Key: "KES", Name: "Kestrel", Dir: dir, Color: 1, Mode: beckon.ModeAuto, Policy: beckon.Wait}
	task := beckon.Task{Title: "Talk", Status: beckon.Backlog}
	if err := s.AddProject(ctx, &p); err != nil {
		t.Fatal(err)
	}
	task.ProjectID = p.ID
	if err := s.CreateTask(ctx, &task); err != nil {
		t.Fatal(err)
	}
	var runs []beckon.Run
	for _, n := range said {
		run := beckon.Run{TaskID: task.ID, Kind: beckon.ChatRun, Outcome: beckon.Succeeded, Ended: 1}
		if err := s.AddRun(ctx, &run); err != nil {
			t.Fatal(err)
		}
		runs = append(runs, run)
		write(t, r, run, n)
	}
	return r, task, runs
}

// write lets the agent of a run say so many things, each on a line of its own.
// One that says nothing leaves no file.
func write(t *testing.T, r *History, run beckon.Run, n int) {
	t.Helper()
	if n == 0 {
		return
	}
	log, err := transcript.Open(r.Dir, run.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	first := log.Len()
	for i := first; i < first+int64(n); i++ {
		line := fmt.Appendf(nil, `{"type":"assistant","uuid":"%s-%d","message":{"content":[{"type":"text","text":"%d.%d"}]}}`, run.ID, i, run.Number, i)
		if _, err := log.Append(1, [][]byte{line}); err != nil {
			t.Fatal(err)
		}
	}
}

func texts(entries []beckon.Entry) []string {
	var list []string
	for _, e := range entries {
		list = append(list, e.Text)
	}
	return list
}

func TestTranscriptIsReadFromBothEndsOverAllRuns(t *testing.T) {
	t.Parallel()
	r, task, runs := library(t, 70, 0, 3, 200, 0)
	var whole []string
	for _, run := range runs {
		for i := range []int{70, 0, 3, 200, 0}[run.Number-1] {
			whole = append(whole, fmt.Sprintf("%d.%d", run.Number, i))
		}
	}
	for _, limit := range []int{1, 10, 64, 100, 500} {
		var back, forth []string
		for before, more := "", true; more; more = before != "" {
			page, err := r.Transcript(t.Context(), task.ID, before, limit)
			if err != nil {
				t.Fatal(err)
			}
			back, before = append(texts(page.Entries), back...), page.Before
		}
		for after, more := "", true; more; more = after != "" {
			page, err := r.TranscriptAfter(t.Context(), task.ID, after, limit)
			if err != nil {
				t.Fatal(err)
			}
			forth, after = append(forth, texts(page.Entries)...), page.After
		}
		if !slices.Equal(back, whole) || !slices.Equal(forth, whole) {
			t.Errorf("pages of %d: %d entries from the end, %d from the beginning, of %d", limit, len(back), len(forth), len(whole))
		}
	}
}

func TestPageAroundAnEntryReachesIntoTheNeighbouringRuns(t *testing.T) {
	t.Parallel()
	r, task, runs := library(t, 300, 4, 300)
	page, err := r.TranscriptAround(t.Context(), task.ID, runs[1].ID+"/2", 100)
	if err != nil {
		t.Fatal(err)
	}
	got := texts(page.Entries)
	at := slices.Index(got, "2.2")
	if at < 45 || at > len(got)-45 || page.Before == "" || page.After == "" {
		t.Fatalf("it is number %d of %d, between %q and %q", at, len(got), page.Before, page.After)
	}
	older, err1 := r.Transcript(t.Context(), task.ID, page.Before, 500)
	newer, err2 := r.TranscriptAfter(t.Context(), task.ID, page.After, 500)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	if n := len(got) + len(older.Entries) + len(newer.Entries); n != 604 || older.Before != "" || newer.After != "" {
		t.Errorf("%d entries, then %q and %q", n, older.Before, newer.After)
	}
}

func TestCursorStaysRightWhileTheTranscriptGrows(t *testing.T) {
	t.Parallel()
	r, task, runs := library(t, 100, 100)
	page, err := r.TranscriptAfter(t.Context(), task.ID, "", 60)
	if err != nil {
		t.Fatal(err)
	}
	end, err := r.TranscriptAfter(t.Context(), task.ID, runs[1].ID+"/100", 60)
	if err != nil || len(end.Entries) != 0 || end.After != "" {
		t.Fatalf("behind the end: %+v, %v", end, err)
	}
	write(t, r, runs[1], 50)
	rest, err := r.TranscriptAfter(t.Context(), task.ID, page.After, 500)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(page.Entries) + len(rest.Entries); n != 250 {
		t.Errorf("%d of 250 entries", n)
	}
	if end, err = r.TranscriptAfter(t.Context(), task.ID, runs[1].ID+"/100", 60); err != nil || len(end.Entries) != 50 {
		t.Errorf("%d of the 50 that came, %v", len(end.Entries), err)
	}
}

func TestPlacesThatAreNoneAreRefused(t *testing.T) {
	t.Parallel()
	r, task, runs := library(t, 3)
	for _, cursor := range []string{"x", "/", runs[0].ID, runs[0].ID + "/", runs[0].ID + "/-2", runs[0].ID + "/1x", "other/1", "../" + runs[0].ID + "/1", runs[0].ID + "/99999999999999999999"} {
		for name, read := range map[string]func(context.Context, string, string, int) (beckon.TranscriptPage, error){
			"Transcript": r.Transcript, "TranscriptAfter": r.TranscriptAfter, "TranscriptAround": r.TranscriptAround,
		} {
			if _, err := read(t.Context(), task.ID, cursor, 10); !errors.Is(err, beckon.ErrInvalid) {
				t.Errorf("%s(%q): %v", name, cursor, err)
			}
		}
	}
	if _, err := r.TranscriptAround(t.Context(), task.ID, "", 10); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("around nothing: %v", err)
	}
	if _, err := r.Transcript(t.Context(), task.ID, "", 501); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("a page of 501: %v", err)
	}
	page, err := r.TranscriptAround(t.Context(), task.ID, runs[0].ID+"/9000", 10)
	if err != nil || len(page.Entries) != 3 {
		t.Errorf("around a line behind the end: %+v, %v", page, err)
	}
}

func TestAStateOfManyTasksComesInPartsThatLackNone(t *testing.T) {
	t.Parallel()
	h, task, _ := library(t, 1)
	h.part = 5
	ctx := t.Context()
	for range 9 {
		next := beckon.Task{ProjectID: task.ProjectID, Title: "Talk", Status: beckon.Backlog}
		if err := h.Store.CreateTask(ctx, &next); err != nil {
			t.Fatal(err)
		}
	}
	count := func(events []beckon.Event) (tasks, runs int) {
		for _, e := range events {
			if e.Task != nil {
				tasks++
			}
			if e.Run != nil {
				runs++
			}
		}
		return tasks, runs
	}
	first, more, err := h.State(ctx)
	if tasks, runs := count(first); err != nil || !more || tasks != 5 || runs != 1 {
		t.Errorf("the first part has %d tasks and %d runs, more %v, %v", tasks, runs, more, err)
	}
	after, parts, allTasks, allRuns := BeforeAll, 0, 0, 0
	for ; after != "" && parts < 5; parts++ {
		var part []beckon.Event
		part, after, err = h.StateAfter(ctx, after)
		tasks, runs := count(part)
		if err != nil {
			t.Fatal(err)
		}
		allTasks, allRuns = allTasks+tasks, allRuns+runs
	}
	if allTasks != 10 || allRuns != 1 || parts != 3 {
		t.Errorf("%d parts have %d tasks and %d runs", parts, allTasks, allRuns)
	}
}
