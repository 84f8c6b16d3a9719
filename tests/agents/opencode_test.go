package agents

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/agent/process"
	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// module returns a file of the agents that npm brought.
func module(t *testing.T, path ...string) string {
	t.Helper()
	file, err := filepath.Abs(filepath.Join(append([]string{"node_modules"}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); err != nil {
		t.Fatalf("npm ci has not run in tests/agents: %v", err)
	}
	return file
}

// onPath returns the PATH on which a program of that name runs the command.
func onPath(t *testing.T, name string, command ...string) string {
	t.Helper()
	bin := t.TempDir()
	script := "#!/bin/sh\nexec '" + strings.Join(command, "' '") + "' \"$@\"\n"
	if err := process.WriteProgram(filepath.Join(bin, name), script); err != nil {
		t.Fatal(err)
	}
	return "PATH=" + bin + ":" + os.Getenv("PATH")
}

// openCode starts Beckon with OpenCode, whose model follows a script, and whose user, project
// and environment allow everything.
func openCode(t *testing.T, turns ...fixture.Turn) *fixture.Fixture {
	t.Helper()
	config := t.TempDir()
	s := fixture.NewWithEnv(t, []string{
		onPath(t, "opencode", module(t, "opencode-linux-x64", "bin", "opencode")), "XDG_CONFIG_HOME=" + config, "XDG_DATA_HOME=" + t.TempDir(),
		"OPENCODE_DISABLE_MODELS_FETCH=1", `OPENCODE_PERMISSION={"bash":"allow"}`, `OPENCODE_CONFIG_CONTENT={"permission":"allow"}`,
	}, turns...)
	if err := os.Mkdir(filepath.Join(config, "opencode"), 0o700); err != nil {
		t.Fatal(err)
	}
	user := fmt.Sprintf(`{"permission":{"*":"allow","bash":{"*":"allow"}},"model":"anthropic/claude-sonnet-4-5",
		"provider":{"anthropic":{"options":{"baseURL":"%s/v1","apiKey":"sk-test"}}}}`, s.ModelURL())
	if err := os.WriteFile(filepath.Join(config, "opencode", "opencode.json"), []byte(user), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Commit(map[string]string{
		"opencode.json": `{"$schema":"https://opencode.ai/config.json","default_agent":"mine","permission":{"edit":"allow"},"agent":{
			"mine":{"mode":"primary","permission":{"*":"allow"}},"build":{"permission":{"bash":"allow","edit":"allow"}}}}`,
		".opencode/agent/wild.md": "---\ndescription: a wild one\nmode: subagent\npermission:\n  bash: allow\n---\nYou are wild.\n",
	})
	return s
}

// TestOpenCodeDoesATask from Beckon's question to work that is committed. Nothing is edited,
// run or handed to an agent of the project's own without the user, whatever the user's and the
// project's files allow.
func TestOpenCodeDoesATask(t *testing.T) {
	t.Parallel()
	s := openCode(t,
		fixture.Turn{"text": "One thing first.", "tool": "beckon_ask_user", "input": fixture.Questions(fixture.Question("Which greeting?", "Greeting", "Hello", "Good day"))},
		fixture.Turn{"text": "Now I write it.", "tool": "bash", "input": map[string]any{"command": "echo 'Good day' > greeting.txt", "description": "look around"}},
		fixture.Turn{"text": "A note.", "tool": "write", "input": map[string]any{"filePath": "note.txt", "content": "noted\n"}},
		fixture.Turn{"text": "Help.", "tool": "task", "input": map[string]any{"description": "look around", "prompt": "Go.", "subagent_type": "wild"}},
		fixture.Turn{"text": "All done."},
	)
	task := s.Create(beckon.NewTask{Title: "Greet the user", Brief: "Ask how.", Agent: "opencode"})
	s.Answer(s.Asked(task.ID, "Which greeting?"), "Good day")
	wish := s.Asked(task.ID, "greeting.txt")
	if wish.Kind != beckon.Permission || wish.Permission.Command != "echo 'Good day' > greeting.txt" {
		t.Errorf("it is asked %+v", wish.Permission)
	}
	allow(s, wish)
	wish = s.Asked(task.ID, "note.txt")
	if !strings.Contains(wish.Permission.Diff, "+noted") {
		t.Errorf("it is asked %+v", wish.Permission)
	}
	allow(s, wish)
	wish = s.Asked(task.ID, "wild")
	client.Must[any](s.Program, "AnswerQuestion", wish.ID, beckon.Answer{Verdict: beckon.Deny, Text: "Do it yourself."})
	task = s.InReview(task.ID)
	s.Heard("Good day")
	s.Heard("Do it yourself.")
	if got := client.Git(t, s.Dir, "show", "--format=", "--name-only", task.Branch); strings.TrimSpace(got) != "greeting.txt\nnote.txt" {
		t.Errorf("the commit holds %q", got)
	}
	if run := s.Run(task.ID); run.Outcome != beckon.Succeeded || run.Agent != "opencode" {
		t.Errorf("the run ended %+v", run)
	}
}

func allow(s *fixture.Fixture, wish beckon.Question) {
	client.Must[any](s.Program, "AnswerQuestion", wish.ID, beckon.Answer{Verdict: beckon.AllowOnce})
}

// TestNothingOfOpenCodesIsLeft: its shell runs in a session and group of its own.
func TestNothingOfOpenCodesIsLeft(t *testing.T) {
	t.Parallel()
	const sleeps = "sleep 54322"
	s := openCode(t, sleepy("bash", sleeps))
	leavesNothing(t, s, "opencode", sleeps)
}

// sleepy is a turn that has a shell begin two processes, of which one stays in the background.
func sleepy(tool, sleeps string) fixture.Turn {
	return fixture.Turn{"text": "First.", "tool": tool, "input": map[string]any{
		"command": sleeps + " & sleep 0.1; echo begun; " + sleeps, "description": "sleep",
	}}
}

// leavesNothing stops an agent whose shell sleeps, and holds it to leave nothing.
func leavesNothing(t *testing.T, s *fixture.Fixture, kind, sleeps string) {
	t.Helper()
	task := s.Create(beckon.NewTask{Title: "Sleep", Agent: kind})
	allow(s, s.Asked(task.ID, sleeps))
	s.Until("both sleep", fixture.Patience, func() bool { return len(running(sleeps)) >= 2 })
	client.Must[any](s.Program, "Stop", task.ID)
	s.InReview(task.ID)
	if left := running(sleeps); len(left) > 0 {
		t.Errorf("still there: %q", left)
	}
}
