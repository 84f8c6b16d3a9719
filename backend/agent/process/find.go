package process

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
)

// Find returns the absolute path of an agent's program: on PATH, where installers put it,
// since a program started from a desktop seldom has the shell's PATH, or where more says.
// The error is exec.ErrNotFound where there is none.
func Find(name string, more ...string) (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		home = string(filepath.Separator)
	}
	for _, candidate := range slices.Concat([]string{name}, usualPlaces(home, name), more) {
		if found, err := exec.LookPath(candidate); err == nil {
			return filepath.Abs(found)
		}
	}
	return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
}

func usualPlaces(home, name string) []string {
	if runtime.GOOS == "windows" {
		return []string{
			filepath.Join(home, ".local", "bin", name+".exe"),
			filepath.Join(home, "AppData", "Roaming", "npm", name+".cmd"),
		}
	}
	var places []string
	for _, dir := range []string{
		filepath.Join(home, ".local/bin"), "/usr/local/bin", "/opt/homebrew/bin",
		filepath.Join(home, ".npm-global/bin"), filepath.Join(home, ".bun/bin"), filepath.Join(home, ".volta/bin"),
		filepath.Join(home, ".opencode/bin"),
	} {
		places = append(places, filepath.Join(dir, name))
	}
	byNode, _ := fs.Glob(os.DirFS(home), ".nvm/versions/node/*/bin/"+name) // the names are known, without wildcards
	for _, found := range slices.Backward(byNode) {
		places = append(places, filepath.Join(home, found))
	}
	return places
}
