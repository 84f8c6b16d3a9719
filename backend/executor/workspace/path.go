//go:build linux || darwin

package workspace

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// shellIn is how long a login shell may take to say its environment.
const shellIn = 5 * time.Second

// LoginPath returns an environment with the PATH of the user's login shell: a command by
// ssh often has less, and programs that version managers installed are missing from it.
// Where the shell does not say, the environment stays as it is.
func LoginPath(ctx context.Context, environ []string) []string {
	ctx, cancel := context.WithTimeout(ctx, shellIn)
	defer cancel()
	shell := os.Getenv("SHELL")
	if !filepath.IsAbs(shell) {
		return environ
	}
	cmd := exec.CommandContext(ctx, shell, "-l", "-c", "env -0")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return environ
	}
	for line := range bytes.SplitSeq(out, []byte{0}) {
		// What the shell greets with stands before the first variable.
		if at := bytes.LastIndex(line, []byte("\nPATH=")); at >= 0 {
			line = line[at+1:]
		}
		if path, ok := strings.CutPrefix(string(line), "PATH="); ok && path != "" {
			return append(environ[:len(environ):len(environ)], "PATH="+path)
		}
	}
	return environ
}
