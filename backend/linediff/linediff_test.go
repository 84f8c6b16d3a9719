package linediff

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"beckon/tests/timeout"
)

func TestDiffShowsTheChangeAndItsSurroundings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ before, after, want string }{
		{"", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"a\nb\n", "", "@@ -1,2 +0,0 @@\n-a\n-b\n"},
		{"a", "b", "@@ -1,1 +1,1 @@\n-a\n+b\n"},
		{"same", "same", ""},
		{"1\n2\n3\n4\n5\n6\n7\n8\n9", "1\n2\n3\n4\nX\n6\n7\n8\n9", "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+X\n 6\n 7\n 8\n"},
		{"a\na\n", "a\na\na\n", "@@ -1,2 +1,3 @@\n a\n a\n+a\n"},
		{"a\nb", "a\nx\nb", "@@ -1,2 +1,3 @@\n a\n+x\n b\n"},
		// What stays between two changes is shown once, as what it is.
		{"a\nb\nc\nd\ne", "A\nb\nc\nd\nE", "@@ -1,5 +1,5 @@\n-a\n+A\n b\n c\n d\n-e\n+E\n"},
		{"a\n1\n2\n3\n4\n5\n6\n7\nb", "A\n1\n2\n3\n4\n5\n6\n7\nB", "@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n"},
		{"x\na", "x\na\n", "@@ -2,1 +2,1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"a\n", "a", "@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at end of file\n"},
		{"", "\n", "@@ -0,0 +1,1 @@\n+\n"},
	} {
		d := New(1 << 20)
		d.Change(c.before, c.after)
		if got := d.String(); got != c.want {
			t.Errorf("%q to %q:\n%s", c.before, c.after, got)
		}
	}
}

// numbered returns lines from 0 to n that begin with a word.
func numbered(word string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintln(&b, word, i)
	}
	return b.String()
}

// TestAHostileTextCostsNoTime: texts in which the longest common sequence is
// dear to find.
func TestAHostileTextCostsNoTime(t *testing.T) {
	t.Parallel()
	var zigzag, zagzig strings.Builder
	for i := range 100_000 {
		fmt.Fprintln(&zigzag, i*7919%9973)
		fmt.Fprintln(&zagzig, i*6101%9967)
	}
	for name, c := range map[string][2]string{
		"nothing in common": {numbered("a", 200_000), numbered("b", 200_000)},
		"much in common":    {zigzag.String(), zagzig.String()},
		"one line":          {strings.Repeat("\n", 300_000), strings.Repeat("\n", 200_000) + "x" + strings.Repeat("\n", 100_000)},
	} {
		began := time.Now()
		d := New(4096)
		d.Change(c[0], c[1])
		if took := time.Since(began); took > timeout.For(10*time.Second) || len(d.String()) > 4096 {
			t.Errorf("%s: took %s, %d bytes", name, took, len(d.String()))
		}
		if balance := len(Lines(c[0])) - d.Removed + d.Added; balance != len(Lines(c[1])) {
			t.Errorf("%s: %d lines are left of %d", name, balance, len(Lines(c[1])))
		}
	}
}

func TestADiffIsCutBetweenCharactersAndCountsOn(t *testing.T) {
	t.Parallel()
	for most := range 60 {
		d := New(most)
		d.Change("", "äöü€\näöü€\n")
		got := d.String()
		if len(got) > most || !utf8.ValidString(got) || d.Added != 2 {
			t.Errorf("%d bytes: %q, %d added", most, got, d.Added)
		}
		if whole := "@@ -0,0 +1,2 @@\n+äöü€\n+äöü€\n"; most >= 8 && got != whole && !strings.HasSuffix(got, "…\n") {
			t.Errorf("%d bytes: %q does not say that it is cut", most, got)
		}
	}
}

// FuzzChange checks that the diff, applied to the old text's lines, gives the
// new one's.
func FuzzChange(f *testing.F) {
	f.Add("a\nb\nc", "a\nc\nd")
	f.Add(numbered("a", 30), strings.ReplaceAll(numbered("a", 30), "1", "x"))
	f.Fuzz(func(t *testing.T, before, after string) {
		d := New(1 << 30)
		d.Change(before, after)
		if got := apply(t, Lines(before), d.String()); strings.Join(got, "\n") != strings.Join(Lines(after), "\n") {
			t.Errorf("%q to %q:\n%s", before, after, d)
		}
	})
}

func apply(t *testing.T, lines []string, diff string) (result []string) {
	t.Helper()
	at := 0
	for _, line := range Lines(diff) {
		switch {
		case strings.HasPrefix(line, "@@"):
			var start, n, newStart, m int
			if _, err := fmt.Sscanf(line, "@@ -%d,%d +%d,%d @@", &start, &n, &newStart, &m); err != nil {
				t.Fatal(line, err)
			}
			for at < start-1 {
				result = append(result, lines[at])
				at++
			}
		case line[0] == '+':
			result = append(result, line[1:])
		case line[0] == '\\':
		case at >= len(lines) || lines[at] != line[1:]:
			t.Fatalf("%q is not line %d", line, at+1)
		case line[0] == ' ':
			result = append(result, lines[at])
			at++
		default:
			at++
		}
	}
	return append(result, lines[at:]...)
}
