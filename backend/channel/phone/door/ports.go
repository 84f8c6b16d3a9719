package door

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"time"

	"beckon/backend/loopback"
)

const (
	// The ports of which one is chosen. Systems give connections that go out ports
	// above these, so that none of those sits on it after a restart.
	firstPort, ports = 20000, 10000
	choices          = 20
)

// Local listens on a port of this machine. One that Beckon itself listened on may be
// held for a moment more: a program that it begins to run has a copy of the socket
// between fork and exec.
func Local(port int) (l net.Listener, err error) {
	for end := time.Now().Add(heldFor); ; time.Sleep(heldFor / 20) {
		l, err = local(port)
		if err == nil || time.Now().After(end) {
			return l, err
		}
	}
}

// heldFor is how long a port may be held by a copy.
const heldFor = time.Second

func local(port int) (net.Listener, error) {
	return loopback.Listen(net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
}

// Choose listens on a port of this machine that nobody else does, and has it kept.
func Choose(keep func(port int) error) (net.Listener, error) {
	var errs []error
	for range choices {
		port := firstPort + rand.IntN(ports) //nolint:gosec // nothing is kept secret by it
		l, err := local(port)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if err := keep(port); err != nil {
			return nil, errors.Join(err, l.Close())
		}
		return l, nil
	}
	return nil, fmt.Errorf("find a free port for phones: %w", errors.Join(errs...))
}
