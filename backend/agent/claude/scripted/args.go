package scripted

import (
	"fmt"
	"strings"

	"beckon/backend/beckon"
)

// version is that of the CLI which is played.
const version = "2.1.197"

// arguments is what the command line says.
type arguments struct {
	version, replay, partial, prompts, resumed bool
	bypass                                     bool // it may be switched to
	session, model, mode, effort               string
}

// flags lists those of the CLI that are known here, with whether they take a
// value.
var flags = map[string]bool{
	"-p": false, "--print": false, "--verbose": false, "--version": false, "-v": false,
	"--replay-user-messages": false, "--include-partial-messages": false,
	"--input-format": true, "--output-format": true, "--permission-prompt-tool": true, "--permission-mode": true,
	"--session-id": true, "--resume": true, "--model": true, "--effort": true,
	"--append-system-prompt": true, "--disallowedTools": true, "--settings": true, "--add-dir": true, "--fork-session": false,
}

func parseArgs(args []string) (arguments, error) {
	o := arguments{mode: "default"}
	given := map[string]string{}
	for len(args) > 0 {
		name, value, joined := strings.Cut(args[0], "=")
		args = args[1:]
		takes, known := flags[name]
		if !known {
			return o, fmt.Errorf("error: unknown option '%s'", name)
		}
		if takes && !joined {
			if len(args) == 0 {
				return o, fmt.Errorf("error: option '%s' argument missing", name)
			}
			value, args = args[0], args[1:]
		}
		given[name] = value
	}
	return o, o.setFlags(given)
}

func (o *arguments) setFlags(given map[string]string) error {
	has := func(name string) bool { _, ok := given[name]; return ok }
	o.version = has("--version") || has("-v")
	o.replay, o.partial = has("--replay-user-messages"), has("--include-partial-messages")
	o.prompts = given["--permission-prompt-tool"] == "stdio"
	o.resumed = has("--resume")
	if given["--output-format"] == "stream-json" && !has("--verbose") {
		return fmt.Errorf("Error: When using --print, --output-format=stream-json requires --verbose")
	}
	for _, v := range []struct {
		flag string
		to   *string
	}{{"--model", &o.model}, {"--permission-mode", &o.mode}, {"--effort", &o.effort}, {"--resume", &o.session}, {"--session-id", &o.session}} {
		if has(v.flag) {
			*v.to = given[v.flag]
		}
	}
	o.model, o.bypass = resolved(o.model), o.mode == "bypassPermissions"
	if o.session == "" || has("--fork-session") && !has("--session-id") {
		o.session = beckon.NewUUID()
	}
	return nil
}
