package inspect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/git/look"
	"beckon/backend/plain"
)

// maxSetup is how long a command may be that is offered, in bytes.
const maxSetup = 16 << 10

// setupFiles are where other tools keep what they run in their worktrees, and what each of
// them says.
var setupFiles = []struct {
	tool, file string
	read       func(dir string, text []byte) (commands, error)
}{
	{"Conductor", "conductor.json", conductor},
	{"Superset", ".superset/config.json", superset},
	{"emdash", ".emdash.json", emdash},
	{"JetBrains Air", ".air/worktree.json", air},
	{"Dev Container", ".devcontainer/devcontainer.json", devContainer},
	{"Dev Container", ".devcontainer.json", devContainer},
}

// commands are what a tool runs, one after the other, and the line before both that sets the
// variables which it has there.
type commands struct {
	variables  string
	setup, dev []string
}

// setups lists what other tools would run in a worktree of the folder dir, as commands that
// may be taken over. One that holds characters which do not show is none: what is shown is
// what would run.
func setups(dir string) []beckon.FoundSetup {
	list := []beckon.FoundSetup{}
	for _, f := range setupFiles {
		text, err := readBelow(dir, f.file)
		if err != nil {
			continue // most are not there; another tool says what is wrong with its own
		}
		c, err := f.read(dir, text)
		found := beckon.FoundSetup{Tool: f.tool, File: f.file, Setup: c.lines(c.setup), Dev: c.lines(c.dev)}
		if err == nil && cmp.Or(found.Setup, found.Dev) != "" && shows(found.Setup) && shows(found.Dev) {
			list = append(list, found)
		}
	}
	return list
}

func readBelow(dir, name string) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	return look.ReadBelow(root, name)
}

// lines joins commands behind the variables; where there is none it is empty.
func (c commands) lines(list []string) string {
	list = slices.DeleteFunc(slices.Clone(list), func(line string) bool { return strings.TrimSpace(line) == "" })
	if len(list) == 0 {
		return ""
	}
	text := strings.Join(list, "\n")
	if c.variables != "" {
		text = c.variables + "\n" + text
	}
	return strings.ReplaceAll(text, "\r\n", "\n")
}

// shows reports whether a command is text that shows all that it is.
func shows(command string) bool {
	return len(command) <= maxSetup && !strings.ContainsFunc(strings.NewReplacer("\n", "", "\t", "").Replace(command),
		func(r rune) bool { return r == '\uFFFD' || plain.Hidden(r) })
}

// variables returns the line that gives a tool's variables, of the prefix, the values of Beckon's.
func variables(prefix string, names map[string]string) string {
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if runtime.GOOS == "windows" {
			pairs = append(pairs, `set "`+prefix+name+"=%"+names[name]+`%"`)
		} else {
			pairs = append(pairs, prefix+name+`="$`+names[name]+`"`)
		}
	}
	if runtime.GOOS == "windows" {
		return strings.Join(pairs, "\n")
	}
	return "export " + strings.Join(pairs, " ")
}

// texts is a list of commands, which may be written as a single one.
type texts []string

func (t *texts) UnmarshalJSON(raw []byte) error {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		*t = texts{one}
		return nil
	}
	return json.Unmarshal(raw, (*[]string)(t))
}

// conductor reads what Conductor does: docs.conductor.build/core/scripts.
func conductor(_ string, text []byte) (c commands, err error) {
	var file struct {
		Scripts struct{ Setup, Run string }
	}
	err = json.Unmarshal(text, &file)
	c.variables = variables("CONDUCTOR_", map[string]string{
		"ROOT_PATH": "BECKON_PROJECT", "WORKSPACE_PATH": "BECKON_WORKTREE", "WORKSPACE_NAME": "BECKON_TASK",
		"DEFAULT_BRANCH": "BECKON_BASE", "PORT": "BECKON_PORT",
	})
	c.setup, c.dev = []string{file.Scripts.Setup}, []string{file.Scripts.Run}
	return c, err
}

// emdash reads what emdash does: its schema of .emdash.json. What it prepares with comes
// before the setup.
func emdash(_ string, text []byte) (c commands, err error) {
	var file struct {
		Scripts struct{ Prepare, Setup, Run string }
	}
	err = json.Unmarshal(text, &file)
	c.variables = variables("EMDASH_", map[string]string{
		"ROOT_PATH": "BECKON_PROJECT", "TASK_PATH": "BECKON_WORKTREE", "TASK_NAME": "BECKON_TASK", "TASK_ID": "BECKON_TASK",
		"DEFAULT_BRANCH": "BECKON_BASE", "PORT": "BECKON_PORT",
	})
	c.setup, c.dev = []string{file.Scripts.Prepare, file.Scripts.Setup}, []string{file.Scripts.Run}
	return c, err
}

// around is what config.local.json of Superset makes of a list: it stands in its place, or
// has more before and after it.
type around struct{ in, Before, After texts }

