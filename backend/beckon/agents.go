package beckon

import "strings"

// agentLabels are what people call the kinds of agents besides Claude Code, by the names
// that rows keep.
var agentLabels = map[string]string{
	"codex": "Codex", "kimi": "Kimi Code", "opencode": "OpenCode", "copilot": "Copilot CLI", "gemini": "Gemini CLI",
}

// AgentSays is what a kind of agent is called as one who speaks: "Claude asks". A kind
// that this Beckon does not know, or that the user added, is called by its own name.
func AgentSays(kind string) string {
	if kind == "" {
		return "Claude"
	}
	if label, known := agentLabels[kind]; known {
		return label
	}
	return strings.TrimPrefix(kind, OwnPrefix)
}

// Asker is who asks for a task in a line that has no other room for the agent: the task's
// key, behind the agent where that is not Claude Code, as in "Codex (KES-47)".
func Asker(key, kind string) string {
	if kind == "" {
		return key
	}
	return AgentSays(kind) + " (" + key + ")"
}
