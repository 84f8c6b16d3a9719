package dialog

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"beckon/backend/beckon"
)

// film is a terminal that shows recorded screens, each until its key comes.
type film struct {
	t      *testing.T
	frames []frame
	at     int
	typed  []string // keys, and texts as they are
	// spoil changes what is seen once so many keys were typed.
	spoil func(s *Screen) error
	after int
	// settled is what the record has once the film is over.
	settled Settled
	closed  bool // the question, before the end of the film
	// slow is how long the terminal takes to do what a key does.
	slow time.Duration
	does time.Time // the last key
}

// frame is a screen and the key that ends it; a text for one that is pasted.
type frame struct {
	screen Screen
	key    string
}

func (f *film) ID() string { return "film" }

func (f *film) Screen(context.Context) (Screen, error) {
	s := f.frames[f.shown()].screen
	if f.spoil != nil && len(f.typed) >= f.after {
		if err := f.spoil(&s); err != nil {
			return Screen{}, err
		}
	}
	return s, nil
}

func (f *film) Key(_ context.Context, key string) error {
	f.typed = append(f.typed, key)
	if f.at < len(f.frames)-1 && f.frames[f.at].key == key {
		f.at++
		f.does = time.Now().Add(f.slow)
	}
	return nil
}

func (f *film) Paste(ctx context.Context, text string) error { return f.Key(ctx, text) }

// shown is the frame that is seen.
func (f *film) shown() int {
	if f.at > 0 && time.Now().Before(f.does) {
		return f.at - 1
	}
	return f.at
}

func (f *film) over() bool { return f.shown() == len(f.frames)-1 }

func (f *film) pending(q beckon.Question) Pending {
	return Pending{
		Question: q, Dir: project,
		Open:    func() bool { return !f.over() && !f.closed },
		Settled: func() (Settled, bool) { return f.settled, f.over() || f.closed },
	}
}

// scene is an answer, and the keys that the real TUI took for it with the names
// of the recorded screens between them.
type scene struct {
	name      string
	recording string
	reply     Reply
	play      []string // screen, key, screen, key, …
	settled   Settled
}

func ask(items ...beckon.ItemAnswer) Reply { return Reply{Answer: beckon.Answer{Items: items}} }

func picks(labels ...string) beckon.ItemAnswer { return beckon.ItemAnswer{Labels: labels} }

func says(verdict beckon.Verdict) Reply { return Reply{Answer: beckon.Answer{Verdict: verdict}} }

func answers(pairs ...string) Settled {
	s := Settled{Answers: map[string]string{}}
	for i := 0; i < len(pairs); i += 2 {
		s.Answers[pairs[i]] = pairs[i+1]
	}
	return s
}

const (
	which    = "Which database should we use?"
	features = "Which features do you want?"
	layout   = "Pick a layout?"
	long     = "A rather long answer that goes on and on over the edge of the line. "
	several  = "First line\nsecond line\n\nfourth"
)

