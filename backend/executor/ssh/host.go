// Package ssh reaches other machines through the system's own ssh, with the user's
// configuration, keys, agents and jump hosts: Beckon reads nothing of them and writes
// nothing to them. Host keys are never switched off.
//
// One connection to a host carries all links to it. What runs there is one constant
// command; whatever it is to do travels on its stdin. Beckon's helper, a static program,
// is copied into Beckon's own folder there when it is missing, under the name of what it
// contains. The other machine's shell may greet, and be fish or csh.
package ssh

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path"
	"strings"
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/executor/shim"
	"beckon/backend/tail"
)

// Config is what a Host works with.
type Config struct {
	// Name is what ssh calls it: a name of the user's configuration, or user@host.
	Name string
	// Core returns Beckon's static program for a system and an architecture, in Go's
	// words, or why there is none.
	Core func(system, arch string) (file string, err error)
	// Supervisor is the executable that ends the connection when Beckon dies; see package
	// supervisor.
	Supervisor string
}

// Host is a machine. Its methods may be called from any goroutine.
type Host struct {
	Config

	connecting sync.Mutex // held while a connection is made
	mu         sync.Mutex // guards what follows
	live       *connection
	helper     string // the command that starts it, once it is known to be there
	closed     bool
}

// New returns a machine that is reached when it is first used.
func New(c Config) *Host { return &Host{Config: c} }

// Unreachable is why a machine cannot be used, in words for the user. It is a kind of
// beckon.ErrUnavailable.
type Unreachable string

func (e Unreachable) Error() string { return string(e) }

// Unwrap makes it a beckon.ErrUnavailable.
func (Unreachable) Unwrap() error { return beckon.ErrUnavailable }

// Dial opens a link to a shim there. Closing it ends ssh's process here.
func (h *Host) Dial(ctx context.Context) (io.ReadWriteCloser, error) {
	c, err := h.connect(ctx)
	if err != nil {
		return nil, err
	}
	command, err := h.command(ctx, c)
	if err != nil {
		return nil, err
	}
	return open(c.ssh(context.Background(), command)) // the caller closes it
}

// Git is what git needs to reach the repository in a folder there: its address, and ssh's
// command for core.sshCommand.
func (h *Host) Git(dir string) (address, sshCommand string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	command := []string{"ssh", "-o", "ControlMaster=no"}
	for _, arg := range h.live.options() {
		command = append(command, quoted(arg))
	}
	u := url.URL{Scheme: "ssh", Host: h.Name, Path: dir}
	if user, host, named := strings.Cut(h.Name, "@"); named {
		u.User, u.Host = url.User(user), host
	}
	return u.String(), strings.Join(command, " ")
}

// quoted returns a word as sh takes it, which git hands the command to.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// Close ends the connection and all links.
func (h *Host) Close() {
	h.mu.Lock()
	live := h.live
	h.live, h.closed = nil, true
	h.mu.Unlock()
	live.end()
}

// command returns what starts the helper there, which is put there where it is missing.
func (h *Host) command(ctx context.Context, c *connection) (string, error) {
	h.connecting.Lock()
	defer h.connecting.Unlock()
	h.mu.Lock()
	known := h.helper
	h.mu.Unlock()
	if known != "" {
		return known, nil
	}
	command, err := h.install(ctx, c)
	if err == nil {
		h.mu.Lock()
		h.helper = command
		h.mu.Unlock()
	}
	return command, err
}

// sign is before each line of the scripts', for a shell may print others.
const sign = "beckon-says "

// folder is where helpers are there, below the home folder.
const folder = shim.Folder + "/core"

// install puts the helper there, unless it is.
func (h *Host) install(ctx context.Context, c *connection) (string, error) {
	said, err := c.run(ctx, `echo; echo "`+sign+`$(uname -s) $(uname -m)"`, nil)
	if err != nil {
		return "", err
	}
	words := strings.Fields(said)
	if len(words) != 2 {
		return "", Unreachable(fmt.Sprintf("%s did not say which system it is: Beckon needs Linux or macOS there, with sh", h.Name))
	}
	file, err := h.Core(goNames(words[0], words[1]))
	if err != nil {
		return "", err
	}
	program, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(program)
	dir := path.Join(folder, hex.EncodeToString(sum[:8]))
	command := sh(`exec "$HOME/` + dir + `/beckon-core" shim`)
	is := sign + hex.EncodeToString(sum[:])
	// The name says what it contains, and that is looked at again: a copy may have broken
	// off, and the disk there may have rotted.
	there := `cd "$HOME/` + dir + `" 2>/dev/null && { sha256sum beckon-core 2>/dev/null || shasum -a 256 beckon-core; } | while read -r sum rest; do echo "` + sign + `$sum"; done`
	if said, err := c.run(ctx, "echo; "+there, nil); err == nil && said == strings.TrimPrefix(is, sign) {
		return command, nil
	}
	said, err = c.run(ctx, `echo; umask 077; mkdir -p "$HOME/`+dir+`" && cd "$HOME/`+dir+`" && cat > new.$$ && chmod 700 new.$$ && mv new.$$ beckon-core && `+there, bytes.NewReader(program))
	if err != nil {
		return "", fmt.Errorf("copy Beckon's helper into ~/%s on %s: %w", folder, h.Name, err)
	}
	if said != strings.TrimPrefix(is, sign) {
		return "", Unreachable(fmt.Sprintf("Beckon's helper did not arrive whole on %s; try again, and see whether the disk there is full", h.Name))
	}
	return command, nil
}

// goNames returns a system and an architecture as Go calls them.
func goNames(system, arch string) (string, string) {
	switch arch {
	case "x86_64", "amd64":
		arch = "amd64"
	case "aarch64", "arm64":
		arch = "arm64"
	}
	return strings.ToLower(system), arch
}

// sh returns the command that has sh run a script, whatever the login shell is: fish and
// csh take single quotes as it does. The script has none, and no exclamation mark, which
// csh looks for in them too.
func sh(script string) string { return "sh -c '" + script + "'" }

// run runs a script there and returns the last line that bears the sign, without it.
func (c *connection) run(ctx context.Context, script string, stdin io.Reader) (string, error) {
	cmd := c.ssh(ctx, sh(script))
	out, errs := tail.Tail{Most: saidMost}, tail.Tail{Most: saidMost}
	words := &limited{&out, greetingMost}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, words, &limited{&errs, greetingMost}
	err := cmd.Run()
	if words.left < 0 {
		err = errEndless // ssh ended for that
	}
	said := ""
	for line := range strings.Lines(out.String()) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), sign); ok {
			said = rest
		}
	}
	if err != nil {
		return said, c.explain(ctx, errs.String(), err)
	}
	return said, nil
}

// greetingMost is how much is read of what a machine says, greetings included.
const greetingMost = 1 << 20

// limited is a writer that takes so many bytes.
type limited struct {
	to   io.Writer
	left int
}

var errEndless = errors.New("it says too much")

func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, errEndless
	}
	return l.to.Write(p)
}

// saidMost is how much is kept of the end of what ssh, or a script there, says.
const saidMost = 64 << 10

// errNoSSH is why nothing is reached where there is no ssh.
const errNoSSH = Unreachable("ssh was not found: install OpenSSH's client and try again")

// explain returns why ssh failed, in words for the user where they are known.
func (c *connection) explain(ctx context.Context, said string, err error) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, errEndless):
		return Unreachable(fmt.Sprintf("%s did not say which system it is: Beckon needs Linux or macOS there, with sh", c.host))
	}
	if errors.Is(err, exec.ErrNotFound) {
		return errNoSSH
	}
	return Explain(c.host, said, err)
}
