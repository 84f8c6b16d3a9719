// Package instance lets a second start of Beckon find the first: it hands over
// what it should show and ends, and the first shows that.
//
// They meet at a socket in the data folder, which only the user may enter, so
// each data folder has a Beckon of its own and no session bus is needed. Who
// is first the data folder's lock decides, not this package. What comes in is
// checked as if it came from anyone: it may show a page or offer a folder, and
// nothing else. Nothing is handed over before the other side has proved that it
// is who wrote the address: a socket outside the data folder may be anybody's
// once its Beckon was killed.
package instance

import (
	"context"
	"crypto/rand"
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
	"beckon/backend/loopback"
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
	// side is the listener's in the challenge, and nonceSize the bytes of a nonce.
	side      = "window"
	nonceSize = 26
)

// address is where a Beckon takes what later starts hand over. The file of it is
// for its user alone.
type address struct {
	Socket string          `json:"socket"`
	Secret loopback.Secret `json:"secret"` // random, another with each start
}

// Listen takes what later starts hand over, until it is closed.
func Listen(dataDir string, take func(Target)) (io.Closer, error) {
	socket, made, err := socketPath(dataDir)
	if err != nil {
		return nil, err
	}
	at := address{socket, loopback.NewSecret()}
	file, err := json.Marshal(at)
	if err != nil {
		return nil, err
	}
	// The earlier listener is dead: the data folder is ours.
	if err := os.Remove(socket); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	listener, err := net.Listen("unix", socket) //nolint:noctx // it ends with Close
	if err != nil {
		return nil, fmt.Errorf("listen for later starts: %w", err)
	}
	l := &listening{listener: listener, secret: at.Secret, made: made, file: filepath.Join(dataDir, addressName)}
	err = errors.Join(os.Chmod(socket, 0o600), disk.Replace(l.file, file))
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	l.wg.Go(func() { l.accept(take) })
	return l, nil
}

// socketPath is in the data folder where the system allows a name so long; else
// in a folder made for it, which is returned too.
func socketPath(dataDir string) (socket, made string, err error) {
	dir, err := filepath.Abs(dataDir)
	if err != nil {
		return "", "", err
	}
	if socket = filepath.Join(dir, socketName); len(socket) <= longest {
		return socket, "", nil
	}
	made, err = os.MkdirTemp("", "beckon-") // 0700
	return filepath.Join(made, socketName), made, err
}

// listening is a socket that takes what is handed over.
type listening struct {
	listener   net.Listener
	secret     loopback.Secret
	file, made string
	wg         sync.WaitGroup
}

func (l *listening) accept(take func(Target)) {
	for {
		conn, err := l.listener.Accept()
		if err != nil {
			return
		}
		l.wg.Go(func() { l.receive(conn, take) })
	}
}

// receive proves who we are, reads one target, and takes it, if it is one.
func (l *listening) receive(conn net.Conn, take func(Target)) {
	defer func() { _ = conn.Close() }()            // what it had to say is said
	_ = conn.SetDeadline(time.Now().Add(answerIn)) // a connection without one ends at the first read
	nonce := make([]byte, nonceSize)
	if _, err := io.ReadFull(conn, nonce); err != nil {
		return
	}
	if _, err := io.WriteString(conn, l.secret.Prove(side, string(nonce))); err != nil {
		return
	}
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
	at, err := readAddress(dataDir)
	if err != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, answerIn)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "unix", at.Socket)
	if err != nil {
		return false
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(answerIn)) // as in receive
	if !proved(conn, at.Secret) || json.NewEncoder(conn).Encode(t) != nil {
		return false
	}
	reply, err := io.ReadAll(io.LimitReader(conn, mostBytes))
	return err == nil && string(reply) == welcome
}

func readAddress(dataDir string) (at address, err error) {
	text, err := os.ReadFile(filepath.Join(dataDir, addressName))
	if err != nil {
		return at, err
	}
	return at, json.Unmarshal(text, &at)
}

// proved reports whether the other side knows the secret.
func proved(conn net.Conn, secret loopback.Secret) bool {
	nonce := rand.Text()
	if _, err := io.WriteString(conn, nonce); err != nil {
		return false
	}
	proof := make([]byte, len(secret.Prove(side, nonce)))
	_, err := io.ReadFull(conn, proof)
	return err == nil && secret.Proves(string(proof), side, nonce)
}
