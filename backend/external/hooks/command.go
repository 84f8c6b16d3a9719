package hooks

import (
	"path"
	"strings"
)

// word is the command of Beckon's that a hook calls.
const word = "hook"

// Command returns what Claude Code calls as a hook, by a shell: the program at
// path. Windows is true where that shell is one of Windows.
func Command(program string, windows bool) string {
	if windows {
		return `"` + program + `" ` + word // a path there has no quotation marks
	}
	return "'" + strings.ReplaceAll(program, "'", `'\''`) + "' " + word
}

// IsCommand reports whether a hook's command was made by Command, for whichever
// Beckon: another version may lie elsewhere.
func IsCommand(command string) bool {
	return strings.HasPrefix(strings.ToLower(path.Base(strings.ReplaceAll(Program(command), `\`, "/"))), "beckon")
}

// Program returns the path of the program that a command calls, "" for one that
// Command did not make.
func Program(command string) string {
	quoted, ok := strings.CutSuffix(command, " "+word)
	if !ok || len(quoted) < len(`''`) {
		return ""
	}
	mark := quoted[0]
	if (mark != '\'' && mark != '"') || quoted[len(quoted)-1] != mark {
		return ""
	}
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `'\''`, "'")
}
