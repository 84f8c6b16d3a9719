package driver

import "beckon/backend/beckon"

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
	// Passed names the variables that it may see besides what every agent may; a trailing *
	// stands for any ending.
	Passed []string
	// Mode is the one in which it asks a person, where it does not start so.
	Mode string
	// AskTool is how it names Beckon's tool ask_user where it wants permission to call it,
	// empty where it wants none. A kind whose titles are the model's own words has none.
	AskTool string
	// SignIn is the command that signs in.
	SignIn string
	// Install is the command that installs it.
	Install string
	// Asks, Plans and Cost say what it can (beckon.AgentKind).
	Asks  beckon.AgentAsk
	Plans bool
	Cost  beckon.AgentCost
	Own   bool // the user added it
}

// kinds are the agents that are known, each tried with the real one (docs/AGENTS.md).
var kinds = []Kind{
	{
		Name: "codex", Label: "Codex", Sign: "Cx", Program: "codex-acp", SignIn: "codex login",
		Install: "npm install -g @agentclientprotocol/codex-acp",
		Asks:    beckon.AsksItself, Cost: beckon.CostTokens,
		// In its own default mode a model decides in the person's place. Questions of its
		// own it asks in plan mode alone, without this flag.
		Env: []string{
			"INITIAL_AGENT_MODE=workspace-write", "NO_BROWSER=1",
			`CODEX_CONFIG={"features":{"default_mode_request_user_input":true}}`,
		},
		Mode:   "workspace-write",
		Passed: []string{"CODEX_*", "OPENAI_*", "MODEL_PROVIDER"},
	},
	{
		Name: "kimi", Label: "Kimi Code", Sign: "Ki", Program: "kimi", Args: []string{"acp"}, SignIn: "kimi login",
		Install: "npm install -g @moonshot-ai/kimi-code",
		Asks:    beckon.AsksItself, Cost: beckon.CostTokens,
		Env:  []string{"KIMI_CODE_NO_AUTO_UPDATE=1"},
		Mode: "default", AskTool: "mcp__beckon__ask_user",
		Passed: []string{"KIMI_*", "MOONSHOT_*"},
	},
}
