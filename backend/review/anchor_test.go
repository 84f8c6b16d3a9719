package review

import (
	"strings"
	"testing"

	"beckon/backend/beckon/comment"
)

func TestACommentStaysWithItsLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", comment.MaxLine)
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
		got := comment.Comment{Lines: comment.Lines{First: c.first, Last: c.last, Quote: c.quote}}
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
	good := comment.Edit{TaskID: "t", Text: "Hm.", Lines: comment.Lines{Path: "a.go", Side: comment.After, First: 1, Last: 2, Quote: "a\nb"}}
	if err := check(good); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*comment.Edit){
		"no words":          func(e *comment.Edit) { e.Text = " \n" },
		"too many words":    func(e *comment.Edit) { e.Text = strings.Repeat("x", comment.MaxText+1) },
		"no text":           func(e *comment.Edit) { e.Text = "\xff" },
		"no path":           func(e *comment.Edit) { e.Lines.Path = "" },
		"a path of lines":   func(e *comment.Edit) { e.Lines.Path = "a\nb" },
		"a path with NUL":   func(e *comment.Edit) { e.Lines.Path = "a\x00" },
		"a long path":       func(e *comment.Edit) { e.Lines.Path = strings.Repeat("x", comment.MaxPath+1) },
		"no side":           func(e *comment.Edit) { e.Lines.Side = "left" },
		"line 0":            func(e *comment.Edit) { e.Lines.First = 0 },
		"backwards":         func(e *comment.Edit) { e.Lines.First = 3 },
		"too many lines":    func(e *comment.Edit) { e.Lines.Last = comment.MaxLines + 1 },
		"more than it says": func(e *comment.Edit) { e.Lines.Quote = "a\nb\nc" },
		"a huge quotation":  func(e *comment.Edit) { e.Lines.Quote = strings.Repeat("x", 1<<20+1) },
		"a strange content": func(e *comment.Edit) { e.Lines.Content = strings.Repeat("x", 101) },
	} {
		bad := good
		spoil(&bad)
		if check(bad) == nil {
			t.Errorf("%s is kept", name)
		}
	}
}
