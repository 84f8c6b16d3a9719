package claude

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/plain"
)

// Rule is a permission rule; an empty Content stands for the whole tool.
type Rule struct {
	Tool    string `json:"toolName"`
	Content string `json:"ruleContent,omitempty"`
}

// String writes r as settings.json has it: a backslash precedes every
// parenthesis and backslash of the content, since the CLI ends a rule at the
// last parenthesis that has none.
func (r Rule) String() string {
	if r.Content == "" {
		return r.Tool
	}
	return r.Tool + "(" + strings.NewReplacer(`\`, `\\`, `(`, `\(`, `)`, `\)`).Replace(r.Content) + ")"
}

var toolName = regexp.MustCompile(`^[A-Za-z][\w-]*$`)

// ParseRule reads what String writes, and content whose parentheses come in
// pairs without a backslash. It refuses all that could be read as more than
// one rule, with beckon.ErrInvalid.
func ParseRule(text string) (Rule, error) {
	tool, rest, hasContent := strings.Cut(text, "(")
	if !toolName.MatchString(tool) {
		return Rule{}, fmt.Errorf("%.80q is no permission rule, such as Bash(make test): %w", text, beckon.ErrInvalid)
	}
	if strings.ContainsFunc(text, plain.Hidden) {
		return Rule{}, fmt.Errorf("the permission rule %.80q has characters that cannot be seen: %w", text, beckon.ErrInvalid)
	}
	if !hasContent {
		return Rule{Tool: tool}, nil
	}
	content, ok := unescape(rest)
	if !ok || content == "" {
		return Rule{}, fmt.Errorf("the parentheses of the permission rule %.80q do not match; write \\( and \\) for those of a command: %w",
			text, beckon.ErrInvalid)
	}
	return Rule{tool, content}, nil
}

// SoundRules returns the rules that a run can be given, each for itself, and
// why the others cannot.
func SoundRules(rules []string) (sound []string, unsound error) {
	sound = make([]string, 0, len(rules))
	for _, rule := range rules {
		_, err := ParseRule(rule)
		if len(rule) > beckon.MaxRule {
			err = beckon.Invalid("a permission rule has at most %d KB, and %.80q is longer", beckon.MaxRule>>10, rule)
		}
		if err != nil {
			unsound = errors.Join(unsound, err)
			continue
		}
		sound = append(sound, rule)
	}
	return sound, unsound
}

// unescape reads a rule's content up to the parenthesis that closes it, which
// must be the last character.
func unescape(s string) (string, bool) {
	var content strings.Builder
	for depth, i := 1, 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && strings.IndexByte(`\()`, s[i+1]) >= 0:
			i++
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
		if depth == 0 {
			return content.String(), i == len(s)-1
		}
		content.WriteByte(s[i])
	}
	return "", false
}
