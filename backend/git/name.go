package git

import (
	"strconv"
	"strings"
)

// slugLength is how long the part of a branch's name is that comes from the
// title.
const slugLength = 40

// BranchName returns the branch of a task, such as
// "beckon/kes-47-reject-overlapping-bookings". Whatever the title holds, the
// name is valid for git, safe on every file system, and says nothing to a
// shell or an option parser.
func BranchName(key string, number int, title string) string {
	name := "beckon/" + slug(key, slugLength) + "-" + strconv.Itoa(number)
	if s := slug(title, slugLength); s != "" {
		name += "-" + s
	}
	return name
}

// slug spells s in lower-case ASCII letters and digits with single dashes
// between them, at most max bytes long and cut between words where it can.
func slug(s string, max int) string {
	s = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss").Replace(strings.ToLower(s))
	words := strings.FieldsFunc(s, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	var out strings.Builder
	for _, word := range words {
		if out.Len() == 0 {
			out.WriteString(word[:min(len(word), max)])
			continue
		}
		if out.Len()+1+len(word) > max {
			break
		}
		out.WriteString("-" + word)
	}
	return out.String()
}
