package runner

import (
	"encoding/json"
	"strings"
	"testing"

	"beckon/backend/claude"
)

func TestAnEditIsShownAsADiff(t *testing.T) {
	wish := wishOf(claude.Request{ToolName: "Edit", Input: json.RawMessage(`{"file_path":"/w/a.go","old_string":"a\nb","new_string":"a\nc"}`)})
	if want := "@@ -1,2 +1,2 @@\n-a\n-b\n+a\n+c\n"; wish.Diff != want || wish.Path != "/w/a.go" {
		t.Errorf("path %q, diff %q; want %q", wish.Path, wish.Diff, want)
	}
	huge := wishOf(claude.Request{ToolName: "Write", Input: json.RawMessage(`{"content":"` + strings.Repeat("é", wishMost) + `"}`)})
	if len(huge.Diff) > wishMost+len("…") || strings.ContainsRune(huge.Diff, '\uFFFD') {
		t.Errorf("a huge diff is shown with %d bytes", len(huge.Diff))
	}
}
