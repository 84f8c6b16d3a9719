package request

import (
	"regexp"
	"strings"
)

// destroys reports whether a shell command does what can hardly be taken back,
// or runs what nobody can read in it. It is a reason for a second gesture and
// not a guard: who wants to hide a command from it can.
//
// It looks at the text and does not parse it: the parsers of shell that there
// are take forever on input that is made for it.
func destroys(command string) bool {
	return len(command) > maxJudged || destructive.MatchString(command)
}

// maxJudged is the size, in bytes, of a command that a person may read to its
// end; a longer one takes the second gesture whatever it has in it.
const maxJudged = 16 << 10

// destructive is what destroys looks for. A command begins where a word may,
// with or without a folder, and what separates two commands ends it.
var destructive = regexp.MustCompile(`(?i)` + strings.Join([]string{
	begins + `rm\b` + rest + option + `(\w*[rf]|-recursive\b|-force\b)`,
	begins + `git\s` + rest + `\bpush\b` + rest + `(` + option +
		`(-force|-delete|-mirror|-prune|\w*[fd]\w*(\s|$))|\s[+:][\w/])`,
	begins + `git\s` + rest + `\b(reset\b` + rest + `\s--hard|clean\b` + rest + option +
		`(-force|\w*f)|restore\s+([^-\s]|--worktree|-W))`,
	begins + `git\s` + rest +
		`\b(stash\s+(drop|clear)|filter-branch|filter-repo|reflog\s+(expire|delete)|update-ref\s+-d|worktree\s+remove\b` +
		rest + option + `(-force|f))`,
	begins + `git\s` + rest + `\b(checkout|switch)\b` + rest + `(\s(-f|--force|--discard-changes|--)(\s|$)|\s\.(\s|$))`,
	begins + `git\s` + rest + `\bbranch\b` + rest + `\s((?-i:-D)|--delete\s+--force|--force\s+--delete)`,
	begins + `find\s` + rest + `\s-(delete\b|(exec|execdir|ok|okdir)\s+(\S*/)?(shred\b|rm\b))`,
	begins + `(mkfs(\.\w+)?|shred|wipefs|fdisk|sfdisk|sgdisk|parted|dropdb|sudo|doas|reboot|shutdown|halt|poweroff)(\s|$)`,
	begins + `truncate\s+(-|--size)`,
	begins + `dd\s` + rest + `\bof=`,
	begins + `rsync\s` + rest + `\s--del(ete)?`,
	begins + `crontab\s` + rest + `-r\b`,
	begins + `(kubectl|terraform|helm|docker|podman|aws|gh)\s` + rest +
		`\s?\b(delete|destroy|uninstall|prune|rm|rb|rmi)\b`,
	`\|\s*(\S*/)?(sudo\s+)?(\S*/)?(ba|z|da|k|fi)?sh\b(\s+-[^c\s]\S*)*\s*($|[;&|)\n]|--|-s)`,
	begins + `(ba|z|da|k|fi)?sh\s` + rest + `(<\(|-\w*c\s+["']?\s*(\$\(|` + "`" + `))`,
	begins + `(source|\.|eval)\s+["']?\s*(<\(|\$\(|` + "`" + `)`,
	`\b(drop|truncate)\s+(table|database|schema)\b`, `\bdelete\s+from\b`, `\bflush(all|db)\b`,
	`>\s*/dev/(sd|nvme|vd|hd|mmcblk|disk)`,
}, "|"))

// The parts of destructive.
const (
	begins = `(?:^|[\s;&|(){}"'` + "`" + `\\])(?:\S*/)?`
	rest   = `[^;&|\n]*?`
	option = `(?:^|\s)-`
)
