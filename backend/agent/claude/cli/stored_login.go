package cli

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"beckon/backend/agent/claude"
)

// keys name the variables that sign the CLI in.
var keys = []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"}

// clouds name those by which it works for an account of another provider's.
var clouds = []string{"CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"}

// HasKey reports whether an environment has a variable that signs the CLI in.
func HasKey(environ []string) bool { return hasOne(environ, keys) }

// hasOne reports whether a variable of these names is set to something.
func hasOne(environ, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return valueOf(environ, name) != "" })
}

// valueOf returns a variable's value: the last one's, as a child has it.
func valueOf(environ []string, name string) (value string) {
	for _, pair := range environ {
		if rest, is := strings.CutPrefix(pair, name+"="); is {
			value = rest
		}
	}
	return value
}

// StoredLogin returns whether the CLI would be signed in with an environment, by its
// variables and by the files of its own, without starting it. Whether a login has expired
// only the CLI can say; where a keychain, a helper's program or a cloud has it, it is not
// known.
func StoredLogin(environ []string) claude.Login {
	if HasKey(environ) {
		return claude.Login{Known: true, SignedIn: true}
	}
	if hasOne(environ, clouds) || runtime.GOOS == "darwin" {
		return claude.Login{}
	}
	home := valueOf(environ, "HOME")
	folder, named := filepath.Join(home, ".claude"), valueOf(environ, "CLAUDE_CONFIG_DIR")
	if named != "" {
		folder, home = named, named
	}
	stored := claude.StoredLogin{}
	for _, file := range []string{
		filepath.Join(folder, ".credentials.json"), filepath.Join(home, ".claude.json"),
		filepath.Join(folder, "settings.json"),
	} {
		if err := readInto(file, &stored); err != nil {
			return claude.Login{}
		}
	}
	return stored.Login()
}

// storedMost bounds the files that may have a login, in bytes.
const storedMost = 32 << 20

// readInto reads a file of JSON, if there is one, over what was read of others.
func readInto(file string, into any) error {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fs.ErrInvalid
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	return json.NewDecoder(io.LimitReader(f, storedMost)).Decode(into)
}
