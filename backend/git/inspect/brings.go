package inspect

import (
	"cmp"
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/git/command"
	"beckon/backend/git/look"
)

const (
	// maxListed is how many entries of one folder are looked at.
	maxListed = 1000
	// MaxNames is how many names of one kind are listed.
	MaxNames = 50
)

// brought collects what a folder would steer or run once trusted.
type brought map[beckon.BroughtKind][]string

func (b brought) add(kind beckon.BroughtKind, names ...string) {
	for _, name := range names {
		b[kind] = append(b[kind], strings.ToValidUTF8(name, "\uFFFD"))
	}
}

// list returns it in the order in which it is shown.
func (b brought) list() []beckon.Brought {
	list := []beckon.Brought{}
	for _, kind := range beckon.BroughtKinds {
		if names := b[kind]; len(names) > 0 {
			first := min(len(names), MaxNames)
			list = append(list, beckon.Brought{Kind: kind, Names: names[:first], More: len(names) - first})
		}
	}
	return list
}

// bringsFiles lists what lies in dir itself and starts or steers something
// when an agent works there.
func bringsFiles(dir string) (brought, error) {
	found := brought{}
	if look.Exists(dir, ".mcp.json") {
		found.add(beckon.BroughtServers, ".mcp.json")
	}
	found.addThere(beckon.BroughtContainers, dir, ".devcontainer", ".devcontainer.json")
	found.addThere(beckon.BroughtOthers, dir, otherAgents...)
	found.addInstructions(dir, ".")
	found.addThere(beckon.BroughtInstructions, dir, ".github/copilot-instructions.md")
	if look.Exists(dir, ".claude") {
		return found, found.addClaude(dir)
	}
	return found, nil
}

// otherAgents are where agents besides claude have settings of a repository. Each may name
// programs: hooks, plugins, MCP servers (docs/AGENTS.md).
var otherAgents = []string{
	".codex", ".agents", ".gemini", ".kimi", ".opencode", "opencode.json", "opencode.jsonc", ".github/hooks",
}

// instructions are the files that agents follow, in any folder.
var instructions = []string{"CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "AGENTS.override.md", "GEMINI.md"}

// addThere adds those of the names that are in dir.
func (b brought) addThere(kind beckon.BroughtKind, dir string, names ...string) {
	for _, name := range names {
		if look.Exists(dir, filepath.FromSlash(name)) {
			b.add(kind, name)
		}
	}
}

// addInstructions adds the files for agents to follow in one folder below dir.
func (b brought) addInstructions(dir, folder string) {
	for _, name := range instructions {
		b.addThere(beckon.BroughtInstructions, dir, path.Join(folder, name))
	}
}

// claudeFolder says what the parts of .claude do. A part that a later claude
// knows and this list does not counts as a tool.
var claudeFolder = map[string]beckon.BroughtKind{
	"settings.json": beckon.BroughtSettings, "settings.local.json": beckon.BroughtSettings,
	"hooks":     beckon.BroughtSettings,
	"CLAUDE.md": beckon.BroughtInstructions, "rules": beckon.BroughtInstructions,
	"output-styles": beckon.BroughtInstructions,
	"worktrees":     "", // of claude's own, on this machine
}

// addClaude adds the parts of dir's .claude, or all of it where it is no
// folder.
func (b brought) addClaude(dir string) error {
	parts, err := listFolder(filepath.Join(dir, ".claude"))
	if err != nil {
		return err
	}
	if len(parts) == 0 {
		if info, err := os.Lstat(filepath.Join(dir, ".claude")); err != nil || !info.IsDir() {
			b.add(beckon.BroughtTools, ".claude")
		}
	}
	for _, part := range parts {
		kind, known := claudeFolder[part.Name()]
		if !known && !strings.HasPrefix(part.Name(), ".") {
			kind = beckon.BroughtTools
		}
		if kind != "" {
			b.add(kind, ".claude/"+part.Name())
		}
	}
	return nil
}

// brings lists everything that the repository would steer or run once trusted.
func brings(ctx context.Context, c command.Git) ([]beckon.Brought, error) {
	found, err := bringsFiles(c.Dir)
	if err != nil {
		return nil, err
	}
	if look.Exists(c.Dir, ".gitmodules") {
		found.add(beckon.BroughtSubmodules, ".gitmodules")
	}
	folders, err := trackedFolders(ctx, c)
	if err != nil {
		return nil, err
	}
	for _, folder := range folders {
		if inClaude := strings.Contains("/"+folder+"/", "/.claude/"); folder != "." && !inClaude {
			found.addInstructions(c.Dir, folder)
			if dir := path.Join(folder, ".claude"); look.Exists(c.Dir, filepath.FromSlash(dir)) {
				found.add(beckon.BroughtTools, dir)
			}
		}
	}
	if look.Exists(c.Dir, ".lfsconfig") { // whom the filter of git-lfs asks
		found.add(beckon.BroughtFilters, ".lfsconfig")
	}
	attributes, err := filtering(ctx, c, folders)
	found.add(beckon.BroughtFilters, attributes...)
	config, configErr := programs(ctx, c)
	found.add(beckon.BroughtConfig, config...)
	hooks, hooksErr := hooks(ctx, c)
	found.add(beckon.BroughtHooks, hooks...)
	return found.list(), cmp.Or(err, configErr, hooksErr)
}
