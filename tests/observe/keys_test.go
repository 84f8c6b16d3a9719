//go:build linux

package observe

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/fixture"
	"beckon/tests/observe/tui"
	"beckon/tests/races"
)

func item(text string, multi bool, labels ...string) map[string]any {
	one := tui.Ask(text, labels...)["questions"].([]any)[0].(map[string]any)
	one["multiSelect"] = multi
	return one
}

func asks(items ...map[string]any) map[string]any {
	all := make([]any, len(items))
	for i := range items {
		all[i] = items[i]
	}
	return map[string]any{"questions": all}
}

func picks(items ...beckon.ItemAnswer) beckon.Answer { return beckon.Answer{Items: items} }

// TestEachKindOfQuestionIsAnsweredByKeysThroughBeckon, one after the other in one
// session. What was typed is in no log (S-g).
func TestEachKindOfQuestionIsAnsweredByKeysThroughBeckon(t *testing.T) {
	t.Parallel()
	const secret = "zebra-crossing"
	m := tui.NewMachine(t)
	d := serve(t, environment(t, m))
	dir := client.Repository(t, map[string]string{"README.md": "# sample\n"})
	database, features := item("Which database?", false, "PostgreSQL", "SQLite"), item("Which features?", true, "Auth", "Search, full-text", "Export")
	label := func(labels ...string) beckon.ItemAnswer { return beckon.ItemAnswer{Labels: labels} }
	steps := []struct {
		name, tool string
		input      map[string]any
		answer     beckon.Answer
		want       string // in the session's file
	}{
		{"one", "AskUserQuestion", asks(database), picks(label("SQLite")), `"Which database?":"SQLite"`},
		{"own words", "AskUserQuestion", asks(database), picks(beckon.ItemAnswer{Other: "DuckDB " + secret + "\nin two lines"}), `"Which database?":"DuckDB ` + secret + `\rin two lines"`},
		{"several labels", "AskUserQuestion", asks(features), picks(label("Export", "Search, full-text")), `"Which features?":"Search, full-text, Export"`},
		{"labels and words", "AskUserQuestion", asks(features), picks(beckon.ItemAnswer{Labels: []string{"Auth"}, Other: "Dark mode"}), `"Which features?":"Auth, Dark mode"`},
		{"several questions", "AskUserQuestion", asks(features, database), picks(label("Export"), label("PostgreSQL")), `"Which features?":"Export","Which database?":"PostgreSQL"`},
		{"skip", "AskUserQuestion", asks(database), beckon.Answer{Verdict: beckon.Skip}, "is_error"},
		{"deny", "Bash", map[string]any{"command": "touch denied", "description": "make a file"}, beckon.Answer{Verdict: beckon.Deny}, "is_error"},
		{"write", "Write", map[string]any{"file_path": filepath.Join(dir, "new.txt"), "content": "hello\n"}, beckon.Answer{Verdict: beckon.AllowOnce}, "new.txt"},
		{"always", "Bash", map[string]any{"command": "mkdir -p made && touch made/c", "description": "make a folder"}, beckon.Answer{Verdict: beckon.AllowAlways}, ""},
	}
	var rules []fixture.Rule
	for i, step := range steps {
		rules = append(rules, fixture.Rule{When: "do step" + strconv.Itoa(i) + " now", Times: 1, Turn: fixture.Turn{"text": "Let me ask.", "tool": step.tool, "input": step.input}})
	}
	s := m.Open(tui.Spec{Dir: dir, Rules: rules})
	for i, step := range steps {
		s.Say("do step" + strconv.Itoa(i) + " now")
		q := d.asked(s, beckon.WayKeys)
		if step.answer.Verdict == beckon.AllowAlways {
			s.Until("the row that allows always", func() bool {
				q = d.asked(s, beckon.WayKeys)
				return strings.HasPrefix(q.Permission.Always, "Yes, ")
			})
		}
		before := len(resultsOf(s))
		if _, err := client.Call[any](d.Program, "AnswerQuestion", q.ID, step.answer); err != nil {
			t.Fatalf("%s: %v; the screen is\n%s", step.name, err, s.Screen())
		}
		if now := d.answered(q.ID); now.Answer.By != beckon.ByUser {
			t.Errorf("%s: answered by %s", step.name, now.Answer.By)
		}
		s.Until("the result", func() bool { return len(resultsOf(s)) > before }) // of a command, once it has run
		if results := resultsOf(s)[before:]; len(results) != 1 || !strings.Contains(results[0], step.want) {
			t.Errorf("%s: the session has %q, want %s", step.name, results, step.want)
		}
		s.Until("the session is idle", func() bool { return s.Presence().Status == "idle" })
	}
	for name, want := range map[string]bool{"denied": false, "new.txt": true, "made": true} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("%s is there: %t", name, !want)
		}
	}
	if rules, _ := os.ReadFile(filepath.Join(dir, ".claude", "settings.local.json")); !strings.Contains(string(rules), "mkdir") {
		t.Errorf("remembered is %s", rules)
	}
	if strings.Contains(d.Logs(), secret) {
		t.Errorf("the log has what was typed:\n%s", d.Logs())
	}
}

