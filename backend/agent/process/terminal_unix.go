//go:build linux || darwin

package process

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// console is the end of a pseudo-terminal that the program holds.
type console struct{ file *os.File }

// restIn is how long what a child printed may still be read once nothing is to be left of it.
const restIn = time.Second

// StartTerminal starts a child that has a terminal of that size in place of the spec's
// standard files, and leads its session, so that keys such as Ctrl-C reach what runs in
// it.
func StartTerminal(ctx context.Context, s Spec, size Size) (*Terminal, error) {
	ours, theirs, err := openPair()
	if err != nil {
		return nil, fmt.Errorf("open a terminal: %w", err)
	}
	defer theirs.Close()
	c := console{ours}
	if err := c.resize(size.bounded()); err != nil {
		ours.Close()
		return nil, fmt.Errorf("size a terminal: %w", err)
	}
	s.Stdin, s.Stdout, s.Stderr, s.leads = theirs, theirs, theirs, true
	child, err := Start(ctx, s)
	if err != nil {
		ours.Close()
		return nil, fmt.Errorf("start %s: %w", s.Path, err)
	}
	go func() { // one that could not be ended may have the terminal open, and print on
		child.Wait()
		_ = ours.SetReadDeadline(time.Now().Add(restIn)) // it fails where the terminal is closed
	}()
	return newTerminal(child, c), nil
}

// openPair opens a pseudo-terminal. Its library leaves the end that is ours in a mode in
// which Close does not end a Read; a copy of it does not.
func openPair() (ours, theirs *os.File, err error) {
	first, theirs, err := pty.Open()
	if err != nil {
		return nil, nil, err
	}
	defer first.Close()
	fd, err := unix.FcntlInt(first.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err != nil {
		theirs.Close()
		return nil, nil, err
	}
	return os.NewFile(uintptr(fd), "terminal"), theirs, nil
}

// Read reads what the child prints; an error says that there is no more.
func (c console) Read(into []byte) (int, error) { return c.file.Read(into) }

func (c console) write(text []byte) (int, error) { return c.file.Write(text) }

func (c console) close() error { return c.file.Close() }

// Resize changes the size of the terminal, and what runs in it hears of it.
func (c console) Resize(size Size) error { return c.resize(size.bounded()) }

func (c console) resize(size Size) error {
	return c.control(func(fd int) error {
		return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Col: uint16(size.Cols), Row: uint16(size.Rows)})
	})
}

// Busy reports whether the child runs something in the foreground.
func (t *Terminal) Busy() bool {
	group := 0
	err := t.control(func(fd int) (err error) {
		group, err = unix.IoctlGetInt(fd, unix.TIOCGPGRP)
		return err
	})
	return err == nil && group > 0 && group != t.pid
}

func (c console) control(f func(fd int) error) (err error) {
	conn, err := c.file.SyscallConn()
	if err != nil {
		return err
	}
	if e := conn.Control(func(fd uintptr) { err = f(int(fd)) }); e != nil {
		return e
	}
	return err
}
