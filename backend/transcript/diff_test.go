package transcript

import "testing"

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
	} {
		var d diff
		d.change(c.before, c.after)
		if got := d.text(); got != c.want {
			t.Errorf("%q to %q:\n%s", c.before, c.after, got)
		}
	}
}
