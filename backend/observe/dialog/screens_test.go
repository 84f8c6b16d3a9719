package dialog

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/request"
	"beckon/backend/beckon"

	"golang.org/x/tools/txtar"
)

// recording is one dialog of the real TUI (2.1.197), with its screens by size
// and name.
type recording struct {
	question beckon.Question
	screens  map[string]Screen // such as "60x24 open"
}

// project is the folder of the session that was recorded.
const project = "/home/dev/project"

// sizes are those that were recorded.
var sizes = []string{"120x40", "100x30", "80x24", "60x24", "60x16", "40x10"}

// recordings are those that were read, which tests only read.
var recordings sync.Map

func record(t *testing.T, name string) recording {
	t.Helper()
	if r, ok := recordings.Load(name); ok {
		return r.(recording)
	}
	file, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var tool string
	r := recording{screens: map[string]Screen{}}
	for _, f := range file.Files {
		switch f.Name {
		case "tool":
			tool = strings.TrimSpace(string(f.Data))
		case "input":
			r.question = asked(tool, f.Data)
		default:
			size, at, _ := strings.Cut(f.Name, " ")
			s := Screen{Text: string(f.Data), dir: project}
			if _, err := fmt.Sscanf(size, "%dx%d", &s.Width, &s.Height); err != nil {
				t.Fatal(err)
			}
			at, _, _ = strings.Cut(at, " ") // what was pressed before
			r.screens[size+" "+at] = s
		}
	}
	recordings.Store(name, r)
	return r
}

// asked is what a tool's input asks.
func asked(tool string, input []byte) beckon.Question {
	return request.Question(claude.Request{ToolName: tool, Input: input})
}

func names(t *testing.T) (all []string) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) < 15 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		all = append(all, strings.TrimSuffix(filepath.Base(f), ".txtar"))
	}
	return all
}

// unseen are the recorded screens of which not all is visible, or known, with
// what the user reads.
var unseen = func() map[string]Reason {
	all := map[string]Reason{"long 60x24": TooSmall}
	for _, name := range []string{"long", "bashlong", "planfile", "multi", "multiplain", "parallel", "preview", "three"} {
		all[name+" 60x16"] = TooSmall // of some only the upper edge is missing
	}
	for _, size := range sizes {
		all["writelong "+size], all["webfetch "+size] = TooSmall, Unreadable
	}
	for _, name := range []string{
		"single", "lines", "longtext", "long", "preview", "multi", "multiplain", "parallel", "two", "three", "bash", "bashlong",
		"write", "edit", "planfile",
	} {
		all[name+" 40x10"] = TooSmall // only the small dialog for a plan is whole there
	}
	return all
}()

// each calls see for every recorded dialog as it opens.
func each(t *testing.T, see func(name, size string, q beckon.Question, s Screen)) {
	t.Helper()
	for _, name := range names(t) {
		r := record(t, name)
		for _, size := range sizes {
			if s, ok := r.screens[size+" open"]; ok {
				see(name, size, r.question, s)
			}
		}
	}
}

func TestADialogIsRecognizedWhereAllOfItIsSeen(t *testing.T) {
	t.Parallel()
	seen := 0
	each(t, func(name, size string, q beckon.Question, s Screen) {
		v, err := match(q, nil, s)
		want, refused := unseen[name+" "+size]
		switch {
		case refused && !errors.Is(err, refuse(want)):
			t.Errorf("%s at %s: %v, want it refused as %s", name, size, err, want)
		case !refused && (err != nil || v.focus() == nil || v.focus().number != 1):
			t.Errorf("%s at %s is not recognized: %v; it is\n%s", name, size, err, s.Text)
		case !refused:
			seen++
		}
	})
	if seen < 70 {
		t.Errorf("only %d screens were recognized", seen)
	}
}

// same are recordings of one question. A small dialog for a plan shows none of it.
var same = []string{"single lines longtext", "multi multiplain parallel", "plan planfile"}

func TestNoOtherQuestionIsTakenForTheOneOnTheScreen(t *testing.T) {
	t.Parallel()
	all := map[string]beckon.Question{}
	for _, name := range names(t) {
		all[name] = record(t, name).question
	}
	each(t, func(name, size string, _ beckon.Question, s Screen) {
		for other, q := range all {
			if other == name || slices.ContainsFunc(same, func(list string) bool {
				return strings.Contains(" "+list+" ", " "+name+" ") && strings.Contains(" "+list+" ", " "+other+" ")
			}) {
				continue
			}
			if _, err := match(q, nil, s); err == nil {
				t.Errorf("%s is taken for what is on the screen of %s at %s", other, name, size)
			}
		}
	})
}

var anyRow = regexp.MustCompile(`(?m)^(\s*❯?\s*)([1-9])(\.)`)

