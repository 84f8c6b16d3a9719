package real

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/toolserver"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

func answer(s *fixture.Fixture, q beckon.Question, a beckon.Answer) {
	client.Must[any](s.Program, "AnswerQuestion", q.ID, a)
}

func bash(command string) fixture.Turn {
	return fixture.Turn{"tool": "Bash", "input": map[string]any{"command": command, "description": "Run it"}}
}

// again waits until the task's run with that number is over.
func again(s *fixture.Fixture, taskID string, number int) []beckon.Run {
	var runs []beckon.Run
	s.Until("the end of another run", patience, func() bool {
		runs = client.Must[[]beckon.Run](s.Program, "Runs", taskID)
		return len(runs) == number && runs[number-1].Phase == beckon.Ended
	})
	return runs
}

// TestChoicesPreviewsAndNotesReachTheModel as the CLI's own dialog sends them.
func TestChoicesPreviewsAndNotesReachTheModel(t *testing.T) {
	t.Parallel()
	parts := fixture.Question("Which parts?", "Parts", "Auth", "Export", "Search")
	parts["multiSelect"] = true
	layout := fixture.Question("Which layout?", "Layout", "Side", "Top")
	layout["options"].([]map[string]any)[0]["preview"] = "| nav | page |"
	s := fixture.New(t, fixture.Turn{"tool": "AskUserQuestion", "input": fixture.Questions(parts, layout)}, fixture.Turn{"text": "Done."})
	task := s.Create(beckon.NewTask{Title: "Choose"})
	q := s.Asked(task.ID, "Which parts?")
	if q.Items[1].Options[0].Preview != "| nav | page |" {
		t.Errorf("the preview is %q", q.Items[1].Options[0].Preview)
	}
	answer(s, q, beckon.Answer{Items: []beckon.ItemAnswer{
		{Labels: []string{"Auth", "Export"}, Other: "dark mode"},
		{Labels: []string{"Side"}, Note: "but narrow"},
	}})
	s.InReview(task.ID)
	s.Heard(`"Which parts?"="Auth, Export, dark mode"`)
	s.Heard(`"Which layout?"="Side" selected preview:` + "\n| nav | page |")
	s.Heard("but narrow")
	s.Until("the answer is acknowledged", patience, func() bool {
		return client.Must[[]beckon.Question](s.Program, "Questions", task.ID)[0].Delivered != 0
	})
}

// TestLabelsReachTheModelAsItWroteThem: two that differ only where they are cut
// are asked, and what was cleaned or cut to be shown is not changed for the
// model, nor is its preview lost.
func TestLabelsReachTheModelAsItWroteThem(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("very ", 50)
	layout := fixture.Question("Which layout?", "Layout", "Side\u200b by side ", "Top")
	layout["options"].([]map[string]any)[0]["preview"] = "| nav | page |"
	s := fixture.New(t, fixture.Turn{"tool": "AskUserQuestion", "input": fixture.Questions(
		fixture.Question("Which width?", "Width", long+"wide", long+"narrow"), layout)}, fixture.Turn{"text": "Done."})
	task := s.Create(beckon.NewTask{Title: "Choose"})
	q := s.Asked(task.ID, "Which width?")
	answer(s, q, beckon.Answer{Items: []beckon.ItemAnswer{
		{Labels: []string{q.Items[0].Options[1].Label}}, {Labels: []string{q.Items[1].Options[0].Label}},
	}})
	s.InReview(task.ID)
	s.Heard(`"Which width?"="` + long + `narrow"`)
	s.Heard("\"Which layout?\"=\"Side\u200b by side \" selected preview:\n| nav | page |")
}

// TestPlan: changes are requested, then the plan is edited, approved, and
// carried out in the mode that goes with it. The model writes it into the file that the
// CLI names, without which the newest drops a text that comes inline.
func TestPlan(t *testing.T) {
	t.Parallel()
	write := func(text string) fixture.Turn {
		return fixture.Turn{"tool": "Write", "input": map[string]any{"file_path": "$PLAN_FILE", "content": text}}
	}
	ask := fixture.Turn{"tool": "ExitPlanMode", "input": map[string]any{}}
	s := fixture.New(t, write("1. Guess."), ask, write("1. Measure."), ask,
		fixture.Turn{"tool": "Write", "input": map[string]any{"file_path": "result.txt", "content": "42\n"}}, fixture.Turn{"text": "Measured."})
	task := s.Create(beckon.NewTask{Title: "Measure", Mode: beckon.ModePlan})
	answer(s, s.Asked(task.ID, "Guess"), beckon.Answer{Verdict: beckon.Deny, Text: "Measure instead of guessing."})
	answer(s, s.Asked(task.ID, "1. Measure"), beckon.Answer{Verdict: beckon.AllowOnce, Plan: "1. Measure twice."})
	task = s.InReview(task.ID)
	s.Heard("Measure instead of guessing.")
	s.Heard("Measure twice.")
	if task.Changes.Files != 1 {
		t.Errorf("the plan was approved, and %d files changed", task.Changes.Files)
	}
}

