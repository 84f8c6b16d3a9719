package cli

import (
	"slices"
	"strings"

	"beckon/backend/agent/claude"
	"beckon/backend/agent/process"
)

// always is what every child has in its environment, besides claude.Waits.
var always = []string{
	"CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS=1",
	"CLAUDE_CODE_QUESTION_PREVIEW_FORMAT=markdown",
	"CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING=1",
}

// passed names the variables that the CLI may see besides what every agent may.
var passed = []string{
	// Claude and the clouds it can be bought from.
	"ANTHROPIC_*", "CLAUDE_*", "AWS_*", "GOOGLE_*", "GCLOUD_*", "CLOUDSDK_*", "CLOUD_ML_REGION", "VERTEX_REGION_*",
	"MCP_TIMEOUT", "MAX_MCP_OUTPUT_TOKENS", "MAX_THINKING_TOKENS", "BASH_DEFAULT_TIMEOUT_MS", "BASH_MAX_TIMEOUT_MS",
	"BASH_MAX_OUTPUT_LENGTH", "DISABLE_*", "USE_BUILTIN_RIPGREP", "IS_SANDBOX",
	// The scripts of a stand-in for the CLI; see package scripted.
	"BECKON_AGENT_SCRIPTS",
}

// stopped names what tells a CLI that it was started by another one. A child
// that saw it would take itself for a part of the session Beckon was started
// from.
var stopped = []string{
	"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_CHILD_SESSION",
	"CLAUDE_CODE_EXECPATH", "CLAUDE_PID", "CLAUDE_EFFORT", "CLAUDE_ENV_FILE", "CLAUDE_PROJECT_DIR",
	"CLAUDE_CODE_REMOTE*",
}

// Environ returns a child's environment: what the allow-list lets through of
// parent, what every child has, and extra. Of two values for a name the
// later stands.
func Environ(parent, extra []string) []string {
	parent = slices.DeleteFunc(slices.Clone(parent), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return process.Matches(stopped, name)
	})
	return process.Environ(parent, passed, slices.Concat(claude.Waits, always, extra))
}