var scenes = []scene{
	{"one of a few", "single", ask(picks("SQLite")), []string{"open", "2"}, answers(which, "SQLite")},
	{"other words", "single", ask(beckon.ItemAnswer{Other: "Use DuckDB"}), []string{"open", "3", "other", "Use DuckDB", "typed", "Enter"}, answers(which, "Use DuckDB")},
	{
		"several lines", "lines", ask(beckon.ItemAnswer{Other: several}),
		[]string{"open", "3", "other", several, "typed", "Enter"},
		answers(which, strings.ReplaceAll(several, "\n", "\r")),
	},
	{
		"a long text", "longtext", ask(beckon.ItemAnswer{Other: strings.Repeat(long, 6)}),
		[]string{"open", "3", "other", strings.TrimSpace(strings.Repeat(long, 6)), "typed", "Enter"},
		answers(which, strings.TrimSpace(strings.Repeat(long, 6))),
	},
	{"with previews", "preview", ask(picks("Stacked")), []string{"open", "2", "two", "Enter"}, answers(layout, "Stacked")},
	{"with previews, in focus", "preview", ask(picks("Side")), []string{"open", "Enter"}, answers(layout, "Side")},
	{"with previews, from the last row", "preview", ask(picks("Stacked")), []string{"chat", "Up", "back", "Enter"}, answers(layout, "Stacked")},
	{"several labels", "multiplain", ask(picks("Search, full-text")), []string{"open", "2", "two", "Tab", "review", "1"}, answers(features, "Search, full-text")},
	{
		"several labels and other words", "multi",
		ask(beckon.ItemAnswer{Labels: []string{"Export", "Auth"}, Other: "Dark mode, please"}),
		[]string{"open", "1", "one", "3", "three", "Down", "d1", "Down", "d2", "Down", "d3", "Dark mode, please", "typed", "Tab", "submit", "Enter", "review", "1"},
		answers(features, "Auth, Export, Dark mode, please"),
	},
	{
		"two questions", "two", ask(picks("SQLite"), picks("Auth")),
		[]string{"open", "2", "second", "1", "one", "Tab", "review", "1"},
		answers(which, "SQLite", features, "Auth"),
	},
	{
		"three questions", "three", ask(picks("Auth"), picks("Stacked"), beckon.ItemAnswer{Other: "My own"}),
		[]string{"open", "1", "one", "Tab", "second", "2", "two", "Enter", "third", "3", "other", "My own", "typed", "Enter", "review", "1"},
		answers(features, "Auth", layout, "Stacked", which, "My own"),
	},
	{"declined", "single", Reply{Answer: beckon.Answer{Verdict: beckon.Skip}, Interrupt: true}, []string{"open", "Escape"}, Settled{Declined: true}},
	{"declined, and the turn goes on", "single", says(beckon.Skip), []string{"open", "4"}, Settled{Declined: true}},
	{"several declined", "multi", says(beckon.Skip), []string{"open", "5"}, Settled{Declined: true}},
	{"previews declined", "preview", says(beckon.Skip), []string{"two", "Down", "chat", "Enter"}, Settled{Declined: true}},
	{"a command allowed", "bash", says(beckon.AllowOnce), []string{"open", "1"}, Settled{}},
	{
		"a command allowed for good", "bash",
		Reply{Answer: beckon.Answer{Verdict: beckon.AllowAlways}, Row: "Yes, and don't ask again for mkdir -p /tmp/zz and touch /tmp/zz/a commands in /home/dev/project"},
		[]string{"open", "2"},
		Settled{},
	},
	{"a command denied", "bash", says(beckon.Deny), []string{"open", "3"}, Settled{Declined: true}},
	{"a command denied where nothing can be remembered", "bashlong", says(beckon.Deny), []string{"open", "2"}, Settled{Declined: true}},
	{"a file allowed", "write", says(beckon.AllowOnce), []string{"open", "1"}, Settled{}},
	{
		"all edits allowed", "edit",
		Reply{Answer: beckon.Answer{Verdict: beckon.AllowAlways}, Row: "Yes, allow all edits during this session (shift+tab)"},
		[]string{"open", "2"},
		Settled{},
	},
	{"an edit denied", "edit", says(beckon.Deny), []string{"open", "3"}, Settled{Declined: true}},
	{"a small plan allowed", "plan", says(beckon.AllowOnce), []string{"open", "1"}, Settled{}},
	{"a small plan denied", "plan", says(beckon.Deny), []string{"open", "2"}, Settled{Declined: true}},
	{"a plan allowed, each edit asked", "planfile", says(beckon.AllowOnce), []string{"open", "2"}, Settled{}},
	{"a plan allowed in auto mode", "planfile", Reply{Answer: beckon.Answer{Verdict: beckon.AllowOnce, Mode: beckon.ModeAuto}}, []string{"open", "1"}, Settled{}},
	{
		"a plan denied with words", "planfile",
		Reply{Answer: beckon.Answer{Verdict: beckon.Deny, Text: "Read the README first,\nplease"}},
		[]string{"open", "3", "three", "Read the README first,\nplease", "typed", "Enter"},
		Settled{Declined: true},
	},
	{"a plan denied", "planfile", says(beckon.Deny), []string{"open", "Escape"}, Settled{Declined: true}},
}

