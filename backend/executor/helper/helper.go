// Package helper puts Beckon's static program where a command can be run, and opens links
// to it. It lies in a folder of Beckon's own there, named after what it contains, and what
// it is to do travels on its stdin. The shell there may greet.
package helper

import (
	"bytes"
	"compress/gzip"
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
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/executor/shim"
	"beckon/backend/executor/worker"
)

// Core returns Beckon's static program for a system and an architecture, in Go's words, or
// why there is none.
type Core func(system, arch string) (file string, err error)

// Shell is somewhere that scripts of sh can be run. Its methods may be called from any
// goroutine.
type Shell struct {
	Name string // as the user knows it
	Core Core
	// Command returns a process that runs a script there, which ctx does not end.
	Command func(ctx context.Context, script string) (*exec.Cmd, error)
	// Near says that no network leads there: the helper travels as it is.
	Near bool
	// Over hears of each such process, once it has ended or was not started. It is nil
	// where nobody counts them.
	Over func(*exec.Cmd)
	// Explain returns why that failed, in words for the user where they are known, by what
	// was said on stderr.
	Explain func(said string, err error) error

	installing sync.Mutex // held while the helper is looked for and put there
	helper     string     // its file as sh names it, once it is known to be there; guarded by installing
	// found counts how often it was, and missed is the last of them that does not hold any
	// more.
	found, missed atomic.Int64
}

// Dial opens a link to a shim there. Closing it ends the process here.
func (s *Shell) Dial(ctx context.Context) (io.ReadWriteCloser, error) { return s.Link(ctx, "") }

// missing is the exit code by which a script says that the helper is not there.
const missing = 67

// Link opens a link to the helper there, which gets more words. Where the helper is not
// there any more, reading says so as a shim.ErrMissing, and the next link puts it there.
func (s *Shell) Link(ctx context.Context, words string) (io.ReadWriteCloser, error) {
	helper, found, err := s.find(ctx)
	if err != nil {
		return nil, err
	}
	cmd, err := s.Command(ctx, fmt.Sprintf("[ -x %s ] || exit %d; %s", helper, missing, strings.TrimSpace(start(helper)+" "+words)))
	if err != nil {
		return nil, err
	}
	return s.open(cmd, func(code int, said string, err error) error {
		if code != missing {
			return s.lost(said, err)
		}
		s.miss(found)
		return reason.Of(reason.HostFolderRemoved, "host", s.Name, "folder", shim.Folder).Err(beckon.ErrUnavailable, shim.ErrMissing)
	})
}

// Open starts a process of Command's and returns its stdin and stdout. Closing them ends it.
func (s *Shell) Open(cmd *exec.Cmd) (io.ReadWriteCloser, error) {
	return s.open(cmd, func(_ int, said string, err error) error { return s.lost(said, err) })
}

func (s *Shell) open(cmd *exec.Cmd, why func(code int, said string, err error) error) (io.ReadWriteCloser, error) {
	l, err := open(cmd)
	if err != nil {
		s.over(cmd)
		return nil, err
	}
	l.why = why
	if s.Over != nil {
		l.over = func() { s.Over(cmd) }
	}
	return l, nil
}

// lost returns why a link ended whose process failed, in words alone: whether its worker is
// gone for good, the next link finds out.
func (s *Shell) lost(said string, err error) error {
	return beckon.ReasonOf(s.Explain(said, err)).Err(beckon.ErrUnavailable)
}

// Run runs a process of Command's as the function does.
func (s *Shell) Run(ctx context.Context, cmd *exec.Cmd, stdin io.Reader, most int) (printed []byte, said string, err error) {
	defer s.over(cmd)
	return Run(ctx, cmd, stdin, most)
}

func (s *Shell) over(cmd *exec.Cmd) {
	if s.Over != nil {
		s.Over(cmd)
	}
}

// Start returns the script that starts the helper there, which is put there where it is
// missing.
func (s *Shell) Start(ctx context.Context) (script string, err error) {
	helper, _, err := s.find(ctx)
	return start(helper), err
}

// start returns the script that starts a helper.
func start(helper string) string { return "exec " + helper + " shim" }

// find returns the helper there, which is put there where it is missing, and how often it
// was found by now.
func (s *Shell) find(ctx context.Context) (helper string, found int64, err error) {
	s.installing.Lock()
	defer s.installing.Unlock()
	if s.helper == "" || s.missed.Load() >= s.found.Load() {
		if s.helper, err = s.install(ctx); err != nil {
			return "", 0, err
		}
		s.found.Add(1)
	}
	return s.helper, s.found.Load(), nil
}

// Forget has the helper be looked for again.
func (s *Shell) Forget() { s.miss(s.found.Load()) }

// miss is Forget, where it was found so often, unless it was found again since: of many
// links that miss it the first has it put there for all.
func (s *Shell) miss(found int64) {
	for old := s.missed.Load(); old < found && !s.missed.CompareAndSwap(old, found); old = s.missed.Load() {
	}
}

