package git

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"beckon/backend/beckon"
)

// TestAFolderThatIsHalfFilledIsNotCommitted: Beckon may die, or the disk be full, while the
// files come back that were removed.
func TestAFolderThatIsHalfFilledIsNotCommitted(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 6 {
		files[fmt.Sprintf("%d.txt", i)] = "old\n"
	}
	for _, state := range []string{begun, filling} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			b := withTask(t, files)
			left := map[string]int{begun: 1, filling: 4}[state] // of the files, when Beckon died
			for i := left; i < len(files); i++ {
				if err := os.Remove(filepath.Join(b.w.Dir, fmt.Sprintf("%d.txt", i))); err != nil {
					t.Fatal(err)
				}
			}
			b.write(b.w.Dir, "new.txt", "new\n")
			b.write(b.w.Dir, "0.txt", "changed\n")
			b.write(must(b.repo.in(b.w.Dir).GitDir(b.ctx))(t), againFile, state)
			if _, _, err := b.repo.CommitAll(b.ctx, b.w, "m", nil); !errors.Is(err, beckon.ErrConflict) {
				t.Errorf("committed: %v", err)
			}
			if b.repo.MadeAgain(b.w) {
				t.Error("it is said to be whole")
			}
			if err := b.repo.Reconnect(b.ctx, b.w); err != nil {
				t.Fatal(err)
			}
			if _, ok, err := b.repo.CommitAll(b.ctx, b.w, "m", nil); !ok || err != nil {
				t.Fatalf("not committed: %v", err)
			}
			if got := b.git(b.w.Dir, "diff", "--name-status", "main"); got != "M\t0.txt\nA\tnew.txt" {
				t.Errorf("the branch differs by\n%s", got)
			}
			if !b.repo.MadeAgain(b.w) || b.repo.MadeAgain(b.w) {
				t.Error("that it was made again is to be said once")
			}
		})
	}
}

// TestWhatIsMissingFromAWholeFolderStaysDeleted: only its file .git was removed.
func TestWhatIsMissingFromAWholeFolderStaysDeleted(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n"})
	for _, name := range []string{".git", "c.txt"} {
		if err := os.Remove(filepath.Join(b.w.Dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.repo.Reconnect(b.ctx, b.w); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.repo.CommitAll(b.ctx, b.w, "m", nil); err != nil {
		t.Fatal(err)
	}
	if got := b.git(b.w.Dir, "diff", "--name-status", "main"); got != "D\tc.txt" || b.repo.MadeAgain(b.w) {
		t.Errorf("the branch differs by %q", got)
	}
}