// tight are the scenes of which the dialog outgrows the pane on the way.
var tight = map[string]bool{
	"several lines 60x16": true, "a long text 60x16": true, "with previews 60x16": true, "with previews, from the last row 60x16": true,
	"previews declined 60x16": true, "three questions 60x16": true, "a plan denied with words 60x24": true,
	"two questions 60x16": true,
}

// shoot makes the film of a scene at a size; nil where not all was seen there.
func shoot(t *testing.T, sc scene, size string) (*film, beckon.Question) {
	t.Helper()
	if unseen[sc.recording+" "+size] != "" || size == "40x10" {
		return nil, beckon.Question{}
	}
	r := record(t, sc.recording)
	f := &film{t: t, settled: sc.settled}
	for i := 0; i < len(sc.play); i += 2 {
		s, ok := r.screens[size+" "+sc.play[i]]
		if !ok {
			t.Fatalf("no screen %s at %s", sc.play[i], size)
		}
		f.frames = append(f.frames, frame{s, sc.play[i+1]})
	}
	f.frames = append(f.frames, frame{screen: record(t, "single").screens[size+" gone"]})
	return f, r.question
}

func (sc scene) keys() (all []string) {
	for i := 1; i < len(sc.play); i += 2 {
		all = append(all, sc.play[i])
	}
	return all
}

func TestAnAnswerIsTypedWithTheKeysOfItsDialog(t *testing.T) {
	t.Parallel()
	for _, sc := range scenes {
		for _, size := range sizes {
			t.Run(sc.name+" "+size, func(t *testing.T) {
				t.Parallel()
				f, q := shoot(t, sc, size)
				if f == nil {
					t.Skip("not all of it is visible at this size")
				}
				synctest.Test(t, func(t *testing.T) {
					err := new(Typist).Answer(t.Context(), f, f.pending(q), sc.reply)
					if tight[sc.name+" "+size] {
						if !errors.Is(err, Because(TooSmall)) || f.over() {
							t.Errorf("%v after %q; want it refused as too small", err, f.typed)
						}
						return
					}
					if err != nil || !f.over() {
						t.Errorf("%v after %q", err, f.typed)
					}
					if !slices.Equal(f.typed, sc.keys()) {
						t.Errorf("typed %q, want %q", f.typed, sc.keys())
					}
				})
			})
		}
	}
}

// spoilers are what can come between two keys.
var spoilers = []struct {
	name   string
	spoil  func(s *Screen) error
	reason Reason
}{
	{"a shell is there", func(s *Screen) error { s.Text = "bye\n$ "; return nil }, NoDialog},
	{"claude has left", func(*Screen) error { return refuse(Gone) }, Gone},
	{"copy mode", func(s *Screen) error { s.Mode = true; return nil }, CopyMode},
	{"its neighbours hear it", func(s *Screen) error { s.Synchronized = true; return nil }, Synchronized},
	{"it was made too small", func(s *Screen) error {
		s.Width, s.Height = 40, 3
		s.Text = strings.Join(s.lines()[max(0, len(s.lines())-3):], "\n")
		return nil
	}, ""},
	{"another dialog is there", func(s *Screen) error {
		s.Text = strings.Repeat("─", s.Width) + "\n ☐ Other\n\nWhat else?\n\n❯ 1. PostgreSQL\n  2. SQLite\n\nEnter to select · ↑/↓ to navigate · Esc to cancel\n"
		return nil
	}, OtherDialog},
	{"tmux hangs", func(*Screen) error { return refuse(Unreachable) }, Unreachable},
}

