//go:build linux || darwin

package shim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

var runName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// home is where shims keep what they have.
func home() (string, error) {
	dir, err := os.UserHomeDir()
	return filepath.Join(dir, Folder, "shims"), err
}

// RunFolder returns where a run's shim is, and what it has.
func RunFolder(run string) (string, error) {
	if !runName.MatchString(run) {
		return "", fmt.Errorf("%.80q is no name of a run: %w", run, ErrRefused)
	}
	dir, err := home()
	return filepath.Join(dir, run), err
}

// The files of a shim, in its folder, which is its working directory: the path of
// a socket has room for a hundred bytes only.
const (
	socketFile = "socket"
	lockFile   = "lock"
)

// Running lists the runs on this machine that have a shim and whose names begin so. What
// one left that is gone, as after a restart of the machine, is removed.
func Running(prefix string) (runs []string, err error) {
	dir, err := home()
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, entry := range entries {
		if left(filepath.Join(dir, entry.Name()), entry) {
			_ = os.RemoveAll(filepath.Join(dir, entry.Name()))
		} else if strings.HasPrefix(entry.Name(), prefix) {
			runs = append(runs, entry.Name())
		}
	}
	return runs, nil
}

// EndOthers ends the agents of runs whose names begin so, but for those that are named,
// side by side, and waits until they are gone. What they said and nobody heard is lost.
func EndOthers(ctx context.Context, prefix string, but []string) (ended []string, err error) {
	runs, err := Running(prefix)
	if err != nil {
		return nil, err
	}
	var waits []func() error
	for _, run := range runs {
		if slices.Contains(but, run) {
			continue
		}
		gone, err2 := endUnheard(ctx, run)
		if err = errors.Join(err, err2); err2 != nil {
			continue
		}
		waits, ended = append(waits, gone), append(ended, run)
	}
	for _, gone := range waits {
		err = errors.Join(err, gone())
	}
	return ended, err
}

// endUnheard has a run's agent end, and returns how that is waited for.
func endUnheard(ctx context.Context, run string) (gone func() error, err error) {
	dir, err := RunFolder(run)
	if err != nil {
		return nil, err
	}
	conn, err := connect(dir)
	if err != nil {
		return func() error { return nil }, nil //nolint:nilerr // it is gone, or will be: nobody else has its socket
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	if _, err := conn.Write(jsonFrame(frameHello, 0, greeting{Version: Version, Run: run, End: true})); err != nil {
		stop()
		return nil, errors.Join(err, conn.Close())
	}
	return func() error {
		defer func() { _ = conn.Close() }()
		defer stop()
		_, err := io.Copy(io.Discard, conn) // until the shim lets go
		return errors.Join(err, context.Cause(ctx))
	}, nil
}

// startsIn is how long a shim may take from its folder to its lock, and more.
const startsIn = time.Minute

// left reports whether a folder's shim is gone.
func left(dir string, entry fs.DirEntry) bool {
	if info, err := entry.Info(); err != nil || time.Since(info.ModTime()) < startsIn {
		return false
	}
	lock := flock.New(filepath.Join(dir, lockFile))
	free, err := lock.TryLock()
	_ = lock.Close()
	return err == nil && free
}
