// Package instance lets a second start of Beckon find the first: it hands over
// what it should show and ends, and the first shows that.
//
// They meet at a socket in the data folder, which only the user may enter, so
// each data folder has a Beckon of its own and no session bus is needed. Who
// is first the data folder's lock decides, not this package. What comes in is
// checked as if it came from anyone: it may show a page or offer a folder, and
// nothing else.
package instance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"beckon/backend/disk"
)

const (
	// addressName is the file in the data folder that says where the socket is.
	addressName = "window.address"
	socketName  = "window.sock"
	// longest is how long the name of a socket may be, on any system.
	longest = 100
	// answerIn is how long either side waits for the other, and mostBytes
	// what it reads.
	answerIn  = 2 * time.Second
	mostBytes = 64 << 10
	welcome   = "shown"
)

// Listen takes what later starts hand over, until it is closed.
func Listen(dataDir string, take func(Target)) (io.Closer, error) {
	address, made, err := socketAddress(dataDir)
	if err != nil {
		return nil, err
	}
	// The earlier listener is dead: the data folder is ours.
	if err := os.Remove(address); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	listener, err := net.Listen("unix", address) //nolint:noctx // it ends with Close
	if err != nil {
		return nil, fmt.Errorf("listen for later starts: %w", err)
	}
	l := &listening{listener: listener, made: made, file: filepath.Join(dataDir, addressName)}
	err = errors.Join(os.Chmod(address, 0o600), disk.Replace(l.file, []byte(address)))
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	l.wg.Go(func() { l.accept(take) })
	return l, nil
}

// socketAddress is in the data folder where the system allows a name so long;
// else in a folder made for it, which is returned too.
func socketAddress(dataDir string) (address, made string, err error) {
	dir, err := filepath.Abs(dataDir)
	if err != nil {
		return "", "", err
	}
	if address = filepath.Join(dir, socketName); len(address) <= longest {
		return address, "", nil
	}
	made, err = os.MkdirTemp("", "beckon-") // 0700
	return filepath.Join(made, socketName), made, err
}

// listening is a socket that takes what is handed over.
type listening struct {
	listener   net.Listener
	file, made string
	wg         sync.WaitGroup
}

func (l *listening) accept(take func(Target)) {
	for {
		conn, err := l.listener.Accept()
		if err != nil {
			return
		}
		l.wg.Go(func() { receive(conn, take) })
	}
}

// receive reads one target and takes it, if it is one.
func receive(conn net.Conn, take func(Target)) {
	defer func() { _ = conn.Close() }()            // what it had to say is said
	_ = conn.SetDeadline(time.Now().Add(answerIn)) // a connection without one ends at the first read
	var t Target
	if json.NewDecoder(io.LimitReader(conn, mostBytes)).Decode(&t) != nil || t.check() != nil {
		return
	}
	take(t)
	_, _ = io.WriteString(conn, welcome) // the other side sees that it is missing
}

// Close stops listening and takes the socket away.
func (l *listening) Close() error {
	err := errors.Join(l.listener.Close(), os.Remove(l.file))
	l.wg.Wait()
	if l.made != "" {
		err = errors.Join(err, os.RemoveAll(l.made))
	}
	return err
}

// HandOver gives t to the Beckon whose window shows the data folder, and
// reports whether there is one.
func HandOver(ctx context.Context, dataDir string, t Target) bool {
	address, err := os.ReadFile(filepath.Join(dataDir, addressName))
	if err != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, answerIn)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "unix", string(address))
	if err != nil {
		return false
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(answerIn)) // as in receive
	if json.NewEncoder(conn).Encode(t) != nil {
		return false
	}
	reply, err := io.ReadAll(io.LimitReader(conn, mostBytes))
	return err == nil && string(reply) == welcome
}
