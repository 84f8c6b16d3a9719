// Package mask hides what looks like a secret in text that leaves Beckon. It would
// rather hide too much.
package mask

import (
	"regexp"
	"slices"
	"strings"
)

// Hidden stands for a secret.
const Hidden = "[masked]"

// secret is one kind of what is masked: of a match, what comes before the
// secret stays.
type secret struct {
	// needs are words of which a text with such a secret has one, in lower
	// case: most texts have none, and patterns are slow.
	needs   []string
	pattern *regexp.Regexp
	masked  string
}

// A secret may follow an escaped line end, as in a tool's input, so that it
// does not begin a word.
const edge = `(\b|\\[nrt])`

// names are those of what is assigned a secret.
const names = `[A-Za-z0-9_.-]*(?i:token|passwo?r?d|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)`

// assigned has a word of each of the names.
var assigned = []string{"token", "passw", "passphrase", "secret", "key", "credential"}

var secrets = []secret{
	{[]string{"private key"}, regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?s:.*?)(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\z)`), Hidden},
	{[]string{"sk-"}, regexp.MustCompile(edge + `sk-[A-Za-z0-9_-]{16,}`), "${1}" + Hidden},
	{[]string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "npm_"}, regexp.MustCompile(edge + `(?:gh[pousr]_|github_pat_|glpat-|npm_)[A-Za-z0-9_-]{16,}`), "${1}" + Hidden},
	{[]string{"sk_live_", "sk_test_", "rk_live_", "rk_test_"}, regexp.MustCompile(edge + `[sr]k_(?:live|test)_[A-Za-z0-9]{10,}`), "${1}" + Hidden}, // of payments
	{[]string{"hf_", "dop_v1_"}, regexp.MustCompile(edge + `(?:hf_[A-Za-z0-9]{20,}|dop_v1_[a-f0-9]{20,})`), "${1}" + Hidden},
	{[]string{"sg."}, regexp.MustCompile(edge + `SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`), "${1}" + Hidden},
	{[]string{"xox"}, regexp.MustCompile(edge + `xox[a-z]-[A-Za-z0-9-]{10,}`), "${1}" + Hidden},
	{[]string{"akia", "asia"}, regexp.MustCompile(edge + `(?:AKIA|ASIA)[A-Z0-9]{16}\b`), "${1}" + Hidden},
	{[]string{"aiza"}, regexp.MustCompile(edge + `AIza[A-Za-z0-9_-]{30,}`), "${1}" + Hidden},
	{[]string{":aa"}, regexp.MustCompile(edge + `[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}`), "${1}" + Hidden}, // of a chat bot
	{[]string{"eyj"}, regexp.MustCompile(edge + `eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?`), "${1}" + Hidden},
	{[]string{"bearer"}, regexp.MustCompile(`(?i)\b(bearer\s+)[A-Za-z0-9._~+/=-]*[0-9._~+/=-][A-Za-z0-9._~+/=-]*`), "${1}" + Hidden},
	{[]string{"authorization"}, regexp.MustCompile(`(?i)(authorization\\?["']?\s*[:=]\s*\\?["']?(?:basic|token)\s+)[^\s"'\\]+`), "${1}" + Hidden},
	{[]string{"://"}, regexp.MustCompile(`(://[^/\s:@]*:)[^@\s/]+@`), "${1}" + Hidden + "@"},
	// In a shell or a file of variables, bare or in quotes.
	{assigned, regexp.MustCompile(`(` + names + `=)(?:\\?"[^"\\]+|\\?'[^'\\]+|[^\s"'\\&;]{4,})`), "${1}" + Hidden},
	// As an argument of its own, and as a header of HTTP.
	{assigned, regexp.MustCompile(`(--?` + names + `\s+)(?:\\?"[^"\\]+|\\?'[^'\\]+|[^\s"'\\&;|<>$-][^\s"'\\&;|<>]{3,})`), "${1}" + Hidden},
	{[]string{"x-"}, regexp.MustCompile(`(?i)(\bx-[a-z-]*(?:key|token|secret)\\?["']?\s*:\s*\\?["']?)[^\s"'\\]{4,}`), "${1}" + Hidden},
	// In .netrc.
	{[]string{"machine", "login"}, regexp.MustCompile(`((?:\bmachine\s+\S+|\bdefault)\s+login\s+\S+\s+password\s+)\S+`), "${1}" + Hidden},
	// In YAML without quotes: names in capitals have values, and so have others
	// with a digit in them; else it is a type or prose.
	{assigned, regexp.MustCompile(`(\b[A-Z0-9_]*(?:TOKEN|PASSWO?R?D|PASSPHRASE|SECRET|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY)[ \t]*:[ \t]+)[^\s"'\\\[{(<$]{4,}`), "${1}" + Hidden},
	{assigned, regexp.MustCompile(`(?m)(^[ \t+-]*` + names + `[ \t]*:[ \t]+)(?:[A-Za-z_.~+/=!@#%^*-]{4,}[0-9]|[A-Za-z_.~+/=!@#%^*-]+[0-9][^\s"'\\\[{(<$,;]{3})[^\s"'\\\[{(<$,;]*$`), "${1}" + Hidden},
	// In JSON and YAML, in quotes.
	{assigned, regexp.MustCompile(`(` + names + `\\?["']?\s*:\s*\\?["'])[^"'\\]+`), "${1}" + Hidden},
}

// Text is text without what looks like a secret.
func Text(text string) string {
	lower := strings.ToLower(text)
	for _, s := range secrets {
		if slices.ContainsFunc(s.needs, func(word string) bool { return strings.Contains(lower, word) }) {
			text = s.pattern.ReplaceAllString(text, s.masked)
		}
	}
	return text
}
