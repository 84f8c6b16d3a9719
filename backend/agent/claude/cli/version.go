package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"

	"golang.org/x/mod/semver"
)

// OldestVersion is the oldest CLI that Beckon starts. That older ones lack what Beckon
// needs (partial messages, the prompt tool on stdio) is assumed and not tried: what they
// miss shows as an unknown option at the start of a run.
const OldestVersion = "2.0.0"

// TriedFrom and TriedTo are the versions of the CLI that tests/real runs: the oldest and
// the newest that Beckon was tried with. docs/PROTOCOL.md has what differs.
const (
	TriedFrom = "2.1.197"
	TriedTo   = "2.1.332"
)

// versionIn is how long the CLI may take to say its version, and versionAgain
// after how long one that is of no use is asked again: what was found may be a
// script that starts another.
const (
	versionIn    = 20 * time.Second
	versionAgain = 30 * time.Second
)

// What is wrong with a CLI that was found. Both are kinds of
// beckon.ErrUnavailable.
var (
	ErrTooOld = fmt.Errorf("claude is too old: %w", beckon.ErrUnavailable)
	ErrSilent = fmt.Errorf("claude does not answer: %w", beckon.ErrUnavailable)
)

// Versions remembers what version the CLI said it has, for as long as its file
// stays the same. The zero Versions is ready.
type Versions struct {
	mu   sync.Mutex
	last *Version
}

// Version is what one CLI says of itself.
type Version struct {
	path  string
	file  fs.FileInfo   // nil where it cannot be read
	known chan struct{} // closed when what follows is
	text  string
	err   error
	at    time.Time
}

// Of returns the version of the CLI that o starts, which may be known only
// later: it is asked beside the caller, until ctx ends. A fresh look asks one
// that was of no use again.
func (v *Versions) Of(ctx context.Context, o Options, fresh bool) *Version {
	file, err := os.Stat(o.Path)
	if err != nil {
		file = nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.last == nil || !v.last.holds(o.Path, file, fresh) {
		v.last = &Version{path: o.Path, file: file, known: make(chan struct{})}
		go v.last.ask(ctx, o)
	}
	return v.last
}

// holds reports whether what was asked of a file is of use for this one.
func (v *Version) holds(path string, file fs.FileInfo, fresh bool) bool {
	if path != v.path || file == nil || v.file == nil || !os.SameFile(file, v.file) ||
		!file.ModTime().Equal(v.file.ModTime()) || file.Size() != v.file.Size() {
		return false
	}
	return !v.Known() || v.err == nil || !fresh && time.Since(v.at) < versionAgain
}

// Known reports whether Wait returns at once.
func (v *Version) Known() bool {
	select {
	case <-v.known:
		return true
	default:
		return false
	}
}

// Wait returns the version, such as "2.1.197", and ErrTooOld or ErrSilent
// where Beckon cannot use it. One that nobody can read is no error.
func (v *Version) Wait(ctx context.Context) (string, error) {
	select {
	case <-v.known:
		return v.text, v.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// Close waits until no CLI is asked any more, once the contexts of all who
// asked have ended.
func (v *Versions) Close() {
	v.mu.Lock()
	last := v.last
	v.mu.Unlock()
	if last != nil {
		<-last.known
	}
}

func (v *Version) ask(ctx context.Context, o Options) {
	defer close(v.known)
	ctx, cancel := context.WithTimeout(ctx, versionIn)
	defer cancel()
	cmd := exec.CommandContext(ctx, o.Path, append(slices.Clone(o.Lead), "--version")...)
	cmd.Env = Environ(os.Environ(), o.Env)
	cmd.WaitDelay = time.Second
	wholeTree(cmd)
	out, err := cmd.Output()
	v.at = time.Now()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		v.err = reason.Of(reason.ClaudeSilent, "path", o.Path, "time", versionIn.String()).Err(ErrSilent)
		return
	}
	v.text = firstWord(string(out))
	release := releaseOf(v.text)
	switch {
	case release == "": // it may work all the same
		slog.Warn("claude says no version that can be read", "path", o.Path, "says", fmt.Sprintf("%.80q", out), "err", err)
	case semver.Compare(release, "v"+OldestVersion) < 0:
		v.err = reason.Of(reason.ClaudeOld, "path", o.Path, "version", v.text, "oldest", OldestVersion).Err(ErrTooOld)
	}
}

// firstWord returns what stands first in what the CLI says, "?" where it says
// nothing.
func firstWord(out string) string {
	words := strings.Fields(strings.ToValidUTF8(out, "?"))
	if len(words) == 0 {
		return "?"
	}
	return words[0][:min(len(words[0]), 40)]
}

// releaseOf returns the release that a version is, or leads up to, as package
// semver writes it; "" where it is no version.
func releaseOf(version string) string {
	version = semver.Canonical("v" + strings.TrimPrefix(version, "v"))
	return strings.TrimSuffix(version, semver.Prerelease(version))
}

// Installed is the CLI of this machine. It is looked for each time, since the user may
// install it while Beckon runs.
type Installed struct {
	Find func() (Options, error)
	Versions
}

// Usable returns why it cannot be used, if so, once it has said its version. It is asked
// until asking ends, whatever becomes of ctx.
func (i *Installed) Usable(ctx, asking context.Context) error {
	o, err := i.Find()
	if err != nil {
		return err
	}
	_, err = i.Of(asking, o, false).Wait(ctx)
	return err
}

// Asked reports whether Usable returns at once. Where it does not, said is called as
// soon as it will: a CLI that hangs holds nobody up.
func (i *Installed) Asked(asking context.Context, said func()) bool {
	o, err := i.Find()
	if err != nil {
		return true
	}
	v := i.Of(asking, o, false)
	if v.Known() {
		return true
	}
	go func() {
		if _, err := v.Wait(asking); !errors.Is(err, context.Canceled) {
			said()
		}
	}()
	return false
}

// About completes what the program knows of itself by the CLI that it finds, looking
// again.
func (i *Installed) About(ctx, asking context.Context, a beckon.About) beckon.About {
	a.ClaudeTrouble, a.ClaudeOldest = beckon.ClaudeMissing, OldestVersion
	a.ClaudeTried = beckon.Tried{From: TriedFrom, To: TriedTo}
	o, err := i.Find()
	if err != nil {
		return a
	}
	a.ClaudePath = o.Path
	a.ClaudeVersion, err = i.Of(asking, o, true).Wait(ctx)
	a.ClaudeTried.Newer = semver.Compare("v"+a.ClaudeVersion, "v"+TriedTo) > 0
	switch {
	case errors.Is(err, ErrTooOld):
		a.ClaudeTrouble = beckon.ClaudeOld
	case err != nil:
		a.ClaudeTrouble = beckon.ClaudeSilent
	default:
		a.ClaudeTrouble = ""
	}
	return a
}
