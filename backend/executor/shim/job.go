package shim

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"beckon/backend/agent/process"
)

// Job is an agent to be started.
type Job struct {
	Path string   `json:"path"`
	Args []string `json:"args"`
	Dir  string   `json:"dir"`
	// Env is on top of what the other machine's own environment gives to agents.
	Env []string `json:"env"`

	// LeaseMs is how long the agent may go on with nobody there, GraceMs how long it
	// may take to leave after SIGINT, SpoolBytes how much is kept that it printed.
	// 0 stands for a day, six seconds and 256 MiB.
	LeaseMs    int64 `json:"leaseMs,omitempty"`
	GraceMs    int64 `json:"graceMs,omitempty"`
	SpoolBytes int64 `json:"spoolBytes,omitempty"`
}

func (j Job) lease() time.Duration {
	return time.Duration(cmp.Or(j.LeaseMs, 24*60*60*1000)) * time.Millisecond
}

func (j Job) grace() time.Duration { return time.Duration(cmp.Or(j.GraceMs, 6000)) * time.Millisecond }

func (j Job) spoolBytes() int64 { return cmp.Or(j.SpoolBytes, 256<<20) }

// Exit is how an agent ended.
type Exit struct {
	process.Status
	Lines   int64  `json:"lines"` // that it printed
	Stderr  string `json:"stderr"`
	Alone   bool   `json:"alone"` // it was ended since nobody came back
	Trouble string `json:"trouble"`
}

// Why a shim does not do what is wanted. Only ErrMissing passes by itself.
var (
	ErrRefused = errors.New("the shim refused")
	// ErrNone says that no shim has the run.
	ErrNone error = none{}

	// ErrMissing says that Beckon's program is not on the other machine any more. A new link
	// puts it there again.
	ErrMissing = errors.New("Beckon's program is not there any more")

	errTaken = fmt.Errorf("another Beckon took the agent over: %w", ErrRefused)
)

// none is ErrNone.
type none struct{}

func (none) Error() string {
	return "the agent is not there any more: the other machine was restarted, or Beckon's folder there was removed"
}

// Unwrap makes it an ErrRefused.
func (none) Unwrap() error { return ErrRefused }
