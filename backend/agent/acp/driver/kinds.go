package driver

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
}

// kinds are the agents that are known, each tried with the real one (docs/AGENTS.md).
var kinds = []Kind{
	{
		Name: "codex", Label: "Codex", Sign: "Cx", Program: "codex-acp", SignIn: "codex login",
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
		Env:  []string{"KIMI_CODE_NO_AUTO_UPDATE=1"},
		Mode: "default", AskTool: "mcp__beckon__ask_user",
		Passed: []string{"KIMI_*", "MOONSHOT_*"},
	},
}

// kindNamed returns the kind of a name.
func kindNamed(name string) (Kind, bool) {
	for _, k := range kinds {
		if k.Name == name {
			return k, true
		}
	}
	return Kind{}, false
}
