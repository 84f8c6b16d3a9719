package claude

// Initialized is the CLI's first reply, which means that it is ready.
type Initialized struct {
	Models   []Model   `json:"models"`
	Commands []Command `json:"commands"`
	Account  Account   `json:"account"`
	PID      int       `json:"pid"`
}

// Model is one that the account may use.
type Model struct {
	Value         string   `json:"value"` // for Options.Model and set_model
	DisplayName   string   `json:"displayName"`
	Description   string   `json:"description"`
	EffortLevels  []string `json:"supportedEffortLevels"`
	SupportsAuto  bool     `json:"supportsAutoMode"`
	ResolvedModel string   `json:"resolvedModel"`
}

// Command is a slash command.
type Command struct {
	Name         string `json:"name"` // without the slash
	Description  string `json:"description"`
	ArgumentHint string `json:"argumentHint"`
}

// Account tells how the CLI is signed in.
type Account struct {
	TokenSource  string `json:"tokenSource"`
	APIKeySource string `json:"apiKeySource"`
	APIProvider  string `json:"apiProvider"`
}

// MCPServer is the state of one; Status is connected, failed, pending or
// disabled. The reply's config, which has secrets in clear, is left out.
type MCPServer struct {
	Name   string `json:"name"`
	Status string `json:"status"`
	Error  string `json:"error"`
	Tools  []struct {
		Name string `json:"name"`
	} `json:"tools"`
}

// ContextUsage says what fills the context.
type ContextUsage struct {
	Categories []struct {
		Name   string `json:"name"`
		Tokens int64  `json:"tokens"`
	} `json:"categories"`
	TotalTokens int64 `json:"totalTokens"`
	MaxTokens   int64 `json:"maxTokens"`
}

// Rewound tells what taking files back did, or would.
type Rewound struct {
	CanRewind bool     `json:"canRewind"`
	Error     string   `json:"error"`        // why not
	Files     []string `json:"filesChanged"` // absolute; only of a dry run
	Added     int      `json:"insertions"`
	Removed   int      `json:"deletions"`
}
