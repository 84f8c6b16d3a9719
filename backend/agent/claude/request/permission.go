package request

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
	"beckon/backend/linediff"
	"beckon/backend/plain"
)

// shownMost is how much of a diff or an input a permission shows, in bytes.
const shownMost = 32 << 10

// describePermission says what a permission request is about.
func describePermission(req claude.Request) *beckon.PermissionRequest {
	in := claude.DecodeToolInput(req.Input)
	p := beckon.PermissionRequest{
		Tool: req.ToolName, Description: descriptionOf(req, in), Command: in.Command,
		Path: cmp.Or(in.FilePath, in.NotebookPath, req.BlockedPath, in.URL), Diff: diffOf(req.ToolName, in),
		Input: plain.Cut(string(req.Input), shownMost), Digest: Digest(req.Input),
		Always:  alwaysWords(req.Suggestions, in.Command),
		Lasting: lasting(req.Suggestions, in.Command), Destructive: destroys(in.Command),
	}
	if req.ReasonType == claude.ReasonHook {
		p.Reason = req.Reason
	}
	return &p
}

// descriptionOf returns what the agent says of a call. A session file and a hook
// have it only where the call itself does, as a command's.
func descriptionOf(req claude.Request, in claude.ToolInput) string {
	if in.Command == "" {
		return req.Description
	}
	return cmp.Or(req.Description, in.Description)
}

// Digest tells inputs of tools apart.
func Digest(input []byte) string {
	sum := sha256.Sum256(input)
	return hex.EncodeToString(sum[:])
}

// diffOf shows what a call would change in a file.
func diffOf(tool string, in claude.ToolInput) string {
	d := linediff.New(shownMost)
	for _, c := range in.Changes(tool) {
		d.Change(c.Before, c.After)
	}
	return d.String()
}
