package hooks

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
)

// Call is what a hook calls: a program of Beckon's, which asks the Beckon of a data
// folder.
type Call struct {
	Program string
	Data    string // the data folder, absolute; "" is the program's default
}

// The words of the command between and after its paths.
const (
	word     = " hook"
	dataFlag = " -data "
)

// Command returns what Claude Code calls as a hook, by a shell. Windows is true where
// that shell is one of Windows.
func (c Call) Command(windows bool) string {
	command := quoted(c.Program, windows) + word
	if c.Data != "" {
		command += dataFlag + quoted(c.Data, windows)
	}
	return command
}

// OwnCommand returns the command that calls this program by the name under which it was
// called, which outlives its next version, rather than by what that name leads to at
// present. It asks the Beckon of the data folder, "" for the program's default.
func OwnCommand(data string) (string, error) {
	program, err := exec.LookPath(cmp.Or(os.Getenv("APPIMAGE"), os.Args[0]))
	if err == nil {
		program, err = filepath.Abs(program)
	}
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	return Call{Program: program, Data: data}.Command(runtime.GOOS == "windows"), nil
}

func quoted(path string, windows bool) string {
	if windows {
		return `"` + path + `"` // a path there has no quotation marks
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// Parse returns the call that Command made a hook's command of, and whether one of
// Beckon's did, whichever: another version may lie elsewhere.
func Parse(command string) (Call, bool) {
	program, rest, ok := unquoted(command)
	if !ok || !strings.HasPrefix(strings.ToLower(path.Base(strings.ReplaceAll(program, `\`, "/"))), "beckon") {
		return Call{}, false
	}
	if rest == word {
		return Call{Program: program}, true
	}
	flag, ok := strings.CutPrefix(rest, word+dataFlag)
	if !ok {
		return Call{}, false
	}
	data, rest, ok := unquoted(flag)
	return Call{Program: program, Data: data}, ok && data != "" && rest == ""
}

// unquoted returns the path that a text begins with as quoted has it, and what follows.
func unquoted(text string) (path, rest string, ok bool) {
	if strings.HasPrefix(text, `"`) {
		return strings.Cut(text[1:], `"`)
	}
	for quote := "'"; ; quote = `\''` {
		part, ok := strings.CutPrefix(text, quote)
		if !ok {
			return path, text, quote != "'"
		}
		part, text, ok = strings.Cut(part, "'")
		if !ok {
			return "", "", false
		}
		if quote != "'" {
			path += "'"
		}
		path += part
	}
}
