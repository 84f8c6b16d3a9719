package agents

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// kimi starts Beckon with Kimi Code, whose model follows a script.
func kimi(t *testing.T, turns ...fixture.Turn) *fixture.Fixture {
	t.Helper()
	return kimiBy(t, nil, turns...)
}

// kimiBy does so with options of Node's.
func kimiBy(t *testing.T, options []string, turns ...fixture.Turn) *fixture.Fixture {
	t.Helper()
	home := t.TempDir()
	command := append([]string{module(t, "node-bin-linux", "bin", "node")}, options...)
	command = append(command, module(t, "@moonshot-ai", "kimi-code", "dist", "main.mjs"))
	s := fixture.NewWithEnv(t, []string{onPath(t, "kimi", command...), "KIMI_CODE_HOME=" + home}, turns...)
	config := fmt.Sprintf(`default_model = "scripted"

[providers.scripted]
type = "anthropic"
base_url = %q
api_key = "sk-test"

[models.scripted]
provider = "scripted"
model = "scripted-1"
max_context_size = 200000
`, s.ModelURL())
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestKimiDoesATask from Beckon's question and its own to work that is committed.
func TestKimiDoesATask(t *testing.T) {
	t.Parallel()
	s := kimi(t,
		fixture.Turn{"text": "One thing first.", "tool": "mcp__beckon__ask_user", "input": fixture.Questions(fixture.Question("Which greeting?", "Greeting", "Hello", "Good day"))},
		fixture.Turn{"text": "And another.", "tool": "AskUserQuestion", "input": choice("Which language?", "English", "German")},
		fixture.Turn{"text": "Now I write it.", "tool": "Bash", "input": map[string]any{"command": "echo 'Good day' > greeting.txt"}},
		fixture.Turn{"text": "All done."},
	)
	task := s.Create(beckon.NewTask{Title: "Greet the user", Brief: "Ask how.", Agent: "kimi"})
	s.Answer(s.Asked(task.ID, "Which greeting?"), "Good day")
	s.Answer(s.Asked(task.ID, "Which language?"), "German")
	wish := s.Asked(task.ID, "greeting.txt")
	if wish.Kind != beckon.Permission || wish.Permission.Command != "echo 'Good day' > greeting.txt" {
		t.Errorf("it is asked %+v", wish.Permission)
	}
	client.Must[any](s.Program, "AnswerQuestion", wish.ID, beckon.Answer{Verdict: beckon.AllowOnce})
	task = s.InReview(task.ID)
	s.Heard("Good day")
	s.Heard("German")
	if got := strings.TrimSpace(client.Git(t, s.Dir, "show", "--format=%s", "--name-only", task.Branch)); !strings.Contains(got, "greeting.txt") {
		t.Errorf("the commit holds %q", got)
	}
	if run := s.Run(task.ID); run.Outcome != beckon.Succeeded || run.Agent != "kimi" {
		t.Errorf("the run ended %+v", run)
	}
}

// hundredfold has timers of a minute and more ring after a hundredth of their time.
const hundredfold = "--import=data:text/javascript,const set=globalThis.setTimeout;globalThis.setTimeout=(f,ms,...a)=>set(f,ms>=60000?ms/100:ms,...a)"

// TestKimiWaitsTenMinutesForAnAnswer, by its own clock, which is a hundred times as fast: it
// would give up a call of a tool after a minute.
func TestKimiWaitsTenMinutesForAnAnswer(t *testing.T) {
	t.Parallel()
	s := kimiBy(t, []string{hundredfold}, fixture.AskColour, fixture.Turn{"text": "Green it is."})
	task := s.Create(beckon.NewTask{Title: "Paint", Agent: "kimi", Policy: beckon.Wait})
	q := s.Asked(task.ID, "Which colour?")
	s.Until("ten minutes of its clock", fixture.Patience, func() bool { return time.Since(time.UnixMilli(q.Asked)) > 6*time.Second })
	s.Reply(q, "Green")
	s.InReview(task.ID)
	s.Heard("Green")
	if run := s.Run(task.ID); run.Outcome != beckon.Succeeded || run.Number != 1 {
		t.Errorf("the run ended %+v", run)
	}
}

// choice is the input of a question of Kimi's own, which refuses fields that it does not
// know.
func choice(question string, labels ...string) map[string]any {
	var options []any
	for _, label := range labels {
		options = append(options, map[string]any{"label": label, "description": "About " + label})
	}
	return map[string]any{"questions": []any{map[string]any{"question": question, "options": options}}}
}

// TestKimiIsKilledWithAQuestionOpen together with Beckon: the answer goes on with its
// session.
func TestKimiIsKilledWithAQuestionOpen(t *testing.T) {
	t.Parallel()
	s := kimi(t,
		fixture.Turn{"text": "One thing first.", "tool": "AskUserQuestion", "input": choice("Which colour?", "Red", "Green")},
		fixture.Turn{"text": "Green it is."},
	)
	task := s.Create(beckon.NewTask{Title: "Paint", Agent: "kimi", Policy: beckon.Wait})
	s.Asked(task.ID, "Which colour?")
	s.Slay()
	s.Answer(s.Orphan(task.ID), "Green")
	s.RanAgain(task.ID)
	s.InReview(task.ID)
	s.Heard("Green")
	if run := s.Run(task.ID); run.Outcome != beckon.Succeeded || run.Number != 2 {
		t.Errorf("the run ended %+v", run)
	}
}

// TestKimiThatIsStoppedDoesNothingMore: it asks its model nothing after the stop, and runs
// no command.
func TestKimiThatIsStoppedDoesNothingMore(t *testing.T) {
	t.Parallel()
	s := kimi(t,
		fixture.Turn{"text": "First.", "tool": "Bash", "input": map[string]any{"command": "touch allowed"}},
		fixture.Turn{"text": "Then.", "tool": "Bash", "input": map[string]any{"command": "touch after"}},
	)
	task := s.Create(beckon.NewTask{Title: "Touch", Agent: "kimi"})
	s.Asked(task.ID, "touch allowed")
	turns := s.Turns()
	client.Must[any](s.Program, "Stop", task.ID)
	task = s.InReview(task.ID)
	if run := s.Run(task.ID); run.Outcome != beckon.Stopped {
		t.Errorf("the run is %s: %s", run.Outcome, run.Reason)
	}
	if n := s.Turns() - turns; n != 0 {
		t.Errorf("it asked the model %d times after the stop", n)
	}
	for _, name := range []string{"allowed", "after"} {
		if _, err := os.Stat(filepath.Join(task.Worktree, name)); err == nil {
			t.Errorf("%s: it ran a command that nobody allowed", name)
		}
	}
}

// TestNothingOfKimisIsLeft: its shell runs in a session and group of its own, and leaves
// processes in the background.
func TestNothingOfKimisIsLeft(t *testing.T) {
	t.Parallel()
	const sleeps = "sleep 54321"
	s := kimi(t, fixture.Turn{"text": "First.", "tool": "Bash", "input": map[string]any{"command": sleeps + " & sleep 0.1; echo begun; " + sleeps}})
	task := s.Create(beckon.NewTask{Title: "Sleep", Agent: "kimi"})
	client.Must[any](s.Program, "AnswerQuestion", s.Asked(task.ID, sleeps).ID, beckon.Answer{Verdict: beckon.AllowOnce})
	s.Until("both sleep", fixture.Patience, func() bool { return len(running(sleeps)) >= 2 })
	client.Must[any](s.Program, "Stop", task.ID)
	s.InReview(task.ID)
	if left := running(sleeps); len(left) > 0 {
		t.Errorf("still there: %q", left)
	}
}

// running returns the processes whose command line is that.
func running(command string) (found []string) {
	processes, _ := filepath.Glob("/proc/[0-9]*") // the pattern is valid
	for _, dir := range processes {
		line, err := os.ReadFile(filepath.Join(dir, "cmdline"))
		if err == nil && strings.TrimSpace(strings.ReplaceAll(string(line), "\x00", " ")) == command {
			found = append(found, dir)
		}
	}
	return found
}
