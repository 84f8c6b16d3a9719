package system

import (
	"os"
	"path/filepath"
	"strings"

	"beckon/backend/disk"

	"github.com/adrg/xdg"
)

// autostartOn has the session start command, whose first word is the program's path.
func autostartOn(command []string) error {
	path := entryPath()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return disk.Replace(path, []byte(entry(command)))
}

// autostartOff has the session start it no more.
func autostartOff() error { return remove(entryPath()) }

func entryPath() string { return filepath.Join(xdg.ConfigHome, "autostart", name+".desktop") }

func entry(command []string) string {
	words := make([]string, 0, len(command))
	for _, word := range command {
		words = append(words, quoted(word))
	}
	return "[Desktop Entry]\nType=Application\nName=Beckon\nIcon=beckon\nTerminal=false\nExec=" + strings.Join(words, " ") + "\n"
}

// quoted writes a word as the Desktop Entry Specification has it: quoted
// against the shell's rules, then against the file's, with no field codes.
func quoted(word string) string {
	shell := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`", `$`, `\$`).Replace(word)
	return strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`, `%`, `%%`).Replace(`"` + shell + `"`)
}
