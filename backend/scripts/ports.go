package scripts

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"net"
	"strconv"
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/store/worktrees"
)

// Tasks get their ports between these, where no system takes one for the near end of a
// connection: as many in a row as a project's servers may need.
const (
	firstPort  = 20_000
	endOfPorts = 32_760
	portsOfOne = 10
)

// Ports gives each task ten ports in a row of its own, for BECKON_PORT: nobody listened on one
// of them then, and no other task has them. A task keeps them over its runs and those
// of Beckon, until it is archived or deleted.
type Ports struct {
	Rows worktrees.Ports

	mu sync.Mutex // held while ports are given
}

// Of returns the first of a task's ports.
func (p *Ports) Of(ctx context.Context, taskID string) (string, error) {
	return p.of(ctx, taskID, false)
}

// Environ returns the variable that says it to a program of the task's.
func (p *Ports) Environ(ctx context.Context, taskID string) ([]string, error) {
	port, err := p.Of(ctx, taskID)
	return []string{portVariable + "=" + port}, err
}

// Free returns the first of a task's ports, on which nobody listens: where somebody does by
// now, the task gets others.
func (p *Ports) Free(ctx context.Context, taskID string) (string, error) {
	return p.of(ctx, taskID, true)
}

func (p *Ports) of(ctx context.Context, taskID string, free bool) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	all, err := p.Rows.All(ctx)
	if err != nil {
		return "", err
	}
	if first, has := all[taskID]; has && (!free || unused(ctx, first)) {
		return strconv.Itoa(first), nil
	}
	taken := map[int]bool{}
	for _, first := range all {
		taken[first] = true
	}
	// Where the search begins is the task's: another Beckon's tasks begin elsewhere.
	const rows = (endOfPorts - firstPort) / portsOfOne
	begin := fnv.New32a()
	_, _ = begin.Write([]byte(taskID)) // never fails
	for i := range rows {
		first := firstPort + (int(begin.Sum32()%rows)+i)%rows*portsOfOne
		if !taken[first] && allUnused(ctx, first) {
			return strconv.Itoa(first), p.Rows.Save(ctx, taskID, first)
		}
	}
	err = fmt.Errorf("all ports from %d to %d are in use or other tasks': archive some tasks: %w", firstPort, endOfPorts-1, beckon.ErrConflict)
	return "", problem.New(problem.NoPorts, err, "first", strconv.Itoa(firstPort), "last", strconv.Itoa(endOfPorts-1))
}

func allUnused(ctx context.Context, first int) bool {
	for port := first; port < first+portsOfOne; port++ {
		if !unused(ctx, port) {
			return false
		}
	}
	return true
}

// unused reports whether nobody listens on a port of this machine. A system may let two
// listen, at other addresses, so it is asked for both.
func unused(ctx context.Context, port int) bool {
	number := strconv.Itoa(port)
	if listens(number) {
		return false
	}
	for _, host := range []string{"127.0.0.1", "::1"} {
		l, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(host, number))
		if err == nil {
			err = l.Close()
		} else if host == "::1" && !errors.Is(err, errInUse) {
			err = nil // it has no such address
		}
		if err != nil {
			return false
		}
	}
	return true
}