// TestNoKeyFollowsOnceTheScreenIsNotTheQuestions: whatever comes between two keys,
// and before the first.
func TestNoKeyFollowsOnceTheScreenIsNotTheQuestions(t *testing.T) {
	t.Parallel()
	for _, sc := range scenes {
		for _, sp := range spoilers {
			for after := range sc.keys() {
				t.Run(sc.name+", then "+sp.name, func(t *testing.T) {
					t.Parallel()
					f, q := shoot(t, sc, "100x30")
					f.spoil, f.after = sp.spoil, after
					synctest.Test(t, func(t *testing.T) {
						err := new(Typist).Answer(t.Context(), f, f.pending(q), sc.reply)
						var r *Refusal
						if !errors.As(err, &r) || sp.reason != "" && r.Reason != sp.reason || r.Keys != after {
							t.Errorf("%v, want it refused as %s after %d keys", err, sp.reason, after)
						}
						if len(f.typed) != after {
							t.Errorf("typed %q, want no key after %d", f.typed, after)
						}
					})
				})
			}
		}
	}
}

// TestTheFirstAnswerWins: an answer that is given in the terminal between two
// keys wins, is reported, and nothing more is typed.
func TestTheFirstAnswerWins(t *testing.T) {
	t.Parallel()
	for _, sc := range scenes {
		for after := 1; after < len(sc.keys()); after++ {
			t.Run(sc.name, func(t *testing.T) {
				t.Parallel()
				f, q := shoot(t, sc, "100x30")
				idle := f.frames[len(f.frames)-1].screen
				f.after, f.settled = after, answers(which, "PostgreSQL")
				f.spoil = func(s *Screen) error { f.closed, *s = true, idle; return nil }
				synctest.Test(t, func(t *testing.T) {
					err := new(Typist).Answer(t.Context(), f, f.pending(q), sc.reply)
					var r *Refusal
					if !errors.As(err, &r) || r.Reason != Answered || r.There == nil || r.There.Answers[which] != "PostgreSQL" || !errors.Is(err, beckon.ErrConflict) {
						t.Errorf("%v; want it answered in the terminal", err)
					}
					if len(f.typed) != after {
						t.Errorf("typed %q, want no key after %d", f.typed, after)
					}
				})
			})
		}
	}
}

// TestALateDigitIsTakenBack from the prompt line, and nothing else is.
func TestALateDigitIsTakenBack(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string][]string{
		"2":       {"2", KeyErase},
		"22":      {"2"},
		"draft 2": {"2"},
		"":        {"2"},
	} {
		t.Run(prompt, func(t *testing.T) {
			t.Parallel()
			f, q := shoot(t, scenes[0], "100x30")
			f.settled = answers(which, "PostgreSQL")
			idle := &f.frames[len(f.frames)-1].screen
			empty := "❯\u00a0\n"
			if !strings.Contains(idle.Text, empty) {
				t.Fatal("no empty prompt")
			}
			idle.Text = strings.Replace(idle.Text, empty, "❯\u00a0"+prompt+"\n", 1)
			synctest.Test(t, func(t *testing.T) {
				err := new(Typist).Answer(t.Context(), f, f.pending(q), scenes[0].reply)
				if !errors.Is(err, Because(Answered)) || !slices.Equal(f.typed, want) {
					t.Errorf("typed %q, %v; want %q", f.typed, err, want)
				}
			})
		})
	}
}

// TestALateDigitIsTakenBackOfASlowTerminal: one that draws the prompt line eight seconds
// after the question was settled, and the digit two seconds after that.
func TestALateDigitIsTakenBackOfASlowTerminal(t *testing.T) {
	t.Parallel()
	f, q := shoot(t, scenes[0], "100x30")
	f.after, f.settled = 1, answers(which, "PostgreSQL")
	open, idle := f.frames[0].screen, f.frames[len(f.frames)-1].screen
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		f.spoil = func(s *Screen) error {
			f.closed = true
			switch passed := time.Since(began); {
			case passed < 8*time.Second:
				*s = open
			case passed < 10*time.Second:
				*s = idle
			default:
				*s = idle
				s.Text = strings.Replace(s.Text, "❯\u00a0\n", "❯\u00a02\n", 1)
			}
			return nil
		}
		err := new(Typist).Answer(t.Context(), f, f.pending(q), scenes[0].reply)
		if want := []string{"2", KeyErase}; !errors.Is(err, Because(Answered)) || !slices.Equal(f.typed, want) {
			t.Errorf("typed %q, %v; want %q", f.typed, err, want)
		}
	})
}

