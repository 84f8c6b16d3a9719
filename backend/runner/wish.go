package runner

import (
	"encoding/json"
	"fmt"
	"regexp"
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
		Input: cut(string(req.Input), wishMost), Always: alwaysWords(req.Suggestions),
		Lasting: lasting(req.Suggestions),
	}
	if w.Path == "" {
		w.Path = in.URL
	}
	w.Destructive = destroys.MatchString(in.Command)
	return &w
}

// destroys finds commands whose effect can hardly be taken back.
var destroys = regexp.MustCompile(`(?i)\brm\s+(-\w*\s+)*-\w*[rf]|\bgit\s+(push\b.*(--force|\s-f\b|\s\+)|reset\s+--hard|clean\b.*-\w*f|branch\s+-D|stash\s+(drop|clear))|\bmkfs|\bdd\s+.*\bof=|\bshred\b|\b(drop|truncate)\s+(table|database|schema)\b|\bdelete\s+from\b|>\s*/dev/sd|\b(kubectl|terraform|helm)\s+(delete|destroy|uninstall)\b|\bfind\b.*\s-delete\b|\bsudo\b|\b(curl|wget)\b.*\|\s*(ba|z)?sh\b`)

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

// alwaysWords says what passing the suggestions back would allow from then
// on. It is empty when there are none, or when one can not be put into words:
// nobody agrees to what they can not read.
func alwaysWords(suggestions []json.RawMessage) string {
	words := make([]string, 0, len(suggestions))
	for _, raw := range suggestions {
		p, err := claude.DecodePermission(raw)
		said := permissionWords(p)
		if err != nil || said == "" {
			return ""
		}
		words = append(words, said)
	}
	return strings.Join(words, "; ")
}

// lasting returns the rules among the suggestions: what a project can keep. A
// mode or a folder is for the session alone.
func lasting(suggestions []json.RawMessage) []string {
	rules := []string{}
	for _, raw := range suggestions {
		p, err := claude.DecodePermission(raw)
		if err != nil || p.Type != "addRules" || p.Behavior != "allow" {
			continue
		}
		for _, r := range p.Rules {
			if rule := ruleWords(r); checkAllowed([]string{rule}) == nil {
				rules = append(rules, rule)
			}
		}
	}
	return rules
}

// ruleWords writes a rule as --allowedTools takes it.
func ruleWords(r claude.Rule) string {
	if r.Content == "" {
		return r.Tool
	}
	return r.Tool + "(" + r.Content + ")"
}

func permissionWords(p claude.Permission) string {
	switch {
	case p.Type == "addRules" && p.Behavior == "allow":
		rules := make([]string, 0, len(p.Rules))
		for _, r := range p.Rules {
			rules = append(rules, ruleWords(r))
		}
		return strings.Join(rules, ", ")
	case p.Type == "addDirectories":
		return strings.Join(p.Directories, ", ")
	case p.Type == "setMode" && p.Mode == string(beckon.ModeAcceptEdits):
		return "acceptEdits"
	default:
		return ""
	}
}
