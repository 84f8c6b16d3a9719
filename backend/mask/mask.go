// Package mask hides what looks like a secret in text that leaves Beckon. It would
// rather hide too much.
package mask

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"beckon/backend/plain"
)

// Hidden stands for a secret.
const Hidden = "[masked]"

// secret is one kind of what is masked: of a match, the first group, which comes
// before the secret, stays.
type secret struct {
	// needs are words of which a text with such a secret has one, in lower
	// case: most texts have none, and patterns are slow.
	needs   []string
	pattern *regexp.Regexp
	after   int // how many bytes of a match come after the secret, and stay
}

// A secret may follow an escaped line end, as in a tool's input, so that it
// does not begin a word.
const edge = `(\b|\\[nrt])`

// names are those of what is assigned a secret.
const names = `[A-Za-z0-9_.-]*(?i:token|passwo?r?d|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)`

// assigned has a word of each of the names.
var assigned = []string{"token", "passw", "passphrase", "secret", "key", "credential"}

var secrets = []secret{
	{[]string{"private key"}, regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?s:.*?)(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\z)`), 0},
	{[]string{"sk-"}, regexp.MustCompile(edge + `sk-[A-Za-z0-9_-]{16,}`), 0},
	{[]string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "npm_"}, regexp.MustCompile(edge + `(?:gh[pousr]_|github_pat_|glpat-|npm_)[A-Za-z0-9_-]{16,}`), 0},
	{[]string{"sk_live_", "sk_test_", "rk_live_", "rk_test_"}, regexp.MustCompile(edge + `[sr]k_(?:live|test)_[A-Za-z0-9]{10,}`), 0}, // of payments
	{[]string{"hf_", "dop_v1_"}, regexp.MustCompile(edge + `(?:hf_[A-Za-z0-9]{20,}|dop_v1_[a-f0-9]{20,})`), 0},
	{[]string{"sg."}, regexp.MustCompile(edge + `SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`), 0},
	{[]string{"xox"}, regexp.MustCompile(edge + `xox[a-z]-[A-Za-z0-9-]{10,}`), 0},
	{[]string{"akia", "asia"}, regexp.MustCompile(edge + `(?:AKIA|ASIA)[A-Z0-9]{16}\b`), 0},
	{[]string{"aiza"}, regexp.MustCompile(edge + `AIza[A-Za-z0-9_-]{30,}`), 0},
	{[]string{":aa"}, regexp.MustCompile(edge + `[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}`), 0}, // of a chat bot
	{[]string{"eyj"}, regexp.MustCompile(edge + `eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?`), 0},
	{[]string{"bearer"}, regexp.MustCompile(`(?i)\b(bearer\s+)[A-Za-z0-9._~+/=-]*[0-9._~+/=-][A-Za-z0-9._~+/=-]*`), 0},
	{[]string{"authorization"}, regexp.MustCompile(`(?i)(authorization\\?["']?\s*[:=]\s*\\?["']?(?:basic|token)\s+)[^\s"'\\]+`), 0},
	{[]string{"://"}, regexp.MustCompile(`(://[^/\s:@]*:)[^@\s/]+@`), 1},
	// In a shell or a file of variables, bare or in quotes.
	{assigned, regexp.MustCompile(`(` + names + `=)(?:\\?"[^"\\]+|\\?'[^'\\]+|[^\s"'\\&;]{4,})`), 0},
	// As an argument of its own, and as a header of HTTP.
	{assigned, regexp.MustCompile(`(--?` + names + `\s+)(?:\\?"[^"\\]+|\\?'[^'\\]+|[^\s"'\\&;|<>$-][^\s"'\\&;|<>]{3,})`), 0},
	{[]string{"x-"}, regexp.MustCompile(`(?i)(\bx-[a-z-]*(?:key|token|secret)\\?["']?\s*:\s*\\?["']?)[^\s"'\\]{4,}`), 0},
	// In .netrc.
	{[]string{"machine", "login"}, regexp.MustCompile(`((?:\bmachine\s+\S+|\bdefault)\s+login\s+\S+\s+password\s+)\S+`), 0},
	// In YAML without quotes: names in capitals have values, and so have others
	// with a digit in them; else it is a type or prose.
	{assigned, regexp.MustCompile(`(\b[A-Z0-9_]*(?:TOKEN|PASSWO?R?D|PASSPHRASE|SECRET|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY)[ \t]*:[ \t]+)[^\s"'\\\[{(<$]{4,}`), 0},
	{assigned, regexp.MustCompile(`(?m)(^[ \t+-]*` + names + `[ \t]*:[ \t]+)(?:[A-Za-z_.~+/=!@#%^*-]{4,}[0-9]|[A-Za-z_.~+/=!@#%^*-]+[0-9][^\s"'\\\[{(<$,;]{3})[^\s"'\\\[{(<$,;]*$`), 0},
	// In JSON and YAML, in quotes.
	{assigned, regexp.MustCompile(`(` + names + `\\?["']?\s*:\s*\\?["'])[^"'\\]+`), 0},
}

// tornMost is how far from its end a text may have been cut within a secret, in bytes.
const tornMost = 8 << 10

// torn are secrets of which a cut left the beginning, at the end of a text: too little
// of one to be known by its shape.
var torn = []secret{
	{pattern: regexp.MustCompile(edge + `(?:sk-|gh[pousr]_|github_pat_|glpat-|npm_|[sr]k_(?:live|test)_|hf_|dop_v1_|SG\.|xox[a-z]-|AKIA|ASIA|AIza|eyJ)[A-Za-z0-9_.-]*…?\s*\z`)},
	{pattern: regexp.MustCompile(edge + `[0-9]{8,10}:[A-Za-z0-9_-]+…?\s*\z`)},
	{pattern: regexp.MustCompile(`(://[^/\s:@]*:)[^@\s/]+\s*\z`)},
	{pattern: regexp.MustCompile(`(?i)\b(bearer\s+)\S+\s*\z`)},
	{pattern: regexp.MustCompile(`(?i)(authorization\\?["']?\s*[:=]\s*\\?["']?(?:basic|token)\s+)\S+\s*\z`)},
	{pattern: regexp.MustCompile(`(?i)(\bx-[a-z-]*(?:key|token|secret)\\?["']?\s*:\s*\\?["']?)\S+\s*\z`)},
	{pattern: regexp.MustCompile(`(` + names + `\\?["']?\s*[:=]\s*)(?:\\?["'][^"'\n]*|\S+)\z`)},
	{pattern: regexp.MustCompile(`(--?` + names + `\s+)(?:\\?["'][^"'\n]*|\S+)\z`)},
}

// Text is text without what looks like a secret, to the eye too: what terminals obey,
// characters that nobody sees, and backslashes of Markdown hide none. Of a text that
// ends in "…" a secret that was cut there is masked as well.
func Text(text string) string {
	return masked(text, strings.HasSuffix(strings.TrimRight(text, "\n"), "…"))
}

// Torn is Text for one whose end was cut off, perhaps within a secret.
func Torn(text string) string { return masked(text, true) }

func masked(text string, cut bool) string {
	spans := found(text, cut)
	if bare, at := plain.Bare(text); at != nil {
		for _, s := range found(bare, cut) {
			from := 0
			if s.from > 0 {
				from = at[s.from-1] + 1 // with what is hidden before it, such as its color
			}
			spans = append(spans, span{from, at[s.to-1] + 1})
		}
	}
	if len(spans) == 0 {
		return text
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	var b strings.Builder
	next := -1 // where the last secret ended
	for _, s := range spans {
		if s.from > next {
			b.WriteString(text[max(0, next):s.from] + Hidden)
		}
		next = max(next, s.to)
	}
	return b.String() + text[next:]
}

// span is where a secret is in a text. None is empty.
type span struct{ from, to int }

// found returns where the secrets of a text are, in any order.
func found(text string, cut bool) (spans []span) {
	lower := strings.ToLower(text)
	for _, s := range secrets {
		if slices.ContainsFunc(s.needs, func(word string) bool { return strings.Contains(lower, word) }) {
			spans = append(spans, s.in(text, 0)...)
		}
	}
	if cut {
		start := max(0, len(text)-tornMost)
		for _, s := range torn {
			spans = append(spans, s.in(text[start:], start)...)
		}
	}
	return spans
}

// in returns where such secrets are in the part of a text that begins at start.
func (s secret) in(text string, start int) (spans []span) {
	for _, m := range s.pattern.FindAllStringSubmatchIndex(text, -1) {
		from, to := m[0], m[1]-s.after
		if len(m) > 2 {
			from = m[3]
		}
		if from < to {
			spans = append(spans, span{start + from, start + to})
		}
	}
	return spans
}
