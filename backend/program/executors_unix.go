//go:build linux || darwin

package program

import (
	"context"
	"os"
	"path/filepath"

	"beckon/backend/agent/claude/cli"
	"beckon/backend/beckon/executing"
	"beckon/backend/executor/shim"
	"beckon/backend/executor/workspace"
	"beckon/backend/git"
)

// Here is what this program does for a Beckon on another machine.
func Here() shim.Here {
	environ := func(extra []string) []string {
		return cli.Environ(workspace.LoginEnviron(context.Background(), os.Environ()), extra)
	}
	home, _ := os.UserHomeDir()   // without it nothing can be kept, and each call says so
	program, _ := os.Executable() // without it older ones stay
	here := workspace.Workspace{
		Dir: filepath.Join(home, filepath.FromSlash(shim.Folder)), Program: program, Git: git.Version, Environ: environ,
		Claude: func(ctx context.Context) string {
			found, err := cli.Find("")
			if err != nil {
				return ""
			}
			version, _ := new(cli.Versions).Of(ctx, cli.Options{Path: found, Env: environ(nil)}, true).Wait(ctx)
			return version
		},
	}
	here.Login = func() executing.Login {
		switch login := cli.StoredLogin(environ(nil)); {
		case !login.Known:
			return executing.LoginUnknown
		case login.SignedIn:
			return executing.SignedIn
		}
		return executing.SignedOut
	}
	return shim.Here{Environ: environ, Find: func() (string, error) { return cli.Find("") }, Serve: here.Serve}
}
