package dialog

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"beckon/backend/beckon"
)

// matchPermission reads the dialog in which a tool waits for leave. It has to
// show the whole of what the tool would do.
func matchPermission(p beckon.PermissionRequest, s Screen) (view, error) {
	shows, known := tools[p.Tool]
	if !known {
		return view{}, refuse(Unreadable)
	}
	for _, block := range s.blocks() {
		head, v, ok := splitRows(block)
		if ok && permissionFoot.MatchString(v.foot) && shows(p, head) {
			return v, nil
		}
	}
	if err := s.differs(); p.Tool != "Write" || !strings.Contains(squeeze(s.Text), "Overwritefile") {
		return view{}, err
	}
	return view{}, refuse(Unreadable) // it shows only what would change
}

// permissionFoot is what follows the rows of a permission.
var permissionFoot = regexp.MustCompile(`^Esctocancel(·[A-Za-z+]{1,12}to[a-z]{1,12})*$`)

// tools are the tools whose dialogs are known, with how they show what they ask.
var tools = map[string]func(p beckon.PermissionRequest, head []string) bool{
	"Bash": showsCommand, "Write": showsFile, "Edit": showsEdit,
}

var rowLine = regexp.MustCompile(`^\s*(❯?)\s*([1-9])\.\s?(.*)$`)

// splitRows separates the rows at the end of a dialog from what is above them.
func splitRows(block []string) (head []string, v view, ok bool) {
	first := -1
	for i, line := range block {
		if m := rowLine.FindStringSubmatch(line); m != nil && m[2] == "1" {
			first = i
		}
	}
	if first < 0 {
		return nil, v, false
	}
	v.lines = len(block)
	i := first
	for ; i < len(block) && strings.TrimSpace(block[i]) != ""; i++ {
		if m := rowLine.FindStringSubmatch(block[i]); m != nil {
			if m[2] != digit(len(v.rows)+1) {
				return nil, v, false
			}
			v.rows = append(v.rows, row{number: len(v.rows) + 1, focused: m[1] != "", words: strings.TrimSpace(m[3])})
			continue
		}
		at := &v.rows[len(v.rows)-1]
		at.words += " " + strings.TrimSpace(block[i])
	}
	v.foot = joined(block[i:])
	return block[:first], v, len(v.rows) > 1 && v.focus() != nil
}

// showsCommand reports whether a dialog is about that command of Bash.
func showsCommand(p beckon.PermissionRequest, head []string) bool {
	r := &reader{rest: joined(head)}
	if p.Command == "" || !r.literal("Bash command") || !r.literal(p.Command) || !r.literal(cmp.Or(p.Description, "Run shell command")) {
		return false
	}
	// Between them may be what the CLI says of the command.
	said, ok := strings.CutSuffix(r.rest, "Doyouwanttoproceed?")
	return ok && len(said) < 300
}

// showsFile reports whether a dialog is about that file with that content: a new
// file has its lines numbered, one that is replaced is shown as a diff, which has
// to show all of it.
func showsFile(p beckon.PermissionRequest, head []string) bool {
	var in struct {
		Content string `json:"content"`
	}
	parts := dashed(head)
	if json.Unmarshal([]byte(p.Input), &in) != nil || len(parts) != 3 || squeeze(in.Content) == "" {
		return false
	}
	var numbered strings.Builder
	for i, line := range strings.Split(strings.TrimSuffix(in.Content, "\n"), "\n") {
		numbered.WriteString(strconv.Itoa(i+1) + line)
	}
	title, end := joined(parts[0]), joined(parts[2])
	_, after := sides(parts[1])
	created := end == squeeze("Do you want to create "+filepath.Base(p.Path)+"?") && joined(parts[1]) == squeeze(numbered.String())
	replaced := end == squeeze("Do you want to overwrite "+filepath.Base(p.Path)+"?") && after == squeeze(in.Content)
	return aboutFile(p.Path, func(shown string) bool {
		return created && title == squeeze("Create file"+shown) || replaced && title == squeeze("Overwrite file"+shown)
	})
}

func joined(lines []string) string { return squeeze(strings.Join(lines, "\n")) }

// aboutFile tries the ways in which a dialog may name a file: whole, or from the
// folder in which the session works.
func aboutFile(path string, try func(shown string) bool) bool {
	if path == "" {
		return false
	}
	for shown := filepath.ToSlash(path); ; {
		if try(shown) {
			return true
		}
		_, rest, ok := strings.Cut(shown, "/")
		if !ok {
			return false
		}
		shown = rest
	}
}

var diffLine = regexp.MustCompile(`^\s*\d+\s([-+ ])`)

// showsEdit reports whether a dialog is about that change of that file.
func showsEdit(p beckon.PermissionRequest, head []string) bool {
	var in struct {
		Old string `json:"old_string"`
		New string `json:"new_string"`
	}
	if json.Unmarshal([]byte(p.Input), &in) != nil || in.Old == in.New {
		return false
	}
	parts := dashed(head)
	if len(parts) != 3 {
		return false
	}
	title, end := joined(parts[0]), joined(parts[2])
	before, after := sides(parts[1])
	return strings.Contains(before, squeeze(in.Old)) && strings.Contains(after, squeeze(in.New)) &&
		end == squeeze("Do you want to make this edit to "+filepath.Base(p.Path)+"?") &&
		aboutFile(p.Path, func(shown string) bool { return title == squeeze("Edit file"+shown) })
}

// dashed divides a dialog at the dashed lines above and below what would change.
func dashed(head []string) [][]string {
	parts := [][]string{nil}
	for _, line := range head {
		if strings.HasPrefix(line, "╌") && strings.Trim(line, "╌") == "" {
			parts = append(parts, nil)
			continue
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], line)
	}
	return parts
}

// sides returns the file before and after, as far as a diff shows it, squeezed.
// A line has its number, its sign and its text; where it goes on in the next one
// that has the sign alone, in the same column.
func sides(diff []string) (before, after string) {
	sign := -1
	for _, line := range diff {
		if m := diffLine.FindStringSubmatchIndex(line); m != nil {
			sign = m[2]
		}
		if sign < 0 || len(line) <= sign {
			continue // an empty one of the context
		}
		kind, text := line[sign], squeeze(line[sign+1:])
		if kind != '+' {
			before += text
		}
		if kind != '-' {
			after += text
		}
	}
	return before, after
}
