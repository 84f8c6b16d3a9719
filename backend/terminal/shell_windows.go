package terminal

import "os/exec"

// shell returns PowerShell, or the command prompt where there is none.
func shell(variable func(string) string) (path string, args []string) {
	for _, name := range []string{"pwsh.exe", "powershell.exe"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, []string{"-NoLogo"}
		}
	}
	if path = variable("COMSPEC"); path == "" {
		path = "cmd.exe"
	}
	return path, nil
}