// TestTheCommandsOfSubAgentsAreAnsweredByKeys, whichever of them the terminal shows
// first: each answer goes into its own dialog, and none into another one.
func TestTheCommandsOfSubAgentsAreAnsweredByKeys(t *testing.T) {
	t.Parallel()
	m := tui.NewMachine(t)
	d := serve(t, environment(t, m))
	agent := func(name string) map[string]any {
		return map[string]any{"tool": "Agent", "input": map[string]any{"description": "make " + name, "prompt": "do " + name + " now", "subagent_type": "general-purpose"}}
	}
	command := func(name string) fixture.Rule {
		return fixture.Rule{When: "do " + name + " now", Times: 1, Turn: fixture.Turn{"tool": "Bash", "input": map[string]any{"command": "touch " + name, "description": "make a file"}}}
	}
	s := m.Open(tui.Spec{Rules: []fixture.Rule{
		{When: "send two", Times: 1, Turn: fixture.Turn{"blocks": []map[string]any{agent("allowed"), agent("denied")}}},
		command("allowed"), command("denied"),
	}})
	s.Say("send two")
	left := map[string]beckon.Verdict{"touch allowed": beckon.AllowOnce, "touch denied": beckon.Deny}
	s.Until("both to be answered", func() bool {
		if len(left) == 2 {
			d.askedAll(s, beckon.WayKeys, 2)
		}
		for _, q := range d.askedAll(s, beckon.WayKeys, len(left)) {
			_, err := client.Call[any](d.Program, "AnswerQuestion", q.ID, beckon.Answer{Verdict: left[q.Permission.Command]})
			var refused *client.Error
			switch {
			case err == nil:
				delete(left, q.Permission.Command)
			case !errors.As(err, &refused) || refused.Problem != "keysOtherDialog" && refused.Problem != "keysNoDialog":
				t.Fatalf("%s: %v; the screen is\n%s", q.Permission.Command, err, s.Screen())
			}
		}
		return len(left) == 0
	})
	s.Until("what was allowed is done", func() bool { _, err := os.Stat(filepath.Join(s.Dir, "allowed")); return err == nil })
	if _, err := os.Stat(filepath.Join(s.Dir, "denied")); err == nil {
		t.Error("what was denied was done")
	}
}

// TestAPaneThatIsTooSmallSaysSo, and takes the answer once it is larger.
func TestAPaneThatIsTooSmallSaysSo(t *testing.T) {
	t.Parallel()
	m := tui.NewMachine(t)
	d := serve(t, environment(t, m))
	s := asking(m)
	q := d.asked(s, beckon.WayKeys)
	resize := func(width, height string) { s.Tmux("resize-window", "-t", s.Pane, "-x", width, "-y", height) }
	resize("40", "10")
	s.Until("it is cut off", func() bool { return !strings.Contains(s.Screen(), "Which database?") })
	choice := picks(beckon.ItemAnswer{Labels: []string{"SQLite"}})
	_, err := client.Call[any](d.Program, "AnswerQuestion", q.ID, choice)
	var refused *client.Error
	if !errors.As(err, &refused) || refused.Problem != "keysTooSmall" {
		t.Errorf("in 40x10: %v", err)
	}
	resize("100", "30")
	s.See("Which database?", "Esc to cancel")
	client.Must[any](d.Program, "AnswerQuestion", q.ID, choice)
	s.See("Noted.")
	d.answered(q.ID)
}

