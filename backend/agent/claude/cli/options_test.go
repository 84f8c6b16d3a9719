package cli_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/cli"
	"beckon/backend/beckon"

	"github.com/google/go-cmp/cmp"
)

func TestArgumentsCanNotBeTakenForFlags(t *testing.T) {
	t.Parallel()
	o := cli.Options{
		Lead: []string{"first"}, Model: "--dangerously-skip-permissions", Mode: "auto", SessionID: "u",
		Fork: true, AppendSystemPrompt: "-p\n$(x)", Effort: "low", Settings: "/s.json",
	}
	want := []string{
		"first", "-p", "--input-format=stream-json", "--output-format=stream-json", "--verbose",
		"--include-partial-messages", "--replay-user-messages", "--permission-prompt-tool=stdio",
		"--disallowedTools=EnterWorktree",
		"--permission-mode=auto", "--model=--dangerously-skip-permissions", "--effort=low", "--session-id=u",
		"--settings=/s.json", "--append-system-prompt=-p\n$(x)",
		"--fork-session",
	}
	if d := cmp.Diff(want, o.Args()); d != "" {
		t.Error(d)
	}
}

func TestSecretsOfOtherProgramsStayOutOfTheChild(t *testing.T) {
	t.Parallel()
	env := cli.Environ([]string{
		"PATH=/bin", "HOME=/h", "LC_ALL=C", "XDG_CONFIG_HOME=/c", "ANTHROPIC_API_KEY=k", "CLAUDE_CONFIG_DIR=/d",
		"AWS_REGION=eu", "https_proxy=p", "GIT_AUTHOR_NAME=n", "=odd", "broken",
		"GITHUB_TOKEN=s", "TELEGRAM_BOT_TOKEN=s", "DATABASE_URL=s", "LD_PRELOAD=s", "NODE_OPTIONS=s", "BECKON_TOKEN=s",
		"CLAUDECODE=1", "CLAUDE_CODE_ENTRYPOINT=cli", "CLAUDE_CODE_SSE_PORT=1", "GTK_MODULES=m", "WEBKIT_X=1",
		"DBUS_SESSION_BUS_ADDRESS=a", "GDK_BACKEND=x11", "GIT_DIR=/elsewhere", "GIT_INDEX_FILE=i",
	}, []string{"PATH=/own", "BECKON_TOKEN=mine"})
	want := []string{
		"PATH=/own", "HOME=/h", "LC_ALL=C", "XDG_CONFIG_HOME=/c", "ANTHROPIC_API_KEY=k", "CLAUDE_CONFIG_DIR=/d",
		"AWS_REGION=eu", "https_proxy=p", "GIT_AUTHOR_NAME=n",
		"MCP_TOOL_TIMEOUT=2000000000", "CLAUDE_CODE_MCP_TOOL_IDLE_TIMEOUT=0", "CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS=1",
		"CLAUDE_CODE_QUESTION_PREVIEW_FORMAT=markdown", "CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING=1", "BECKON_TOKEN=mine",
	}
	if d := cmp.Diff(want, env); d != "" {
		t.Error(d)
	}
}

func TestWhatIsSetForTheChildBeatsTheParents(t *testing.T) {
	t.Parallel()
	env := cli.Environ([]string{"CLAUDE_CODE_MCP_TOOL_IDLE_TIMEOUT=5"}, nil)
	if !slices.Contains(env, "CLAUDE_CODE_MCP_TOOL_IDLE_TIMEOUT=0") ||
		slices.Contains(env, "CLAUDE_CODE_MCP_TOOL_IDLE_TIMEOUT=5") {
		t.Error("the parent's idle limit would end a wait for an answer:", env)
	}
}

func TestCLIIsFoundAndAskedForItsVersion(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "claude")
	if _, err := cli.Find(path); !errors.Is(err, cli.ErrNotFound) || !errors.Is(err, beckon.ErrUnavailable) ||
		!strings.Contains(err.Error(), path) {
		t.Errorf("a missing one: %v", err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	scripts := filepath.Join(dir, "s.txtar")
	if err := os.WriteFile(scripts, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := cli.Find(self)
	if err != nil || !filepath.IsAbs(found) {
		t.Fatalf("found %q, %v", found, err)
	}
	o := cli.Options{Path: found, Env: []string{"BECKON_AGENT_SCRIPTS=" + scripts}}
	v, err := new(cli.Versions).Of(within(t), o, false).Wait(within(t))
	if err != nil || v != "2.1.197" {
		t.Errorf("version %q, %v", v, err)
	}
}

func TestUnansweredQuestionsAreLeftOut(t *testing.T) {
	t.Parallel()
	ask, err := claude.DecodeAsk([]byte(`{"questions":[{"question":"A?","options":[]},{"question":"B?","options":[]}],"kept":1}`))
	if err != nil {
		t.Fatal(err)
	}
	got := string(ask.Answered([]claude.AskAnswer{{}, {Other: "own <words>"}, {Other: "beyond"}}))
	const want = `{"answers":{"B?":"own \u003cwords\u003e"},"kept":1,"questions":[{"question":"A?","options":[]},{"question":"B?","options":[]}]}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, bad := range []string{``, `[]`, `{}`, `{"questions":5}`} {
		if _, err := claude.DecodeAsk([]byte(bad)); err == nil {
			t.Errorf("%q was taken for questions", bad)
		}
	}
}

// TestTheVersionsThatWereTriedAreThoseOfTheTests: what Settings says is what tests/real runs.
func TestTheVersionsThatWereTriedAreThoseOfTheTests(t *testing.T) {
	t.Parallel()
	var tests struct {
		Oldest map[string]string `json:"dependencies"`
		Newest map[string]string `json:"optionalDependencies"`
	}
	text, err := os.ReadFile("../../../../tests/real/package.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &tests); err != nil {
		t.Fatal(err)
	}
	if got := tests.Oldest["@anthropic-ai/claude-code"]; got != cli.TriedFrom {
		t.Errorf("tests/real runs %s, and TriedFrom is %s", got, cli.TriedFrom)
	}
	if len(tests.Newest) == 0 {
		t.Error("tests/real has no newest CLI")
	}
	for name, from := range tests.Newest {
		if !strings.HasSuffix(from, "@"+cli.TriedTo) {
			t.Errorf("tests/real runs %s %s, and TriedTo is %s", name, from, cli.TriedTo)
		}
	}
}
