package question

import (
	"net/url"
	"regexp"
	"time"
)

// An address is whatever may be one: only a mail can tell.
var email = regexp.MustCompile(`^[^\s@]+@[^\s@]+$`)

// hasFormat reports whether a text has the format; those that the protocol does
// not know fit everything.
func hasFormat(format, text string) bool {
	switch format {
	case "email":
		return email.MatchString(text)
	case "uri":
		u, err := url.Parse(text)
		return err == nil && u.IsAbs()
	case "date":
		_, err := time.Parse(time.DateOnly, text)
		return err == nil
	case "date-time":
		_, err := time.Parse(time.RFC3339, text)
		return err == nil
	default:
		return true
	}
}
