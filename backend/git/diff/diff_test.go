package diff_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/git/diff"
)

func TestACardCarriesNoMorePathsThanItCan(t *testing.T) {
	t.Parallel()
	var files []beckon.FileDiff
	for i := range diff.MaxPaths + 1 {
		files = append(files, beckon.FileDiff{Path: fmt.Sprintf("%03d", i)})
	}
	if paths := diff.Paths(files); len(paths) != diff.MaxPaths || paths[0] != "000" {
		t.Errorf("%d paths from %s on", len(paths), paths[0])
	}
	long := strings.Repeat("x", diff.MaxPathText)
	if paths := diff.Paths([]beckon.FileDiff{{Path: "a"}, {Path: long}, {Path: "b"}}); !slices.Equal(paths,
		[]string{"a", "b"}) {
		t.Errorf("with one that is too long: %d paths", len(paths))
	}
	if paths := diff.Paths(nil); paths == nil || len(paths) != 0 {
		t.Errorf("of no files: %#v", paths)
	}
}
