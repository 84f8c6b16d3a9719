package spending

import (
	"regexp"
	"strconv"
	"strings"
)

// Money says an amount in a language: $5.02, 5,02 $.
func Money(usd float64, language string) string {
	text := strconv.FormatFloat(usd, 'f', 2, 64)
	if language == "de" {
		return strings.Replace(text, ".", ",", 1) + " $"
	}
	return "$" + text
}

// Tokens says a count of tokens in a language, in thousands or millions where it has some.
func Tokens(n int64, language string) string {
	text, unit := strconv.FormatInt(n, 10), ""
	switch {
	case n >= 1e6:
		text, unit = strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64), " M"
	case n >= 1e3:
		text, unit = strconv.FormatInt((n+500)/1000, 10), "k"
	}
	if language == "de" {
		text = strings.Replace(text, ".", ",", 1)
		if unit == "k" {
			unit = " Tsd."
		}
		return text + unit + " Tokens"
	}
	return text + unit + " tokens"
}

// In says the limit in a language: its money, or its tokens where it has no money.
func (l Limit) In(language string) string {
	if l.USD > 0 {
		return Money(l.USD, language)
	}
	return Tokens(l.Tokens, language)
}

// Of says what was spent in a language, in what the limit is in.
func (l Limit) Of(s Sum, language string) string {
	if l.USD > 0 {
		return Money(s.CostUSD, language)
	}
	return Tokens(s.Tokens, language)
}

// Above reports whether the limit allows more than what was spent.
func (l Limit) Above(s Sum) bool {
	return (l.USD <= 0 || l.USD > s.CostUSD) && (l.Tokens <= 0 || l.Tokens > s.Tokens)
}

// The largest limits.
const (
	MostUSD    = 1e6
	MostTokens = 1e12
)

// grouped is a count whose thousands are set apart, in either language.
var grouped = regexp.MustCompile(`^\d{1,3}([.,]\d{3})+$`)

// ParseLimit reads what a user typed as a limit, in money or tokens as the one that it is to
// replace: $8, 8.50, 8,50 $; 1,500, 500k, 2M. Tokens beside the money stay.
func ParseLimit(text string, of Limit) (Limit, bool) {
	text = strings.ToLower(strings.Join(strings.Fields(text), ""))
	text = strings.Trim(strings.TrimSuffix(text, "tokens"), "$")
	factor, most := 1.0, float64(MostTokens)
	if of.USD > 0 {
		most = MostUSD
	} else if grouped.MatchString(text) {
		text = strings.NewReplacer(",", "", ".", "").Replace(text)
	}
	for unit, times := range map[string]float64{"k": 1e3, "tsd.": 1e3, "m": 1e6} {
		if of.USD <= 0 && strings.HasSuffix(text, unit) {
			text, factor = strings.TrimSuffix(text, unit), times
			break
		}
	}
	n, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	if n *= factor; err != nil || !(n > 0 && n <= most) {
		return of, false
	}
	if of.USD > 0 {
		of.USD = cents(n)
	} else {
		of.Tokens = int64(n)
	}
	return of, true
}
