package scripted

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"beckon/backend/agent/claude"
)

func workDir() string {
	dir, err := os.Getwd()
	if err != nil {
		return "."
	}
	return dir
}

// absolute is how the CLI names files in its tool calls.
func absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(workDir(), path)
}

// tool returns the call of one of the CLI's own tools, which is really done.
func (t *turn) tool(name string, input any) (call, error) {
	raw := json.RawMessage(encode(input))
	return call{name, raw, func(ctx context.Context, _ string) outcome { return t.use(ctx, name, raw) }}, nil
}

// use does what the tool is for.
func (t *turn) use(ctx context.Context, name string, raw json.RawMessage) outcome {
	var in struct {
		Path    string `json:"file_path"`
		Content string `json:"content"`
		Old     string `json:"old_string"`
		New     string `json:"new_string"`
		Command string `json:"command"`
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return failure(err.Error())
	}
	switch name {
	case "Read":
		return readFile(in.Path)
	case "Write":
		t.save(in.Path)
		return writeFile(in.Path, in.Content)
	case "Edit":
		t.save(in.Path)
		return editFile(in.Path, in.Old, in.New)
	case "Bash":
		return t.bash(ctx, in.Command)
	default:
		return outcome{content: "ok", detail: object{}}
	}
}

func readCall(t *turn, s step) (call, error) {
	return t.tool("Read", object{"file_path", absolute(s.args)})
}

func writeCall(t *turn, s step) (call, error) {
	args, err := t.operands(s.args, 2)
	if err != nil {
		return call{}, err
	}
	return t.tool("Write", object{"file_path", absolute(args[0]), "content", args[1]})
}

func editCall(t *turn, s step) (call, error) {
	args, err := t.operands(s.args, 3)
	if err != nil {
		return call{}, err
	}
	return t.tool("Edit", object{"file_path", absolute(args[0]), "old_string", args[1], "new_string", args[2], "replace_all", false})
}

func runCall(t *turn, s step) (call, error) {
	return t.tool("Bash", object{"command", s.args, "description", s.args})
}

// operands splits a step's arguments and looks up the archive's files.
func (t *turn) operands(text string, n int) ([]string, error) {
	args, err := words(text, n)
	if err != nil {
		return nil, err
	}
	for i, arg := range args {
		if args[i], err = t.argument(arg); err != nil {
			return nil, err
		}
	}
	return args, nil
}

func readFile(path string) outcome {
	data, err := os.ReadFile(path)
	if err != nil {
		return failure("File does not exist.")
	}
	lines := strings.Split(string(data), "\n")
	var numbered strings.Builder
	for i, l := range lines {
		fmt.Fprintf(&numbered, "%d\t%s\n", i+1, l)
	}
	return outcome{
		content: strings.TrimSuffix(numbered.String(), "\n"),
		detail: object{"type", "text", "file", object{
			"filePath", path, "content", string(data), "numLines", len(lines), "startLine", 1, "totalLines", len(lines),
		}},
	}
}

func writeFile(path, content string) outcome {
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return failure(err.Error())
	}
	created := err != nil
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil { //nolint:gosec // As the CLI does, under the user's umask.
		return failure(err.Error())
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil { //nolint:gosec // As above.
		return failure(err.Error())
	}
	if created {
		return outcome{
			content: "File created successfully at: " + path,
			detail: object{
				"type", "create", "filePath", path, "content", content, "structuredPatch",
				[]claude.Hunk{},
				"originalFile", nil, "userModified", false,
			},
		}
	}
	return outcome{
		content: "The file " + path + " has been updated successfully.",
		detail: object{
			"type", "update", "filePath", path, "content", content, "structuredPatch", diff(string(old), content),
			"originalFile", string(old), "userModified", false,
		},
	}
}

func editFile(path, old, replacement string) outcome {
	data, err := os.ReadFile(path)
	if err != nil {
		return failure("File does not exist.")
	}
	before := string(data)
	if strings.Count(before, old) != 1 {
		return failure("String to replace not found in file, or found more than once.\nString: " + old)
	}
	after := strings.Replace(before, old, replacement, 1)
	if err := os.WriteFile(path, []byte(after), 0o666); err != nil { //nolint:gosec // As the CLI does.
		return failure(err.Error())
	}
	return outcome{
		content: "The file " + path + " has been updated successfully.",
		detail: object{
			"filePath", path, "oldString", old, "newString", replacement, "originalFile", before,
			"structuredPatch", diff(before, after), "userModified", false, "replaceAll", false,
		},
	}
}

// diff returns one hunk from the first line that differs to the last, with
// three lines around it.
func diff(before, after string) []claude.Hunk {
	a, b := lines(before), lines(after)
	head := 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	from, around := max(0, head-3), min(3, tail)
	h := claude.Hunk{
		OldStart: from + 1, OldLines: len(a) - tail + around - from,
		NewStart: from + 1, NewLines: len(b) - tail + around - from,
	}
	for _, part := range []struct {
		sign string
		of   []string
	}{{" ", a[from:head]}, {"-", a[head : len(a)-tail]}, {"+", b[head : len(b)-tail]}, {" ", a[len(a)-tail : len(a)-tail+around]}} {
		for _, l := range part.of {
			h.Lines = append(h.Lines, part.sign+l)
		}
	}
	return []claude.Hunk{h}
}

func lines(text string) []string {
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// bash runs a command in a session of its own, as the CLI does. Its output
// goes to a file, so that what it leaves in the background holds up nobody.
func (t *turn) bash(ctx context.Context, command string) outcome {
	file, err := os.CreateTemp("", "scripted-bash-*")
	if err != nil {
		return failure(err.Error())
	}
	_ = os.Remove(file.Name()) // at once, so that a killed agent leaves nothing behind
	defer os.Remove(file.Name())
	defer file.Close()
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Stdout, cmd.Stderr = file, file
	ownSession(cmd)
	runErr := cmd.Run()
	_, _ = file.Seek(0, io.SeekStart)
	data, err := io.ReadAll(file)
	if err != nil {
		return failure(err.Error())
	}
	text := strings.TrimRight(string(data), "\n")
	t.setAnswer(text)
	if runErr != nil {
		return failure(strings.TrimSpace(fmt.Sprintf("Exit code %d\n%s", cmd.ProcessState.ExitCode(), text)))
	}
	shown := text
	if shown == "" {
		shown = "(Bash completed with no output)"
	}
	return outcome{content: shown, detail: object{
		"stdout", text, "stderr", "", "interrupted", false, "isImage", false, "noOutputExpected", text == "",
	}}
}