// TestAPlanWithoutATextIsACard: the CLI asks for consent to one that it has no text of, and
// may drop a text that it has no file of.
func TestAPlanWithoutATextIsACard(t *testing.T) {
	t.Parallel()
	s := fixture.New(t, fixture.Turn{"tool": "ExitPlanMode", "input": map[string]any{}},
		fixture.Turn{"tool": "Write", "input": map[string]any{"file_path": "result.txt", "content": "42\n"}}, fixture.Turn{"text": "Measured."})
	task := s.Create(beckon.NewTask{Title: "Measure", Mode: beckon.ModePlan})
	var q beckon.Question
	s.Until("the plan is asked about", patience, func() bool {
		for _, q = range client.Must[[]beckon.Question](s.Program, "Questions", task.ID) {
			return q.Kind == beckon.Plan && q.Settlement == beckon.Open
		}
		return false
	})
	answer(s, q, beckon.Answer{Verdict: beckon.AllowOnce})
	if task = s.InReview(task.ID); task.Changes.Files != 1 {
		t.Errorf("the plan was approved, and %d files changed", task.Changes.Files)
	}
}

// TestALimitOfTheRepositoryEndsNoWait: its settings, and the user's, may have a short one for
// slow servers.
func TestALimitOfTheRepositoryEndsNoWait(t *testing.T) {
	t.Parallel()
	s := fixture.New(t, fixture.Turn{"tool": "mcp__beckon__ask_user", "input": map[string]any{"question": "Which way?", "options": []string{"Left", "Right"}}},
		fixture.Turn{"text": "Thank you."})
	s.Commit(map[string]string{".claude/settings.json": `{"env":{"MCP_TOOL_TIMEOUT":"2000","CLAUDE_CODE_MCP_TOOL_IDLE_TIMEOUT":"2000"}}`})
	task := s.Create(beckon.NewTask{Title: "Choose"})
	q := s.Asked(task.ID, "Which way?")
	time.Sleep(5 * time.Second) // the wait is what is tested
	answer(s, q, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"Right"}}}})
	s.InReview(task.ID)
	if now := client.Must[[]beckon.Question](s.Program, "Questions", task.ID)[0]; now.Settlement != beckon.Answered {
		t.Errorf("the question is %s", now.Settlement)
	}
	s.Heard("Right")
}

// TestAllowedForTheProject: what was allowed once for the project is not asked
// about again, neither in this run nor in a later one; another command is.
func TestAllowedForTheProject(t *testing.T) {
	t.Parallel()
	s := fixture.New(t, bash("touch one.txt"), bash("touch one.txt"), fixture.Turn{"text": "First."},
		bash("touch one.txt"), bash("touch two.txt"), fixture.Turn{"text": "Second."})
	task := s.Create(beckon.NewTask{Title: "Touch", Mode: beckon.ModeDefault})
	q := s.Asked(task.ID, "touch one.txt")
	if len(q.Permission.Lasting) == 0 {
		t.Fatalf("the project cannot be given %+v", q.Permission)
	}
	answer(s, q, beckon.Answer{Verdict: beckon.AllowAlways, Project: true})
	s.InReview(task.ID)
	client.Must[beckon.Task](s.Program, "SendBack", task.ID, "Again.")
	answer(s, s.Asked(task.ID, "touch two.txt"), beckon.Answer{Verdict: beckon.Deny, Text: "Not that one."})
	again(s, task.ID, 2)
	s.Heard("Not that one.")
	if qs := client.Must[[]beckon.Question](s.Program, "Questions", task.ID); len(qs) != 2 {
		t.Errorf("%d permissions were asked for, want 2: %+v", len(qs), qs)
	}
}

