package dialog

import (
	"testing"

	"beckon/backend/beckon"
)

// TestAnEditIsKnownByBothItsSides, also where its lines are wrapped.
func TestAnEditIsKnownByBothItsSides(t *testing.T) {
	t.Parallel()
	head := []string{
		" Edit file", " docs/README.md", "╌╌╌╌╌╌╌╌╌╌",
		"  9  # sample", " 10", " 11  One line.", " 12 -Another line.", " 13 -The last.",
		" 12 +A longer line that goes over the edge of the pane for certai", "    +n.", " 13 +", " 14 +  The last.",
		"╌╌╌╌╌╌╌╌╌╌", " Do you want to make this edit to README.md?", "",
	}
	tests := []struct {
		name, path, input string
		want              bool
	}{
		{"the edit", "/home/dev/docs/README.md", `{"old_string":"Another line.\nThe last.","new_string":"A longer line that goes over the edge of the pane for certain.\n\n\tThe last."}`, true},
		{"a part of a line", "/home/dev/docs/README.md", `{"old_string":"nother line.\nThe","new_string":" longer line that goes over the edge of the pane for certain.\n\n\tThe"}`, true},
		{"a part of the change", "/home/dev/docs/README.md", `{"old_string":"Another","new_string":"A longer"}`, false},
		{"lines in one", "/home/dev/docs/README.md", `{"old_string":"Another line. The last.","new_string":"A longer line that goes over the edge of the pane for certain.\n\n\tThe last."}`, false},
		{"another file", "/home/dev/docs/CHANGES.md", `{"old_string":"Another","new_string":"A longer"}`, false},
		{"a file of that name elsewhere", "/home/dev/src/README.md", `{"old_string":"Another","new_string":"A longer"}`, false},
		{"another text before", "/home/dev/docs/README.md", `{"old_string":"Any line","new_string":"A longer"}`, false},
		{"another text after", "/home/dev/docs/README.md", `{"old_string":"Another","new_string":"A shorter"}`, false},
		{"the sides exchanged", "/home/dev/docs/README.md", `{"old_string":"A longer","new_string":"Another"}`, false},
		{"no change", "/home/dev/docs/README.md", `{"old_string":"","new_string":""}`, false},
		{"no input", "/home/dev/docs/README.md", ``, false},
		{"no file", "", `{"old_string":"Another","new_string":"A longer"}`, false},
	}
	for _, test := range tests {
		q := beckon.Question{Permission: &beckon.PermissionRequest{Tool: "Edit", Path: test.path, Input: test.input}}
		if got := showsEdit(q, head, Screen{dir: "/home/dev"}) == whole; got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
