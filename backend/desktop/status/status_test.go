package status

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"beckon/backend/beckon"
	"beckon/backend/beckon/notifying"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/spending"
	"beckon/backend/notify"
)

const messagesDir = "../../../frontend/messages"

func english(t *testing.T) messages {
	t.Helper()
	all, err := readMessages(os.DirFS(messagesDir))
	if err != nil {
		t.Fatal(err)
	}
	return all["en"]
}

func TestEveryWordIsThereInEveryLanguage(t *testing.T) {
	all, err := readMessages(os.DirFS(messagesDir))
	if err != nil {
		t.Fatal(err)
	}
	for language, w := range all {
		used := 0
		v := reflect.ValueOf(w)
		for i := range v.NumField() {
			switch message := v.Field(i).Interface().(type) {
			case string:
				used++
				if message == "" {
					t.Errorf("%s: %s is empty", language, v.Type().Field(i).Name)
				}
			case plural:
				used += 2
				if message.One == "" || message.Other == "" {
					t.Errorf("%s: %s lacks a form", language, v.Type().Field(i).Name)
				}
			}
		}
		data, _ := os.ReadFile(messagesDir + "/" + language + "/status.json")
		written := map[string]string{}
		if err := json.Unmarshal(data, &written); err != nil || len(written) != used {
			t.Errorf("%s: %d messages are written and %d used, %v", language, len(written), used, err)
		}
	}
}

// world is a view with a task whose agent works, and what notifications do.
type world struct {
	t     *testing.T
	view  view
	words messages
	book  *notify.Decider
	now   time.Time
	did   []string // since it was last read
	last  map[string]Note
}

func newWorld(t *testing.T) *world {
	book := notify.NewDecider()
	w := &world{t: t, view: view{book.View}, words: english(t), book: book, now: time.Date(2026, 3, 4, 12, 0, 0, 0, time.Local), last: map[string]Note{}}
	w.view.Apply(beckon.Event{Task: &beckon.Task{ID: "t1", Key: "KES-1", Title: "Parse ranges", Status: beckon.Running}})
	w.view.Apply(beckon.Event{Run: &beckon.Run{ID: "r1", TaskID: "t1", Number: 1, Kind: beckon.TaskRun, Phase: beckon.Working}})
	return w
}

func (w *world) hear(e beckon.Event) { w.note(w.book.OnEvent(e, w.now)) }

func (w *world) note(all []notifying.Notice) {
	for _, decided := range all {
		n, known := w.view.note(decided, w.words)
		switch {
		case decided.Over:
			w.did = append(w.did, "close "+decided.ID)
		case !known:
			w.t.Errorf("%+v is about nothing", decided)
		case decided.Banner:
			w.did = append(w.did, "show "+n.ID)
			w.last[n.ID] = n
		}
	}
}

func (w *world) expect(what string, want ...string) {
	w.t.Helper()
	if !slices.Equal(w.did, want) {
		w.t.Errorf("%s: %q, want %q", what, w.did, want)
	}
	w.did = nil
}

// tell has a kind told so.
func (w *world) tell(kind notifying.Kind, how notifying.How) {
	w.settings(func(s *beckon.Settings) {
		s.Notify.Tell = maps.Clone(s.Notify.Tell)
		s.Notify.Tell[kind] = how
	})
}

func (w *world) settings(change func(*beckon.Settings)) {
	s := w.view.Settings
	change(&s)
	w.hear(beckon.Event{Settings: &s})
}

// ask is an open question with two options and a clock of three minutes.
func (w *world) ask(id string) beckon.Question {
	return beckon.Question{
		ID: id, TaskID: "t1", RunID: "r1", Kind: beckon.Ask, Settlement: beckon.Open, Policy: beckon.Proceed,
		Asked: w.now.UnixMilli(), WaitMs: 180_000, Deadline: w.now.UnixMilli() + 180_000,
		Items: []beckon.QuestionItem{{Text: "How should overlaps be handled?", Options: []beckon.Option{{Label: "Reject"}, {Label: "Merge"}}}},
	}
}

func question(q beckon.Question) beckon.Event { return beckon.Event{Question: &q} }

