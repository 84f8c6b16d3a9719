//go:build linux

package tmux

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/observe/tmux"
	"beckon/tests/client"
	"beckon/tests/fixture"
	"beckon/tests/observe/tui"
)

// dialogs are those of a session in the default mode, in this order.
var dialogs = []struct {
	name, tool string
	input      any
	reply      tmux.Reply
	want       map[string]string
	declined   bool
}{
	{"single", "AskUserQuestion", asks(database), reply(picks("SQLite")), map[string]string{"Which database should we use?": "SQLite"}, false},
	{"other", "AskUserQuestion", asks(database), reply(beckon.ItemAnswer{Other: "Use DuckDB; `rm -rf` #{x} $HOME"}), map[string]string{"Which database should we use?": "Use DuckDB; `rm -rf` #{x} $HOME"}, false},
	{"lines", "AskUserQuestion", asks(database), reply(beckon.ItemAnswer{Other: "First line\nsecond line\n\nGröße 大きさ"}), map[string]string{"Which database should we use?": "First line\nsecond line\n\nGröße 大きさ"}, false},
	{"preview", "AskUserQuestion", asks(layout), reply(picks("Stacked")), map[string]string{"Pick a layout?": "Stacked"}, false},
	{"multi", "AskUserQuestion", asks(features), reply(picks("Export", "Search, full-text")), map[string]string{"Which features do you want?": "Search, full-text, Export"}, false},
	{
		"multiother", "AskUserQuestion", asks(features), reply(beckon.ItemAnswer{Labels: []string{"Export"}, Other: "Dark mode, please"}),
		map[string]string{"Which features do you want?": "Export, Dark mode, please"}, false,
	},
	{
		"three", "AskUserQuestion", asks(features, layout, database), reply(beckon.ItemAnswer{Labels: []string{"Auth"}, Other: "More"}, picks("Side"), beckon.ItemAnswer{Other: "My own"}),
		map[string]string{"Which features do you want?": "Auth, More", "Pick a layout?": "Side", "Which database should we use?": "My own"}, false,
	},
	{"skip", "AskUserQuestion", asks(database), verdict(beckon.Skip), nil, true},
	{"skippreview", "AskUserQuestion", asks(layout), verdict(beckon.Skip), nil, true},
	{"decline", "AskUserQuestion", asks(features), tmux.Reply{Answer: beckon.Answer{Verdict: beckon.Skip}, Interrupt: true}, nil, true},
	{"deny", "Bash", map[string]any{"command": "mkdir -p a/b && touch a/b/c", "description": "Make a folder"}, verdict(beckon.Deny), nil, true},
	{"allow", "Bash", map[string]any{"command": "mkdir -p d/e && touch d/e/f", "description": "Make a folder"}, verdict(beckon.AllowOnce), nil, false},
	{"write", "Write", map[string]any{"file_path": "new.txt", "content": "one\n\tindented\n\nlast: a rather long line that goes over the edge of a pane of eighty columns, and on\n"}, verdict(beckon.AllowOnce), nil, false},
}

// TestEachDialogTakesItsAnswer: at two sizes, each kind of dialog, one after the
// other in one session.
func TestEachDialogTakesItsAnswer(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ width, height int }{{120, 40}, {60, 24}} {
		t.Run("", func(t *testing.T) {
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
			on := pane(t, s)
			for _, d := range dialogs {
				s.Say("do " + d.name + " now")
				p := pending(t, s, d.tool)
				shown(t, s, on, p)
				if err := new(tmux.Typist).Answer(t.Context(), on, p, d.reply); err != nil {
					t.Fatalf("%s: %v; the screen is\n%s", d.name, err, s.Screen())
				}
				var got tmux.Settled
				s.Until("it is settled", func() (ok bool) { got, ok = p.Settled(); return ok })
				for q, want := range d.want {
					if strings.ReplaceAll(got.Answers[q], "\r", "\n") != want {
						t.Errorf("%s: %q is answered %q, want %q", d.name, q, got.Answers[q], want)
					}
				}
				if got.Declined != d.declined {
					t.Errorf("%s: declined %v, want %v", d.name, got.Declined, d.declined)
				}
				idle(t, s)
			}
			for file, want := range map[string]bool{"a/b/c": false, "d/e/f": true, "new.txt": true} {
				if _, err := os.Stat(filepath.Join(dir, file)); (err == nil) != want {
					t.Errorf("%s is there: %v, want %v", file, err == nil, want)
				}
			}
			if left := s.Tmux("list-buffers"); left != "" {
				t.Errorf("what was typed is still in a buffer: %s", left)
			}
		})
	}
}
