package inspect

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"beckon/backend/beckon"
)

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// What the variables of other tools are called is checked by what a script gets, below.
var setupsOf = map[string]struct {
	files      map[string]string
	setup, dev string // behind the line of variables
}{
	"Conductor": {
		map[string]string{"conductor.json": `{"scripts": {"setup": "npm ci; cp $CONDUCTOR_ROOT_PATH/.env .env", "run": "npm run dev", "archive": "x"}, "runScriptMode": "nonconcurrent"}`},
		"npm ci; cp $CONDUCTOR_ROOT_PATH/.env .env", "npm run dev",
	},
	"Superset": {
		map[string]string{".superset/config.json": `{"setup": ["bun install", "./.superset/setup.sh"], "teardown": ["x"], "run": ["./run.sh"]}`},
		"bun install\n./.superset/setup.sh", "./run.sh",
	},
	"Superset with more of one's own": {
		map[string]string{
			".superset/config.json":       `{"setup": ["two"], "run": ["team"]}`,
			".superset/config.local.json": `{"setup": {"before": ["one"], "after": ["three"]}, "run": ["mine"]}`,
		},
		"one\ntwo\nthree", "mine",
	},
	"emdash": {
		map[string]string{".emdash.json": `{"preservePatterns": [".env"], "shellSetup": "nvm use", "scripts": {"prepare": "corepack enable", "setup": "pnpm i\r\npnpm build", "run": "PORT=$EMDASH_PORT pnpm dev", "teardown": "x"}}`},
		"corepack enable\npnpm i\npnpm build", "PORT=$EMDASH_PORT pnpm dev",
	},
	"JetBrains Air": {
		map[string]string{".air/worktree.json": `{"environment": [{"type": "env", "key": "A", "value": "it's"}, {"type": "env", "key": "HERE"}, {"type": "envFile", "path": "~/x y"}, {"type": "envFile", "path": "ci/env"}],
			"setup": {"linux": ["make setup", "make data"], "macos": ["make setup", "make data"], "windows": ["make setup", "make data"]}, "cleanup": {"linux": ["x"]}}`},
		"make setup\nmake data", "",
	},
	"Dev Container, a line": {
		map[string]string{".devcontainer/devcontainer.json": "// of a template\n{\n  \"image\": \"x//y\", /* a */ \"postCreateCommand\": \"npm ci && echo \\\"//\\\"\",\n}\n"},
		`npm ci && echo "//"`, "",
	},
	"Dev Container, words": {
		map[string]string{".devcontainer.json": `{"postCreateCommand": ["pip", "install", "it's [dev,]", ],}`},
		`'pip' 'install' 'it'\''s [dev,]'`, "",
	},
	"Dev Container, several": {
		map[string]string{".devcontainer.json": `{"postCreateCommand": {"web": "npm ci", "api": ["go", "mod", "download"]}}`},
		"'go' 'mod' 'download'\nnpm ci", "",
	},
}

func TestWhatOtherToolsRunInWorktreesIsFound(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the lines that set variables are others there")
	}
	for name, c := range setupsOf {
		dir := t.TempDir()
		for file, text := range c.files {
			write(t, dir, file, text)
		}
		list := setups(dir)
		if len(list) != 1 || !strings.HasPrefix(name, list[0].Tool) || c.files[list[0].File] == "" {
			t.Errorf("%s: %+v", name, list)
			continue
		}
		for _, one := range [][2]string{{list[0].Setup, c.setup}, {list[0].Dev, c.dev}} {
			if rest, is := strings.CutSuffix(one[0], one[1]); !is || rest != "" && one[1] == "" ||
				rest != "" && !strings.HasPrefix(rest, "export ") {
				t.Errorf("%s: %q, want %q at its end", name, one[0], one[1])
			}
		}
	}
	air := t.TempDir()
	write(t, air, ".air/worktree.json", setupsOf["JetBrains Air"].files[".air/worktree.json"])
	want := "export A='it'\\''s'\nset -a; . \"$HOME\"/'x y'; set +a\nset -a; . \"$BECKON_PROJECT\"/'ci/env'; set +a\nmake setup\nmake data"
	if list := setups(air); list[0].Setup != want {
		t.Errorf("with its variables: %q, want %q", list[0].Setup, want)
	}
}

