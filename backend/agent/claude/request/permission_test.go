package request

import (
	"encoding/json"
	"strings"
	"testing"

	"beckon/backend/agent/claude"
)

func TestAnEditIsShownAsADiff(t *testing.T) {
	edit := describePermission(claude.Request{
		ToolName: "Edit",
		Input:    json.RawMessage(`{"file_path":"/w/a.go","old_string":"a\nb","new_string":"a\nc"}`),
	})
	if want := "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"; edit.Diff != want || edit.Path != "/w/a.go" {
		t.Errorf("path %q, diff %q; want %q", edit.Path, edit.Diff, want)
	}
	many := describePermission(claude.Request{
		ToolName: "MultiEdit",
		Input:    json.RawMessage(`{"file_path":"/w/a.go","edits":[{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":""}]}`),
	})
	if want := "@@ -1,1 +1,1 @@\n-a\n+b\n@@ -1,1 +0,0 @@\n-c\n"; many.Diff != want {
		t.Errorf("several edits: diff %q; want %q", many.Diff, want)
	}
	huge := describePermission(claude.Request{
		ToolName: "Write",
		Input:    json.RawMessage(`{"content":"` + strings.Repeat("é", shownMost) + `"}`),
	})
	if len(huge.Diff) > shownMost+len("…") || strings.ContainsRune(huge.Diff, '\uFFFD') {
		t.Errorf("a huge diff is shown with %d bytes", len(huge.Diff))
	}
}

// TestWhyAHookAsksIsShown: in the hook's words; what else the CLI says of its reasons is not.
func TestWhyAHookAsksIsShown(t *testing.T) {
	for kind, want := range map[string]string{"hook": "touches billing", "other": ""} {
		edit := describePermission(claude.Request{
			ToolName: "Edit", Input: json.RawMessage(`{"file_path":"/w/billing.go"}`),
			Reason: "touches billing", ReasonType: kind,
		})
		if edit.Reason != want {
			t.Errorf("%s: %q", kind, edit.Reason)
		}
	}
}

// TestACommandOfASessionElsewhereIsShownWithItsDescription: of such a call only
// the input is known, and its dialog has the description.
func TestACommandOfASessionElsewhereIsShownWithItsDescription(t *testing.T) {
	command := describePermission(claude.Request{
		ToolName: "Bash",
		Input:    json.RawMessage(`{"command":"make","description":"build it"}`),
	})
	if command.Description != "build it" {
		t.Errorf("a command is described by %q", command.Description)
	}
	post := describePermission(claude.Request{
		ToolName: "mcp__tracker__add",
		Input:    json.RawMessage(`{"description":"an argument"}`),
	})
	if post.Description != "" {
		t.Errorf("a tool's argument is taken for what the agent says: %q", post.Description)
	}
}

// TestOnlyAnEditIsShownAsADiff: a diff is shown in the place of the input, so a
// tool that has more than a text to approve must not have one.
func TestOnlyAnEditIsShownAsADiff(t *testing.T) {
	post := describePermission(claude.Request{
		ToolName: "mcp__chat__post",
		Input:    json.RawMessage(`{"channel":"everyone","content":"hello"}`),
	})
	if post.Diff != "" || !strings.Contains(post.Input, "everyone") {
		t.Errorf("a message to a channel is shown as the diff %q of the input %q", post.Diff, post.Input)
	}
}
