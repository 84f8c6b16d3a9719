package scripts

import (
	"net"
	"regexp"
)

var (
	// colours are the escape sequences that servers print in the middle of their
	// addresses.
	colours = regexp.MustCompile("\x1b\\[[0-9;?]*[ -/]*[@-~]")
	// local is an address of this machine; a name of another one is none.
	local = regexp.MustCompile(`(https?://)(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])(:[0-9]{1,5})(/[\w./~-]*)?`)
)

// addressMost is how much is kept of what was read to find an address that comes in
// two pieces.
const addressMost = 512

// address finds the first address of this machine in what a command prints.
type address struct {
	url  string
	rest []byte
}

func (a *address) read(text []byte) {
	if a.url != "" {
		return
	}
	a.rest = colours.ReplaceAll(append(a.rest, text...), nil)
	at := local.FindSubmatchIndex(a.rest)
	// One at the very end may go on.
	if at == nil || at[1] == len(a.rest) {
		a.rest = a.rest[max(0, len(a.rest)-addressMost):]
		return
	}
	found := func(i int) string {
		if at[2*i] < 0 {
			return ""
		}
		return string(a.rest[at[2*i]:at[2*i+1]])
	}
	host := found(2)
	if host == "0.0.0.0" || host == "[::]" { // every address of this machine
		host = "localhost"
	}
	a.url, a.rest = found(1)+host+found(3)+found(4), nil
}

// listens reports whether somebody listens on a port of this machine.
func listens(port string) bool {
	dialer := net.Dialer{Timeout: portIn}
	link, err := dialer.Dial("tcp", net.JoinHostPort("127.0.0.1", port))
	if err != nil {
		return false
	}
	_ = link.Close() // nothing was sent
	return true
}