// TestAScriptOfAnotherToolFindsItsVariables: what is offered often is a script that another
// tool's variables tell where it is.
func TestAScriptOfAnotherToolFindsItsVariables(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("it is a script of a Unix shell")
	}
	for file, c := range map[string]struct{ text, script, want string }{
		"conductor.json": {
			`{"scripts": {"setup": "./setup.sh"}}`,
			"echo $CONDUCTOR_ROOT_PATH $CONDUCTOR_WORKSPACE_PATH $CONDUCTOR_WORKSPACE_NAME $CONDUCTOR_DEFAULT_BRANCH $CONDUCTOR_PORT",
			"/the project /the worktree KES-1 main 24010",
		},
		".superset/config.json": {
			`{"setup": "./setup.sh"}`,
			"echo $SUPERSET_ROOT_PATH $SUPERSET_WORKSPACE_PATH $SUPERSET_WORKSPACE_NAME", "/the project /the worktree KES-1",
		},
		".emdash.json": {
			`{"scripts": {"setup": "./setup.sh"}}`,
			"echo $EMDASH_ROOT_PATH $EMDASH_TASK_PATH $EMDASH_TASK_NAME $EMDASH_TASK_ID $EMDASH_DEFAULT_BRANCH $EMDASH_PORT",
			"/the project /the worktree KES-1 KES-1 main 24010",
		},
		".devcontainer.json": {
			`{"postCreateCommand": "./setup.sh ${containerWorkspaceFolder}"}`, `echo "$1"`, "/the worktree",
		},
	} {
		dir := t.TempDir()
		write(t, dir, file, c.text)
		write(t, dir, "setup.sh", "#!/bin/sh\nset -u\n"+c.script+"\n")
		if err := os.Chmod(filepath.Join(dir, "setup.sh"), 0o700); err != nil {
			t.Fatal(err)
		}
		setup := setups(dir)[0].Setup
		if file == ".devcontainer.json" {
			setup = strings.Replace(setup, "${containerWorkspaceFolder}", `"${containerWorkspaceFolder}"`, 1)
		}
		cmd := exec.CommandContext(t.Context(), "/bin/sh", "-ec", setup)
		cmd.Dir = dir
		cmd.Env = []string{
			"BECKON_PROJECT=/the project", "BECKON_WORKTREE=/the worktree", "BECKON_TASK=KES-1", "BECKON_BASE=main", "BECKON_PORT=24010",
		}
		if out, err := cmd.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != c.want {
			t.Errorf("%s: %q, %v", file, out, err)
		}
	}
}

// TestNothingIsOfferedThatDoesNotShow: what the user reads is what would run.
func TestNothingIsOfferedThatDoesNotShow(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"no JSON": "{", "another type": `{"scripts": {"setup": 1}}`, "a list": "[]", "nothing": "{}", "blank": `{"scripts": {"setup": " \n"}}`,
		"an escape": `{"scripts": {"setup": "echo \u001b[8mrm\u001b[0m"}}`, "turned around": `{"scripts": {"setup": "echo \u202emr"}}`,
		"no width": `{"scripts": {"setup": "a\u200bb"}}`, "a zero": `{"scripts": {"setup": "a\u0000b"}}`,
		"returns": `{"scripts": {"setup": "rm -r x\recho hello"}}`, "no UTF-8": "{\"scripts\": {\"setup\": \"a\xffb\"}}",
		"long": `{"scripts": {"setup": "` + strings.Repeat("x", maxSetup) + `"}}`,
	} {
		dir := t.TempDir()
		write(t, dir, "conductor.json", text)
		if list := setups(dir); len(list) > 0 {
			t.Errorf("%s: %+v", name, list)
		}
	}
}

func TestAHostileFileOfAnotherToolCostsNothing(t *testing.T) {
	t.Parallel()
	dir, began := t.TempDir(), time.Now()
	for _, text := range []string{
		strings.Repeat("[", 1<<20), strings.Repeat("/*", 1<<19), strings.Repeat("//\n", 1<<18), strings.Repeat(" ]", 1<<19), strings.Repeat(`"\`, 1<<19),
	} {
		write(t, dir, ".devcontainer.json", text)
		if list := setups(dir); len(list) > 0 {
			t.Errorf("%.9q: %+v", text, list)
		}
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %s", took)
	}
	if err := os.Symlink("/etc", filepath.Join(dir, ".superset")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]beckon.FoundSetup{}, setups(dir)); diff != "" {
		t.Error(diff)
	}
}
