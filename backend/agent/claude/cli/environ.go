package cli

import (
	"runtime"
	"slices"
	"strings"

	"beckon/backend/agent/claude"
)

// always is what every child has in its environment, besides claude.Waits.
var always = []string{
	"CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS=1",
	"CLAUDE_CODE_QUESTION_PREVIEW_FORMAT=markdown",
	"CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING=1",
}

// passed names the variables that a child may see; a trailing * stands for
// any ending. They are what the CLI, a shell and the usual compilers need to
// work as in the user's terminal. Nothing else passes, so no secret of some
// other program does.
var passed = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_*", "TZ", "TERM", "COLORTERM", "NO_COLOR",
	"TMPDIR", "TMP", "TEMP", "XDG_*", "SSH_AUTH_SOCK", "SSH_AGENT_PID", "GNUPGHOME", "EDITOR", "PAGER",
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE",
	"GIT_AUTHOR_*", "GIT_COMMITTER_*", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSL_*", "GIT_CONFIG_GLOBAL",
	// Claude and the clouds it can be bought from.
	"ANTHROPIC_*", "CLAUDE_*", "AWS_*", "GOOGLE_*", "GCLOUD_*", "CLOUDSDK_*", "CLOUD_ML_REGION", "VERTEX_REGION_*",
	"MCP_TIMEOUT", "MAX_MCP_OUTPUT_TOKENS", "MAX_THINKING_TOKENS", "BASH_DEFAULT_TIMEOUT_MS", "BASH_MAX_TIMEOUT_MS",
	"BASH_MAX_OUTPUT_LENGTH", "DISABLE_*", "USE_BUILTIN_RIPGREP", "IS_SANDBOX",
	// Where tool chains live.
	"GOPATH", "GOROOT", "GOBIN", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOPRIVATE", "GOFLAGS", "GOTOOLCHAIN",
	"CARGO_HOME", "RUSTUP_HOME", "JAVA_HOME", "ANDROID_HOME", "NVM_DIR", "NVM_BIN", "FNM_*", "VOLTA_HOME", "PNPM_HOME",
	"BUN_INSTALL", "DENO_DIR", "PYENV_ROOT", "VIRTUAL_ENV", "CONDA_PREFIX", "RBENV_ROOT", "GEM_HOME", "ASDF_*", "MISE_*",
	"HOMEBREW_*", "NIX_*", "DOCKER_HOST",
	// The scripts of a stand-in for the CLI; see package scripted.
	"BECKON_AGENT_SCRIPTS",
}

// passedOnWindows names what a program cannot do without there.
var passedOnWindows = []string{
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "USERNAME", "USERDOMAIN", "HOMEDRIVE",
	"HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES*", "COMMONPROGRAMFILES*", "PROCESSOR_*",
	"NUMBER_OF_PROCESSORS", "OS", "PSMODULEPATH", "CLAUDE_CODE_GIT_BASH_PATH",
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
	var env []string
	at := map[string]int{}
	set := func(pair string) {
		name, _, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return
		}
		if i, twice := at[name]; twice {
			env[i] = pair
			return
		}
		at[name] = len(env)
		env = append(env, pair)
	}
	for _, pair := range parent {
		if name, _, _ := strings.Cut(pair, "="); passes(name) {
			set(pair)
		}
	}
	for _, pair := range slices.Concat(claude.Waits, always, extra) {
		set(pair)
	}
	return env
}

func passes(name string) bool {
	if runtime.GOOS == "windows" {
		name = strings.ToUpper(name) // names have no case there
		if matches(passedOnWindows, name) {
			return true
		}
	}
	return matches(passed, name) && !matches(stopped, name)
}

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		if prefix, ok := strings.CutSuffix(pattern, "*"); ok {
			return strings.HasPrefix(name, prefix)
		}
		return name == pattern
	})
}
