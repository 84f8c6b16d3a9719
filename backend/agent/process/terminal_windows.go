package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"unicode/utf16"
	"unsafe"

	"golang.org/x/sys/windows"
)

// console is a pseudo-console, with the ends of its pipes that the program holds.
type console struct {
	handle  windows.Handle
	in, out *os.File
	hold    *hold
}

// hold guards the handle of a console, which is another's once it is closed.
type hold struct {
	mu     sync.Mutex
	closed bool
}

// StartTerminal starts a child that has a pseudo-console of that size in place of the spec's
// standard files. It is in its job before it runs, as every child.
func StartTerminal(ctx context.Context, s Spec, size Size) (*Terminal, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	c, err := openConsole(size.bounded())
	if err != nil {
		return nil, fmt.Errorf("open a console: %w", err)
	}
	job, err := newJob()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("create job: %w", err), c.giveUp())
	}
	proc, err := c.create(s)
	if err != nil {
		windows.CloseHandle(job)
		return nil, errors.Join(fmt.Errorf("start %s: %w", s.Path, err), c.giveUp())
	}
	child, err := begin(proc, job, s.Path)
	if err != nil {
		return nil, errors.Join(err, c.giveUp())
	}
	go func() { // the console keeps its pipes open beyond its last process
		child.Wait()
		c.letGo()
	}()
	return newTerminal(child, c), nil
}

func openConsole(size Size) (console, error) {
	theirIn, ourIn, err := os.Pipe()
	if err != nil {
		return console{}, err
	}
	defer theirIn.Close()
	ourOut, theirOut, err := os.Pipe()
	if err != nil {
		ourIn.Close()
		return console{}, err
	}
	defer theirOut.Close()
	c := console{in: ourIn, out: ourOut, hold: &hold{}}
	err = windows.CreatePseudoConsole(coordinates(size), windows.Handle(theirIn.Fd()), windows.Handle(theirOut.Fd()), 0, &c.handle)
	if err != nil {
		return c, errors.Join(err, c.close())
	}
	return c, nil
}

// create creates the process, suspended, as nothing of os/exec can in a pseudo-console.
func (c console) create(s Spec) (*os.Process, error) {
	path, err := exec.LookPath(s.Path)
	if err != nil {
		return nil, err
	}
	attributes, err := windows.NewProcThreadAttributeList(1)
	if err != nil {
		return nil, err
	}
	defer attributes.Delete()
	err = attributes.Update(windows.PROC_THREAD_ATTRIBUTE_PSEUDOCONSOLE, *(*unsafe.Pointer)(unsafe.Pointer(&c.handle)), unsafe.Sizeof(c.handle)) // the handle itself is the value
	if err != nil {
		return nil, err
	}
	line, err := windows.UTF16PtrFromString(windows.ComposeCommandLine(append([]string{path}, s.Args...)))
	if err != nil {
		return nil, err
	}
	dir, err := windows.UTF16PtrFromString(s.Dir)
	if err != nil {
		return nil, err
	}
	start := windows.StartupInfoEx{ProcThreadAttributeList: attributes.List()}
	start.Cb, start.Flags = uint32(unsafe.Sizeof(start)), windows.STARTF_USESTDHANDLES
	flags := uint32(windows.CREATE_SUSPENDED | windows.CREATE_UNICODE_ENVIRONMENT | windows.EXTENDED_STARTUPINFO_PRESENT)
	var info windows.ProcessInformation
	err = windows.CreateProcess(nil, line, nil, nil, false, flags, block(append(slices.Clone(s.Env), Mark+"=1")), dir, &start.StartupInfo, &info)
	if err != nil {
		return nil, err
	}
	windows.CloseHandle(info.Thread)
	defer windows.CloseHandle(info.Process)
	return os.FindProcess(int(info.ProcessId))
}

// block is an environment as CreateProcess wants it.
func block(env []string) *uint16 {
	text := utf16.Encode([]rune(strings.Join(env, "\x00") + "\x00\x00"))
	return &text[0]
}

func coordinates(size Size) windows.Coord {
	return windows.Coord{X: int16(size.Cols), Y: int16(size.Rows)}
}

// Read reads what the child prints; an error says that there is no more.
func (c console) Read(into []byte) (int, error) { return c.out.Read(into) }

func (c console) write(text []byte) (int, error) { return c.in.Write(text) }

func (c console) close() error { return errors.Join(c.in.Close(), c.out.Close()) }

// giveUp closes a console that no child has.
func (c console) giveUp() error {
	err := c.close()
	c.letGo()
	return err
}

// letGo closes the handle, once.
func (c console) letGo() {
	c.hold.mu.Lock()
	closed := c.hold.closed
	c.hold.closed = true
	c.hold.mu.Unlock()
	if !closed {
		windows.ClosePseudoConsole(c.handle) // which may wait until what was printed is read
	}
}

// Resize changes the size of the terminal; os.ErrClosed says that it is closed.
func (c console) Resize(size Size) error {
	c.hold.mu.Lock()
	defer c.hold.mu.Unlock()
	if c.hold.closed {
		return os.ErrClosed
	}
	return windows.ResizePseudoConsole(c.handle, coordinates(size.bounded()))
}

// Busy reports whether the child runs something in the foreground, which nobody can say here.
func (*Terminal) Busy() bool { return false }
