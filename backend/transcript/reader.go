package transcript

import (
	"beckon/backend/agent"
	"beckon/backend/agent/claude/fold"
)

// reader reads the lines that logs have of agents.
var reader agent.Reader = fold.Reader{}
