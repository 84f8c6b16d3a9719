package sample

import (
	"context"
	"os/exec"
	"strings"
	"testing"
)

// Git runs git in a folder, and returns what it prints, without the space around it.
func Git(ctx context.Context, t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}
