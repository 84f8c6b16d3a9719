package demo

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/desktop"
)

// This file runs the demo that a Beckon shows beside itself: the same program in
// another process, with data that is deleted when it ends. It starts at most one, ends it
// with its last page or with this Beckon, and passes calls on by guest.go.

// How long a demo may take to show itself, and to end.
const (
	startsIn = 20 * time.Second
	endsIn   = 10 * time.Second
)

// Process is the demo that this Beckon starts beside itself: the same
// program in another process, with data that is thrown away. It ends when its
// standard input does, and so with this one, however this one ends.
type Process struct {
	mu    sync.Mutex
	input io.Closer // nil while none runs
	ended chan struct{}
	guest *Guest
	look  *time.Timer // for pages that were closed without a word; nil while nobody left
}

// Start starts the demo, unless one runs, and becomes its guest.
func (d *Process) Start(ctx context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.runs() {
		return nil
	}
	d.end()
	link, err := d.start(ctx)
	if err == nil {
		d.guest, err = OpenGuest(ctx, link)
	}
	if err != nil {
		d.end()
	}
	return err
}

// runs reports whether the demo is there; mu is held.
func (d *Process) runs() bool {
	if d.guest == nil {
		return false
	}
	select {
	case <-d.ended:
		return false
	default:
		return true
	}
}

// start starts the process and returns the address that opens it, once.
func (d *Process) start(ctx context.Context) (link string, err error) {
	self, err := desktop.Program()
	if err != nil {
		return "", err
	}
	// It ends by its input; killed, it would leave its data behind.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), self, "demo", "-guest")
	input, err := cmd.StdinPipe()
	if err != nil {
		return "", err
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", fmt.Errorf("the demo does not start: %w: %w", err, beckon.ErrUnavailable)
	}
	d.input, d.ended = input, make(chan struct{})
	address := make(chan string, 1)
	go attend(cmd, output, address, d.ended)
	select {
	case link = <-address:
	case <-time.After(startsIn):
	}
	if link == "" {
		return "", fmt.Errorf("the demo does not start; nothing was changed: %w", beckon.ErrUnavailable)
	}
	return link, nil
}

// attend hears where the demo is, "" where it does not say so, and waits for
// its end.
func attend(cmd *exec.Cmd, output io.Reader, address chan<- string, ended chan<- struct{}) {
	defer close(ended)
	said := bufio.NewReader(output)
	line, _ := said.ReadBytes('\n') // what it did not say is no address
	var printed struct {
		URL string `json:"url"`
	}
	_ = json.Unmarshal(line, &printed)
	address <- printed.URL
	_, _ = io.Copy(io.Discard, said)
	_ = cmd.Wait()
	removeLeft(cmd.Process.Pid)
}

// ProcessFolder is how the folders of a demo process are called in the temporary
// folder, as MkdirTemp and Glob take it.
func ProcessFolder(pid int) string { return fmt.Sprintf("beckon-demo-%d-*", pid) }

// removeLeft removes what a demo that was killed left behind. Its agents end
// with it, but not before it, and may still write.
func removeLeft(pid int) {
	for range 20 {
		left, _ := fs.Glob(os.DirFS(os.TempDir()), ProcessFolder(pid)) // the pattern is valid
		if len(left) == 0 {
			return
		}
		for _, name := range left {
			_ = os.RemoveAll(filepath.Join(os.TempDir(), name))
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// Guest returns the way to the demo.
func (d *Process) Guest() (*Guest, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.runs() {
		return nil, problem.New(problem.DemoEnded, fmt.Errorf("no demo runs: %w", beckon.ErrUnavailable))
	}
	return d.guest, nil
}

// Leave lets go of a page, and ends the demo with the last one. A page that was
// closed or reloaded counts for a while: it is looked again then.
func (d *Process) Leave(client string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.guest == nil:
	case !d.guest.Leave(client):
		d.end()
	default:
		d.stopLooking()
		left := d.guest
		d.look = time.AfterFunc(FollowedIn, func() { d.endUnfollowed(left) })
	}
}

// endUnfollowed ends the demo that was left, unless a page shows it.
func (d *Process) endUnfollowed(left *Guest) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.guest == left && !left.Leave("") {
		d.end()
	}
}

func (d *Process) stopLooking() {
	if d.look != nil {
		d.look.Stop()
		d.look = nil
	}
}

// Close ends the demo, if one runs.
func (d *Process) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.end()
}

func (d *Process) end() {
	d.stopLooking()
	if d.guest != nil {
		_ = d.guest.Close() // it never fails
		d.guest = nil
	}
	if d.input == nil {
		return
	}
	_ = d.input.Close()
	select {
	case <-d.ended:
	case <-time.After(endsIn):
	}
	d.input = nil
}

// UntilClosed returns a context that ends when r does, or with parent.
func UntilClosed(parent context.Context, r io.Reader) context.Context {
	ctx, cancel := context.WithCancelCause(parent)
	go func() {
		_, err := io.Copy(io.Discard, r)
		cancel(errors.Join(errors.New("its input was closed"), err))
	}()
	return ctx
}
