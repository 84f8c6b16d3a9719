package command

import (
	"cmp"
	"strconv"
	"strings"

	"beckon/backend/beckon/starting"
)

// This file has the names of tasks' branches, and knows which names git takes.

// slugLength is how long the part of a branch's name is that comes from the
// title.
const slugLength = 40

// BranchName returns the branch of a task by a pattern (see starting.Pattern, which an
// empty one is), such as "beckon/kes-47-reject-overlapping-bookings". Whatever the title
// holds, the name is valid for git, safe on every file system, and says nothing to a shell
// or an option parser.
func BranchName(pattern, key string, number int, title string) string {
	words := slug(title, slugLength)
	if words == "" && !strings.Contains(pattern, starting.PatternKey) && !strings.Contains(pattern, starting.PatternNumber) && pattern != "" {
		words = slug(key, slugLength) // feat/{title} must not become feat
	}
	values := strings.NewReplacer(starting.PatternKey, slug(key, slugLength), starting.PatternNumber, strconv.Itoa(number),
		starting.PatternTitle, words)
	var parts []string
	for part := range strings.SplitSeq(values.Replace(cmp.Or(pattern, starting.Pattern)), "/") {
		if part = strings.Trim(part, "-_. "); part != "" { // what a title without words leaves
			parts = append(parts, part)
		}
	}
	if name := strings.Join(parts, "/"); UserBranch(name) {
		return name
	}
	return BranchName(starting.Pattern, key, number, "")
}

// UserBranch reports whether a user may name a branch so: git takes it, and no program
// takes it for an option or for something that is not a branch.
func UserBranch(name string) bool {
	return ValidBranch(name) && len(name) <= starting.MaxBranch && name[0] != '-' && name != "HEAD" && name != "@"
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
