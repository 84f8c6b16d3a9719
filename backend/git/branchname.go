package git

import (
	"strconv"
	"strings"
)

// This file has the names of tasks' branches, and knows which names git takes.

// slugLength is how long the part of a branch's name is that comes from the
// title.
const slugLength = 40

// BranchOf returns the branch of a task, such as
// "beckon/kes-47-reject-overlapping-bookings". Whatever the title holds, the
// name is valid for git, safe on every file system, and says nothing to a
// shell or an option parser.
func BranchOf(key string, number int, title string) string {
	name := "beckon/" + slug(key, slugLength) + "-" + strconv.Itoa(number)
	if s := slug(title, slugLength); s != "" {
		name += "-" + s
	}
	return name
}

// ValidBranch reports whether git takes a name for a branch: what git check-ref-format
// says of it, without a process.
func ValidBranch(name string) bool {
	if strings.ContainsFunc(name, func(r rune) bool {
		return r <= ' ' || r == 0x7f || strings.ContainsRune("~^:?*[\\", r)
	}) {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return !strings.Contains(name, "..") && !strings.Contains(name, "@{") && !strings.HasSuffix(name, ".")
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
