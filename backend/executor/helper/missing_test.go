//go:build !windows

package helper_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/executor/helper"
	"beckon/backend/executor/shim"
	"beckon/backend/executor/worker"
)

// TestMain plays the helper where the test binary is run as one.
func TestMain(m *testing.M) {
	if len(os.Args) != 2 || os.Args[1] != "shim" {
		os.Exit(m.Run())
	}
	serve := func(context.Context, string, json.RawMessage) (any, error) { return "served", nil }
	if err := shim.Command(nil, os.Stdin, os.Stdout, shim.Here{Serve: serve}); err != nil {
		os.Exit(1)
	}
}

// machine is another machine: a home folder, where scripts are run by sh.
type machine struct {
	helper.Shell

	home    string
	shipped atomic.Int32
	lost    atomic.Bool // no script is run, as where there is no link
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	m := &machine{home: t.TempDir()}
	program := filepath.Join(t.TempDir(), "beckon-core")
	if err := os.WriteFile(program, []byte("#!/bin/sh\nexec "+os.Args[0]+" \"$@\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	m.Shell = helper.Shell{
		Name: "farm",
		Core: func(string, string) (string, error) { m.shipped.Add(1); return program, nil },
		Command: func(_ context.Context, script string) (*exec.Cmd, error) {
			if m.lost.Load() {
				script = "echo Connection refused >&2; exit 255"
			}
			cmd := exec.CommandContext(t.Context(), "sh", "-c", script)
			cmd.Env = append(os.Environ(), "HOME="+m.home)
			return cmd, nil
		},
		Explain: func(said string, _ error) error {
			return worker.Unreachable("farm does not answer: " + worker.Last(said))
		},
	}
	return m
}

func (m *machine) call(t *testing.T) (said string, err error) {
	t.Helper()
	err = shim.Call(t.Context(), m.Dial, "anything", nil, &said)
	return said, err
}

func (m *machine) remove(t *testing.T) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(m.home, shim.Folder)); err != nil {
		t.Fatal(err)
	}
}

// TestAHelperThatVanishedIsPutThereAgain: a call that finds its folder removed is carried
// out all the same.
func TestAHelperThatVanishedIsPutThereAgain(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	for range 3 {
		if said, err := m.call(t); said != "served" || err != nil {
			t.Fatalf("it said %q, %v", said, err)
		}
		m.remove(t)
	}
	if n := m.shipped.Load(); n != 3 {
		t.Errorf("the helper was looked for %d times, want 3", n)
	}
}

// TestManyLinksThatMissTheHelperHaveItPutThereOnce for all of them.
func TestManyLinksThatMissTheHelperHaveItPutThereOnce(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	if _, err := m.call(t); err != nil {
		t.Fatal(err)
	}
	m.remove(t)
	links := make([]interface {
		Read([]byte) (int, error)
		Close() error
	}, 8)
	for i := range links {
		var err error
		if links[i], err = m.Dial(t.Context()); err != nil {
			t.Fatal(err)
		}
		defer links[i].Close()
	}
	for _, link := range links {
		if _, err := link.Read(make([]byte, 100)); !errors.Is(err, shim.ErrMissing) || !errors.Is(err, beckon.ErrUnavailable) || !strings.Contains(fmt.Sprint(err), "Beckon's folder on farm was removed") {
			t.Errorf("a link ends with %v", err)
		}
		if _, err := m.Start(t.Context()); err != nil {
			t.Error(err)
		}
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := m.call(t); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := m.shipped.Load(); n != 2 {
		t.Errorf("the helper was looked for %d times, want 2", n)
	}
}

// TestALookTakesNoHelperForGranted: it replaces one that was damaged, too.
func TestALookTakesNoHelperForGranted(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	if _, err := m.call(t); err != nil {
		t.Fatal(err)
	}
	programs, err := filepath.Glob(filepath.Join(m.home, shim.Folder, "core", "*", "beckon-core"))
	if err != nil || len(programs) != 1 {
		t.Fatalf("%q, %v", programs, err)
	}
	if err := os.WriteFile(programs[0], []byte("#!/bin/sh\nexit 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := m.call(t); err == nil {
		t.Fatal("the damaged helper served")
	}
	var bad *json.UnmarshalTypeError // of what the helper says here, which is found by nobody
	if _, err := (worker.Host{On: m}).Inspect(t.Context()); !errors.As(err, &bad) {
		t.Errorf("the look says %v", err)
	}
	if said, err := m.call(t); said != "served" || err != nil {
		t.Errorf("it said %q, %v", said, err)
	}
}

// TestALostLinkSaysWhy: what ssh says on stderr becomes the sentence, and not that the
// other machine said nothing.
func TestALostLinkSaysWhy(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	if _, err := m.call(t); err != nil {
		t.Fatal(err)
	}
	m.lost.Store(true)
	if _, err := m.call(t); err == nil || err.Error() != "farm does not answer: Connection refused" {
		t.Errorf("the call says %v", err)
	}
}

func (m *machine) Git(context.Context, string) (worker.Git, error) { return worker.Git{}, nil }
