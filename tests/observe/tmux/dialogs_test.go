//go:build linux

package tmux

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/observe/dialog"
	"beckon/tests/client"
	"beckon/tests/fixture"
	"beckon/tests/observe/tui"
)

// oneDialog is what the model asks, and what is typed.
type oneDialog struct {
	name, tool string
	input      any
	reply      dialog.Reply
	want       map[string]string
	declined   bool
}

// dialogs are those of a session in the default mode, in this order.
var dialogs = []oneDialog{
	{"single", "AskUserQuestion", asks(database), reply(picks("SQLite")), map[string]string{"Which database should we use?": "SQLite"}, false},
	{"other", "AskUserQuestion", asks(database), reply(beckon.ItemAnswer{Other: "Use DuckDB; `rm -rf` #{x} $HOME"}), map[string]string{"Which database should we use?": "Use DuckDB; `rm -rf` #{x} $HOME"}, false},
	{"lines", "AskUserQuestion", asks(database), reply(beckon.ItemAnswer{Other: "First line\nsecond line\n\nGröße 大きさ"}), map[string]string{"Which database should we use?": "First line\nsecond line\n\nGröße 大きさ"}, false},
	{"preview", "AskUserQuestion", asks(layout), reply(picks("Stacked")), map[string]string{"Pick a layout?": "Stacked"}, false},
	{"multi", "AskUserQuestion", asks(features), reply(picks("Export", "Search, full-text")), map[string]string{"Which features do you want?": "Search, full-text, Export"}, false},
	{
		"multiother", "AskUserQuestion", asks(features), reply(beckon.ItemAnswer{Labels: []string{"Export"}, Other: "Dark mode, please"}),
		map[string]string{"Which features do you want?": "Export, Dark mode, please"},
		false,
	},
	{
		"three", "AskUserQuestion", asks(features, layout, database), reply(beckon.ItemAnswer{Labels: []string{"Auth"}, Other: "More"}, picks("Side"), beckon.ItemAnswer{Other: "My own"}),
		map[string]string{"Which features do you want?": "Auth, More", "Pick a layout?": "Side", "Which database should we use?": "My own"},
		false,
	},
	{
		"multilines", "AskUserQuestion", asks(features), reply(beckon.ItemAnswer{Other: "one\ntwo"}),
		map[string]string{"Which features do you want?": "one\ntwo"},
		false,
	},
	{
		"mixed", "AskUserQuestion", asks(item("Which of `these`?", "Mixed", false, option("Plain", "None", ""), option("Drawn", "", "+--+\n|  |\n+--+"))), reply(picks("Plain")),
		map[string]string{"Which of `these`?": "Plain"},
		false,
	},
	{"skip", "AskUserQuestion", asks(database), verdict(beckon.Skip), nil, true},
	{"skippreview", "AskUserQuestion", asks(layout), verdict(beckon.Skip), nil, true},
	{"decline", "AskUserQuestion", asks(features), dialog.Reply{Answer: beckon.Answer{Verdict: beckon.Skip}, Interrupt: true}, nil, true},
	{"deny", "Bash", map[string]any{"command": "mkdir -p a/b && touch a/b/c", "description": "Make a folder"}, verdict(beckon.Deny), nil, true},
	{"allow", "Bash", map[string]any{"command": "mkdir -p d/e && touch d/e/f", "description": "Make a folder"}, verdict(beckon.AllowOnce), nil, false},
	{"write", "Write", map[string]any{"file_path": "new.txt", "content": "one\n\tindented\n\nlast: a rather long line that goes over the edge of a pane of eighty columns, and on\n"}, verdict(beckon.AllowOnce), nil, false},
}

// TestEachDialogTakesItsAnswer: at five sizes, each kind of dialog, one after the
// other in one session. Where one outgrows a low pane, no key is wrong.
func TestEachDialogTakesItsAnswer(t *testing.T) {
	t.Parallel()
	const questions = 12 // the first ones
	for _, size := range []struct{ width, height, asked, least int }{
		{120, 40, len(dialogs), len(dialogs)},
		{100, 30, len(dialogs), len(dialogs)},
		{80, 24, len(dialogs), len(dialogs)},
		{60, 24, len(dialogs), len(dialogs)},
		{60, 16, questions, 3}, // of the others the upper edge is not seen
	} {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			t.Parallel()
			dir := client.Repository(t, map[string]string{"README.md": "# sample\n"})
			var rules []fixture.Rule
			for _, d := range dialogs {
				if in, ok := d.input.(map[string]any); ok && in["file_path"] != nil {
					d.input = map[string]any{"file_path": filepath.Join(dir, "new.txt"), "content": in["content"]}
				}
				rules = append(rules, rule(d.name, d.tool, d.input))
			}
			s := tui.NewMachine(t).Open(tui.Spec{Dir: dir, Rules: rules, Width: size.width, Height: size.height})
			answered := 0
			for _, d := range dialogs[:size.asked] {
				s.Say("do " + d.name + " now")
				if answer(t, s, d, size.asked == questions) {
					answered++
				}
				idle(t, s)
			}
			if answered < size.least {
				t.Errorf("%d of %d were answered, want %d", answered, size.asked, size.least)
			}
			if size.asked == questions {
				return
			}
			if _, err := os.Stat(filepath.Join(dir, "a/b/c")); err == nil {
				t.Error("the denied command ran")
			}
			for _, file := range []string{"d/e/f", "new.txt"} {
				if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
					t.Errorf("what was allowed was not done: %v", err)
				}
			}
			if left := s.Tmux("list-buffers"); left != "" {
				t.Errorf("what was typed is still in a buffer: %s", left)
			}
		})
	}
}

