package process

import (
	"runtime"
	"slices"
	"strings"
)

// passed names the variables that any agent may see; a trailing * stands for any
// ending. They are what a shell and the usual compilers need to work as in the user's
// terminal. Nothing else passes but what its kind names, so no secret of some other
// program does.
var passed = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_*", "TZ", "TERM", "COLORTERM", "NO_COLOR",
	"TMPDIR", "TMP", "TEMP", "XDG_*", "SSH_AUTH_SOCK", "SSH_AGENT_PID", "GNUPGHOME", "EDITOR", "PAGER",
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE",
	"GIT_AUTHOR_*", "GIT_COMMITTER_*", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSL_*", "GIT_CONFIG_GLOBAL",
	// Where tool chains live.
	"GOPATH", "GOROOT", "GOBIN", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOPRIVATE", "GOFLAGS", "GOTOOLCHAIN",
	"CARGO_HOME", "RUSTUP_HOME", "JAVA_HOME", "ANDROID_HOME", "NVM_DIR", "NVM_BIN", "FNM_*", "VOLTA_HOME", "PNPM_HOME",
	"BUN_INSTALL", "DENO_DIR", "PYENV_ROOT", "VIRTUAL_ENV", "CONDA_PREFIX", "RBENV_ROOT", "GEM_HOME", "ASDF_*", "MISE_*",
	"HOMEBREW_*", "NIX_*", "DOCKER_HOST",
}

// passedOnWindows names what a program cannot do without there.
var passedOnWindows = []string{
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "USERNAME", "USERDOMAIN", "HOMEDRIVE",
	"HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES*", "COMMONPROGRAMFILES*", "PROCESSOR_*",
	"NUMBER_OF_PROCESSORS", "OS", "PSMODULEPATH",
}

// Environ returns an agent's environment: of parent what every one may see and what
// names lets through besides, whose trailing * stands for any ending, and extra. Of two
// values for a name the later stands.
func Environ(parent, names, extra []string) []string {
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
		if name, _, _ := strings.Cut(pair, "="); passes(name, names) {
			set(pair)
		}
	}
	for _, pair := range extra {
		set(pair)
	}
	return env
}

func passes(name string, names []string) bool {
	if runtime.GOOS == "windows" {
		name = strings.ToUpper(name) // names have no case there
		if Matches(passedOnWindows, name) {
			return true
		}
	}
	return Matches(passed, name) || Matches(names, name)
}

// Matches reports whether one of the patterns has the name: a trailing * stands for any
// ending.
func Matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		if prefix, ok := strings.CutSuffix(pattern, "*"); ok {
			return strings.HasPrefix(name, prefix)
		}
		return name == pattern
	})
}
