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

// LoginEnviron returns an environment with the PATH of the user's login shell, and what
// that has for Claude, such as a key: a command by ssh often has less. Programs that
// version managers installed would be missing, and a claude that works in the user's
// terminal there would not be signed in. Where the shell does not say, the environment
// stays as it is.
func LoginEnviron(ctx context.Context, environ []string) []string {
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
	environ = environ[:len(environ):len(environ)]
	for i, pair := range bytes.Split(out, []byte{0}) {
		if i == 0 { // what the shell greets with stands before the first variable
			pair = pair[bytes.LastIndexByte(pair, '\n')+1:]
		}
		name, value, _ := strings.Cut(string(pair), "=")
		if value != "" && (name == "PATH" || strings.HasPrefix(name, "ANTHROPIC_") || strings.HasPrefix(name, "CLAUDE_")) {
			environ = append(environ, string(pair))
		}
	}
	return environ
}
