//go:build !windows

package helper_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheHelperTravelsPacked where what is there can unpack it, and arrives whole anyway.
func TestTheHelperTravelsPacked(t *testing.T) {
	t.Parallel()
	const size = 4 << 20
	tools := []string{"sh", "cat", "chmod", "mkdir", "mv", "tee", "touch", "uname", "sha256sum", "shasum", "perl", "dirname"}
	for name, one := range map[string]struct {
		near   bool
		tools  []string
		packed bool
	}{
		"with gzip":    {false, append(tools, "gzip"), true},
		"without gzip": {false, tools, false},
		"near":         {true, append(tools, "gzip"), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			bin, wire, program := filepath.Join(dir, "bin"), filepath.Join(dir, "wire"), filepath.Join(dir, "program")
			if err := os.Mkdir(bin, 0o700); err != nil {
				t.Fatal(err)
			}
			for _, tool := range one.tools {
				if at, err := exec.LookPath(tool); err == nil {
					if err := os.Symlink(at, filepath.Join(bin, tool)); err != nil {
						t.Fatal(err)
					}
				}
			}
			text := fmt.Sprintf("#!/bin/sh\nexec %s \"$@\"\n%s\n", os.Args[0], strings.Repeat("# as much as a program has\n", size/27))
			if err := os.WriteFile(program, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			m := newMachine(t)
			m.Near, m.Core = one.near, func(string, string) (string, error) { return program, nil }
			m.Command = func(_ context.Context, script string) (*exec.Cmd, error) {
				cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "sh"), "-c", `tee -a "$WIRE" | sh -c "$SCRIPT"`)
				cmd.Env = []string{"HOME=" + m.home, "PATH=" + bin, "WIRE=" + wire, "SCRIPT=" + script}
				return cmd, nil
			}
			if _, err := m.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			sent, err := os.Stat(wire)
			if err != nil {
				t.Fatal(err)
			}
			if packed := sent.Size() < size/2; packed != one.packed {
				t.Errorf("%d bytes went over the wire, of %d", sent.Size(), len(text))
			}
		})
	}
}
