package request

import (
	"encoding/json"
	"strings"
	"testing"

	"beckon/backend/claude"
)

func TestAnEditIsShownAsADiff(t *testing.T) {
	edit := describePermission(claude.Request{ToolName: "Edit", Input: json.RawMessage(`{"file_path":"/w/a.go","old_string":"a\nb","new_string":"a\nc"}`)})
	if want := "@@ -1,2 +1,2 @@\n-a\n-b\n+a\n+c\n"; edit.Diff != want || edit.Path != "/w/a.go" {
		t.Errorf("path %q, diff %q; want %q", edit.Path, edit.Diff, want)
	}
	huge := describePermission(claude.Request{ToolName: "Write", Input: json.RawMessage(`{"content":"` + strings.Repeat("é", shownMost) + `"}`)})
	if len(huge.Diff) > shownMost+len("…") || strings.ContainsRune(huge.Diff, '\uFFFD') {
		t.Errorf("a huge diff is shown with %d bytes", len(huge.Diff))
	}
}