// TestARuleOfTheProjectIsOneRule: a command that would read as two rules where
// they are joined lets no other command run, neither in this run nor in a
// later one; a rule with commas and parentheses holds all the same.
func TestARuleOfTheProjectIsOneRule(t *testing.T) {
	t.Parallel()
	s := fixture.New(t, bash(`make "a, (b)"`), bash("touch ./one #),Bash(*"), bash("touch ./two #),Bash(make smuggled"), fixture.Turn{"text": "First."},
		bash(`make "a, (b)"`), bash("make smuggled"), fixture.Turn{"text": "Second."})
	task := s.Create(beckon.NewTask{Title: "Make", Mode: beckon.ModeDefault})
	always := beckon.Answer{Verdict: beckon.AllowAlways, Project: true}
	answer(s, s.Asked(task.ID, "a, (b)"), always)
	q := s.Asked(task.ID, "touch ./one")
	if _, err := client.Call[any](s.Program, "AnswerQuestion", q.ID, always); err == nil {
		t.Fatalf("a star of the agent's became a rule: %+v", q.Permission)
	}
	answer(s, q, beckon.Answer{Verdict: beckon.AllowOnce})
	answer(s, s.Asked(task.ID, "touch ./two"), always)
	s.InReview(task.ID)
	client.Must[beckon.Task](s.Program, "SendBack", task.ID, "Again.")
	answer(s, s.Asked(task.ID, "make smuggled"), beckon.Answer{Verdict: beckon.Deny, Text: "Not that one."})
	again(s, task.ID, 2)
	s.Heard("Not that one.")
	if qs := client.Must[[]beckon.Question](s.Program, "Questions", task.ID); len(qs) != 4 {
		t.Errorf("%d permissions were asked for, want 4: %+v", len(qs), qs)
	}
}

// TestASubAgentAsks over MCP, and is named.
func TestASubAgentAsks(t *testing.T) {
	t.Parallel()
	s := fixture.New(t,
		fixture.Turn{"tool": "Agent", "input": map[string]any{"description": "explore", "prompt": "look around", "subagent_type": "general-purpose", "run_in_background": false}},
		fixture.Turn{"tool": "mcp__beckon__ask_user", "input": map[string]any{"question": "Look where?"}},
		fixture.Turn{"text": "I looked there."}, fixture.Turn{"text": "Done."})
	task := s.Create(beckon.NewTask{Title: "Delegate", Mode: beckon.ModeAcceptEdits})
	q := s.Asked(task.ID, "Look where?")
	s.Until("the sub-agent is named", patience, func() bool {
		return client.Must[[]beckon.Question](s.Program, "Questions", task.ID)[0].Agent == "explore"
	})
	answer(s, q, beckon.Answer{Items: []beckon.ItemAnswer{{Other: "in the attic"}}})
	s.InReview(task.ID)
	s.Heard("in the attic")
}

// TestParkAndResume: the run is interrupted, and the answer resumes the
// session with it.
func TestParkAndResume(t *testing.T) {
	t.Parallel()
	s := fixture.New(t, fixture.Turn{"text": "One thing.", "tool": "AskUserQuestion", "input": fixture.Questions(fixture.Question("Which width?", "Width", "Two", "Four"))},
		fixture.Turn{"tool": "Write", "input": map[string]any{"file_path": "width.txt", "content": "4\n"}}, fixture.Turn{"text": "Four it is."})
	task := s.Create(beckon.NewTask{Title: "Indent", Mode: beckon.ModeAcceptEdits, Policy: beckon.Park, WaitMs: beckon.MinWaitMs})
	q := s.Asked(task.ID, "Which width?")
	task = s.InReview(task.ID)
	runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID)
	if len(runs) != 1 || runs[0].Outcome != beckon.Parked {
		t.Fatalf("runs %+v; want one, parked", runs)
	}
	s.Answer(q, "Four")
	runs = again(s, task.ID, 2)
	if runs[0].Session != runs[1].Session || runs[1].Outcome != beckon.Succeeded {
		t.Errorf("runs %+v; want two of one session, the last with success", runs)
	}
	s.Heard("You asked: Which width?\n\nThe user answers now:\n\"Which width?\" → \"Four\"")
	s.Heard("One thing.")
}

// TestAKilledAgentsQuestionIsAnswered, in its session, or in a new one where
// claude was killed before it wrote the session down.
func TestAKilledAgentsQuestionIsAnswered(t *testing.T) {
	t.Parallel()
	s := fixture.New(t, fixture.Turn{"text": "Before.", "tool": "mcp__beckon__ask_user", "input": fixture.Questions(fixture.Question("Which name?", "Name", "Span", "Range"))},
		fixture.Turn{"text": "Range it is."})
	task := s.Create(beckon.NewTask{Title: "Rename"})
	q := s.Asked(task.ID, "Which name?")
	killAgents(t, s.Task(task.ID).Worktree)
	s.InReview(task.ID)
	qs := client.Must[[]beckon.Question](s.Program, "Questions", task.ID)
	if len(qs) != 1 || qs[0].Settlement != beckon.Orphaned {
		t.Fatalf("questions %+v; want one, orphaned", qs)
	}
	s.Answer(q, "Range")
	var runs []beckon.Run
	defer func() {
		if t.Failed() {
			t.Logf("the card %+v\nits runs %+v", s.Task(task.ID), runs)
		}
	}()
	s.Until("a run goes on with the answer", patience, func() bool {
		runs = client.Must[[]beckon.Run](s.Program, "Runs", task.ID)
		return runs[len(runs)-1].Outcome == beckon.Succeeded
	})
	s.Heard(`"Which name?" → "Range"`)
	if n := strings.Count(s.Told(), `Which name?\" → \"Range`); n != 1 {
		t.Errorf("the model read the answer %d times", n)
	}
}

