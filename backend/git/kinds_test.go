package git

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/diff"
)

// kindOfChange is a change that is not lines alone: what was there, what the task makes
// of it, and what the diff says.
type kindOfChange struct {
	first map[string]string
	work  func(b *bench) error
	want  beckon.FileDiff // but for its Content
}

const sub = "1111111111111111111111111111111111111111"

var kindsOfChange = map[string]kindOfChange{
	"binary": {
		first: map[string]string{"a.bin": "\x00" + strings.Repeat("x", 999)},
		work:  func(b *bench) error { b.write(b.w.Dir, "a.bin", "\x00"+strings.Repeat("x", 1499)); return nil },
		want:  beckon.FileDiff{Path: "a.bin", Kind: "file", Change: "M", Binary: true, OldSize: 1000, Size: 1500},
	},
	"binary that is new": {
		work: func(b *bench) error { b.write(b.w.Dir, "new.png", "\x89PNG\x00"); return nil },
		want: beckon.FileDiff{Path: "new.png", Kind: "file", Change: "A", Binary: true, Size: 5},
	},
	"binary that is gone": {
		first: map[string]string{"a.bin": "\x00\x01"},
		work:  func(b *bench) error { return os.Remove(filepath.Join(b.w.Dir, "a.bin")) },
		want:  beckon.FileDiff{Path: "a.bin", Kind: "file", Change: "D", Binary: true, OldSize: 2},
	},
	"rename with a line changed": {
		first: map[string]string{"old.txt": strings.Repeat("a line of it\n", 20)},
		work: func(b *bench) error {
			b.write(b.w.Dir, "dir/new.txt", strings.Repeat("a line of it\n", 19)+"another line\n")
			return os.Remove(filepath.Join(b.w.Dir, "old.txt"))
		},
		want: beckon.FileDiff{
			Path: "dir/new.txt", OldPath: "old.txt", Kind: "file", Change: "R", Similar: 95, Added: 1, Removed: 1,
			Patch: "@@ -17,4 +17,4 @@ a line of it\n a line of it\n a line of it\n a line of it\n-a line of it\n+another line\n",
		},
	},
	"link": {
		work: func(b *bench) error { return os.Symlink("/etc/passwd", filepath.Join(b.w.Dir, "link")) },
		want: beckon.FileDiff{
			Path: "link", Kind: "link", Change: "A", Added: 1,
			Patch: "@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n",
		},
	},
	"submodule": {
		work: func(b *bench) error {
			b.git(b.w.Dir, "update-index", "--add", "--cacheinfo", "160000,"+sub+",lib")
			b.git(b.w.Dir, "commit", "-q", "-m", "lib")
			return os.Mkdir(filepath.Join(b.w.Dir, "lib"), 0o755)
		},
		want: beckon.FileDiff{
			Path: "lib", Kind: "submodule", Change: "A", Added: 1,
			Patch: "@@ -0,0 +1 @@\n+Subproject commit " + sub + "\n",
		},
	},
	"pointer of LFS": {
		first: map[string]string{"large.psd": pointer},
		work: func(b *bench) error {
			b.write(b.w.Dir, "large.psd", strings.Replace(pointer, "size 12345", "size 99999", 1))
			return nil
		},
		want: beckon.FileDiff{
			Path: "large.psd", Kind: "file", Change: "M", Added: 1, Removed: 1,
			Patch: "@@ -1,3 +1,3 @@\n" + " " + strings.ReplaceAll(strings.TrimSuffix(pointer, "size 12345\n"), "\noid",
				"\n oid") + "-size 12345\n+size 99999\n",
		},
	},
}

func TestADiffSaysWhatIsNoLine(t *testing.T) {
	t.Parallel()
	for name, c := range kindsOfChange {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first := map[string]string{"README.md": "# sample\n"}
			for path, text := range c.first {
				first[path] = text
			}
			b := withTask(t, first)
			if err := c.work(b); err != nil {
				t.Skip(err) // no links here
			}
			shown := must(b.repo.Diff(b.ctx, b.w, reviewing.View{}))(t)
			b.started(reviewing.View{})
			for _, f := range shown.Files {
				f.Content = ""
				if f == c.want {
					return
				}
			}
			t.Errorf("%+v\nwant %+v", shown.Files, c.want)
		})
	}
}

func TestAFileIsReadWholeOnBothSidesAndBounded(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.png": "\x89PNG old", "dir/b": "x"})
	b.write(b.w.Dir, "a.png", "\x89PNG newer")
	if err := os.Remove(filepath.Join(b.w.Dir, "dir/b")); err != nil {
		t.Fatal(err)
	}
	contentOf := func(of reviewing.Side, most int64) ([]byte, int64, error) {
		return diff.Content(b.ctx, b.repo.at(), must(b.repo.side(b.ctx, b.w, of.Before))(t), of.Path, most)
	}
	for of, want := range map[reviewing.Side]struct {
		content string
		size    int64
	}{
		{Path: "a.png", Before: true}:            {"\x89PNG old", 8},
		{Path: "a.png"}:                          {"\x89PNG newer", 10},
		{Path: "dir/b", Before: true}:            {"x", 1},
		{Path: "dir/b"}:                          {"", -1},
		{Path: "dir", Before: true}:              {"", -1}, // a folder
		{Path: "a.png\nHEAD:README.md"}:          {"", -1},
		{Path: "../../../../etc/passwd"}:         {"", -1},
		{Path: strings.Repeat("x/", 3000) + "x"}: {"", -1},
	} {
		content, size, err := contentOf(of, 100)
		if err != nil || string(content) != want.content || size != want.size {
			t.Errorf("%.40q is %q, %d bytes, %v", of.Path, content, size, err)
		}
	}
	if content, size, err := contentOf(reviewing.Side{Path: "a.png"}, 5); content != nil || size != 10 || err != nil {
		t.Errorf("of more than 5 bytes there are %q, %d, %v", content, size, err)
	}
}
