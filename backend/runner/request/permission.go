package request

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/claude"
)

// shownMost is how much of a diff or an input a permission shows, in bytes.
const shownMost = 32 << 10

// describePermission says what a permission request is about.
func describePermission(req claude.Request) *beckon.PermissionRequest {
	in := claude.DecodeToolInput(req.Input)
	p := beckon.PermissionRequest{
		Tool: req.ToolName, Description: req.Description, Command: in.Command,
		Path: cmp.Or(in.FilePath, in.NotebookPath, req.BlockedPath, in.URL), Diff: diffOf(in),
		Input: beckon.Cut(string(req.Input), shownMost), Digest: Digest(req.Input), Always: alwaysWords(req.Suggestions, in.Command),
		Lasting: lasting(req.Suggestions, in.Command), Destructive: destroys(in.Command),
	}
	return &p
}

// Digest tells inputs of tools apart.
func Digest(input []byte) string {
	sum := sha256.Sum256(input)
	return hex.EncodeToString(sum[:])
}

// diffOf shows what an edit would change, as a unified diff of its strings.
func diffOf(in claude.ToolInput) string {
	if in.NewString == "" && in.OldString == "" && in.Content == "" {
		return ""
	}
	before, after := lines(in.OldString), lines(cmp.Or(in.NewString, in.Content))
	var diff strings.Builder
	fmt.Fprintf(&diff, "@@ -1,%d +1,%d @@\n", len(before), len(after))
	for _, line := range before {
		diff.WriteString("-" + line + "\n")
	}
	for _, line := range after {
		diff.WriteString("+" + line + "\n")
	}
	return beckon.Cut(diff.String(), shownMost)
}

func lines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}
