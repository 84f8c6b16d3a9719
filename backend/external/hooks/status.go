package hooks

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"
)

// Status is what stands in the settings of a configuration folder.
type Status struct {
	Path    string
	Command string // that the hook calls; "" where none is installed
	// Data is the data folder of the Beckon that is asked, "" for the default one.
	Data string
	// Since is when an installation copied the settings; zero where it had none to
	// copy, or the copies are gone.
	Since time.Time
	// ProgramGone says that the program which the hook calls does not exist any
	// more. Claude Code then goes on as without the hook.
	ProgramGone bool
	// DisabledBy is the file that has Claude Code call no hooks of the user's, ""
	// for none.
	DisabledBy string
}

// ReadStatus returns what stands in the settings of a configuration folder.
func ReadStatus(configDir string) (Status, error) { return readStatus(configDir, managedSettings()) }

func readStatus(configDir, managed string) (Status, error) {
	s := Status{Path: filepath.Join(configDir, fileName)}
	text, err := os.ReadFile(s.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	d, err := parse(text)
	if err != nil {
		return s, err
	}
	s.Command, _ = d.commands()
	if s.Command != "" {
		call, _ := Parse(s.Command) // it is Beckon's
		s.Data = call.Data
		_, err := os.Stat(call.Program)
		s.ProgramGone = errors.Is(err, fs.ErrNotExist)
		s.Since = newestCopy(s.Path)
	}
	for _, path := range []string{managed, s.Path} {
		if disables(path) {
			s.DisabledBy = path
			break
		}
	}
	return s, nil
}

// newestCopy returns when the last copy of the settings was made, zero for
// none.
func newestCopy(path string) (made time.Time) {
	dir := os.DirFS(filepath.Dir(path))
	copies, err := fs.Glob(dir, filepath.Base(path)+".beckon-*.bak")
	if err != nil || len(copies) == 0 {
		return made
	}
	if info, err := fs.Stat(dir, slices.Max(copies)); err == nil {
		made = info.ModTime()
	}
	return made
}

// disables reports whether settings switch the user's hooks off.
func disables(path string) bool {
	text, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	var s struct {
		DisableAllHooks       bool `json:"disableAllHooks"`
		AllowManagedHooksOnly bool `json:"allowManagedHooksOnly"`
	}
	return json.Unmarshal(text, &s) == nil && (s.DisableAllHooks || s.AllowManagedHooksOnly)
}

// managedSettings is the file by which an administrator decides for all users.
func managedSettings() string {
	switch runtime.GOOS {
	case "darwin":
		return "/Library/Application Support/ClaudeCode/managed-settings.json"
	case "windows":
		return `C:\Program Files\ClaudeCode\managed-settings.json`
	default:
		return "/etc/claude-code/managed-settings.json"
	}
}
