package door

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"

	"beckon/backend/loopback"
)

const (
	// The ports of which one is chosen. Systems give connections that go out ports
	// above these, so that none of those sits on it after a restart.
	firstPort, ports = 20000, 10000
	choices          = 20
)

// Local listens on a port of this machine.
func Local(port int) (net.Listener, error) {
	return loopback.Listen(net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
}

// Choose listens on a port of this machine that nobody else does, and has it kept.
func Choose(keep func(port int) error) (net.Listener, error) {
	var errs []error
	for range choices {
		port := firstPort + rand.IntN(ports) //nolint:gosec // nothing is kept secret by it
		l, err := Local(port)
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
