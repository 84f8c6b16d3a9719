//go:build linux || darwin

package keeper

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"beckon/backend/executor/shim"
)

const (
	// agentIn is how long an agent is waited for: its Beckon may be away, and comes back.
	agentIn = 10 * time.Minute
	// handIn is how long the handing over of an agent may take, its start included.
	handIn = time.Minute
	// endIn is how long an agent's end may take: more than its ladder, and less than a
	// batch system gives by default before it kills.
	endIn = 25 * time.Second
	// reachIn is how long a keeper is waited for that the batch system has just started.
	reachIn = 20 * time.Second
)

// socketFile is in the folder of the run, which is the working directory: the path of a
// socket has room for a hundred bytes only.
const socketFile = "keeper"

// errAlone is why a job ends that has no agent.
var errAlone = fmt.Errorf("no Beckon brought an agent within %s", agentIn)

// Command is `beckon shim`, as package shim has it, and of a batch system's job its main
// process and the links to that.
func Command(args []string, stdin io.Reader, stdout io.WriteCloser, here shim.Here) error {
	switch {
	case len(args) == 2 && args[0] == "keep":
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
		defer stop()
		return keep(ctx, args[1], here, agentIn)
	case len(args) == 1 && args[0] == "kept":
		here.Begin = hand
		return shim.Command(nil, stdin, stdout, here)
	}
	return shim.Command(args, stdin, stdout, here)
}

// keeper is a job's main process, whose working directory is the folder of its run.
type keeper struct {
	run   string
	here  shim.Here
	begun chan struct{} // closed when the agent was started, or could not be
	over  chan error    // gets why the job ends

	handing sync.Mutex // held while an agent is started
	started bool       // guarded by handing
}

// keep waits for an agent and then until its shim is gone. ctx ends it before, by its
// ladder: so do a scheduler's signals.
func keep(ctx context.Context, run string, here shim.Here, in time.Duration) error {
	dir, err := shim.RunFolder(run)
	if err != nil {
		return err
	}
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.Chdir(dir)); err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	_ = os.Remove(socketFile) // of a job before this one that was killed
	socket, err := new(net.ListenConfig).Listen(ctx, "unix", socketFile)
	if err != nil {
		return err
	}
	defer func() { _ = socket.Close() }()
	k := &keeper{run: run, here: here, begun: make(chan struct{}), over: make(chan error, 1)}
	go k.accept(socket)
	late := time.NewTimer(in)
	defer late.Stop()
	select {
	case <-k.begun:
	case <-late.C:
		return errAlone
	case <-ctx.Done():
		return nil
	}
	select {
	case err := <-k.over:
		return err
	case <-ctx.Done():
		return k.end()
	}
}

// end ends the agent, and waits until its shim is gone.
func (k *keeper) end() error {
	ctx, cancel := context.WithTimeout(context.Background(), endIn)
	defer cancel()
	if _, err := shim.EndOthers(ctx, k.run, nil); err != nil {
		return err
	}
	select {
	case err := <-k.over:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (k *keeper) accept(socket net.Listener) {
	for {
		conn, err := socket.Accept()
		if err != nil {
			return
		}
		go k.serve(conn)
	}
}

// answer says why an agent could not be started; empty: it was.
type answer struct {
	Why string `json:"why"`
}

// serve takes the agent from a link, unless another brought it before.
func (k *keeper) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(handIn))
	var job shim.Job
	if json.NewDecoder(conn).Decode(&job) != nil {
		return // the link broke, and the next one brings it
	}
	said := answer{}
	if err := k.start(job); err != nil {
		said.Why = err.Error()
	}
	_ = json.NewEncoder(conn).Encode(said) // else the next link finds the agent
}

// start starts the agent's shim as this process's child, so that it belongs to the job
// and not to the link. Where it cannot, the job is of no use.
func (k *keeper) start(job shim.Job) error {
	k.handing.Lock()
	defer k.handing.Unlock()
	if k.started {
		return nil
	}
	wait, err := k.here.Spawn(k.run, job)
	k.started = true
	close(k.begun)
	if err != nil {
		time.AfterFunc(sayIn, func() { k.over <- err })
		return err
	}
	go func() { k.over <- wait() }()
	return nil
}

// sayIn is how long the reason may take to Beckon before the job ends, and the link with it.
const sayIn = 2 * time.Second

// hand hands a run's agent to the keeper of the job that this process was started in.
func hand(run string, job shim.Job) error {
	conn, err := reach(run)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(handIn))
	if err := json.NewEncoder(conn).Encode(job); err != nil {
		return err
	}
	var said answer
	if err := json.NewDecoder(conn).Decode(&said); err != nil {
		return fmt.Errorf("the job's main process has gone: %w", err)
	}
	if said.Why != "" {
		return fmt.Errorf("%w: %s", shim.ErrRefused, said.Why)
	}
	return nil
}

// reach connects to a run's keeper, which may have been started this moment.
func reach(run string) (net.Conn, error) {
	dir, err := shim.RunFolder(run)
	if err != nil {
		return nil, err
	}
	for late := time.Now().Add(reachIn); ; time.Sleep(20 * time.Millisecond) {
		if err = os.Chdir(dir); err == nil {
			var conn net.Conn
			if conn, err = new(net.Dialer).DialContext(context.Background(), "unix", socketFile); err == nil {
				return conn, nil
			}
		}
		if time.Now().After(late) {
			return nil, fmt.Errorf("the job's main process is not there: %w", err)
		}
	}
}