func TestAQuestionIsToldOnceAndTakenBackHoweverItIsSettled(t *testing.T) {
	for _, end := range []beckon.Settlement{beckon.Answered, beckon.Expired, beckon.Withdrawn} {
		w := newWorld(t)
		q := w.ask("q1")
		w.hear(question(q))
		w.expect("asked", "show q1")
		q.Deadline, q.HeldMs = 0, 1000
		w.hear(question(q))
		w.expect("held")
		q.Settlement = beckon.Orphaned
		w.hear(question(q))
		w.expect("its agent died, and the answer still counts")
		q.Settlement = end
		w.hear(question(q))
		w.expect(string(end), "close q1")
		w.hear(question(q))
		w.expect(string(end) + " again")
	}
}

func TestWhatWasThereBeforeIsNoNews(t *testing.T) {
	w := newWorld(t)
	q := w.ask("q1")
	w.view.Apply(question(q))
	w.hear(question(q))
	w.expect("a question that was known")
	q = w.ask("q2")
	q.Settlement = beckon.Orphaned
	w.hear(question(q))
	w.expect("a question of a run that died before")
}

func TestADeletedTaskTakesItsNotificationsAlong(t *testing.T) {
	w := newWorld(t)
	w.hear(question(w.ask("q1")))
	w.hear(beckon.Event{Run: &beckon.Run{ID: "r1", TaskID: "t1", Number: 1, Phase: beckon.Ended, Outcome: beckon.Failed}})
	w.expect("both", "show q1", "show task/t1")
	w.hear(beckon.Event{Gone: "t1"})
	w.expect("deleted", "close task/t1", "close q1")
}

func TestARunIsToldWhenItStopsByItselfAndWhenItsWorkIsReady(t *testing.T) {
	for outcome, want := range map[beckon.Outcome][]string{
		beckon.Succeeded: {"show task/t1"}, beckon.Failed: {"show task/t1"}, beckon.Limited: {"show task/t1"},
		beckon.Lost: {"show task/t1"}, beckon.Stopped: nil, beckon.Parked: nil,
	} {
		w := newWorld(t)
		ended := beckon.Run{ID: "r1", TaskID: "t1", Number: 1, Kind: beckon.TaskRun, Phase: beckon.Ended, Outcome: outcome, Reason: reason.Said("Claude was\noverloaded.")}
		review := *w.task()
		review.Status, review.Changes = beckon.Review, beckon.Changes{Files: 6, Added: 182, Removed: 74}
		w.hear(beckon.Event{Run: &ended})
		w.hear(beckon.Event{Task: &review})
		w.expect(string(outcome), want...)
		w.hear(beckon.Event{Run: &ended})
		w.hear(beckon.Event{Task: &review})
		w.expect(string(outcome) + ", again")
		if n := w.last["task/t1"]; outcome == beckon.Succeeded && (n.Title != "KES-1 is ready for review" || n.Body != "Parse ranges\n6 files, +182 −74" || n.Sound) {
			t.Errorf("ready: %+v", n)
		} else if outcome == beckon.Failed && (n.Title != "KES-1 stopped" || n.Body != "Claude was overloaded.\nIts work and session are kept." || !n.Sound) {
			t.Errorf("stopped: %+v", n)
		}
		w.hear(beckon.Event{Run: &beckon.Run{ID: "r2", TaskID: "t1", Number: 2, Phase: beckon.Starting}})
		if want != nil {
			want = []string{"close task/t1"}
		}
		w.expect(string(outcome)+", and the next run", want...)
	}
}

// A run is said to be over only once its work is saved and its card has moved.
func TestWorkThatIsReadyBeforeItsRunIsOverIsToldOnce(t *testing.T) {
	w := newWorld(t)
	r := beckon.Run{ID: "r1", TaskID: "t1", Number: 1, Kind: beckon.TaskRun, Phase: beckon.Saving}
	review := *w.task()
	review.Status = beckon.Review
	w.hear(beckon.Event{Run: &r})
	w.hear(beckon.Event{Task: &review})
	w.expect("while it is saved")
	r.Phase, r.Outcome = beckon.Ended, beckon.Succeeded
	w.hear(beckon.Event{Run: &r})
	w.expect("over", "show task/t1")
	w.hear(beckon.Event{Task: &review})
	w.hear(beckon.Event{Run: &r})
	w.expect("again")
}

func (w *world) task() *beckon.Task {
	t := w.view.Tasks["t1"]
	return &t
}

