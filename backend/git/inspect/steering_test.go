package inspect

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSteeringFilesAreKnownByTheirPaths(t *testing.T) {
	t.Parallel()
	steering := []string{
		".gitattributes", "vendor/.gitattributes", ".lfsconfig", ".gitmodules", ".mcp.json", ".devcontainer.json",
		".devcontainer/devcontainer.json",
		".devcontainer/node/Dockerfile", ".claude", ".claude/settings.json", ".claude/hooks/stop.sh",
		".claude/skills/paint/SKILL.md", "web/.claude/agents/x.md",
	}
	if got := Steering(steering); !cmp.Equal(got, steering) {
		t.Errorf("of %q only %q steer", steering, got)
	}
	others := []string{
		"README.md", "CLAUDE.md", ".claude/CLAUDE.md", ".claude/rules/go.md",
		".claude/worktrees/a/main.go", "docs/devcontainer.json", "a.gitattributes", "src/mcp.json", "",
	}
	if got := Steering(others); len(got) > 0 {
		t.Errorf("%q steer nothing", got)
	}
}
