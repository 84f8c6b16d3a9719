// Package hooks puts Beckon's hook into a user's settings of Claude Code, and
// takes exactly that out again.
//
// The settings are the user's: nothing is written that was not shown before,
// what was there is copied first, everything else keeps its bytes, and a file
// that cannot be changed without a guess is left alone, with words on what to
// put where by hand.
package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"beckon/backend/beckon/reason"
	"beckon/backend/disk"
	"beckon/backend/linediff"
)

// fileName is the file of a configuration folder that holds the user's
// settings.
const fileName = "settings.json"

// maxSettings is how long, in bytes, settings may be that are changed.
const maxSettings = 4 << 20

// Change is what is to happen to a settings file.
type Change struct {
	Path          string
	Before, After []byte
	mode          fs.FileMode // of the file; 0 where there is none
}

// ErrRefused is a settings file that is left alone. It comes as a *Refusal.
var ErrRefused = errors.New("nothing was changed")

// Refusal says why a settings file is left alone, and what the user can do instead.
type Refusal struct {
	Path    string
	Why     error
	Snippet string // to be added by hand; empty where the hook is to be taken out
}

func (r *Refusal) Error() string {
	said := fmt.Sprintf("%s: %v; %v", r.Path, r.Why, ErrRefused)
	if r.Snippet == "" {
		return said + ". Take the entries that call beckon out by hand"
	}
	return said + ". To install the hook by hand, add this:\n" + r.Snippet
}

func (r *Refusal) Unwrap() []error { return []error{r.Why, ErrRefused} }

// ErrChanged is a settings file that another program wrote after the change
// was shown.
var ErrChanged = errors.New("the settings have changed meanwhile, and nothing was written; try again")

// Install returns the change that puts the hook into the settings of a
// configuration folder.
func Install(configDir, command string) (Change, error) {
	return change(configDir, command, func(text []byte) ([]byte, error) { return install(text, command) })
}

// Remove returns the change that takes every hook of Beckon's out of them.
func Remove(configDir string) (Change, error) {
	return change(configDir, "", remove)
}

func change(configDir, command string, edit func([]byte) ([]byte, error)) (Change, error) {
	c := Change{Path: filepath.Join(configDir, fileName)}
	text, mode, err := read(c.Path)
	if errors.Is(err, fs.ErrNotExist) {
		text, mode, err = nil, 0, nil
	}
	if err == nil {
		c.Before, c.mode = text, mode
		c.After, err = edit(text)
	}
	if err != nil {
		return c, refuse(c.Path, command, err)
	}
	return c, nil
}

// refuse says why a file is left alone, and what the user can put there.
func refuse(path, command string, why error) error {
	refusal := &Refusal{Path: path, Why: why}
	if command == "" {
		return refusal
	}
	text, err := json.MarshalIndent(map[string]any{hooksName: map[string]any{eventName: []group{entry(command)}}}, "", "  ")
	if err != nil {
		return errors.Join(refusal, err)
	}
	refusal.Snippet = string(text)
	return refusal
}

// read returns a settings file that may be written.
func read(path string) ([]byte, fs.FileMode, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, 0, err
	}
	if err := writable(info); err != nil {
		return nil, 0, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSettings+1))
	if err == nil && len(text) > maxSettings {
		err = reason.Of(reason.HookLarge).Err()
	}
	return text, info.Mode().Perm(), err
}

// writable reports why a file is not to be replaced, if so.
func writable(info fs.FileInfo) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return reason.Of(reason.HookLink).Err()
	case info.IsDir():
		return reason.Of(reason.HookFolder).Err()
	case !info.Mode().IsRegular():
		return reason.Of(reason.HookOdd).Err()
	case !disk.Owned(info):
		return reason.Of(reason.HookOwner).Err()
	case info.Mode().Perm()&0o200 == 0:
		return reason.Of(reason.HookReadOnly).Err()
	}
	return nil
}

// Empty reports whether there is nothing to change.
func (c Change) Empty() bool { return bytes.Equal(c.Before, c.After) }

// Diff shows the change, as git would.
func (c Change) Diff() string {
	d := linediff.New(maxSettings)
	d.Change(string(c.Before), string(c.After))
	return d.String()
}

// Apply writes the change, and returns where the copy of what was there lies,
// "" where there was nothing.
func (c Change) Apply(now time.Time) (backup string, err error) {
	text, _, err := read(c.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if !bytes.Equal(text, c.Before) || (err != nil) != (c.mode == 0) {
		return "", ErrChanged
	}
	if c.mode == 0 {
		const private = 0o700
		if err := os.MkdirAll(filepath.Dir(c.Path), private); err != nil {
			return "", err
		}
		return "", disk.Replace(c.Path, c.After)
	}
	backup = c.Path + ".beckon-" + now.Format("20060102-150405") + ".bak"
	if err := disk.Replace(backup, c.Before); err != nil {
		return "", fmt.Errorf("copy the settings: %w", err)
	}
	return backup, disk.ReplaceAs(c.Path, c.After, c.mode)
}