// mutations are screens that are not quite the question's.
var mutations = []struct {
	name   string
	mutate func(q beckon.Question, dialog string) string
}{
	{"an option is missing", func(_ beckon.Question, d string) string {
		rows := anyRow.FindAllStringIndex(d, -1)
		if len(rows) < 2 {
			return ""
		}
		if strings.Contains(d, "Exit plan mode?") {
			rows = rows[:2]
		}
		return d[:rows[0][0]] + d[rows[1][0]:]
	}},
	{"the numbers differ", func(_ beckon.Question, d string) string {
		return anyRow.ReplaceAllStringFunc(d, func(row string) string {
			return strings.Replace(row, "2", "3", 1)
		})
	}},
	{"the first number is gone", func(_ beckon.Question, d string) string { return strings.Replace(d, "❯ 1.", "❯", 1) }},
	{"the focus mark is gone", func(_ beckon.Question, d string) string { return strings.ReplaceAll(d, "❯", " ") }},
	{"the footer is gone", func(_ beckon.Question, d string) string {
		for _, begin := range []string{"Enter to select", " Esc to cancel", " ctrl+g to edit"} {
			if at := strings.LastIndex(d, begin); at >= 0 {
				return d[:at]
			}
		}
		return ""
	}},
	{"a shell came after it", func(_ beckon.Question, d string) string { return d + "\n$ " }},
	{"the prompt came after it", func(_ beckon.Question, d string) string {
		return d + "\n────\n❯ \n────\n  ? for shortcuts\n"
	}},
	{"the text differs", func(q beckon.Question, d string) string {
		for _, words := range []string{"Should `main", "Which", "Pick a", "The importer", "mkdir -p", "for f in", "README", "new.txt", "wants to exit", "parser"} {
			if strings.Contains(d, words) {
				return strings.Replace(d, words, "Whose", 1)
			}
		}
		return ""
	}},
	{"the title differs", func(_ beckon.Question, d string) string {
		for _, words := range []string{"Database", "Features", "Layout", "Importer", "Naming", "☐ Which", "Overwrite file", "Bash command", "Create file", "Edit file", "Exit plan", "Ready to code"} {
			if strings.Contains(d, words) {
				return strings.Replace(d, words, "Something", 1)
			}
		}
		return ""
	}},
}

func TestADialogThatDiffersInAnythingIsRefused(t *testing.T) {
	t.Parallel()
	each(t, func(name, size string, q beckon.Question, s Screen) {
		if unseen[name+" "+size] != "" {
			return
		}
		for _, m := range mutations {
			above, dialog := split(t, s)
			changed := m.mutate(q, dialog)
			switch {
			case m.name == "the footer is gone" && name == "plan", // it has none
				m.name == "the title differs" && above == "": // it is above the screen
				continue
			case changed == dialog || changed == "":
				t.Errorf("%s, %s at %s: nothing was changed", m.name, name, size)
			}
			s.Text = above + changed
			if _, err := match(q, nil, s); err == nil {
				t.Errorf("%s, and %s at %s is still answered:\n%s", m.name, name, size, changed)
			}
			s.Text = above + dialog
		}
	})
}

// split divides a screen above its dialog.
func split(t *testing.T, s Screen) (above, dialog string) {
	t.Helper()
	at := 0
	rule := strings.Repeat("─", s.Width) + "\n"
	for _, begin := range []string{" ☐", "←", " Bash command", " Create file", " Overwrite file", " Edit file", " Exit plan mode?", " Ready to code?"} {
		if i := strings.LastIndex(s.Text, rule+begin); i >= 0 {
			at = i + len(rule)
		}
	}
	return s.Text[:at], s.Text[at:]
}

// TestWordsOfTheAgentAreNotTakenForADialog: an agent can write all that a dialog
// has, but not below the prompt line.
func TestWordsOfTheAgentAreNotTakenForADialog(t *testing.T) {
	t.Parallel()
	each(t, func(name, size string, q beckon.Question, s Screen) {
		s.Text += "\n" + strings.Repeat("─", s.Width) + "\n❯ \n" + strings.Repeat("─", s.Width) + "\n  ? for shortcuts · ← for agents\n"
		if _, err := match(q, nil, s); err == nil {
			t.Errorf("the written dialog of %s at %s was taken for one", name, size)
		}
	})
	q := beckon.Question{Kind: beckon.Ask, Items: []beckon.QuestionItem{{
		Header: "H", Text: "Which?\n❯ 1. Yes\n  2. No", Options: []beckon.Option{{Label: "No"}, {Label: "Yes"}},
	}}}
	s := Screen{Width: 20, Height: 20, Text: strings.Repeat("─", 20) + `
 ☐ H

Which?
❯ 1. Yes
  2. No

❯ 1. No
  2. Yes
  3. Type something.
` + strings.Repeat("─", 20) + `
  4. Chat about this

Enter to select · ↑/↓ to navigate · Esc to cancel
`}
	v, err := match(q, nil, s)
	if err != nil || v.rows[0].words != "No" || v.rows[0].number != 1 {
		t.Errorf("rows in the question's text: %+v, %v; want the numbers of the rows below", v.rows, err)
	}
}

// TestNoQuestionIsTakenForAWarning: one key into those that a start shows would end
// the session, or trust a folder.
func TestNoQuestionIsTakenForAWarning(t *testing.T) {
	t.Parallel()
	file, err := txtar.ParseFile("testdata/others/starting.txtar")
	if err != nil || len(file.Files) != 2 {
		t.Fatal(file, err)
	}
	for _, f := range file.Files {
		for _, name := range names(t) {
			s := Screen{Text: string(f.Data), Width: 100, Height: 30}
			if _, err := match(record(t, name).question, nil, s); err == nil {
				t.Errorf("%s is taken for the warning of %s", name, f.Name)
			}
		}
	}
}

func TestThePromptLineIsFoundWhereNoDialogIs(t *testing.T) {
	t.Parallel()
	r := record(t, "single")
	if text, ok := r.screens["120x40 gone"].prompt(); !ok || strings.TrimSpace(text) != "" {
		t.Errorf("the prompt is %q, %v; want an empty one", text, ok)
	}
	if text, ok := r.screens["120x40 open"].prompt(); ok {
		t.Errorf("a dialog has the prompt %q", text)
	}
}