// TestNothingIsTypedTwice: an answer that the terminal does not take is said, not
// repeated.
func TestNothingIsTypedTwice(t *testing.T) {
	t.Parallel()
	for _, sc := range scenes {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			f, q := shoot(t, sc, "100x30")
			f.frames[0].key = "never"
			synctest.Test(t, func(t *testing.T) {
				err := new(Typist).Answer(t.Context(), f, f.pending(q), sc.reply)
				if !errors.Is(err, Because(NotTaken)) || len(f.typed) != 1 {
					t.Errorf("typed %q, %v; want one key, not taken", f.typed, err)
				}
			})
		})
	}
}

// TestATerminalThatIsSlowIsWaitedFor: on a busy machine a dialog stays on the screen for
// seconds after its key.
func TestATerminalThatIsSlowIsWaitedFor(t *testing.T) {
	t.Parallel()
	for _, sc := range scenes {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			f, q := shoot(t, sc, "100x30")
			f.slow = taking / 2
			synctest.Test(t, func(t *testing.T) {
				if err := new(Typist).Answer(t.Context(), f, f.pending(q), sc.reply); err != nil || !slices.Equal(f.typed, sc.keys()) {
					t.Errorf("typed %q, %v; want it taken", f.typed, err)
				}
			})
		})
	}
}

// TestARecordThatIsLateIsWaitedFor: a question that has left the screen was taken,
// though a busy machine writes that down later.
func TestARecordThatIsLateIsWaitedFor(t *testing.T) {
	t.Parallel()
	sc := scenes[0]
	f, q := shoot(t, sc, "100x30")
	synctest.Test(t, func(t *testing.T) {
		p := f.pending(q)
		var over time.Time
		p.Settled = func() (Settled, bool) {
			if f.over() && over.IsZero() {
				over = time.Now()
			}
			return f.settled, f.over() && time.Since(over) > taking/2
		}
		p.Open = func() bool { _, there := p.Settled(); return !there }
		if err := new(Typist).Answer(t.Context(), f, p, sc.reply); err != nil {
			t.Errorf("typed %q, %v; want it taken", f.typed, err)
		}
	})
}

func TestWhatCannotBeTypedIsRefusedBeforeTheFirstKey(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, recording string
		reply           Reply
		want            Reason
	}{
		{"the end of a paste in a text", "single", ask(beckon.ItemAnswer{Other: "x\x1b[201~\r"}), BadText},
		{"a text of nothing visible", "single", ask(beckon.ItemAnswer{Other: "\u200b"}), BadText},
		{"an unknown label", "single", ask(picks("Oracle")), NoChoice},
		{"two labels of one", "single", ask(picks("SQLite", "PostgreSQL")), NoChoice},
		{"no label", "multi", ask(picks()), NoChoice},
		{"one answer for two", "two", ask(picks("SQLite")), NoChoice},
		{"other words beside previews", "preview", ask(beckon.ItemAnswer{Other: "Round"}), NoWords},
		{"a note", "single", ask(beckon.ItemAnswer{Labels: []string{"SQLite"}, Note: "for now"}), NoWords},
		{"a reason for a denial", "bash", Reply{Answer: beckon.Answer{Verdict: beckon.Deny, Text: "not there"}}, NoWords},
		{"a rule nobody read", "bash", says(beckon.AllowAlways), NoChoice},
		{"another rule than was read", "bash", Reply{Answer: beckon.Answer{Verdict: beckon.AllowAlways}, Row: "Yes, and don't ask again for mkdir commands"}, NoChoice},
		{"no rule to allow", "bashlong", Reply{Answer: beckon.Answer{Verdict: beckon.AllowAlways}, Row: "Yes"}, NoChoice},
		{"words for a small plan", "plan", Reply{Answer: beckon.Answer{Verdict: beckon.Deny, Text: "Shorter"}}, NoWords},
		{"an edited plan", "planfile", Reply{Answer: beckon.Answer{Verdict: beckon.AllowOnce, Plan: "Other"}}, NoChoice},
		{"a mode that the dialog lacks", "planfile", Reply{Answer: beckon.Answer{Verdict: beckon.AllowOnce, Mode: beckon.ModeAcceptEdits}}, NoChoice},
		{"a row that somebody ticked", "multiempty five", ask(picks("A")), Begun},
		{"a text that somebody typed", "single typed", ask(picks("SQLite")), Begun},
		{"other words than somebody typed", "single typed", ask(beckon.ItemAnswer{Other: "Use Oracle"}), Begun},
		{"a review of other answers", "two review", ask(picks("SQLite"), picks("Auth", "Export")), Begun},
		{"a later question", "two second", ask(picks("SQLite"), picks("Auth")), Begun},
		{"a text too long for the pane", "single", ask(beckon.ItemAnswer{Other: strings.Repeat(long, 60)}), TooSmall},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			name, at, _ := strings.Cut(test.recording, " ")
			r := record(t, name)
			f := &film{t: t, frames: []frame{{r.screens["120x40 "+cmp.Or(at, "open")], "none"}, {}}}
			err := new(Typist).Answer(t.Context(), f, f.pending(r.question), test.reply)
			if !errors.Is(err, Because(test.want)) {
				t.Errorf("%v, want it refused as %s", err, test.want)
			}
			if len(f.typed) > 0 {
				t.Errorf("typed %q", f.typed)
			}
		})
	}
}

