package driver

import (
	"regexp"
	"strings"

	"beckon/backend/agent/acp"
)

// The protocol has no word for a failure, so many a turn that failed ends like any other.
// This file knows by what else that shows.

// notice is a line that an adapter says in its agent's place, as a part of its text.
var notice = regexp.MustCompile(`(?m)^(Info|Warning): .*$`)

// ownWords is a text without what an adapter says in it.
func ownWords(text string) string {
	return strings.TrimSpace(notice.ReplaceAllString(text, ""))
}

// errorText is how a text begins that an adapter made of an error. It is meant to fit no
// sentence of a model's.
var errorText = regexp.MustCompile(`(?i)^\W*((api|internal|server|network|fatal|provider|request|unexpected|stream)\s+)*(error|failure|exception)(\s+\d{3})?\s*[:(]` +
	`|^\W*error\s+\d{3}\b|^\W*(request|connection) (failed|refused|reset|timed out)\b|^\W*fetch failed\b` +
	`|^\W*stream (disconnected|closed|ended)\b|^\W*unexpected (status|end of)\b|^\W*exceeded retry limit\b` +
	`|^\W*(rate limit|quota|usage limit) (exceeded|reached)\b|^\W*too many requests\b|^\W*you('ve| have)? (hit|reached|exceeded) your\b|^\W*[45]\d\d[\s:]`)

// isError reports whether a text is one that an adapter made of an error.
func isError(text string) bool { return errorText.MatchString(ownWords(text)) }

// tooMany is the status of a service that has no more for its caller, as the code of an
// error.
const tooMany = 429

// limits are how agents say that a quota or a rate is spent. They have no other sign of it:
// a status of HTTP, or the name of the error, in the words of a turn that failed.
var limits = []string{
	"429", "rate_limit", "rate limit", "usage limit", "usage_limit", "insufficient_quota", "quota exceeded", "exceeded your current quota",
	"resource_exhausted", "resource exhausted", "resource has been exhausted", "too many requests",
}

func limited(words string, e *acp.Error) bool {
	if e != nil && e.Code == tooMany {
		return true
	}
	words = strings.ToLower(words)
	for _, sign := range limits {
		if strings.Contains(words, sign) {
			return true
		}
	}
	return false
}
