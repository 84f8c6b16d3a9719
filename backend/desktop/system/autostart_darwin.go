package system

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"

	"beckon/backend/disk"
)

// autostartOn has the session start command, whose first word is the program's path.
func autostartOn(command []string) error {
	path, err := agentPath()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	var words strings.Builder
	for _, word := range command {
		words.WriteString("<string>")
		if err := xml.EscapeText(&words, []byte(word)); err != nil {
			return err
		}
		words.WriteString("</string>")
	}
	return disk.Replace(path, []byte(xml.Header+`<plist version="1.0"><dict>`+
		`<key>Label</key><string>`+name+`</string><key>RunAtLoad</key><true/>`+
		`<key>ProgramArguments</key><array>`+words.String()+"</array></dict></plist>\n"))
}

// autostartOff has the session start it no more.
func autostartOff() error {
	path, err := agentPath()
	if err != nil {
		return err
	}
	return remove(path)
}

func agentPath() (string, error) {
	home, err := os.UserHomeDir()
	return filepath.Join(home, "Library", "LaunchAgents", name+".plist"), err
}
