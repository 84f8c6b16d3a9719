// Package stage holds Beckon against the real Claude Code CLI and a scripted
// Messages API, in a network namespace with nothing but loopback and an
// environment with nobody's credentials. The CLI is the one that tests/real
// installs.
package stage

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The test binary runs itself again inside the namespace; these tell it there
// where the programs are that it built outside.
const (
	insideEnv  = "BECKON_TEST_INSIDE"
	beckonEnv  = "BECKON_TEST_BIN"
	mockapiEnv = "BECKON_TEST_MOCKAPI"
	claudeEnv  = "BECKON_TEST_CLAUDE"
)

// Main is a TestMain's whole body: it runs the tests inside the namespace, or
// says loudly that this machine has none to give.
func Main(m *testing.M) {
	if os.Getenv(insideEnv) != "" {
		os.Exit(m.Run())
	}
	code, err := enter()
	if err != nil {
		fmt.Fprintf(os.Stderr, "\nSKIPPED, LOUDLY: the tests with the real claude did not run: %v\n\n", err)
		os.Exit(0)
	}
	os.Exit(code)
}

// enter builds what is needed and runs this test binary in a namespace whose
// only network is loopback. An error means that this machine can not.
func enter() (code int, err error) {
	claude, err := filepath.Abs("../real/node_modules/.bin/claude")
	if err == nil {
		_, err = os.Stat(claude)
	}
	if err != nil {
		return 0, fmt.Errorf("npm ci has not run in tests/real: %w", err)
	}
	dir, err := os.MkdirTemp("", "beckon-real-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	for name, pkg := range map[string]string{"beckon": "beckon", "mockapi": "beckon/tests/mockapi"} {
		build := exec.Command("go", "build", "-race", "-o", filepath.Join(dir, name), pkg)
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build %s: %v\n%s", pkg, err, out)
			return 1, nil
		}
	}
	unshare := []string{"-n"}
	if os.Getuid() != 0 {
		unshare = []string{"-rn"}
	}
	if err := exec.Command("unshare", append(unshare, "true")...).Run(); err != nil {
		return 0, fmt.Errorf("no network namespace can be made: %w", err)
	}
	inner := append(unshare, "sh", "-c", `ip link set lo up && exec "$@"`, "sh")
	cmd := exec.Command("unshare", append(inner, os.Args...)...)
	cmd.Env = append(os.Environ(), insideEnv+"=1", claudeEnv+"="+claude,
		beckonEnv+"="+filepath.Join(dir, "beckon"), mockapiEnv+"="+filepath.Join(dir, "mockapi"))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return 1, nil // the tests inside have said why
	}
	return 0, nil
}