func TestEachKindIsSwitchedByItself(t *testing.T) {
	all := map[string]func(*world){
		"questions": func(w *world) { w.hear(question(w.ask("q1"))) },
		"failures": func(w *world) {
			w.hear(beckon.Event{Run: &beckon.Run{ID: "r1", TaskID: "t1", Number: 1, Phase: beckon.Ended, Outcome: beckon.Failed}})
		},
		"finished": func(w *world) {
			w.hear(beckon.Event{Run: &beckon.Run{ID: "r1", TaskID: "t1", Number: 1, Kind: beckon.TaskRun, Phase: beckon.Ended, Outcome: beckon.Succeeded}})
			review := w.task()
			review.Status = beckon.Review
			w.hear(beckon.Event{Task: review})
		},
		"silent": func(w *world) { w.hear(beckon.Event{Run: w.silent()}) },
	}
	kinds := map[string]notifying.Kind{"questions": notifying.Question, "failures": notifying.Failed, "finished": notifying.Review, "silent": notifying.Quiet}
	for on, want := range map[string]string{"questions": "show q1", "failures": "show task/t1", "finished": "show task/t1", "silent": "show task/t1"} {
		for kind, happen := range all {
			w := newWorld(t)
			w.settings(func(s *beckon.Settings) {
				s.Notify.Tell = map[notifying.Kind]notifying.How{}
				for name, of := range kinds {
					s.Notify.Tell[of] = notifying.Nothing
					if name == on {
						s.Notify.Tell[of] = notifying.Banner
					}
				}
			})
			happen(w)
			if kind == on {
				w.expect(kind+" are on", want)
			} else {
				w.expect(kind + " are off")
			}
		}
	}
}

// silent is the run, quiet since five minutes ago.
func (w *world) silent() *beckon.Run {
	r := w.view.Runs["t1"]
	r.Quiet = w.now.Add(-5 * time.Minute).UnixMilli()
	return &r
}

// TestARunThatIsQuietIsNamedUntilItIsHeard in the tray and, where it is wanted, by one note
// without a sound.
func TestARunThatIsQuietIsNamedUntilItIsHeard(t *testing.T) {
	w := newWorld(t)
	w.tell(notifying.Quiet, notifying.Banner)
	r := w.silent()
	w.hear(beckon.Event{Run: r})
	w.expect("it is quiet", "show task/t1")
	if n := w.last["task/t1"]; n.Title != "KES-1: quiet since 11:55" || n.Sound || n.Urgent || !strings.Contains(n.Body, "It was not stopped") {
		t.Errorf("the note is %+v", n)
	}
	named := func() bool {
		return slices.ContainsFunc(w.view.trayModel(w.words).Menu, func(i TrayItem) bool { return i.Label == "KES-1: Parse ranges · quiet since 11:55" })
	}
	if !named() {
		t.Errorf("the tray has %+v", w.view.trayModel(w.words).Menu)
	}
	r.Spent.Tokens++
	w.hear(beckon.Event{Run: r})
	w.expect("it still is")
	r.Quiet = 0
	w.hear(beckon.Event{Run: r})
	w.expect("it is heard", "close task/t1")
	if named() {
		t.Error("the tray calls it quiet when it was heard")
	}
}

func TestSwitchingQuestionsOffTakesThemBack(t *testing.T) {
	w := newWorld(t)
	w.hear(question(w.ask("q1")))
	w.tell(notifying.Question, notifying.Nothing)
	w.expect("switched off", "show q1", "close q1")
}

func TestWithoutSoundsNothingSounds(t *testing.T) {
	w := newWorld(t)
	w.tell(notifying.Question, notifying.Banner)
	w.tell(notifying.Failed, notifying.Banner)
	w.hear(question(w.ask("q1")))
	w.hear(beckon.Event{Run: &beckon.Run{ID: "r1", TaskID: "t1", Number: 1, Phase: beckon.Ended, Outcome: beckon.Failed}})
	for id, n := range w.last {
		if n.Sound {
			t.Errorf("%s sounds", id)
		}
	}
	w.expect("both", "show q1", "show task/t1")
}

// TestWhereThePageSoundsANoteDoesNot: two sounds for one question are a fright.
func TestWhereThePageSoundsANoteDoesNot(t *testing.T) {
	w := newWorld(t)
	w.settings(func(s *beckon.Settings) { s.Notify.Chime = "bell" })
	w.hear(question(w.ask("q1")))
	w.hear(beckon.Event{Run: &beckon.Run{ID: "r1", TaskID: "t1", Number: 1, Phase: beckon.Ended, Outcome: beckon.Failed}})
	if w.last["q1"].Sound || w.last["task/t1"].Sound {
		t.Errorf("the question's note sounds %v, that of the error %v", w.last["q1"].Sound, w.last["task/t1"].Sound)
	}
}

