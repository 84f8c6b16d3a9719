package runner

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/claude"
)

// wishMost is how much of a diff or an input a permission shows, in bytes.
const wishMost = 32 << 10

// wishOf tells what a permission request is about.
func wishOf(req claude.Request) *beckon.PermissionWish {
	in := claude.DecodeToolInput(req.Input)
	w := beckon.PermissionWish{
		Tool: req.ToolName, Description: req.Description, Command: in.Command,
		Path: or(or(in.FilePath, in.NotebookPath), req.BlockedPath), Diff: diffOf(in),
		Input: cut(string(req.Input), wishMost), Digest: digest(req.Input), Always: alwaysWords(req.Suggestions, in.Command),
		Lasting: lasting(req.Suggestions, in.Command),
	}
	if w.Path == "" {
		w.Path = in.URL
	}
	w.Destructive = destroys(in.Command)
	return &w
}

// digest tells inputs of tools apart.
func digest(input []byte) string {
	sum := sha256.Sum256(input)
	return hex.EncodeToString(sum[:])
}

// diffOf shows what an edit would change, as a unified diff of its strings.
func diffOf(in claude.ToolInput) string {
	if in.NewString == "" && in.OldString == "" && in.Content == "" {
		return ""
	}
	before, after := lines(in.OldString), lines(or(in.NewString, in.Content))
	var diff strings.Builder
	fmt.Fprintf(&diff, "@@ -1,%d +1,%d @@\n", len(before), len(after))
	for _, line := range before {
		diff.WriteString("-" + line + "\n")
	}
	for _, line := range after {
		diff.WriteString("+" + line + "\n")
	}
	return cut(diff.String(), wishMost)
}

func lines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// cut shortens s to at most n bytes, at the end of a rune.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
