//go:build linux || darwin

package shim

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// findIn is how long the socket of a shim that is being started is waited for.
const findIn = 10 * time.Second

// Command is `beckon shim`, and `beckon shim hold RUN`, which the former starts.
func Command(args []string, stdin io.Reader, stdout io.WriteCloser, here Here) error {
	switch {
	case len(args) == 0:
		return bridge(stdin, stdout, here)
	case len(args) == 2 && args[0] == "hold":
		return hold(args[1], stdin, stdout)
	}
	return fmt.Errorf("beckon shim is for other Beckons, which do not say %q", args)
}

// bridge is one link, from stdin and stdout to the shim of the run that the controller
// names, which it starts where the controller has a job for it; or it answers a call.
func bridge(stdin io.Reader, stdout io.Writer, here Here) error {
	if _, err := io.WriteString(stdout, newMagic()); err != nil {
		return err
	}
	r := bufio.NewReader(stdin)
	f, err := readFrame(r, make([]byte, greetingMost))
	if err != nil {
		return err
	}
	if f.Kind == frameCall {
		return here.answer(r, stdout, f.Payload)
	}
	conn, g, err := here.find(f)
	if err != nil {
		_, _ = stdout.Write(goneFrame(err))
		return err
	}
	defer func() { _ = conn.Close() }()
	g.Job = nil
	if _, err := conn.Write(jsonFrame(frameHello, 0, g)); err != nil {
		return err
	}
	over := make(chan error, 2)
	go func() { _, err := io.Copy(conn, r); over <- err }()
	go func() { _, err := io.Copy(stdout, conn); over <- err }()
	return <-over
}

// find connects to the shim of the run that the controller wants.
func (h Here) find(f frame) (net.Conn, greeting, error) {
	var g greeting
	if f.Kind != frameHello || json.Unmarshal(f.Payload, &g) != nil {
		return nil, g, errMalformed
	}
	dir, err := RunFolder(g.Run)
	if err != nil {
		return nil, g, err
	}
	conn, err := connect(dir)
	if err == nil {
		return conn, g, nil
	}
	if g.Job == nil {
		return nil, g, ErrNone
	}
	begin := h.Begin
	if begin == nil {
		begin = func(run string, job Job) error { _, err := h.Spawn(run, job); return err }
	}
	if err := begin(g.Run, *g.Job); err != nil {
		return nil, g, err
	}
	for deadline := time.Now().Add(findIn); ; time.Sleep(5 * time.Millisecond) {
		if conn, err = connect(dir); err == nil || time.Now().After(deadline) {
			return conn, g, err
		}
	}
}

// connect connects to a shim that runs. Its folder becomes this process's.
func connect(dir string) (net.Conn, error) {
	if err := os.Chdir(dir); err != nil {
		return nil, err
	}
	return new(net.Dialer).DialContext(context.Background(), "unix", socketFile)
}

// Spawn starts the shim of a run in a session of its own, which outlives the link, waits
// until it runs, and returns how its end is waited for. That another one has the run is no
// error.
func (h Here) Spawn(run string, job Job) (wait func() error, err error) {
	if job.Path == "" {
		if job.Path, err = h.Find(); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrRefused, err)
		}
	}
	job.Env = h.Environ(job.Env)
	self, err1 := os.Executable()
	text, err2 := json.Marshal(job)
	dir, err3 := RunFolder(run)
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("its folder cannot be made: %w: %w", err, ErrRefused)
	}
	cmd := exec.CommandContext(context.Background(), self, "shim", "hold", run) // which nothing here ends
	cmd.Stdin, cmd.SysProcAttr = bytes.NewReader(text), &syscall.SysProcAttr{Setsid: true}
	said, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	why, err := io.ReadAll(io.LimitReader(said, 4<<10))
	if trouble := strings.TrimSpace(string(why)); trouble != "" {
		return nil, errors.Join(fmt.Errorf("%w: %s", ErrRefused, trouble), cmd.Wait())
	}
	return cmd.Wait, err
}
