package export

import (
	"regexp"
	"slices"
	"strings"

	"beckon/backend/beckon"
)

// hidden stands for a secret.
const hidden = "[masked]"

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
	{[]string{"private key"}, regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?s:.*?)(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\z)`), hidden},
	{[]string{"sk-"}, regexp.MustCompile(edge + `sk-[A-Za-z0-9_-]{16,}`), "${1}" + hidden},
	{[]string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "npm_"}, regexp.MustCompile(edge + `(?:gh[pousr]_|github_pat_|glpat-|npm_)[A-Za-z0-9_-]{16,}`), "${1}" + hidden},
	{[]string{"sk_live_", "sk_test_", "rk_live_", "rk_test_"}, regexp.MustCompile(edge + `[sr]k_(?:live|test)_[A-Za-z0-9]{10,}`), "${1}" + hidden}, // of payments
	{[]string{"hf_", "dop_v1_"}, regexp.MustCompile(edge + `(?:hf_[A-Za-z0-9]{20,}|dop_v1_[a-f0-9]{20,})`), "${1}" + hidden},
	{[]string{"sg."}, regexp.MustCompile(edge + `SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`), "${1}" + hidden},
	{[]string{"xox"}, regexp.MustCompile(edge + `xox[a-z]-[A-Za-z0-9-]{10,}`), "${1}" + hidden},
	{[]string{"akia", "asia"}, regexp.MustCompile(edge + `(?:AKIA|ASIA)[A-Z0-9]{16}\b`), "${1}" + hidden},
	{[]string{"aiza"}, regexp.MustCompile(edge + `AIza[A-Za-z0-9_-]{30,}`), "${1}" + hidden},
	{[]string{":aa"}, regexp.MustCompile(edge + `[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}`), "${1}" + hidden}, // of a chat bot
	{[]string{"eyj"}, regexp.MustCompile(edge + `eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?`), "${1}" + hidden},
	{[]string{"bearer"}, regexp.MustCompile(`(?i)\b(bearer\s+)[A-Za-z0-9._~+/=-]*[0-9._~+/=-][A-Za-z0-9._~+/=-]*`), "${1}" + hidden},
	{[]string{"authorization"}, regexp.MustCompile(`(?i)(authorization\\?["']?\s*[:=]\s*\\?["']?(?:basic|token)\s+)[^\s"'\\]+`), "${1}" + hidden},
	{[]string{"://"}, regexp.MustCompile(`(://[^/\s:@]*:)[^@\s/]+@`), "${1}" + hidden + "@"},
	// In a shell or a file of variables, bare or in quotes.
	{assigned, regexp.MustCompile(`(` + names + `=)(?:\\?"[^"\\]+|\\?'[^'\\]+|[^\s"'\\&;]{4,})`), "${1}" + hidden},
	// As an argument of its own, and as a header of HTTP.
	{assigned, regexp.MustCompile(`(--?` + names + `\s+)(?:\\?"[^"\\]+|\\?'[^'\\]+|[^\s"'\\&;|<>$-][^\s"'\\&;|<>]{3,})`), "${1}" + hidden},
	{[]string{"x-"}, regexp.MustCompile(`(?i)(\bx-[a-z-]*(?:key|token|secret)\\?["']?\s*:\s*\\?["']?)[^\s"'\\]{4,}`), "${1}" + hidden},
	// In .netrc.
	{[]string{"machine", "login"}, regexp.MustCompile(`((?:\bmachine\s+\S+|\bdefault)\s+login\s+\S+\s+password\s+)\S+`), "${1}" + hidden},
	// In YAML without quotes: names in capitals have values, and so have others
	// with a digit in them; else it is a type or prose.
	{assigned, regexp.MustCompile(`(\b[A-Z0-9_]*(?:TOKEN|PASSWO?R?D|PASSPHRASE|SECRET|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY)[ \t]*:[ \t]+)[^\s"'\\\[{(<$]{4,}`), "${1}" + hidden},
	{assigned, regexp.MustCompile(`(?m)(^[ \t-]*` + names + `[ \t]*:[ \t]+)(?:[A-Za-z_.~+/=!@#%^*-]{4,}[0-9]|[A-Za-z_.~+/=!@#%^*-]+[0-9][^\s"'\\\[{(<$,;]{3})[^\s"'\\\[{(<$,;]*$`), "${1}" + hidden},
	// In JSON and YAML, in quotes.
	{assigned, regexp.MustCompile(`(` + names + `\\?["']?\s*:\s*\\?["'])[^"'\\]+`), "${1}" + hidden},
}

// mask hides what looks like a secret. It would rather hide too much.
func mask(text string) string {
	lower := strings.ToLower(text)
	for _, s := range secrets {
		if slices.ContainsFunc(s.needs, func(word string) bool { return strings.Contains(lower, word) }) {
			text = s.pattern.ReplaceAllString(text, s.masked)
		}
	}
	return text
}

// masked is an entry without its secrets.
func masked(e beckon.Entry) beckon.Entry {
	e.Text = mask(e.Text)
	if e.Tool != nil {
		t := *e.Tool
		for _, text := range []*string{&t.Target, &t.Input, &t.Diff, &t.Result} {
			*text = mask(*text)
		}
		e.Tool = &t
	}
	if e.Turn != nil {
		t := *e.Turn
		t.Reason = mask(t.Reason)
		e.Turn = &t
	}
	return e
}
