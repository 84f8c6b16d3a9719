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
const names = `[A-Za-z0-9_.-]*(?i:token|passwo?r?d|passphrase|secret|api_?key|access_?key|private_?key|credentials?)`

// assigned has a word of each of the names.
var assigned = []string{"token", "passw", "passphrase", "secret", "key", "credential"}

var secrets = []secret{
	{[]string{"private key"}, regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?s:.*?)(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\z)`), hidden},
	{[]string{"sk-"}, regexp.MustCompile(edge + `sk-[A-Za-z0-9_-]{16,}`), "${1}" + hidden},
	{[]string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "npm_"}, regexp.MustCompile(edge + `(?:gh[pousr]_|github_pat_|glpat-|npm_)[A-Za-z0-9_-]{16,}`), "${1}" + hidden},
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