func TestQuietHours(t *testing.T) {
	at := func(hour, minute int) int { return hour*60 + minute }
	for _, c := range []struct {
		from, to, now int
		quiet         bool
	}{
		{0, 0, at(3, 0), false},
		{at(9, 0), at(9, 0), at(9, 0), false},
		{at(12, 0), at(14, 0), at(11, 59), false},
		{at(12, 0), at(14, 0), at(12, 0), true},
		{at(12, 0), at(14, 0), at(13, 59), true},
		{at(12, 0), at(14, 0), at(14, 0), false},
		{at(22, 0), at(8, 0), at(21, 59), false},
		{at(22, 0), at(8, 0), at(22, 0), true},
		{at(22, 0), at(8, 0), at(0, 0), true},
		{at(22, 0), at(8, 0), at(7, 59), true},
		{at(22, 0), at(8, 0), at(8, 0), false},
	} {
		w := newWorld(t)
		w.now = time.Date(2026, 3, 4, c.now/60, c.now%60, 30, 0, time.Local)
		w.settings(func(s *beckon.Settings) { s.Notify.QuietFrom, s.Notify.QuietTo = c.from, c.to })
		w.hear(question(w.ask("q1")))
		if shown := len(w.did) > 0; shown == c.quiet {
			t.Errorf("quiet from %d to %d: at %d shown is %v", c.from, c.to, c.now, shown)
		}
	}
}

func TestAClockThatRunsOutIsRemindedOfOnce(t *testing.T) {
	w := newWorld(t)
	q := w.ask("q1")
	w.hear(question(q))
	w.did = nil
	want := time.UnixMilli(q.Deadline).Add(-30 * time.Second)
	if next := w.book.Next(w.now); !next.Equal(want) {
		t.Fatalf("reminds at %s, want %s", next, want)
	}
	w.now = want.Add(-time.Millisecond)
	w.note(w.book.Tick(w.now))
	w.expect("too early")
	w.now = want
	w.note(w.book.Tick(w.now))
	w.expect("30 seconds before", "show q1")
	if n := w.last["q1"]; !strings.HasPrefix(n.Body, "30 seconds left. How should") || !n.Sound {
		t.Errorf("reminder %+v", n)
	}
	w.note(w.book.Tick(w.now))
	w.expect("once")
	if next := w.book.Next(w.now); !next.IsZero() {
		t.Errorf("reminds again at %s", next)
	}
}

func TestNobodyIsRemindedOfWhatDoesNotRunOut(t *testing.T) {
	for name, change := range map[string]func(*beckon.Question){
		"held":     func(q *beckon.Question) { q.Deadline, q.HeldMs = 0, 1000 },
		"no clock": func(q *beckon.Question) { q.Deadline, q.WaitMs = 0, 0 },
		"short":    func(q *beckon.Question) { q.WaitMs = 20_000 },
		"orphaned": func(q *beckon.Question) { q.Settlement = beckon.Orphaned },
	} {
		w := newWorld(t)
		q := w.ask("q1")
		change(&q)
		w.hear(question(q))
		if next := w.book.Next(w.now); !next.IsZero() {
			t.Errorf("%s: reminds at %s", name, next)
		}
	}
}

