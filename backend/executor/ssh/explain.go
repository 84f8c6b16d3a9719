package ssh

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"beckon/backend/executor/worker"
	"beckon/backend/plain"
)

// offending is where ssh says that the other key of a host is.
var offending = regexp.MustCompile(`(?m)^Offending .*key in (.+):(\d+)\s*$`)

// Explain returns why ssh could not do it, by what it said on stderr: OpenSSH's words,
// which it does not translate.
func Explain(host, said string, err error) error {
	said = strings.ReplaceAll(said, "\r", "")
	switch {
	case strings.Contains(said, "REMOTE HOST IDENTIFICATION HAS CHANGED"):
		changed := worker.Changed{Host: host}
		if at := offending.FindStringSubmatch(said); at != nil {
			changed.File = plain.Line(at[1], 300)
			changed.Line, _ = strconv.Atoi(at[2]) // they are digits, if too many
		}
		return changed
	case strings.Contains(said, "Host key verification failed"):
		return worker.Unreachable(fmt.Sprintf("%s shows a key that this computer has never seen. Connect once with ssh %s in a terminal, compare the key, and try again.", host, host))
	case strings.Contains(said, "Permission denied"):
		return worker.Unreachable(fmt.Sprintf("%s does not let you in. See whether ssh %s works in a terminal: Beckon uses the same ssh.", host, host))
	case strings.Contains(said, "Could not resolve hostname"):
		return worker.Unreachable(fmt.Sprintf("There is no host %s: look for it in your ssh configuration.", host))
	case strings.Contains(said, "Connection refused"), strings.Contains(said, "No route to host"), strings.Contains(said, "Network is unreachable"),
		strings.Contains(said, "timed out"), strings.Contains(said, "Connection reset"), strings.Contains(said, "Connection closed"):
		return worker.Unreachable(fmt.Sprintf("%s does not answer: %s", host, worker.Last(said)))
	case strings.Contains(said, "This account is currently not available"):
		return worker.Unreachable(fmt.Sprintf("Your account on %s may run nothing there: its login shell is nologin. Ask who keeps the host for a shell such as bash.", host))
	case strings.Contains(said, "Read-only file system"):
		return worker.Unreachable(fmt.Sprintf("The home folder on %s is read-only, and Beckon needs one folder there.", host))
	case worker.IsFull(said):
		return worker.Full(host)
	case worker.Last(said) != "":
		return worker.Unreachable(fmt.Sprintf("%s: %s", host, worker.Last(said)))
	}
	return worker.Unreachable(fmt.Sprintf("%s: ssh ended without a word (%v). See whether ssh %s true works in a terminal: the account there must run commands.", host, err, host))
}
