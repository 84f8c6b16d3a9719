package container

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
)

func TestWhoWorksInADevContainerIsInItsLabel(t *testing.T) {
	t.Parallel()
	for note, want := range map[string]string{
		"":     "",
		"{":    "",
		`[]`:   "",
		`[{}]`: "",
		`[{"id":"ghcr.io/x/y:1"},{"remoteUser":"node"},{"remoteUser":"dev","remoteEnv":{"A":null}},{"init":true}]`: "dev",
		`[{"remoteUser":7}]`: "",
	} {
		if got := remoteUser(note); got != want {
			t.Errorf("%s: %q, want %q", note, got, want)
		}
	}
}

// TestWhatADevContainerIsMadeOfIsSeen: a change of any of its files makes another, and
// whatever else the project has does not.
func TestWhatADevContainerIsMadeOfIsSeen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	m := New(executing.Executor{Engine: executing.Podman, Network: executing.EngineNetwork}, nil)
	if _, err := m.kind(dir); err == nil || !strings.Contains(err.Error(), "has no dev container") || !errors.Is(err, beckon.ErrUnavailable) {
		t.Errorf("without a file: %v", err)
	}
	seen := map[string]string{}
	for _, one := range []struct {
		name, text string
		same       bool
	}{
		{".devcontainer.json", "{}", false},
		{".devcontainer.json", "{} ", false},
		{".devcontainer/devcontainer.json", "{}", false},
		{".devcontainer.json", "{ }", true}, // the CLI takes the other
		{"README.md", "hello", true},
		{".devcontainer/Dockerfile", "FROM x", false},
		{".devcontainer/Dockerfile", "FROM y", false},
	} {
		write(one.name, one.text)
		kind, err := m.kind(dir)
		if err != nil {
			t.Fatal(err)
		}
		if before, is := seen[kind]; is != one.same {
			t.Errorf("after %s %q it is as after %q", one.name, one.text, before)
		}
		seen[kind] = one.name
	}
	write(".devcontainer/large", strings.Repeat("x", filesMost))
	if _, err := m.kind(dir); err == nil || !strings.Contains(err.Error(), "larger than 4 MB") {
		t.Errorf("large files: %v", err)
	}
}

func TestWhatTheDevContainerCLISaysBecomesASentence(t *testing.T) {
	t.Parallel()
	m := New(executing.Executor{Engine: executing.Podman}, nil)
	setUp := outcome{"error", "Command failed: podman run", "An error occurred setting up the container."}
	for want, one := range map[string]struct {
		how  outcome
		said string
	}{
		"The image node:22 is not there and cannot be fetched":                  {setUp, "[2026-11-26T00:23:23.923Z] Error: inspecting object: node:22: image not known\n\n[2026-11-26T00:23:23.923Z] Command failed: podman pull node:22\nError: Command failed: podman pull node:22\n    at sW (spec.js:469)"},
		"Podman takes none of the options that were given: Error: unknown flag": {setUp, "[2026-11-26T00:23:24.323Z] Error: unknown flag: --nope\nSee 'podman run --help'\nError: Command failed: podman run\n    at x"},
		"devcontainer: postCreateCommand from devcontainer.json failed.":        {outcome{"error", "Command failed: /bin/sh -c exit 3", "postCreateCommand from devcontainer.json failed."}, "Error: Command failed: x"},
		"devcontainer: Error: Dev container config not found.":                  {outcome{}, "Error: Dev container config not found.\n    at x"},
		"devcontainer: hidden ": {outcome{"error", "", "hidden \u202e words\x1b[31m"}, ""},
	} {
		err := m.explainCLI("node:22", one.how, one.said, errors.New("exit status 1"))
		if !strings.Contains(err.Error(), want) || !errors.Is(err, beckon.ErrUnavailable) || strings.ContainsAny(err.Error(), "\x1b\u202e\n") {
			t.Errorf("%q, want %q", err, want)
		}
	}
}