func TestOnlyWhatOneChoiceSettlesHasButtonsThatAnswer(t *testing.T) {
	options := func(labels ...string) (os []beckon.Option) {
		for _, l := range labels {
			os = append(os, beckon.Option{Label: l})
		}
		return os
	}
	long := strings.Repeat("x", 60)
	for _, c := range []struct {
		name    string
		change  func(*beckon.Question)
		buttons []string
		reply   bool
	}{
		{"two options", func(*beckon.Question) {}, []string{"Reject", "Merge", "Open"}, true},
		{"four options", func(q *beckon.Question) { q.Items[0].Options = options("a", "b", "c", "d") }, []string{"a", "b", "c", "Open"}, true},
		{"free text", func(q *beckon.Question) { q.Items[0].Options = nil }, []string{"Open"}, true},
		{"several options at once", func(q *beckon.Question) { q.Items[0].Multiple = true }, []string{"Open"}, true},
		{"several questions", func(q *beckon.Question) { q.Items = append(q.Items, q.Items[0]) }, []string{"Open"}, false},
		{"labels alike once cut", func(q *beckon.Question) { q.Items[0].Options = options(long+"1", long+"2") }, []string{"Open"}, true},
		{"a permission", func(q *beckon.Question) {
			q.Kind, q.Items, q.Permission = beckon.Permission, nil, &beckon.PermissionRequest{Tool: "Bash", Command: "rm -rf /"}
		}, []string{"Open"}, false},
		{"a plan", func(q *beckon.Question) { q.Kind, q.Items, q.Plan = beckon.Plan, nil, "# Do it" }, []string{"Open"}, false},
		{"a form", func(q *beckon.Question) { q.Kind, q.Items, q.Form = beckon.Elicitation, nil, "{}" }, []string{"Open"}, false},
	} {
		w := newWorld(t)
		q := w.ask("q1")
		c.change(&q)
		n := questionNote(w, q)
		labels := []string{}
		for _, a := range n.Actions {
			labels = append(labels, a.Label)
		}
		if !slices.Equal(labels, c.buttons) || (n.Reply != "") != c.reply {
			t.Errorf("%s: buttons %q, reply %q", c.name, labels, n.Reply)
		}
	}
}

func questionNote(w *world, q beckon.Question) Note {
	return noteOf(q, w.view.headline(q, w.words), w.view.WayOf(q.ID), w.words)
}

func TestWhatAButtonAnswersIsWhatItSays(t *testing.T) {
	w := newWorld(t)
	q := w.ask("q1")
	for n, action := range questionNote(w, q).Actions[:2] {
		id, option, ok := chosen(action.Key)
		a, fits := choose(q, option)
		if !ok || id != "q1" || option != n || !fits || a.Items[0].Labels[0] != action.Label {
			t.Errorf("%+v answers %+v", action, a)
		}
	}
	for _, key := range []string{"open", "answer/", "answer/x/q1", "answer/1"} {
		if _, _, ok := chosen(key); ok {
			t.Errorf("%q is taken for an answer", key)
		}
	}
	for _, n := range []int{-1, 2} {
		if _, ok := choose(q, n); ok {
			t.Errorf("option %d can be chosen", n)
		}
	}
	if _, ok := write(q, " \n"); ok {
		t.Error("nothing written is an answer")
	}
}

// menuLines is a model's menu, submenus indented.
func menuLines(items []TrayItem, indent string) (lines []string) {
	for _, i := range items {
		switch {
		case i.Separator:
			lines = append(lines, indent+"--")
		case i.Checked:
			lines = append(lines, indent+"[x] "+i.Label)
		default:
			lines = append(lines, indent+i.Label)
		}
		lines = append(lines, menuLines(i.Items, indent+"  ")...)
	}
	return lines
}

