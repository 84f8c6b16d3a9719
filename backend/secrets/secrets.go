// Package secrets keeps what the channels must know and nobody may read: in the
// system's key ring, and where there is none that is open, in a file of the data
// folder that only the user can read. Which of both it is, is said.
package secrets

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/desktop/bus"
	"beckon/backend/disk"

	"github.com/godbus/dbus/v5"
	"github.com/zalando/go-keyring"
)

// service is what entries of the key ring are found by, with the data folder: two
// Beckons of one user keep theirs apart.
const service = "Beckon"

// fileName is that of the file in the data folder.
const fileName = "secrets.json"

// patience is how long the key ring may take. It may ask the user for a password,
// who may not be there.
const patience = 10 * time.Second

// Secrets are those of a data folder. Its methods may be called from any goroutine.
type Secrets struct {
	dir string

	mu     sync.Mutex
	inRing map[string]bool // the names that the key ring was seen to have
}

// New returns the secrets of a data folder.
func New(dir string) *Secrets { return &Secrets{dir: dir, inRing: map[string]bool{}} }

// Get returns a secret, or beckon.ErrNotFound.
func (s *Secrets) Get(name string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept, err := s.read()
	if err != nil {
		return "", err
	}
	if secret, is := kept[name]; is {
		return secret, nil
	}
	secret, err := patiently(func() (string, error) { return keyring.Get(service, s.entry(name)) })
	if errors.Is(err, keyring.ErrNotFound) {
		return "", fmt.Errorf("the secret %s: %w", name, beckon.ErrNotFound)
	}
	if err != nil {
		return "", fmt.Errorf("read the secret %s from the system's key ring: %w", name, err)
	}
	s.inRing[name] = true
	return secret, nil
}

// Set keeps a secret in place of the one of that name. An empty one is removed; the error
// says so where the key ring may have it still.
func (s *Secrets) Set(name, secret string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept, err := s.read()
	if err != nil {
		return err
	}
	_, err = patiently(func() (string, error) {
		if secret == "" {
			return "", keyring.Delete(service, s.entry(name))
		}
		return "", keyring.Set(service, s.entry(name), secret)
	})
	_, inFile := kept[name]
	if err == nil || secret == "" {
		delete(kept, name) // what was kept before there was a key ring
	} else {
		kept[name] = secret
	}
	if err == nil {
		s.inRing[name] = secret != ""
	}
	if secret != "" || errors.Is(err, keyring.ErrNotFound) || isAbsent(err) && !s.inRing[name] {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("the system's key ring may still have the secret %s; open it, and remove the secret again: %w", name, err)
	}
	if _, stays := kept[name]; inFile || stays {
		err = errors.Join(err, s.write(kept))
	}
	return err
}

// errNoBus is why there is no key ring.
var errNoBus = errors.New("there is no session bus")

// isAbsent reports whether an error says that this machine has no key ring at all.
func isAbsent(err error) bool {
	var said dbus.Error
	return errors.Is(err, errNoBus) || errors.Is(err, keyring.ErrUnsupportedPlatform) ||
		errors.As(err, &said) && said.Name == "org.freedesktop.DBus.Error.ServiceUnknown"
}

// InFile reports whether any secret is in the file.
func (s *Secrets) InFile() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept, err := s.read()
	return err != nil || len(kept) > 0
}

// entry names a secret in the key ring.
func (s *Secrets) entry(name string) string { return name + " of " + s.dir }

func (s *Secrets) read() (map[string]string, error) {
	kept := map[string]string{}
	text, err := os.ReadFile(filepath.Join(s.dir, fileName))
	if errors.Is(err, fs.ErrNotExist) {
		return kept, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s in the data folder: %w", fileName, err)
	}
	return kept, nil
}

func (s *Secrets) write(kept map[string]string) error {
	path := filepath.Join(s.dir, fileName)
	if len(kept) == 0 {
		return os.Remove(path)
	}
	text, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	return disk.Replace(path, text)
}

// patiently does something with the key ring, which may hang. What comes too late
// is lost.
func patiently(do func() (string, error)) (string, error) {
	if err := reachable(); err != nil {
		return "", err
	}
	type result struct {
		secret string
		err    error
	}
	done := make(chan result, 1)
	go func() {
		secret, err := do()
		done <- result{secret, err}
	}()
	select {
	case r := <-done:
		return r.secret, r.err
	case <-time.After(patience):
		return "", fmt.Errorf("it did not answer within %s: %w", patience, beckon.ErrUnavailable)
	}
}

// reachable reports why there is no key ring: on Linux it is a service of the
// session's bus, and the library would start a bus where there is none.
func reachable() error {
	if runtime.GOOS != "linux" {
		return nil
	}
	conn, err := bus.Connect()
	if err != nil {
		return fmt.Errorf("%w: %w", errNoBus, err)
	}
	return conn.Close()
}
