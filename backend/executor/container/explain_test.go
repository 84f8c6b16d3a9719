package container

import (
	"errors"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/executor/worker"
)

func TestWhatAnEngineSaysBecomesASentence(t *testing.T) {
	t.Parallel()
	m := New(executing.Executor{Engine: executing.Docker, Image: "node:22"}, nil)
	for said, words := range map[string]string{
		"Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?":       "Docker does not answer",
		"Error: short-name \"node:22\" did not resolve to an alias":                                               "cannot be fetched",
		"Unable to find image 'node:22' locally\ndocker: Error response from daemon: pull access denied for node": "cannot be fetched",
		"Error: unknown flag: --gpus2\nSee 'podman run --help'":                                                   "takes none of the options",
		"OCI runtime error: runc: exec: \"sh\": executable file not found in $PATH":                               "has no sh",
		"sh: cannot create new.1: Read-only file system":                                                          "is read-only",
		"strange \x1b[31mwords\u202e of an engine":                                                                "docker: strange",
		"": "ended without a word",
	} {
		err := m.explain("node:22", said, errors.New("exit status 125"))
		if !strings.Contains(err.Error(), words) || !errors.Is(err, beckon.ErrUnavailable) || strings.ContainsAny(err.Error(), "\x1b\u202e\n") {
			t.Errorf("%q became %q", said, err)
		}
	}
	for _, said := range []string{"Error: no such container x", "Error: no container with name or ID \"x\" found: no such container", "Error response from daemon: container x is not running"} {
		if err := m.explain("node:22", said, errors.New("exit status 1")); !errors.Is(err, worker.ErrGone) {
			t.Errorf("%q became %v", said, err)
		}
	}
}
