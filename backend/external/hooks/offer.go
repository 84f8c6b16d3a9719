package hooks

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

// Offer is the hook as the page offers it: a change is shown first, and only the
// change that was shown is made.
type Offer struct {
	Command string // that the hook is to call
}

// State is how the hook stands in the settings of one folder of Claude Code's.
type State struct {
	Root string `json:"root"`
	File string `json:"file"`
	// Command is what the hook calls; empty where none is installed.
	Command string `json:"command"`
	// Another says that the hook asks the Beckon of another data folder than this one.
	Another     bool           `json:"another"`
	Since       int64          `json:"since"` // 0: not known
	ProgramGone bool           `json:"programGone"`
	DisabledBy  string         `json:"disabledBy"`        // the file that switches hooks off, or empty
	Trouble     *reason.Reason `json:"trouble,omitempty"` // why the file cannot be read, or nil
}

// Shown is a Change as the user sees it.
type Shown struct {
	File string `json:"file"`
	Diff string `json:"diff"` // unified; empty where there is nothing to change
	// Token names this very change, which is the only one that is made by it.
	Token string `json:"token"`
	// Refused says why the file is left alone, and Snippet what to add by hand; nil and
	// empty where it can be changed.
	Refused *reason.Reason `json:"refused,omitempty"`
	Snippet string         `json:"snippet"`
	Backup  string         `json:"backup"` // the copy of what was there, once it is made
}

// State tells how the hook stands in the settings of a configuration folder.
func (o Offer) State(configDir string) State {
	s, err := ReadStatus(configDir)
	state := State{Root: configDir, File: s.Path, Command: s.Command, ProgramGone: s.ProgramGone, DisabledBy: s.DisabledBy}
	if call, _ := Parse(o.Command); s.Command != "" {
		state.Another = s.Data != call.Data
	}
	if !s.Since.IsZero() {
		state.Since = s.Since.UnixMilli()
	}
	if err != nil {
		state.Trouble = beckon.ReasonOf(err)
	}
	return state
}

// Preview tells what Apply would do. A file that is left alone is no error.
func (o Offer) Preview(configDir string, install bool) (Shown, error) {
	c, shown, err := o.plan(configDir, install)
	if err == nil && shown.Refused == nil {
		shown.Diff, shown.Token = c.Diff(), token(c)
	}
	return shown, err
}

// Apply makes the change that Preview gave the token, and no other one.
func (o Offer) Apply(configDir string, install bool, agreed string, now time.Time) (Shown, error) {
	c, shown, err := o.plan(configDir, install)
	if err != nil || shown.Refused != nil {
		return shown, err
	}
	if token(c) != agreed {
		return shown, fmt.Errorf("%w: %w", ErrChanged, beckon.ErrConflict)
	}
	if c.Empty() {
		return shown, nil
	}
	shown.Backup, err = c.Apply(now)
	if errors.Is(err, ErrChanged) {
		err = fmt.Errorf("%w: %w", err, beckon.ErrConflict)
	}
	return shown, err
}

func (o Offer) plan(configDir string, install bool) (c Change, shown Shown, err error) {
	if install {
		c, err = Install(configDir, o.Command)
	} else {
		c, err = Remove(configDir)
	}
	shown.File = c.Path
	if refusal := new(Refusal); errors.As(err, &refusal) {
		shown.Refused, shown.Snippet, err = beckon.ReasonOf(refusal.Why), refusal.Snippet, nil
	}
	return c, shown, err
}

// token names a change by what the file had and would have.
func token(c Change) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q", c.Path, c.Before, c.After))
	return hex.EncodeToString(sum[:])
}
