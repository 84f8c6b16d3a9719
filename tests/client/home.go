package client

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Home is a machine's user for a built Beckon: a home and a data folder of
// their own, and an agent that follows a script. It is gone with the test.
type Home struct {
	Dir string
	Bin string // the built program

	t testing.TB
}

// NewHome makes a home for the program at bin, whose agent follows script, a
// txtar archive.
func NewHome(t testing.TB, bin, script string) *Home {
	t.Helper()
	h := &Home{Dir: t.TempDir(), Bin: bin, t: t}
	for _, dir := range []string{"home", "runtime", "agents"} {
		if err := os.Mkdir(h.At(dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	h.Write("agents/agent.txtar", script)
	// The agent is Beckon itself, which plays one on request.
	h.Write("claude", fmt.Sprintf("#!/bin/sh\nBECKON_AGENT_SCRIPTS='%s' exec '%s' \"$@\"\n", h.At("agents"), bin))
	return h
}

// At returns the path of a name in the home's folder.
func (h *Home) At(name string) string { return filepath.Join(h.Dir, name) }

// Data returns the data folder, which Beckon makes.
func (h *Home) Data() string { return h.At("data") }

// Write writes a file that may be run.
func (h *Home) Write(name, text string) {
	h.t.Helper()
	if err := os.WriteFile(h.At(name), []byte(text), 0o700); err != nil {
		h.t.Fatal(err)
	}
}

// Env is the environment of all that a test starts for Beckon. Its HOME tells
// these processes from all others.
func (h *Home) Env(more ...string) []string {
	return append([]string{
		"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "HOME=" + h.At("home"), "XDG_RUNTIME_DIR=" + h.At("runtime"),
		"GIT_CONFIG_NOSYSTEM=1", "NO_AT_BRIDGE=1", "GTK_THEME=Adwaita",
	}, more...)
}

// Args are Beckon's arguments.
func (h *Home) Args() []string {
	return []string{"-data", h.Data(), "-claude", h.At("claude")}
}

// Serve runs `beckon serve` in the home.
func (h *Home) Serve() *Program {
	h.t.Helper()
	return Serve(h.t, h.Bin, h.Env(), h.Args()...)
}