func TestTheMenuListsWhoWaitsOldestFirstThenWhoWorks(t *testing.T) {
	w := newWorld(t)
	newer := w.ask("a newer one")
	newer.Kind, newer.Items, newer.Permission = beckon.Permission, nil, &beckon.PermissionRequest{Tool: "Bash", Command: "make"}
	newer.TaskID, newer.Origin, newer.Asked = "", "Editor in ~/src", newer.Asked+1
	w.hear(question(newer))
	w.hear(question(w.ask("q1")))
	w.view.Apply(beckon.Event{Task: &beckon.Task{ID: "t2", Key: "KES-2", Title: "Stream results"}})
	w.view.Apply(beckon.Event{Run: &beckon.Run{ID: "r2", TaskID: "t2", Number: 1, Phase: beckon.Working}})
	w.settings(func(s *beckon.Settings) { s.Paused = true })
	f := w.view.trayModel(w.words)
	want := []string{
		"2 need you",
		"KES-1: How should overlaps be handled?", "  Open", "  --", "  Reject", "  Merge",
		"Editor in ~/src: Allow make?", "--",
		"1 working", "KES-2: Stream results", "--",
		"New task…", "[x] Hold all clocks", "--", "Open Beckon", "Quit Beckon…",
	}
	if got := menuLines(f.Menu, ""); !slices.Equal(got, want) {
		t.Errorf("the menu is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if f.State != Attention || f.Tooltip != "2 questions" {
		t.Errorf("state %d, tooltip %q", f.State, f.Tooltip)
	}
	w.hear(beckon.Event{Gone: "t1"})
	w.hear(beckon.Event{Gone: "a newer one"})
	if f := w.view.trayModel(w.words); f.State != Paused || f.Tooltip != "Beckon" {
		t.Errorf("paused with nobody waiting: state %d, tooltip %q", f.State, f.Tooltip)
	}
}

func TestALongListNamesTheRestByNumber(t *testing.T) {
	w := newWorld(t)
	for i := range 11 {
		w.hear(question(w.ask("q" + string(rune('a'+i)))))
	}
	lines := menuLines(w.view.trayModel(w.words).Menu, "")
	if !slices.Contains(lines, "11 need you") || !slices.Contains(lines, "3 more…") {
		t.Errorf("the menu is %q", lines)
	}
}

// TestAHostileAgentCanNotDressUpTheDesktop: whatever an agent writes, a label
// is one short line of letters that are seen.
func TestAHostileAgentCanNotDressUpTheDesktop(t *testing.T) {
	evil := "a\x1b[31m\u202egnp.exe\u2066\u200b\nQuit Beckon…\r" + strings.Repeat("long ", 5000)
	w := newWorld(t)
	q := w.ask("q1")
	q.Items[0] = beckon.QuestionItem{Text: evil, Options: []beckon.Option{{Label: evil}, {Label: "b\u202e"}}}
	q.TaskID, q.Origin = "", evil
	w.hear(question(q))
	w.view.Apply(beckon.Event{Task: &beckon.Task{ID: "t1", Key: "KES-1", Title: evil, Status: beckon.Running}})
	w.hear(beckon.Event{Run: &beckon.Run{ID: "r1", TaskID: "t1", Number: 1, Phase: beckon.Ended, Outcome: beckon.Failed, Reason: reason.Said(evil)}})
	texts := menuLines(w.view.trayModel(w.words).Menu, "")
	for _, n := range w.last {
		texts = append(texts, n.Title)
		texts = append(texts, strings.Split(n.Body, "\n")...)
		for _, a := range n.Actions {
			texts = append(texts, a.Label)
		}
	}
	if len(w.last) != 2 {
		t.Fatalf("%d notifications", len(w.last))
	}
	for _, text := range texts {
		if len(text) > maxBody || strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf) }) {
			t.Errorf("shown: %q", text)
		}
	}
}

func TestWhatWasMissedIsMadeGood(t *testing.T) {
	w := newWorld(t)
	w.hear(question(w.ask("q1")))
	w.did = nil
	whole := []beckon.Event{{Task: w.task()}, question(w.ask("q2"))}
	for _, e := range append(w.view.Vanished(whole), whole...) {
		w.hear(e)
	}
	w.expect("q1 was settled and q2 asked meanwhile", "close q1", "show q2")
}

// TestSessionsElsewhereAreLeftOutWhereTheUserSaysSo: out of the tray and of
// notifications, at once, and nothing of Beckon's own with them.
func TestSessionsElsewhereAreLeftOutWhereTheUserSaysSo(t *testing.T) {
	w := newWorld(t)
	outside := func(id string, way beckon.AnswerWay) {
		w.hear(beckon.Event{Session: &beckon.OutsideSession{ID: "s-" + id, Asks: []beckon.OutsideAsk{{QuestionID: id, Way: way}}}})
		q := w.ask(id)
		q.TaskID, q.Origin, q.Deadline = "", "fix upload", 0
		w.hear(question(q))
	}
	outside("there", beckon.WayHook)
	w.expect("a session elsewhere asks", "show there")
	w.settings(func(s *beckon.Settings) { s.TellElsewhere = false })
	w.expect("not to be told of", "close there")
	if f := w.view.trayModel(w.words); f.State == Attention || slices.Contains(menuLines(f.Menu, ""), "1 needs you") {
		t.Errorf("the tray shows %+v", menuLines(f.Menu, ""))
	}
	outside("later", beckon.WayHook)
	w.hear(question(w.ask("own")))
	w.expect("another one, and one of Beckon's own", "show own")
	w.settings(func(s *beckon.Settings) { s.TellElsewhere = true })
	if f := w.view.trayModel(w.words); f.Tooltip != "3 questions" {
		t.Errorf("told of again, the tray says %q", f.Tooltip)
	}
}

