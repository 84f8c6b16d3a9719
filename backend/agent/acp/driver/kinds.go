package driver

import (
	"encoding/json"
	"fmt"
	"time"

	"beckon/backend/agent"
	"beckon/backend/beckon"
)

// Kind is an agent that speaks the protocol, and how it is started so that a person decides
// what it may do. Everything goes by arguments and environment: an agent's own settings are
// never written.
type Kind struct {
	Name  string // as rows keep it
	Label string // its name for people
	Sign  string // two letters of it
	// Program is found on PATH, or where installers put it.
	Program string
	Args    []string
	Env     []string // KEY=VALUE
	// Server returns the variables that bring it Beckon's server, where the session's request
	// has no room for all that it must know of that.
	Server func(agent.ToolServer) []string
	// Passed names the variables that it may see besides what every agent may; a trailing *
	// stands for any ending.
	Passed []string
	// Mode is the one in which it asks a person, where it does not start so.
	Mode string
	// AskTool is how it names Beckon's tool ask_user where it wants permission to call it,
	// empty where it wants none. A kind whose titles are the model's own words has none.
	AskTool string
	// Tools comes before the names of Beckon's tools as its model knows them, and Question is
	// its own tool for questions. Both are empty where there is none.
	Tools, Question string
	// CommandInTitle is whether a permission has a shell's command as its title, and nowhere
	// else.
	CommandInTitle bool
	// SignIn is the command that signs in.
	SignIn string
	// Install is the command that installs it.
	Install string
	Own     bool // the user added it
	// Asks is how it asks the user.
	Asks beckon.AgentAsks
	// Resumes is whether it goes on with the session of an earlier process.
	Resumes bool
	// Cost is what it says of what it used, and Counts since when.
	Cost   beckon.AgentCost
	Counts counts
}

// counts is what the tokens are of that an agent names at the end of a turn.
type counts int

const (
	ofTurn    counts = iota
	ofProcess        // of all turns so far
)

// openCodeRules have OpenCode ask before it runs, edits, or has an agent work that the
// project defines, which may bring rules of its own. They stand above those of every file.
const openCodeRules = `{"bash":"ask","edit":"ask","task":{"*":"ask","general":"allow","explore":"allow"},` +
	`"beckon_ask_user":"allow","beckon_record_assumption":"allow"}`

// kinds are the agents that are known, each tried with the real one (docs/AGENTS.md).
var kinds = []Kind{
	{
		Name: "codex", Label: "Codex", Sign: "Cx", Program: "codex-acp", SignIn: "codex login",
		Install: "npm install -g @agentclientprotocol/codex-acp",
		// In its own default mode a model decides in the person's place.
		Env:    []string{"INITIAL_AGENT_MODE=workspace-write", "NO_BROWSER=1"},
		Server: codexServer,
		Mode:   "workspace-write",
		Passed: []string{"CODEX_*", "OPENAI_*", "MODEL_PROVIDER"},
		Tools:  "mcp__beckon__", Question: "request_user_input",
		Asks: beckon.AsksOwn, Resumes: true, Cost: beckon.CostsTokens,
	},
	{
		Name: "kimi", Label: "Kimi Code", Sign: "Ki", Program: "kimi", Args: []string{"acp"}, SignIn: "kimi login",
		Install: "npm install -g @moonshot-ai/kimi-code",
		// It gives up a tool after a minute of its own.
		Env:  []string{"KIMI_CODE_NO_AUTO_UPDATE=1", fmt.Sprintf("KIMI_MCP_TOOL_TIMEOUT_MS=%d", answersWithin.Milliseconds())},
		Mode: "default", AskTool: "mcp__beckon__ask_user",
		Passed: []string{"KIMI_*", "MOONSHOT_*"},
		Tools:  "mcp__beckon__", Question: "AskUserQuestion",
		Asks: beckon.AsksOwn, Resumes: true,
	},
	{
		Name: "opencode", Label: "OpenCode", Sign: "Oc", Program: "opencode", Args: []string{"acp"}, SignIn: "opencode auth login",
		Install: "npm install -g opencode-ai",
		// Its own default allows everything. The rules of an agent stand above those of all,
		// so the one that works has them too.
		Env: []string{
			"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_PERMISSION=" + openCodeRules,
			`OPENCODE_CONFIG_CONTENT={"permission":` + openCodeRules + `,"agent":{"build":{"permission":` + openCodeRules +
				`},"general":{"permission":` + openCodeRules + `}}}`,
		},
		Mode: "build",
		Passed: []string{
			"OPENCODE_*", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "OPENROUTER_API_KEY",
			"DEEPSEEK_API_KEY", "GROQ_API_KEY", "MISTRAL_API_KEY", "XAI_API_KEY",
		},
		Tools: "beckon_",
		Asks:  beckon.AsksTool, Resumes: true, Cost: beckon.CostsMoney,
	},
	{
		Name: "copilot", Label: "Copilot CLI", Sign: "Co", Program: "copilot", Args: []string{"--acp"}, SignIn: "copilot login",
		Install: "npm install -g @github/copilot",
		// A variable of the user's would let it do everything.
		Env:    []string{"COPILOT_ALLOW_ALL=", "COPILOT_AUTO_UPDATE=false"},
		Mode:   "https://agentclientprotocol.com/protocol/session-modes#agent",
		Passed: []string{"COPILOT_*", "GH_TOKEN", "GITHUB_TOKEN", "GH_HOST"},
		Tools:  "beckon-",
		Asks:   beckon.AsksTool, Resumes: true, Cost: beckon.CostsTokens, Counts: ofProcess,
	},
	{
		Name: "gemini", Label: "Gemini CLI", Sign: "Ge", Program: "gemini", Args: []string{"--acp"}, SignIn: "gemini",
		Install: "npm install -g @google/gemini-cli",
		Mode:    "default", CommandInTitle: true,
		Passed: []string{"GEMINI_*", "GOOGLE_*"},
		Asks:   beckon.AsksText, Resumes: true, Cost: beckon.CostsTokens,
	},
}

// answersWithin is how long an agent must wait for the result of a tool: longer than any
// person takes. It is what fits into 31 bits of milliseconds, in whole days.
const answersWithin = 24 * 24 * time.Hour

// codexServer is Codex's configuration. Its adapter has no word for how long a tool may take,
// and Codex gives up after five minutes. Questions of its own it asks in plan mode alone,
// without the flag.
func codexServer(s agent.ToolServer) []string {
	config := map[string]any{"features": map[string]any{"default_mode_request_user_input": true}}
	if s.URL != "" {
		config["mcp_servers"] = map[string]any{s.Name: map[string]any{
			"url": s.URL, "bearer_token_env_var": "BECKON_TOKEN", "tool_timeout_sec": int(answersWithin.Seconds()),
		}}
	}
	raw, err := json.Marshal(config)
	if err != nil {
		panic(err) // it is made of strings and numbers
	}
	return []string{"CODEX_CONFIG=" + string(raw), "BECKON_TOKEN=" + s.Token}
}

// ToolNames returns what comes before the names of Beckon's tools as the model of a kind knows
// them, and its own tool for questions. Both are empty where there is none.
func ToolNames(kind string) (prefix, own string) {
	k, _ := named(kinds, kind)
	return k.Tools, k.Question
}
