package real

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// patience is how long the agent may take for what no person delays.
var patience = fixture.Patience

// TestTheMainJob is what Beckon is for: a task becomes an agent in its own
// worktree, asks twice mid-run, hears both answers in the same turn, and its
// edit is committed on its branch.
func TestTheMainJob(t *testing.T) {
	t.Parallel()
	s := fixture.New(t,
		fixture.Turn{"text": "One thing first.", "tool": "mcp__beckon__ask_user", "input": fixture.Questions(fixture.Question("Which greeting?", "Greeting", "Hello", "Good day"))},
		fixture.Turn{"text": "And another.", "tool": "AskUserQuestion", "input": fixture.Questions(fixture.Question("Which language?", "Language", "English", "German"))},
		fixture.Turn{"text": "Now I write it.", "tool": "Write", "input": map[string]any{"file_path": "greeting.txt", "content": "Good day\n"}},
		fixture.Turn{"text": "All done."},
	)
	task := s.Create(beckon.NewTask{Title: "Greet the user", Brief: "Ask how."})

	q := s.Asked(task.ID, "Which greeting?")
	if q.Kind != beckon.Ask || q.Deadline-q.Asked != beckon.DefaultWaitMs || q.ToolUseID == "" {
		t.Errorf("ask_user became %+v; want an ask of the tool call with a clock of three minutes", q)
	}
	s.Answer(q, "Good day")
	s.Answer(s.Asked(task.ID, "Which language?"), "German")
	task = s.InReview(task.ID)

	// Where a tool's result has structured content, the CLI shows the model
	// that and not the text.
	s.Heard(`{"question":"Which greeting?","labels":["Good day"]`)
	s.Heard(`"Which language?"="German"`)
	s.Heard("Greet the user\n\nAsk how.")
	runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID)
	if len(runs) != 1 || runs[0].Outcome != beckon.Succeeded || runs[0].Turns != 1 || runs[0].Spent.Tokens == 0 {
		t.Errorf("runs %+v; want one that succeeded in one turn", runs)
	}
	if got := strings.TrimSpace(client.Git(t, s.Dir, "log", "--format=%s", "main.."+task.Branch)); got != task.Title {
		t.Errorf("commits on the branch: %q, want one named %q", got, task.Title)
	}
	if got := client.Git(t, s.Dir, "show", "--format=", "--name-only", task.Branch); strings.TrimSpace(got) != "greeting.txt" {
		t.Errorf("the commit holds %q, want greeting.txt alone", got)
	}
	if got := client.Git(t, task.Worktree, "status", "--porcelain"); got != "" {
		t.Errorf("the worktree is not clean: %s", got)
	}
	settings, err := os.ReadFile(filepath.Join(task.Worktree, ".claude", "settings.json"))
	if err != nil || !strings.Contains(string(settings), "${BECKON_TOKEN}") {
		t.Errorf("the worktree's settings: %s, %v", settings, err)
	}
	if want := (beckon.Changes{Files: 1, Added: 1, Commits: 1, Paths: []string{"greeting.txt"}}); !reflect.DeepEqual(task.Changes, want) {
		t.Errorf("changes %+v", task.Changes)
	}
}

// TestNobodyAnswers: the agent reads so in one exact sentence and carries on
// in the same turn; a permission that nobody answers is denied.
func TestNobodyAnswers(t *testing.T) {
	t.Parallel()
	s := fixture.New(t,
		fixture.Turn{"tool": "mcp__beckon__ask_user", "input": map[string]any{"question": "Tabs or spaces?"}},
		fixture.Turn{"tool": "AskUserQuestion", "input": fixture.Questions(fixture.Question("Which width?", "Width", "Two", "Four"))},
		fixture.Turn{"tool": "Bash", "input": map[string]any{"command": "touch forbidden.txt", "description": "Make a file"}},
		fixture.Turn{"text": "I went on alone."},
	)
	task := s.Create(beckon.NewTask{Title: "Indent", Mode: beckon.ModeDefault, WaitMs: beckon.MinWaitMs})
	task = s.InReview(task.ID)
	s.Heard("No response received within 10 seconds — proceed using your best judgment.")
	if n := strings.Count(s.Told(), "proceed using your best judgment."); n < 2 {
		t.Errorf("the sentence reached the model %d times, want it for both asks", n)
	}
	if _, err := os.Stat(filepath.Join(task.Worktree, "forbidden.txt")); err == nil {
		t.Error("a permission that nobody gave was taken")
	}
	for _, q := range client.Must[[]beckon.Question](s.Program, "Questions", task.ID) {
		if q.Settlement != beckon.Expired {
			t.Errorf("%s is %s, want expired", q.Kind, q.Settlement)
		}
	}
}

