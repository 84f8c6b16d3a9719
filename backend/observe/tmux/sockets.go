//go:build !windows

package tmux

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"beckon/backend/disk"
)

// comparableStarts: elsewhere ps says when a process was started in words of its
// own, and a presence file in others.
const comparableStarts = runtime.GOOS == "linux"

// maxSockets is how many servers are asked at most.
const maxSockets = 32

// ownSockets lists the sockets in this user's folder of tmux.
func ownSockets() []string {
	dir := os.Getenv("TMUX_TMPDIR")
	if dir == "" {
		dir = "/tmp"
	}
	dir = filepath.Join(dir, fmt.Sprintf("tmux-%d", os.Geteuid()))
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var all []string
	for _, e := range entries[:min(len(entries), maxSockets)] {
		all = append(all, filepath.Join(dir, e.Name()))
	}
	return all
}

// trusted reports whether a socket is the user's own, in a folder where nobody
// else can put one.
func trusted(socket string) bool {
	if !filepath.IsAbs(socket) {
		return false
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(socket))
	if err != nil {
		return false
	}
	in, err := os.Stat(dir)
	if err != nil || !disk.Owned(in) && in.Mode().Perm()&0o022 != 0 {
		return false
	}
	at, err := os.Lstat(filepath.Join(dir, filepath.Base(socket)))
	return err == nil && at.Mode()&os.ModeSocket != 0 && disk.Owned(at)
}