// TestTheHookIsOfTheRootThatHasIt: of two sessions, one has its own
// CLAUDE_CONFIG_DIR, where no hook is installed.
func TestTheHookIsOfTheRootThatHasIt(t *testing.T) {
	t.Parallel()
	m := tui.NewMachine(t)
	d := open(t, m)
	turns := func(q string) []fixture.Turn {
		return []fixture.Turn{{"tool": "AskUserQuestion", "input": tui.Ask(q, "Yes", "No")}, {"text": "Noted."}}
	}
	hooked := m.Open(tui.Spec{Turns: turns("With a hook?")})
	apart := m.Open(tui.Spec{Root: filepath.Join(m.Home, "other"), Turns: turns("With keys?")})
	for _, s := range []*tui.Session{hooked, apart} {
		s.Say("ask me")
	}
	for s, way := range map[*tui.Session]beckon.AnswerWay{hooked: beckon.WayHook, apart: beckon.WayKeys} {
		q := d.asked(s, way)
		d.Answer(q, "No")
		s.See("Noted.")
		if now := d.answered(q.ID); now.Answer.By != beckon.ByUser {
			t.Errorf("by %s it was answered by %s", way, now.Answer.By)
		}
	}
}

// TestAQuestionIsAskedWherePermissionsAreNot: under bypassPermissions the dialog is
// drawn, and the hook is called. An earlier CLI did not draw it.
func TestAQuestionIsAskedWherePermissionsAreNot(t *testing.T) {
	t.Parallel()
	m := tui.NewMachine(t)
	d := open(t, m)
	s := m.Start(tui.Spec{
		Args: []string{"--permission-mode", "bypassPermissions"}, Env: []string{"IS_SANDBOX=1"}, // else root may not
		Turns: []fixture.Turn{
			{"tool": "Bash", "input": map[string]any{"command": "touch unasked", "description": "make a file"}},
			{"tool": "AskUserQuestion", "input": tui.Ask("Which database?", "PostgreSQL", "SQLite")},
			{"text": "Noted."},
		},
	})
	var pressed time.Time
	s.Until("bypass permissions on", func() bool {
		screen := s.Screen()
		// A key that comes in the moment in which a dialog is drawn may be lost.
		if strings.Contains(screen, "Yes, I accept") && time.Since(pressed) > 500*time.Millisecond {
			s.Press("2")
			pressed = time.Now()
		}
		return strings.Contains(screen, "bypass permissions on")
	})
	s.PID = s.Presence().PID
	s.Say("go")
	q := d.asked(s, beckon.WayHook)
	s.See("❯ 1. PostgreSQL", "Esc to cancel")
	d.Answer(q, "SQLite")
	s.See("Noted.")
	d.answered(q.ID)
	made(t, s, "unasked")
}

// TestAHookThatFindsNobodyCostsNothing (H5): with no Beckon a session waits for
// its hook only as long as a program needs to start.
func TestAHookThatFindsNobodyCostsNothing(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	run := func(args ...string) time.Duration {
		var took []time.Duration
		for range 9 {
			cmd := exec.CommandContext(t.Context(), fixture.Beckon(), args...)
			cmd.Env = []string{"HOME=" + home, races.Env}
			cmd.Stdin = strings.NewReader(`{"session_id":"s","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{}}`)
			began := time.Now()
			out, err := cmd.CombinedOutput()
			took = append(took, time.Since(began))
			if err != nil || args[0] == "hook" && len(out) > 0 {
				t.Errorf("%q: %v, %s", args, err, out)
			}
		}
		return slices.Min(took)
	}
	hook, version := run("hook"), run("version")
	t.Logf("the hook takes %v, the version %v", hook, version)
	if most := 3*version + 500*time.Millisecond; hook > most { // the machine may be busy
		t.Errorf("the hook takes %v, a start of the program %v", hook, version)
	}
}