// sign is before each line of the scripts', for a shell may print others.
const sign = "beckon-says "

// folder is where helpers are there, below the home folder.
const folder = shim.Folder + "/core"

// Quiet returns why git cannot talk to a machine whose shell says something of its own
// first, as a greeting of .bashrc, if so.
func (s *Shell) Quiet(ctx context.Context) error {
	cmd, err := s.Command(ctx, `echo "`+sign+`quiet"`)
	if err != nil {
		return err
	}
	printed, said, err := s.Run(ctx, cmd, nil, greetingMost)
	if err != nil {
		return s.Explain(said, err)
	}
	own, _, _ := strings.Cut(string(printed), sign)
	if own == "" {
		return nil
	}
	first, _, _ := strings.Cut(strings.TrimSpace(own), "\n")
	return reason.Of(reason.ShellSays, "host", s.Name, "words", strconv.Quote(worker.Shown(first))).Err(beckon.ErrUnavailable)
}

// install puts the helper there, unless it is, and returns its file as sh names it.
func (s *Shell) install(ctx context.Context) (string, error) {
	said, err := s.run(ctx, `echo; echo "`+sign+`$(uname -s) $(uname -m) $(command -v gzip >/dev/null 2>&1 && echo gzip)"`, nil)
	if err != nil {
		return "", err
	}
	words := strings.Fields(said)
	unpacks := len(words) == 3 && words[2] == "gzip"
	if len(words) != 2 && !unpacks {
		return "", s.silent()
	}
	file, err := s.Core(goNames(words[0], words[1]))
	if err != nil {
		return "", err
	}
	program, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(program)
	dir := path.Join(folder, hex.EncodeToString(sum[:8]))
	helper := `"$HOME/` + dir + `/beckon-core"`
	is := hex.EncodeToString(sum[:])
	// The name says what it contains, and that is looked at again: a copy may have broken
	// off, and the disk there may have rotted. The folder is made before anything is sent: a
	// process that ends while it is sent something may not be heard. Its time says when a
	// helper was looked for last; see package workspace.
	sums := `{ sha256sum beckon-core 2>/dev/null || shasum -a 256 beckon-core 2>/dev/null; } | while read -r sum rest; do echo "` + sign + `$sum"; done`
	at := `cd "$HOME/` + dir + `" && `
	said, err = s.run(ctx, `echo; umask 077; mkdir -p "$HOME/`+dir+`" && `+at+`touch . && `+sums, nil)
	if err == nil && said == is {
		return helper, nil
	}
	if err == nil {
		unpack := "cat"
		if unpacks && !s.Near {
			unpack, program = "gzip -dc", packed(program)
		}
		said, err = s.run(ctx, `echo; umask 077; `+at+unpack+` > new.$$ && chmod 700 new.$$ && mv new.$$ beckon-core && `+sums, bytes.NewReader(program))
	}
	if err != nil {
		return "", reason.Of(reason.HelperCopy, "folder", folder, "host", s.Name).Because(beckon.ReasonOf(err)).Err(err)
	}
	if said != is {
		return "", reason.Of(reason.HelperBroken, "host", s.Name).Err(beckon.ErrUnavailable)
	}
	return helper, nil
}

// packed returns a program as it travels: less than half. A tenth less would take three
// times as long.
func packed(program []byte) []byte {
	var to bytes.Buffer
	w, _ := gzip.NewWriterLevel(&to, gzip.BestSpeed) // which is a level
	_, _ = w.Write(program)                          // a buffer takes all
	_ = w.Close()
	return to.Bytes()
}

func (s *Shell) silent() error {
	return reason.Of(reason.HostSystem, "host", s.Name).Err(beckon.ErrUnavailable)
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

// run runs a script there and returns the last line that bears the sign, without it.
func (s *Shell) run(ctx context.Context, script string, stdin io.Reader) (string, error) {
	cmd, err := s.Command(ctx, script)
	if err != nil {
		return "", err
	}
	printed, errs, err := s.Run(ctx, cmd, stdin, greetingMost)
	said := ""
	for line := range strings.Lines(string(printed)) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), sign); ok {
			said = rest
		}
	}
	switch {
	case errors.Is(err, ErrEndless):
		return said, s.silent()
	case err == nil:
		return said, nil
	case ctx.Err() != nil:
		return said, err
	}
	if strings.TrimSpace(errs) == "" {
		errs = string(printed) // as of a shell that lets nobody in
	}
	return said, s.Explain(errs, err)
}

// greetingMost is how much is read of what a machine says, greetings included.
const greetingMost = 1 << 20

// Git is how git reaches the repository in a folder where a script of sh has its second
// argument carried out by sh there. The host is a name for messages.
func Git(host, dir, script string) worker.Git {
	u := url.URL{Scheme: "ssh", Host: host, Path: dir}
	return worker.Git{Address: u.String(), Command: "sh -c " + Quoted(script) + " sh", Variant: "simple"}
}

// Quoted returns a word as sh takes it, which git hands its commands to.
func Quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