func (a *around) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, &a.in) == nil {
		return nil
	}
	type fields around
	return json.Unmarshal(raw, (*fields)(a))
}

// with returns the commands that a list becomes.
func (a *around) with(list texts) []string {
	if a == nil {
		return list
	}
	if a.in != nil {
		return a.in
	}
	return slices.Concat(a.Before, list, a.After)
}

// superset reads what Superset and Paradev do: apps/docs/content/docs/setup-teardown-scripts.mdx
// of superset-sh/superset.
func superset(dir string, text []byte) (c commands, err error) {
	var file struct{ Setup, Run texts }
	if err := json.Unmarshal(text, &file); err != nil {
		return c, err
	}
	var local struct{ Setup, Run *around }
	if text, err := readBelow(dir, ".superset/config.local.json"); err == nil {
		if err := json.Unmarshal(text, &local); err != nil {
			return c, err
		}
	}
	c.variables = variables("SUPERSET_", map[string]string{
		"ROOT_PATH": "BECKON_PROJECT", "WORKSPACE_PATH": "BECKON_WORKTREE", "WORKSPACE_NAME": "BECKON_TASK",
	})
	c.setup, c.dev = local.Setup.with(file.Setup), local.Run.with(file.Run)
	return c, nil
}

// air reads what JetBrains Air does: jetbrains.com/help/air/execution-environments.html. A
// variable without a value is that of the computer, and is there.
func air(_ string, text []byte) (c commands, err error) {
	var file struct {
		Environment []struct {
			Type, Key, Path string
			Value           *string
		}
		Setup map[string]texts
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return c, err
	}
	var has []string
	for _, e := range file.Environment {
		switch {
		case e.Type == "env" && e.Value != nil && runtime.GOOS == "windows":
			has = append(has, `set "`+e.Key+"="+*e.Value+`"`)
		case e.Type == "env" && e.Value != nil:
			has = append(has, "export "+e.Key+"="+quote(*e.Value))
		case e.Type == "envFile" && runtime.GOOS != "windows":
			has = append(has, "set -a; . "+envFile(e.Path)+"; set +a")
		}
	}
	system := map[string]string{"darwin": "macos"}[runtime.GOOS]
	c.variables, c.setup = strings.Join(has, "\n"), file.Setup[cmp.Or(system, runtime.GOOS)]
	return c, nil
}

// envFile is a path of JetBrains Air's as a word of a shell.
func envFile(path string) string {
	if rest, home := strings.CutPrefix(path, "~/"); home {
		return `"$HOME"/` + quote(rest)
	}
	if filepath.IsAbs(path) {
		return quote(path)
	}
	return `"$BECKON_PROJECT"/` + quote(path)
}

// quote makes a text one word of a shell.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// devContainer reads postCreateCommand of a dev container: a line for a shell, the words of
// one command, or several of either by their names.
func devContainer(_ string, text []byte) (c commands, err error) {
	var file struct{ PostCreateCommand json.RawMessage }
	if err := json.Unmarshal(withoutComments(text), &file); err != nil || file.PostCreateCommand == nil {
		return c, err
	}
	var several map[string]json.RawMessage
	if json.Unmarshal(file.PostCreateCommand, &several) != nil {
		several = map[string]json.RawMessage{"": file.PostCreateCommand}
	}
	for _, name := range slices.Sorted(maps.Keys(several)) {
		var line string
		var words []string
		if json.Unmarshal(several[name], &line) != nil {
			if err := json.Unmarshal(several[name], &words); err != nil {
				return c, err
			}
			for i, word := range words {
				words[i] = quote(word)
			}
			line = strings.Join(words, " ")
		}
		c.setup = append(c.setup, line)
	}
	folders := map[string]string{"containerWorkspaceFolder": "BECKON_WORKTREE", "localWorkspaceFolder": "BECKON_PROJECT"}
	maps.DeleteFunc(folders, func(name, _ string) bool { return !strings.Contains(strings.Join(c.setup, "\n"), "${"+name+"}") })
	if len(folders) > 0 { // what it writes for a folder is what a shell writes for a variable
		c.variables = variables("", folders)
	}
	return c, nil
}

// withoutComments makes JSON of JSON with comments and commas before closing brackets.
func withoutComments(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		switch rest := text[i:]; {
		case text[i] == '"':
			end := i + 1
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			out = append(out, text[i:min(len(text), end+1)]...)
			i = end
		case bytes.HasPrefix(rest, []byte("//")):
			i += end(rest, "\n") - 1
		case bytes.HasPrefix(rest, []byte("/*")):
			i += end(rest, "*/") + 1
		case text[i] == '}' || text[i] == ']':
			out = append(bytes.TrimSuffix(bytes.TrimRight(out, " \t\r\n"), []byte(",")), text[i])
		default:
			out = append(out, text[i])
		}
	}
	return out
}

// end is where a text has the words that end a comment, or its length.
func end(text []byte, words string) int {
	if at := bytes.Index(text[2:], []byte(words)); at >= 0 {
		return at + 2
	}
	return len(text)
}
