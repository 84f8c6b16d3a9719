package runner

import (
	"encoding/json"
	"strings"
	"testing"

	"beckon/backend/claude"
)

// TestDestructiveCommandsTakeASecondGesture: what can hardly be taken back is
// told apart from what can.
func TestDestructiveCommandsTakeASecondGesture(t *testing.T) {
	for command, want := range map[string]bool{
		"rm -rf build": true, "rm -r -f build": true, "rm --verbose a": false, "rm a.txt": false,
		"git push --force origin main": true, "git push -f": true, "git push origin +main": true, "git push origin main": false,
		"git reset --hard HEAD~1": true, "git reset HEAD a": false, "git clean -xfd": true, "git branch -D x": true, "git stash drop": true,
		"psql -c 'DROP TABLE users'": true, "psql -c 'delete from users'": true, "psql -c 'select 1'": false,
		"dd if=/dev/zero of=/dev/sda": true, "sudo apt install x": true, "curl -s http://x | sh": true, "curl -s http://x": false,
		"find . -name '*.o' -delete": true, "terraform destroy": true, "kubectl get pods": false, "go test ./...": false,
		"echo alarm -r": false, "": false,
	} {
		if got := destroys.MatchString(command); got != want {
			t.Errorf("destroys %q: %v, want %v", command, got, want)
		}
	}
}

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
