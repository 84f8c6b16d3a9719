package review

import (
	"strings"
	"testing"

	"beckon/backend/beckon/reviewing"
)

func TestACommentStaysWithItsLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", reviewing.CommentMaxLine)
	for name, c := range map[string]struct {
		quote       string
		first, last int
		file        string
		want        int // its first line by now; 0: outdated
	}{
		"untouched":                {"b\nc", 2, 3, "a\nb\nc\nd", 2},
		"moved down":               {"b\nc", 2, 3, "a\nnew\nnew\nb\nc\nd", 4},
		"moved up":                 {"b\nc", 2, 3, "b\nc\nd", 1},
		"to the nearest":           {"b", 5, 5, "b\nx\nx\nb\nx\nx\nx\nx\nb", 4},
		"changed":                  {"b\nc", 2, 3, "a\nb\nx\nd", 0},
		"gone":                     {"b", 2, 2, "", 0},
		"the file is gone":         {"b", 1, 1, "\x00", 0},
		"at the end":               {"c", 3, 3, "a\nb\nc", 3},
		"a brace, where it was":    {"}", 3, 3, "a\nb\n}", 3},
		"a brace is anywhere":      {"}", 3, 3, "a\n}\nb", 0},
		"an empty line":            {"", 2, 2, "a\n\nb", 2},
		"line ends of Windows":     {"b", 2, 2, "a\r\nb\r\nc", 2},
		"a line that was cut":      {quoteOf([]string{long}), 1, 1, long, 1},
		"more lines than are kept": {quoteOf(strings.Split(strings.Repeat("x\n", 300), "\n")), 1, 300, strings.Repeat("x\n", 300), 1},
	} {
		got := reviewing.Comment{CommentLines: reviewing.CommentLines{First: c.first, Last: c.last, Quote: c.quote}}
		file := strings.Split(c.file, "\n")
		if c.file == "\x00" {
			file = nil
		}
		anchor(&got, file)
		switch {
		case got.Outdated != (c.want == 0):
			t.Errorf("%s: outdated is %t", name, got.Outdated)
		case c.want != 0 && (got.First != c.want || got.Last-got.First != c.last-c.first):
			t.Errorf("%s: lines %d to %d, want %d on", name, got.First, got.Last, c.want)
		case c.want == 0 && got.First != c.first:
			t.Errorf("%s: an outdated one went to line %d", name, got.First)
		}
	}
}

func TestOnlyWhatCanBeACommentIsKept(t *testing.T) {
	t.Parallel()
	good := reviewing.CommentEdit{TaskID: "t", Text: "Hm.", Lines: reviewing.CommentLines{Path: "a.go", Side: reviewing.After, First: 1, Last: 2, Quote: "a\nb"}}
	if err := check(good); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*reviewing.CommentEdit){
		"no words":          func(e *reviewing.CommentEdit) { e.Text = " \n" },
		"too many words":    func(e *reviewing.CommentEdit) { e.Text = strings.Repeat("x", reviewing.CommentMaxText+1) },
		"no text":           func(e *reviewing.CommentEdit) { e.Text = "\xff" },
		"no path":           func(e *reviewing.CommentEdit) { e.Lines.Path = "" },
		"a path of lines":   func(e *reviewing.CommentEdit) { e.Lines.Path = "a\nb" },
		"a path with NUL":   func(e *reviewing.CommentEdit) { e.Lines.Path = "a\x00" },
		"a long path":       func(e *reviewing.CommentEdit) { e.Lines.Path = strings.Repeat("x", reviewing.CommentMaxPath+1) },
		"no side":           func(e *reviewing.CommentEdit) { e.Lines.Side = "left" },
		"line 0":            func(e *reviewing.CommentEdit) { e.Lines.First = 0 },
		"backwards":         func(e *reviewing.CommentEdit) { e.Lines.First = 3 },
		"too many lines":    func(e *reviewing.CommentEdit) { e.Lines.Last = reviewing.CommentMaxLines + 1 },
		"more than it says": func(e *reviewing.CommentEdit) { e.Lines.Quote = "a\nb\nc" },
		"a huge quotation":  func(e *reviewing.CommentEdit) { e.Lines.Quote = strings.Repeat("x", 1<<20+1) },
		"a strange content": func(e *reviewing.CommentEdit) { e.Lines.Content = strings.Repeat("x", 101) },
	} {
		bad := good
		spoil(&bad)
		if check(bad) == nil {
			t.Errorf("%s is kept", name)
		}
	}
}