// killAgents ends by kill -9 every agent that works in the folder.
func killAgents(t *testing.T, dir string) {
	t.Helper()
	signalAgents(t, dir, syscall.SIGKILL)
}

// signalAgents sends a signal to every agent that works in the folder.
func signalAgents(t *testing.T, dir string, signal syscall.Signal) {
	t.Helper()
	found := agents(dir)
	if len(found) == 0 {
		t.Fatalf("no agent works in %s", dir)
	}
	for _, agent := range found {
		if err := agent.Signal(signal); err != nil {
			t.Fatal(err)
		}
	}
}

// agents returns the claude processes that work in the folder.
func agents(dir string) (found []*os.Process) {
	processes, _ := filepath.Glob("/proc/[0-9]*") // the pattern is valid
	for _, p := range processes {
		cwd, _ := os.Readlink(filepath.Join(p, "cwd"))
		args, _ := os.ReadFile(filepath.Join(p, "cmdline"))
		pid, err := strconv.Atoi(filepath.Base(p))
		argv := strings.Split(string(args), "\x00")
		// The process above claude is to see the end of both, so nobody stops it.
		if cwd != dir || err != nil || argv[0] == "beckon-supervisor" || !slices.Contains(argv, "--permission-prompt-tool=stdio") {
			continue
		}
		if agent, err := os.FindProcess(pid); err == nil {
			found = append(found, agent)
		}
	}
	return found
}

// TestAskUserIsInThePromptWhereOtherToolsAreSearched: an agent that would have
// to look for the tool first would seldom ask. Claude has no address and no token
// of Beckon's: it asks over its own stdout.
func TestAskUserIsInThePromptWhereOtherToolsAreSearched(t *testing.T) {
	t.Parallel()
	config := t.TempDir()
	if err := os.WriteFile(filepath.Join(config, "settings.json"), []byte(`{"env":{"ENABLE_TOOL_SEARCH":"true"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s := fixture.NewWithEnv(t, []string{"CLAUDE_CONFIG_DIR=" + config},
		fixture.Turn{"tool": "mcp__beckon__ask_user", "input": map[string]any{"question": "Which?"}},
		bash(`echo "token=${BECKON_TOKEN-none}"`), fixture.Turn{"text": "Done."})
	client.Must[beckon.Project](s.Program, "EditProject", func() beckon.Project { p := s.Project; p.Mode = beckon.ModeDefault; return p }())
	chat := client.Must[beckon.Task](s.Program, "CreateTask", beckon.NewTask{ProjectID: s.Project.ID, Title: "Talk"})
	client.Must[beckon.Run](s.Program, "StartInteractive", chat.ID)
	post(s, chat.ID, "Go.", "")
	answer(s, s.Asked(chat.ID, "Which?"), beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{}, Other: "this"}}})
	s.Until("the turn is over", patience, func() bool {
		for _, q := range client.Must[[]beckon.Question](s.Program, "Questions", chat.ID) { // the newest CLI asks for leave to read a variable
			if q.Kind == beckon.Permission && q.Settlement == beckon.Open {
				answer(s, q, beckon.Answer{Verdict: beckon.AllowOnce})
			}
		}
		runs := client.Must[[]beckon.Run](s.Program, "Runs", chat.ID)
		return len(runs) == 1 && runs[0].Phase == beckon.Idle && runs[0].Turns == 1
	})
	s.Heard("token=none")
	searched := 0
	for line := range strings.Lines(s.Told()) {
		_, names, _ := strings.Cut(line, `"tool_names":[`)
		names, _, _ = strings.Cut(names, "]")
		if !strings.Contains(names, `"ToolSearch"`) {
			continue // it asks for something beside the conversation
		}
		if searched++; !strings.Contains(names, `"`+toolserver.AskUserName+`"`) {
			t.Errorf("a request without ask_user: %s", names)
		}
	}
	if searched < 3 {
		t.Errorf("the CLI searches for tools in %d requests here, want the three of the turn", searched)
	}
}
