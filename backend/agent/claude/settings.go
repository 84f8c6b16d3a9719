package claude

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/disk"
)

// ToolServer is an MCP server over HTTP, as a SettingsFile names it.
type ToolServer struct {
	Name, URL string
	// TokenIn is the variable of the CLI's environment that has the token; no
	// file holds the token itself.
	TokenIn string
	// TimeoutMs is how long a client waits for a call.
	TimeoutMs int
}

// SettingsFile is where a folder has what the CLI and other tools are configured
// by. The CLI ignores its mcpServers, and its permissions in an untrusted folder:
// what it obeys is --settings.
const SettingsFile = ".claude/settings.json"

// WriteSettings writes the SettingsFile of a folder, which is never committed. It
// allows all of a server's tools. The CLI ignores its mcpServers; they are for
// people and other tools to read.
func WriteSettings(dir string, s ToolServer) error {
	path := filepath.Join(dir, SettingsFile)
	if err := plainFolder(filepath.Dir(path)); err != nil {
		return err
	}
	return replaceJSON(path, map[string]any{
		"mcpServers": map[string]any{s.Name: map[string]any{
			"type": "http", "url": s.URL, "timeout": s.TimeoutMs, "alwaysLoad": true,
			"headers": map[string]string{"Authorization": "Bearer ${" + s.TokenIn + "}"},
		}},
		"permissions": map[string]any{"allow": []string{"mcp__" + s.Name}},
		"env":         map[string]string{"MCP_TOOL_TIMEOUT": fmt.Sprint(s.TimeoutMs)},
	})
}

// plainFolder makes a folder, and refuses a link that would lead the next
// write out of the worktree.
func plainFolder(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return os.Mkdir(dir, 0o755)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder, so Beckon's settings cannot be written there: %w", dir, beckon.ErrConflict)
	}
	return nil
}

// Waits are the variables by which nothing but Beckon ends the wait for an answer that comes
// by MCP: the limits in milliseconds of a call as a whole (just below what a JavaScript timer
// can hold, 24 days) and of its silence (0: none).
var Waits = []string{"MCP_TOOL_TIMEOUT=2000000000", "CLAUDE_CODE_MCP_TOOL_IDLE_TIMEOUT=0"}

// WriteAllowed writes the file that Options.Settings names: rules that hold in
// an untrusted folder too. Each is an element of a list, for the CLI would
// split a string of several again, and not where they were joined. It has Waits as
// well: "env" of the user's settings, or the repository's, overrides the environment.
func WriteAllowed(path string, rules []string) error {
	env := map[string]string{}
	for _, pair := range Waits {
		name, value, _ := strings.Cut(pair, "=")
		env[name] = value
	}
	return replaceJSON(path, map[string]any{"permissions": map[string]any{"allow": rules}, "env": env})
}

// replaceJSON replaces the file at path, whatever it was.
func replaceJSON(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return disk.Replace(path, append(text, '\n'))
}
