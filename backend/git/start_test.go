package git

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
)

// started returns what a page shows first, and fails where that is not what the whole
// has, as far as it is there.
func (b *bench) started(v reviewing.View) map[string]beckon.FileDiff {
	b.Helper()
	whole := must(b.repo.Diff(b.ctx, b.w, v))(b)
	v.Start = true
	start := must(b.repo.Diff(b.ctx, b.w, v))(b)
	found := map[string]beckon.FileDiff{}
	for i, f := range start.Files {
		found[f.Path] = f
		if f.Pending && i < len(whole.Files) && strings.HasPrefix(whole.Files[i].Patch, f.Patch) {
			whole.Files[i] = f
		}
	}
	if d := cmp.Diff(whole, start); d != "" {
		b.Error(d)
	}
	return found
}

func TestAPageStartsWithTheFilesThatItShowsFirst(t *testing.T) {
	t.Parallel()
	first := map[string]string{}
	for i := range 60 {
		first[fmt.Sprintf("b/%02d.txt", i)] = fmt.Sprintf("file %d\n", i)
	}
	long := strings.Repeat("a line of text\n", 40)
	first["a/x/old.txt"], first["a/x/gone"], first["c/same.txt"] = long+"one\n", "x\n", long+"two\n"
	b := withTask(t, first)
	for i := range 60 {
		b.write(b.w.Dir, fmt.Sprintf("b/%02d.txt", i), fmt.Sprintf("file  %d\n", i))
	}
	for i, name := range names {
		b.write(b.w.Dir, name, fmt.Sprintf("file %d\n", i))
	}
	b.git(b.w.Dir, "mv", "a/x/old.txt", "a/x/new.txt")
	b.git(b.w.Dir, "rm", "-q", "a/x/gone")
	b.write(b.w.Dir, "a/x/gone/dir", "a file in the place of one\n")
	b.git(b.w.Dir, "mv", "c/same.txt", "z.txt")
	b.write(b.w.Dir, "z.txt", long+"three\n")
	b.git(b.w.Dir, "add", "-A")
	for _, ignore := range []bool{false, true} {
		files := b.started(reviewing.View{IgnoreSpace: ignore})
		for path, pending := range map[string]bool{
			"z.txt": false, "a/x/new.txt": false, "a/x/gone": false,
			"a/x/gone/dir": false, "b/00.txt": false, "b/59.txt": true,
		} {
			if f, ok := files[path]; !ok || f.Pending != pending {
				t.Errorf("white space ignored: %v: %s is pending: %v", ignore, path, f.Pending)
			}
		}
	}
}

func TestAPageStartsWithTheBeginningOfALongFile(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	long := strings.Repeat("0123456789abcde\n", 20_000)
	b.write(b.w.Dir, "long.txt", long)
	if f := b.started(reviewing.View{})["long.txt"]; !f.Pending || f.Cut ||
		!strings.HasPrefix(f.Patch, "@@ -0,0 +1,20000 @@\n+0123") || len(f.Patch) > len(long)/2 {
		t.Errorf("alone: pending %v, cut %v, %d bytes", f.Pending, f.Cut, len(f.Patch))
	}
	for i := range 3 {
		b.write(b.w.Dir, filepath.Join("dir", fmt.Sprint(i)), long)
	}
	files := b.started(reviewing.View{})
	if f := files["long.txt"]; !f.Pending || f.Patch == "" {
		t.Errorf("the first of several: pending %v, %d bytes", f.Pending, len(f.Patch))
	}
	if f := files["dir/0"]; !f.Pending || f.Patch == "" {
		t.Errorf("the second: pending %v, %d bytes", f.Pending, len(f.Patch))
	}
	if f := files["dir/2"]; !f.Pending || f.Patch != "" || f.Cut || f.Added != 0 {
		t.Errorf("the last of several: %+v", f)
	}
}