// answer answers the question that comes, and reports whether it could. One that
// is not all visible in a low pane is left by Escape.
func answer(t *testing.T, s *tui.Session, d oneDialog, low bool) bool {
	t.Helper()
	on := pane(t, s)
	p := pending(t, s, d.tool)
	var err error
	for end := time.Now().Add(3 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		if _, err = dialog.CheckScreen(t.Context(), on, p); err == nil || low && time.Now().After(end) {
			break
		}
		if time.Now().After(end.Add(tui.Patience)) {
			t.Fatalf("%s is not recognized: %v; the screen is\n%s", d.name, err, s.Screen())
		}
	}
	err = new(dialog.Typist).Answer(t.Context(), on, p, d.reply)
	if low && errors.Is(err, dialog.Because(dialog.TooSmall)) {
		s.Press("Escape")
		s.Until("it is declined", func() bool { got, ok := p.Settled(); return ok && got.Declined })
		return false
	}
	if err != nil {
		t.Fatalf("%s: %v; the screen is\n%s", d.name, err, s.Screen())
	}
	var got dialog.Settled
	s.Until("it is settled", func() (ok bool) { got, ok = p.Settled(); return ok })
	for q, want := range d.want {
		if strings.ReplaceAll(got.Answers[q], "\r", "\n") != want {
			t.Errorf("%s: %q is answered %q, want %q", d.name, q, got.Answers[q], want)
		}
	}
	if got.Declined != d.declined {
		t.Errorf("%s: declined %v, want %v", d.name, got.Declined, d.declined)
	}
	return true
}

// TestALongTextIsSeenBeforeEnter: as much as the pane has room for.
func TestALongTextIsSeenBeforeEnter(t *testing.T) {
	t.Parallel()
	var lines []string
	for i := range 18 {
		lines = append(lines, fmt.Sprintf("%d. %s", i, strings.Repeat("word and another ", 6)))
	}
	text := strings.Join(lines, "\n")
	s, on, p := asking(t, tui.Spec{})
	err := new(dialog.Typist).Answer(t.Context(), on, p, reply(beckon.ItemAnswer{Other: text + strings.Repeat("\nmore", 30)}))
	refusedAs(t, err, dialog.TooSmall)
	if err := new(dialog.Typist).Answer(t.Context(), on, p, reply(beckon.ItemAnswer{Other: text})); err != nil {
		t.Errorf("%v; the screen is\n%s", err, s.Screen())
	}
}

// TestACommandThatPaintsADialogGetsNoKey that is meant for the painted one (S68): in a pane
// that is too low for it only what it painted is seen.
func TestACommandThatPaintsADialogGetsNoKey(t *testing.T) {
	t.Parallel()
	painted := "touch pwned; : <<'X'\n" + strings.Repeat("\n", 60) + "Bash command\n\ntouch harmless\nmake a file\nX"
	s := tui.NewMachine(t).Open(tui.Spec{Rules: []fixture.Rule{
		rule("it", "Bash", map[string]any{"command": painted, "description": "run a command"}),
	}})
	s.Say("do it now")
	p, on := pending(t, s, "Bash"), pane(t, s)
	card := p
	card.Question = question(&call{Name: "Bash", Input: []byte(`{"command":"touch harmless","description":"make a file"}`)})
	for _, size := range [][2]string{{"120", "40"}, {"100", "30"}, {"80", "24"}, {"60", "24"}, {"60", "16"}} {
		s.Tmux("resize-window", "-t", s.Pane, "-x", size[0], "-y", size[1])
		s.Until("the painted dialog", func() bool {
			screen := s.Screen()
			return !strings.Contains(screen, "touch pwned;") && strings.Contains(screen, "make a file") && strings.Contains(screen, "Esc to cancel")
		})
		refusedAs(t, new(dialog.Typist).Answer(t.Context(), on, card, verdict(beckon.AllowOnce)), dialog.TooSmall)
	}
	if !p.Open() {
		t.Fatalf("a key was typed; the screen is\n%s", s.Screen())
	}
	s.Press("Escape")
	s.Until("it is declined", func() bool { got, ok := p.Settled(); return ok && got.Declined })
	for _, name := range []string{"pwned", "harmless"} {
		if _, err := os.Stat(filepath.Join(s.Dir, name)); err == nil {
			t.Errorf("%s was made", name)
		}
	}
}

