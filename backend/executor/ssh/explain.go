package ssh

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
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
		return unreachable(reason.HostKeyNew, "host", host)
	case strings.Contains(said, "Permission denied"):
		return unreachable(reason.HostDenies, "host", host)
	case strings.Contains(said, "Could not resolve hostname"):
		return unreachable(reason.HostMissing, "host", host)
	case strings.Contains(said, "Connection refused"), strings.Contains(said, "No route to host"), strings.Contains(said, "Network is unreachable"),
		strings.Contains(said, "timed out"), strings.Contains(said, "Connection reset"), strings.Contains(said, "Connection closed"):
		return unreachable(reason.HostAway, "host", host, "words", worker.Last(said))
	case strings.Contains(said, "This account is currently not available"):
		return unreachable(reason.NoLogin, "host", host)
	case strings.Contains(said, "Read-only file system"):
		return unreachable(reason.HostReadOnly, "host", host)
	case worker.IsFull(said):
		return worker.Full(host)
	case worker.Last(said) != "":
		return worker.Unreachable(fmt.Sprintf("%s: %s", host, worker.Last(said)))
	}
	return unreachable(reason.SSHSilent, "host", host, "words", err.Error())
}

// unreachable is why a host cannot be used.
func unreachable(code reason.Code, values ...string) error {
	return reason.Of(code, values...).Err(beckon.ErrUnavailable)
}