// TestWhatTheAgentDecidesByItselfIsKept: the tool is there in a run that asked nothing, the
// decision stands among the task's questions, and what the user would have chosen reaches
// the session with its next turn.
func TestWhatTheAgentDecidesByItselfIsKept(t *testing.T) {
	t.Parallel()
	s := fixture.New(t,
		fixture.Turn{"tool": "mcp__beckon__record_assumption", "input": map[string]any{"question": "Which database?", "assumption": "SQLite, it is there."}},
		fixture.Turn{"text": "Done."},
		fixture.Turn{"text": "Moved."},
	)
	task := s.InReview(s.Create(beckon.NewTask{Title: "Keep the rows"}).ID)
	s.Heard(`Recorded as decided without asking, "Which database?": SQLite, it is there.`)
	all := client.Must[[]beckon.Question](s.Program, "Questions", task.ID)
	if len(all) != 1 || all[0].Settlement != beckon.Expired || all[0].Assumption != "SQLite, it is there." || all[0].ToolUseID == "" {
		t.Fatalf("kept as %+v", all)
	}
	client.Must[any](s.Program, "AnswerQuestion", all[0].ID, beckon.Answer{Items: []beckon.ItemAnswer{{Other: "PostgreSQL"}}})
	client.Must[beckon.Task](s.Program, "MoveTask", task.ID, beckon.Running, 0)
	s.InReview(task.ID)
	s.Heard("You decided without asking: Which database?\nYou took: SQLite, it is there.\n\nThe user answers now:")
}

// TestPermission: what is allowed runs, what is denied does not, and the
// reason is what the model reads.
func TestPermission(t *testing.T) {
	t.Parallel()
	touch := func(name string) fixture.Turn {
		return fixture.Turn{"tool": "Bash", "input": map[string]any{"command": "touch " + name, "description": "Make a file"}}
	}
	s := fixture.New(t, touch("yes.txt"), touch("no.txt"), fixture.Turn{"text": "Done."})
	task := s.Create(beckon.NewTask{Title: "Touch two files", Mode: beckon.ModeDefault})
	q := s.Asked(task.ID, "touch yes.txt")
	if q.Kind != beckon.Permission || q.Permission.Command != "touch yes.txt" {
		t.Errorf("the permission is %+v", q)
	}
	client.Must[any](s.Program, "AnswerQuestion", q.ID, beckon.Answer{Verdict: beckon.AllowOnce})
	client.Must[any](s.Program, "AnswerQuestion", s.Asked(task.ID, "touch no.txt").ID,
		beckon.Answer{Verdict: beckon.Deny, Text: "One file is enough."})
	task = s.InReview(task.ID)
	s.Heard("One file is enough.")
	if got := client.Git(t, s.Dir, "show", "--format=", "--name-only", task.Branch); strings.TrimSpace(got) != "yes.txt" {
		t.Errorf("the commit holds %q, want yes.txt alone", got)
	}
}

// TestSendBack: the session is resumed with the comment, and knows what it did.
func TestSendBack(t *testing.T) {
	t.Parallel()
	write := func(text string) fixture.Turn {
		return fixture.Turn{"tool": "Write", "input": map[string]any{"file_path": "a.txt", "content": text}}
	}
	s := fixture.New(t, write("one\n"), fixture.Turn{"text": "First try."},
		fixture.Turn{"tool": "Bash", "input": map[string]any{"command": "echo two > a.txt", "description": "Write"}}, fixture.Turn{"text": "Second try."})
	task := s.Create(beckon.NewTask{Title: "Write a file", Mode: beckon.ModeAcceptEdits})
	task = s.InReview(task.ID)
	client.Must[beckon.Task](s.Program, "SendBack", task.ID, "Make it two.")
	s.Until("two runs are over", patience, func() bool {
		runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID)
		return len(runs) == 2 && runs[1].Phase == beckon.Ended
	})
	task = s.InReview(task.ID)
	s.Heard("Make it two.")
	s.Heard("First try.")
	if got := client.Git(t, s.Dir, "show", task.Branch+":a.txt"); got != "two\n" {
		t.Errorf("a.txt is %q, want two", got)
	}
	if runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID); len(runs) != 2 || runs[0].Session != runs[1].Session {
		t.Errorf("runs %+v; want two of one session", runs)
	}
	merged := client.Must[beckon.Task](s.Program, "Merge", task.ID)
	if got := client.Git(t, s.Dir, "show", "main:a.txt"); got != "two\n" || merged.Status != beckon.Done {
		t.Errorf("after the merge main has %q and the card stands in %s", got, merged.Status)
	}
}