func TestAnAnswerOfTooManyKeysIsNotBegun(t *testing.T) {
	t.Parallel()
	item := beckon.QuestionItem{Text: features, Multiple: true, Options: []beckon.Option{{Label: "A"}, {Label: "B"}, {Label: "C"}, {Label: "D"}}}
	q := beckon.Question{Kind: beckon.Ask, Items: []beckon.QuestionItem{item, item, item}}
	a := beckon.ItemAnswer{Labels: []string{"A", "B", "C", "D"}, Other: "and"}
	if _, err := newScript(q, ask(a, a, a)); !errors.Is(err, Because(TooLong)) {
		t.Errorf("%v, want it refused as too long", err)
	}
}

func TestOneAnswerAtATimeIsTypedIntoAPane(t *testing.T) {
	t.Parallel()
	f, q := shoot(t, scenes[0], "100x30")
	var typist Typist
	release, err := typist.hold(f.ID())
	if err != nil {
		t.Fatal(err)
	}
	if err := typist.Answer(t.Context(), f, f.pending(q), scenes[0].reply); !errors.Is(err, Because(Busy)) || len(f.typed) > 0 {
		t.Errorf("%v after %q; want the second refused", err, f.typed)
	}
	release()
	if err := typist.Answer(t.Context(), f, f.pending(q), scenes[0].reply); err != nil {
		t.Error(err)
	}
}

// TestOnlyTheQuestionOnTheScreenIsAnswered (Q7): of two that are open the other is
// refused, and of two that look the same both are.
func TestOnlyTheQuestionOnTheScreenIsAnswered(t *testing.T) {
	t.Parallel()
	f, shown := shoot(t, scenes[7], "100x30") // several labels
	hidden := record(t, "single").question
	p := f.pending(hidden)
	p.Others = []beckon.Question{shown}
	if err := new(Typist).Answer(t.Context(), f, p, scenes[0].reply); !errors.Is(err, Because(OtherDialog)) {
		t.Errorf("the hidden one: %v", err)
	}
	if _, err := CheckScreen(t.Context(), f, p); !errors.Is(err, Because(OtherDialog)) {
		t.Errorf("a look at the hidden one: %v", err)
	}
	p = f.pending(shown)
	p.Others = []beckon.Question{hidden}
	if words, err := CheckScreen(t.Context(), f, p); err != nil || !slices.Equal(words, []string{"Auth", "Search, full-text", "Export"}) {
		t.Errorf("a look at the one on the screen: %q, %v", words, err)
	}
	p.Others = []beckon.Question{shown}
	if err := new(Typist).Answer(t.Context(), f, p, scenes[7].reply); !errors.Is(err, Because(Ambiguous)) {
		t.Errorf("two that look the same: %v", err)
	}
	if len(f.typed) > 0 {
		t.Errorf("typed %q", f.typed)
	}
}
