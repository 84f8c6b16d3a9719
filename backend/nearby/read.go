package nearby

import (
	"os"
	"path"
	"strconv"
	"strings"
	"time"

	"beckon/backend/git/look"
	"beckon/backend/plain"
)

// longestText is how much of a name or a subject is shown, in bytes.
const longestText = 200

// read returns what the plain files of a repository say: the branch, and what
// git's log of HEAD has as the last commit. The database of objects is not
// opened, so a commit that was fetched has no subject here.
func read(root *os.Root, dir string) (r Repository, err error) {
	head, err := look.ReadBelow(root, path.Join(dir, ".git/HEAD"))
	if err != nil {
		return r, err
	}
	if branch, ok := strings.CutPrefix(strings.TrimSpace(string(head)), "ref: refs/heads/"); ok {
		r.Branch = plain.Line(branch, longestText)
	}
	if log, err := look.ReadBelow(root, path.Join(dir, ".git/logs/HEAD")); err == nil {
		r.Subject, r.At = lastCommit(string(log))
	}
	return r, nil
}

// lastCommit returns the subject and the time of the commit that HEAD is at, by
// the log of HEAD; only the time of the last line where that says no subject.
func lastCommit(log string) (subject string, at int64) {
	lines := strings.Split(strings.TrimRight(log, "\n"), "\n")
	last := parse(lines[len(lines)-1])
	for i := len(lines) - 1; i >= 0; i-- {
		line := parse(lines[i])
		if line.commit == last.commit && line.subject != "" {
			return line.subject, line.at
		}
	}
	return "", last.at
}

// logged is a line of a reflog.
type logged struct {
	commit  string
	at      int64
	subject string // empty where the line is of no commit
}

// parse reads "OLD NEW NAME <MAIL> SECONDS ZONE\tcommit: SUBJECT".
func parse(line string) (l logged) {
	facts, message, _ := strings.Cut(line, "\t")
	words := strings.Fields(facts)
	if len(words) < 4 {
		return l
	}
	l.commit = words[1]
	if seconds, err := strconv.ParseInt(words[len(words)-2], 10, 64); err == nil && seconds > 0 {
		// A time to come is a clock that is wrong, or a repository that wants to be first.
		l.at = min(seconds, time.Now().Unix()) * 1000
	}
	action, subject, ok := strings.Cut(message, ": ")
	if name, _, _ := strings.Cut(action, " "); ok && name == "commit" {
		l.subject = plain.Line(subject, longestText)
	}
	return l
}