// TestWhatOnlyATerminalAnswersHasNoButtonsThatDo, until its hook comes.
func TestWhatOnlyATerminalAnswersHasNoButtonsThatDo(t *testing.T) {
	w := newWorld(t)
	stands := func(way beckon.AnswerWay) {
		w.hear(beckon.Event{Session: &beckon.OutsideSession{ID: "s", Asks: []beckon.OutsideAsk{{QuestionID: "q", Way: way}}}})
	}
	stands(beckon.WayTerminal)
	q := w.ask("q")
	q.TaskID, q.Origin, q.Deadline = "", "fix upload", 0
	w.hear(question(q))
	if n := w.last["q"]; len(n.Actions) != 1 || n.Reply != "" {
		t.Errorf("the notification offers %+v", n)
	}
	if lines := menuLines(w.view.trayModel(w.words).Menu, ""); slices.Contains(lines, "  Reject") {
		t.Errorf("the tray offers %q", lines)
	}
	w.did = nil
	o := &Status{languages: map[string]messages{"en": w.words}, view: w.view, notes: map[string]Note{"q": w.last["q"]}}
	o.view.Settings.Language = "en"
	hook := beckon.OutsideSession{ID: "s", Asks: []beckon.OutsideAsk{{QuestionID: "q", Way: beckon.WayHook}}}
	o.renew(hook)
	if n := o.notes["q"]; len(n.Actions) != 3 || n.Sound {
		t.Errorf("its hook came, and the notification offers %+v", n)
	}
}

func TestAnAnswerSaysWhereItWasGiven(t *testing.T) {
	w := newWorld(t)
	q := w.ask("q1")
	w.hear(question(q))
	given := []beckon.Answer{}
	o := &Status{
		p: Program{Answer: func(_ context.Context, _ string, a beckon.Answer) error {
			given = append(given, a)
			return nil
		}},
		view: w.view, notes: map[string]Note{"q1": {}}, since: map[string]time.Time{},
	}
	o.choose(answerKey(q, 1))
	o.respond(NoteResponse{ID: "q1", Action: answerKey(q, 0)})
	o.respond(NoteResponse{ID: "q1", Text: "neither"})
	ways := []beckon.By{}
	for _, a := range given {
		ways = append(ways, a.By)
	}
	if !slices.Equal(ways, []beckon.By{beckon.ByTray, beckon.ByNotification, beckon.ByNotification}) {
		t.Errorf("answered %+v", given)
	}
}

func TestWhatAnotherAgentAsksNamesIt(t *testing.T) {
	w := newWorld(t)
	w.view.Apply(beckon.Event{Task: &beckon.Task{ID: "t1", Key: "KES-1", Title: "Parse ranges", Status: beckon.Running, Agent: "codex"}})
	w.hear(question(w.ask("q1")))
	if title := w.last["q1"].Title; title != "Codex (KES-1) asks" {
		t.Errorf("the notification says %q", title)
	}
	if menu := menuLines(w.view.trayModel(w.words).Menu, ""); !slices.Contains(menu, "Codex (KES-1): How should overlaps be handled?") {
		t.Errorf("the menu is %q", menu)
	}
}

// TestABudgetIsToldOfOnceWhenItIsNearlyUsedUp, and what asks to raise it is shown though no
// agent waits.
func TestABudgetIsToldOfOnceWhenItIsNearlyUsedUp(t *testing.T) {
	w := newWorld(t)
	spent := func(usd float64, level spending.Level) beckon.Event {
		return beckon.Event{Spending: &spending.State{Budgets: []spending.Budget{{
			Scope: spending.Task, Subject: "t1", Limit: spending.Limit{USD: 5}, Spent: spending.Sum{CostUSD: usd}, Level: level,
		}}}}
	}
	w.hear(spent(4.2, spending.Near))
	w.expect("what was so before")
	w.hear(spent(1, spending.Fine))
	w.expect("it was raised")
	w.hear(spent(4, spending.Near))
	w.expect("it is near", "show task/t1/task")
	if n := w.last["task/t1/task"]; n.Title != "KES-1: the budget is nearly used up" || n.Body != "$4.00 of $5.00" || n.Sound {
		t.Errorf("the note is %+v", n)
	}
	w.hear(spent(4.5, spending.Near))
	w.expect("it is near still")
	q := w.ask("q1")
	q.Settlement, q.Budget = beckon.Orphaned, &spending.Asked{Scope: spending.Task, Subject: "t1"}
	q.Items[0].Header = "Budget"
	w.hear(beckon.Event{Question: &q})
	w.expect("it is reached", "show q1")
	if n := w.last["q1"]; n.Title != "KES-1: Budget" {
		t.Errorf("the note is %+v", n)
	}
}