// TestAPermissionIsRemembered by the row that the person read, and an edit is
// recognized by what it changes.
func TestAPermissionIsRemembered(t *testing.T) {
	t.Parallel()
	dir := client.Repository(t, map[string]string{"README.md": "# sample\n\nOne line.\nAnother line.\nThe last.\n"})
	readme := filepath.Join(dir, "README.md")
	s := tui.NewMachine(t).Open(tui.Spec{Dir: dir, Width: 80, Height: 24, Rules: []fixture.Rule{
		rule("bash", "Bash", map[string]any{"command": "mkdir -p a/b && touch a/b/c", "description": "Make a folder"}),
		rule("read", "Read", map[string]any{"file_path": readme}),
		rule("edit", "Edit", map[string]any{"file_path": readme, "old_string": "Another line.\nThe last.", "new_string": "A longer line that goes over the edge of a pane of eighty columns for certain.\n\n\tThe last."}),
	}})
	on := pane(t, s)
	s.Say("do read now")
	s.Until("it has read", func() bool { all := calls(s); return len(all) > 0 && all[len(all)-1].settled != nil })
	idle(t, s)
	for _, name := range []string{"bash", "edit"} {
		s.Say("do " + name + " now")
		p := pending(t, s, strings.ToUpper(name[:1])+name[1:])
		rows := shown(t, s, on, p)
		if len(rows) != 3 || !strings.HasPrefix(rows[1], "Yes, ") {
			t.Fatalf("rows %q", rows)
		}
		r := verdict(beckon.AllowAlways)
		r.Row = rows[1]
		if err := new(dialog.Typist).Answer(t.Context(), on, p, r); err != nil {
			t.Fatalf("%s: %v; the screen is\n%s", name, err, s.Screen())
		}
		idle(t, s)
	}
	text, err := os.ReadFile(readme)
	if err != nil || !strings.HasSuffix(string(text), "for certain.\n\n\tThe last.\n") {
		t.Errorf("the file is %q, %v", text, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "a/b/c")); err != nil {
		t.Error(err)
	}
	rules, err := os.ReadFile(filepath.Join(dir, ".claude", "settings.local.json"))
	if err != nil || !strings.Contains(string(rules), "mkdir") {
		t.Errorf("remembered %s, %v", rules, err)
	}
	s.See("accept edits on")
}

// TestAPlanTakesItsAnswer: the small dialog, and the large one with its modes and
// its field for what to change.
func TestAPlanTakesItsAnswer(t *testing.T) {
	t.Parallel()
	const plan = "# The plan\n\n1. Read the **parser**\n2. Write a `test`\n\n```go\nfunc main() {}\n```\n\n- Mend it\n"
	s := tui.NewMachine(t).Start(tui.Spec{
		Args: []string{"--permission-mode", "plan"},
		Rules: []fixture.Rule{
			rule("small", "ExitPlanMode", map[string]any{"plan": plan}), rule("words", "ExitPlanMode", map[string]any{}),
			rule("deny", "ExitPlanMode", map[string]any{}), rule("allow", "ExitPlanMode", map[string]any{}),
		},
	})
	s.See("plan mode on")
	s.PID = s.Presence().PID
	on := pane(t, s)
	s.Say("do small now")
	p := pending(t, s, "ExitPlanMode")
	shown(t, s, on, p)
	if err := new(dialog.Typist).Answer(t.Context(), on, p, verdict(beckon.Deny)); err != nil {
		t.Fatalf("small: %v; the screen is\n%s", err, s.Screen())
	}
	idle(t, s)
	planned(t, s, plan)
	words := verdict(beckon.Deny)
	words.Text = "Read the README first,\nplease"
	for _, d := range []struct {
		name     string
		reply    dialog.Reply
		declined bool
	}{{"words", words, true}, {"deny", verdict(beckon.Deny), true}, {"allow", verdict(beckon.AllowOnce), false}} {
		s.Say("do " + d.name + " now")
		p := pending(t, s, "ExitPlanMode")
		if p.Question.Plan == "" {
			t.Fatal("the record has no plan")
		}
		shown(t, s, on, p)
		if err := new(dialog.Typist).Answer(t.Context(), on, p, d.reply); err != nil {
			t.Fatalf("%s: %v; the screen is\n%s", d.name, err, s.Screen())
		}
		var got dialog.Settled
		s.Until("it is settled", func() (ok bool) { got, ok = p.Settled(); return ok })
		if got.Declined != d.declined {
			t.Errorf("%s: declined %v", d.name, got.Declined)
		}
		idle(t, s)
	}
	if !strings.Contains(record(t, s), "Read the README first") {
		t.Error("the words are not in the record")
	}
}

// record is all that a session's folder has.
func record(t *testing.T, s *tui.Session) string {
	t.Helper()
	var all strings.Builder
	files, _ := filepath.Glob(filepath.Join(s.Root, "projects", "*", "*.jsonl")) // the pattern is valid
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

// planned writes the plan where the session looks for it.
func planned(t *testing.T, s *tui.Session, plan string) {
	t.Helper()
	path := regexp.MustCompile(`/[^"\s]*/plans/[A-Za-z0-9-]+\.md`).FindString(record(t, s))
	if path == "" {
		t.Fatal("the session names no file for its plan")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(plan), 0o600); err != nil {
		t.Fatal(err)
	}
}
