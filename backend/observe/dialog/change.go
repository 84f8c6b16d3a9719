package dialog

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"beckon/backend/beckon"
)

// showsFile reports whether a dialog is about that file with that content: a new
// file has its lines numbered, one that is replaced is shown as a diff, which has
// to show all of it.
func showsFile(q beckon.Question, head []string, s Screen) shown {
	var in struct {
		Content string `json:"content"`
	}
	parts := dashed(head)
	if len(parts) != 3 {
		return other
	}
	name := filepath.Base(q.Permission.Path)
	created := joined(parts[2]) == squeeze("Do you want to create "+name+"?") && aboutFile(q, parts[0], "Create file", s)
	replaced := joined(parts[2]) == squeeze("Do you want to overwrite "+name+"?") && aboutFile(q, parts[0], "Overwrite file", s)
	if !created && !replaced {
		return other
	}
	if json.Unmarshal([]byte(q.Permission.Input), &in) != nil || invisible(in.Content) {
		return unreadable
	}
	content := strings.Split(strings.TrimSuffix(in.Content, "\n"), "\n")
	if created && numbered(parts[1], content) {
		return whole
	}
	if created {
		return other
	}
	if _, after, ok := sides(parts[1]); ok && slices.Equal(after, squeezed(content)) {
		return whole
	}
	return unreadable // it shows only what would change
}

// aboutFile reports whether the lines above the first dashed one are a title and
// the file, as it is called from the folder in which the session works.
func aboutFile(q beckon.Question, lines []string, title string, s Screen) bool {
	if len(lines) < 2 || q.Permission.Path == "" || invisible(q.Permission.Path) || !titled(q, lines[0], title) {
		return false
	}
	name := ""
	for _, line := range lines[1:] { // a long one is wrapped
		if indent(line) != 1 {
			return false
		}
		name += line[1:]
	}
	if !s.any {
		rel, err := filepath.Rel(s.dir, q.Permission.Path)
		return err == nil && name == shownAs(filepath.ToSlash(rel))
	}
	for strings.HasPrefix(name, "../") {
		name = name[3:]
	}
	return strings.HasSuffix("/"+shownAs(filepath.ToSlash(q.Permission.Path)), "/"+name)
}

// numbered reports whether lines are those of a file, each with its number. Where one is
// wrapped the next has none.
func numbered(lines, content []string) bool {
	if len(lines) == 0 {
		return false
	}
	gutter, texts := len(firstNumber.FindString(lines[0]))+1, [][]string{}
	for _, line := range lines {
		number, text := cutAt(line, gutter)
		switch strings.TrimSpace(number) {
		case "":
			if len(texts) == 0 {
				return false
			}
			texts[len(texts)-1] = append(texts[len(texts)-1], text)
		case strconv.Itoa(len(texts) + 1):
			texts = append(texts, []string{text})
		default:
			return false
		}
	}
	if len(texts) != len(content) {
		return false
	}
	for i, line := range content {
		// The number says where a line begins. 2.1.332 draws tabs as a terminal does.
		if !fills(texts[i], strings.ReplaceAll(line, "\t", "  ")) && !fills(texts[i], tabbed(line, 0)) {
			return false
		}
	}
	return true
}

// fills reports whether a line takes all of its lines on the screen.
func fills(drawn []string, line string) bool {
	on := &sheet{lines: drawn}
	return on.line(line) && len(on.lines) == 0
}

var firstNumber = regexp.MustCompile(`^ *1`)

func cutAt(line string, at int) (before, after string) {
	at = min(at, len(line))
	return line[:at], line[at:]
}

// showsEdit reports whether a dialog is about that change of that file, and no other.
func showsEdit(q beckon.Question, head []string, s Screen) shown {
	var in struct {
		Old string `json:"old_string"`
		New string `json:"new_string"`
		All bool   `json:"replace_all"`
	}
	parts := dashed(head)
	if len(parts) != 3 || joined(parts[2]) != squeeze("Do you want to make this edit to "+filepath.Base(q.Permission.Path)+"?") ||
		!aboutFile(q, parts[0], "Edit file", s) {
		return other
	}
	if json.Unmarshal([]byte(q.Permission.Input), &in) != nil || invisible(in.Old+in.New) ||
		squeezedText(in.Old) == squeezedText(in.New) {
		return unreadable
	}
	before, after, ok := sides(parts[1])
	if ok && changed(strings.Join(before, "\n"), strings.Join(after, "\n"), squeezedText(in.Old), squeezedText(in.New), in.All) {
		return whole
	}
	return other
}

// changed reports whether after is before with the one text in place of the other:
// once, or wherever it is.
func changed(before, after, was, is string, all bool) bool {
	if all {
		return was != "" && strings.Contains(before, was) && strings.ReplaceAll(before, was, is) == after
	}
	for at := 0; ; at++ {
		next := strings.Index(before[at:], was)
		if next < 0 {
			return false
		}
		at += next
		if before[:at]+is+before[at+len(was):] == after {
			return true
		}
		if at >= len(before) {
			return false
		}
	}
}

func squeezed(lines []string) []string {
	out := make([]string, 0, len(lines))
	for _, line := range lines {
		out = append(out, squeeze(line))
	}
	return out
}

// squeezedText keeps the lines of a text apart.
func squeezedText(text string) string {
	return strings.Join(squeezed(strings.Split(text, "\n")), "\n")
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

var diffLine = regexp.MustCompile(`^ *\d+(?: [-+ ]|$)`)

// sides returns the lines before and after, as far as a diff shows them, squeezed. A
// line has its number, its sign and its text; where it is wrapped the next has the sign
// alone, in the same column.
func sides(diff []string) (before, after []string, ok bool) {
	sign := 0
	for _, line := range diff {
		if m := diffLine.FindString(line); sign == 0 && m != "" {
			sign = len(strings.TrimRight(m, " -+")) + 1
		}
		number, rest := cutAt(line, sign)
		kind, text := byte(' '), ""
		if rest != "" {
			kind, text = rest[0], squeeze(rest[1:])
		}
		goesOn := strings.TrimSpace(number) == ""
		if sign == 0 || !strings.ContainsRune("-+ ", rune(kind)) || !goesOn && !diffLine.MatchString(line) {
			return nil, nil, false
		}
		if kind != '+' && !add(&before, text, goesOn) || kind != '-' && !add(&after, text, goesOn) {
			return nil, nil, false
		}
	}
	return before, after, sign > 0
}

// add adds a line, or more of the last one.
func add(lines *[]string, text string, goesOn bool) bool {
	if !goesOn {
		*lines = append(*lines, text)
		return true
	}
	if len(*lines) == 0 {
		return false
	}
	(*lines)[len(*lines)-1] += text
	return true
}
