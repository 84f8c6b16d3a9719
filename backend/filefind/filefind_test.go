package filefind

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"
)

// tree is what a repository of n files looks like.
func tree(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("services/%s/internal/module%03d/handler_%05d.go", []string{"billing", "accounts", "search", "mail"}[i%4], i/100, i)
	}
	return names
}

func TestTheFileThatWasMeantComesFirst(t *testing.T) {
	t.Parallel()
	f := newFiles([]string{
		"app.go", "backend/", "backend/runner/", "backend/runner/live.go", "backend/transcript/live.go",
		"docs/Lieferung.md", "frontend/src/live/view.ts", "README.md", "Übersicht.md", "backend/olive.go",
	})
	for typed, want := range map[string]string{
		"live.go":    "backend/runner/live.go",
		"trlive":     "backend/transcript/live.go",
		"readme":     "README.md",
		"run/":       "backend/runner/",
		"ubersicht":  "Übersicht.md",
		"Lief":       "docs/Lieferung.md",
		"nosuchfile": "",
		"":           "app.go",
	} {
		got := append(f.find(typed, 3), "")
		if got[0] != want {
			t.Errorf("%q finds %q first, want %q", typed, got, want)
		}
	}
	if got := f.find("READMe", 3); len(got) != 0 {
		t.Errorf("capitals that the name does not have find %q", got)
	}
	if got := f.find("e", 2); len(got) != 2 {
		t.Errorf("%q; want no more than were asked for", got)
	}
}

func TestTheBestOfVeryManyIsFound(t *testing.T) {
	t.Parallel()
	f := newFiles(append(tree(20_000), "zz/handler.go", "zz/module_handler/readme.md"))
	for typed, want := range map[string]string{
		"handler": "zz/handler.go", "mohare": "zz/module_handler/readme.md",
		"search00078": "services/search/internal/module000/handler_00078.go",
	} {
		if got := append(f.find(typed, 10), ""); got[0] != want {
			t.Errorf("%q finds %q first, want %q", typed, got[0], want)
		}
	}
}

func TestAFolderIsListedOnceForManyKeystrokes(t *testing.T) {
	t.Parallel()
	var s listings
	lists := 0
	list := func(context.Context) ([]string, error) { lists++; return []string{fmt.Sprint("file", lists)}, nil }
	var later []func(context.Context)
	background := func(work func(context.Context)) { later = append(later, work) }
	ask := func() []string {
		t.Helper()
		f, err := s.of(t.Context(), "dir", background, list)
		if err != nil {
			t.Fatal(err)
		}
		return f.names
	}
	ask()
	ask()
	if lists != 1 || len(later) != 0 {
		t.Fatalf("%d listings, %d more to come; want one", lists, len(later))
	}
	s.recent[0].made = time.Now().Add(-time.Minute)
	if got := ask(); got[0] != "file1" || len(later) != 1 {
		t.Fatalf("an old listing gives %q at once and %d to come", got, len(later))
	}
	ask()
	later[0](t.Context())
	if got := ask(); got[0] != "file2" || len(later) != 1 {
		t.Errorf("after the listing was made again: %q, %d to come", got, len(later))
	}
	for i := range keptFolders {
		if _, err := s.of(t.Context(), fmt.Sprint(i), background, list); err != nil {
			t.Fatal(err)
		}
	}
	if slices.ContainsFunc(s.recent, func(l *listing) bool { return l.dir == "dir" }) {
		t.Error("the folder that nobody asks about is still kept")
	}
}

func TestAFolderThatCanNotBeListedIsTriedAgain(t *testing.T) {
	t.Parallel()
	var s listings
	broken := errors.New("broken")
	if _, err := s.of(t.Context(), "dir", nil, func(context.Context) ([]string, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Fatalf("error %v", err)
	}
	f, err := s.of(t.Context(), "dir", nil, func(context.Context) ([]string, error) { return []string{"a"}, nil })
	if err != nil || len(f.names) != 1 {
		t.Errorf("files %v, %v", f, err)
	}
}

// BenchmarkFind is a keystroke among 100,000 files; what is printed should
// stay below 20 ms.
func BenchmarkFind(b *testing.B) {
	f := newFiles(tree(100_000))
	for _, typed := range []string{"", "h", "handler", "mailmod4h77"} {
		b.Run("typed="+typed, func(b *testing.B) {
			for b.Loop() {
				f.find(typed, 20)
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/keystroke")
		})
	}
}
