package system

import (
	"errors"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

// runKey is where Windows looks for what a user's session starts.
const runKey = `Software\Microsoft\Windows\CurrentVersion\Run`

// autostartOn has the session start command, whose first word is the program's path.
func autostartOn(command []string) error {
	key, err := registry.OpenKey(registry.CURRENT_USER, runKey, registry.SET_VALUE)
	if err != nil {
		return err
	}
	return errors.Join(key.SetStringValue(name, windows.ComposeCommandLine(command)), key.Close())
}

// autostartOff has the session start it no more.
func autostartOff() error {
	key, err := registry.OpenKey(registry.CURRENT_USER, runKey, registry.SET_VALUE)
	if err != nil {
		return err
	}
	if err = key.DeleteValue(name); errors.Is(err, registry.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, key.Close())
}
