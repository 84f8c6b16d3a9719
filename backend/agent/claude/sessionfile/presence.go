package sessionfile

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf16"

	"beckon/backend/agent/claude"
	"beckon/backend/agent/lenient"
	"beckon/backend/plain"
)

// Presence is what sessions/<pid>.json says of a living process.
type Presence struct {
	PID       int    `json:"pid"`
	SessionID string `json:"sessionId"`
	CWD       string `json:"cwd"`
	StartedAt int64  `json:"startedAt"` // Unix milliseconds
	// ProcStart is the process's start as the system counts it; on Linux field
	// 22 of /proc/<pid>/stat.
	ProcStart  string `json:"procStart"`
	Version    string `json:"version"`
	Entrypoint string `json:"entrypoint"` // cli for the TUI, sdk-cli for -p
	Name       string `json:"name"`
	// Status is idle, busy or waiting; the TUI alone has one. Waiting is for
	// any dialog.
	Status          string `json:"status"`
	StatusUpdatedAt int64  `json:"statusUpdatedAt"`
}

// The statuses of a presence file.
const (
	StatusIdle    = "idle"
	StatusBusy    = "busy"
	StatusWaiting = "waiting"
)

// PresenceMost is how long a presence file may be, in bytes; they have 500.
const PresenceMost = 64 << 10

// ErrPresence is a presence file that cannot be believed.
var ErrPresence = errors.New("is no presence file")

// labelMost is how long a label may be, in bytes.
const labelMost = 200

// Label makes one line of what a file has for a name. What a hostile file has
// beyond that is not looked at.
func Label(s string) string { return plain.Line(s[:min(len(s), 4*labelMost)], labelMost) }

// DecodePresence decodes a presence file. What it says becomes paths and labels,
// so that a session that is no UUID, or a folder that is no whole path, is none.
func DecodePresence(raw []byte) (Presence, error) {
	var p Presence
	if err := lenient.Unmarshal(raw, &p); err != nil {
		return Presence{}, err
	}
	if p.PID <= 0 || !claude.IsUUID(p.SessionID) || !filepath.IsAbs(p.CWD) || strings.ContainsRune(p.CWD, 0) {
		return Presence{}, ErrPresence
	}
	p.Name, p.Version, p.Entrypoint = Label(p.Name), Label(p.Version), Label(p.Entrypoint)
	return p, nil
}

// FolderMost is how long a folder's name may be until the CLI cuts it and
// appends a hash.
const FolderMost = 200

// Folder returns the name of the folder below projects for sessions that work in
// a folder, whose links are resolved. It is cut where it is longer than FolderMost.
// Several folders can have one name: it is never decoded.
func Folder(cwd string) string {
	name := []byte{}
	for _, unit := range utf16.Encode([]rune(cwd)) {
		switch {
		case unit >= 'a' && unit <= 'z', unit >= 'A' && unit <= 'Z', unit >= '0' && unit <= '9':
			name = append(name, byte(unit))
		default:
			name = append(name, '-')
		}
	}
	return string(name[:min(len(name), FolderMost)])
}

// AgentOf returns the id of the sub-agent whose session file has the name, and whether
// it is such a file's.
func AgentOf(base string) (id string, is bool) {
	id, first := strings.CutPrefix(base, "agent-")
	id, last := strings.CutSuffix(id, ".jsonl")
	return id, first && last
}

// AgentMost is how long what is known of a sub-agent may be, in bytes.
const AgentMost = 64 << 10

// Agent is what agent-<id>.meta.json says of a sub-agent.
type Agent struct {
	Type        string `json:"agentType"`
	Description string `json:"description"`
	ToolUseID   string `json:"toolUseId"` // the call that started it
}

// DecodeAgent decodes what is known of a sub-agent.
func DecodeAgent(raw []byte) (Agent, error) {
	var a Agent
	err := lenient.Unmarshal(raw, &a)
	a.Type, a.Description = Label(a.Type), Label(a.Description)
	return a, err
}

// Process names the process that wrote the file, and none that has its pid since.
func (p Presence) Process() string {
	return fmt.Sprintf("%d-%s", p.PID, cmp.Or(p.ProcStart, fmt.Sprint(p.StartedAt)))
}
