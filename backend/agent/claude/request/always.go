package request

import (
	"encoding/json"
	"slices"
	"strings"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
)

// offered are the suggestions of the CLI's that "always allow" takes. Where it suggests rules
// it leaves a mode out, which would let all edits of files pass as well.
func offered(suggestions []json.RawMessage) []json.RawMessage {
	isMode := func(raw json.RawMessage) bool {
		p, err := claude.DecodePermission(raw)
		return err == nil && p.Type == "setMode"
	}
	rest := slices.DeleteFunc(slices.Clone(suggestions), isMode)
	if len(rest) == 0 {
		return suggestions
	}
	return rest
}

// alwaysWords says what passing the suggestions back would allow from then
// on. It is empty when there are none, or when one allows more than words can
// say: nobody agrees to what they cannot read.
func alwaysWords(suggestions []json.RawMessage, command string) string {
	words := make([]string, 0, len(suggestions))
	for _, raw := range offered(suggestions) {
		p, err := claude.DecodePermission(raw)
		said := permissionWords(p, command)
		if err != nil || said == "" {
			return ""
		}
		words = append(words, said)
	}
	return strings.Join(words, "; ")
}

func permissionWords(p claude.Permission, command string) string {
	switch {
	case p.Type == "addRules" && p.Behavior == "allow":
		return rulesWords(p.Rules, command)
	case p.Type == "addDirectories":
		return strings.Join(p.Directories, ", ")
	case p.Type == "setMode" && p.Mode == string(beckon.ModeAcceptEdits):
		return "acceptEdits"
	default:
		return ""
	}
}

func rulesWords(rules []claude.Rule, command string) string {
	words := make([]string, 0, len(rules))
	for _, r := range rules {
		if stretches(r, command) {
			return ""
		}
		words = append(words, r.String())
	}
	return strings.Join(words, ", ")
}

// lasting returns the rules among the suggestions: what a project can keep. A
// mode or a folder is for the session alone.
func lasting(suggestions []json.RawMessage, command string) []string {
	rules := []string{}
	for _, raw := range suggestions {
		p, err := claude.DecodePermission(raw)
		if err != nil || p.Type != "addRules" || p.Behavior != "allow" {
			continue
		}
		for _, r := range p.Rules {
			if sound, err := claude.SoundRules([]string{r.String()}); err == nil && !stretches(r, command) {
				rules = append(rules, sound...)
			}
		}
	}
	return rules
}

// stretches reports whether a suggested rule allows more than the command that
// is shown: the CLI suggests a command as it is, and then reads each star in
// it as "anything". It means a star so only at the end, where it puts one.
func stretches(r claude.Rule, command string) bool {
	pattern := r.Content
	if !strings.Contains(command, pattern) {
		for _, end := range []string{":*", " *", "/**"} {
			pattern = strings.TrimSuffix(pattern, end)
		}
	}
	return strings.Contains(pattern, "*")
}
