//go:build packages

package packages

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// workflow is what the tests read of a workflow.
type workflow struct {
	On          map[string]map[string][]string
	Permissions map[string]string
	Jobs        map[string]struct {
		Needs       any
		Strategy    struct{ Matrix map[string][]string }
		Permissions map[string]string
		Timeout     int `json:"timeout-minutes"`
		Steps       []step
	}
}

type step struct {
	Uses, Run string
	With      map[string]any
}

func readWorkflow(t *testing.T, name string) workflow {
	t.Helper()
	path, err := filepath.Abs("../../.github/workflows/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var w workflow
	if err := json.Unmarshal([]byte(said(t, "../..", "go", "run", "-C", "build/tools", "./yaml", path)), &w); err != nil {
		t.Fatal(err)
	}
	return w
}

// TestReleaseWorkflow, as far as it can be held without GitHub: tags alone start it, what
// others wrote is pinned, a step is a script of ours, and only the last job may write.
func TestReleaseWorkflow(t *testing.T) {
	t.Parallel()
	w := readWorkflow(t, "release.yml")
	if len(w.On) != 1 || !slices.Equal(w.On["push"]["tags"], []string{"v[0-9]*"}) || len(w.On["push"]) != 1 {
		t.Errorf("it starts on %v", w.On)
	}
	if len(w.Permissions) != 1 || w.Permissions["contents"] != "read" {
		t.Errorf("every job may %v", w.Permissions)
	}
	pinned := regexp.MustCompile(`^actions/[a-z-]+@[0-9a-f]{40}$`)
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil || len(w.Jobs) != 6 {
		t.Fatalf("%d jobs, %v", len(w.Jobs), err)
	}
	for name, job := range w.Jobs {
		if (len(job.Permissions) > 0) != (name == "publish") || job.Timeout == 0 {
			t.Errorf("the job %s may %v, for %d minutes", name, job.Permissions, job.Timeout)
		}
		for _, step := range job.Steps {
			if step.Run == "" && !pinned.MatchString(step.Uses) {
				t.Errorf("%s uses %s", name, step.Uses)
			}
			if strings.HasPrefix(step.Uses, "actions/checkout@") && step.With["persist-credentials"] != false {
				t.Errorf("%s leaves its credentials in the checkout", name)
			}
			if step.Run != "" {
				runs(t, step.Run, string(makefile))
			}
		}
	}
	steps := w.Jobs["linux-windows"].Steps
	tried := slices.IndexFunc(steps, func(s step) bool { return s.Run == "build/release.sh try" })
	kept := slices.IndexFunc(steps, func(s step) bool { return strings.HasPrefix(s.Uses, "actions/upload-artifact@") })
	if made := slices.IndexFunc(steps, func(s step) bool { return s.Run == "make package-test" }); made < 0 || tried < made || kept < tried {
		t.Errorf("packages are made, tried and kept by the steps %d, %d and %d", made, tried, kept)
	}
	for _, system := range []string{"macos-14", "windows-2022"} {
		if !slices.Contains(w.Jobs["others"].Strategy.Matrix["os"], system) {
			t.Errorf("nothing is tested on %s", system)
		}
	}
	needs, is := w.Jobs["publish"].Needs.([]any)
	if !is || len(needs) != 5 {
		t.Errorf("it publishes after %v", w.Jobs["publish"].Needs)
	}
}

// runs: a step is one command, of a script that there is or a target of the Makefile.
func runs(t *testing.T, line, makefile string) {
	t.Helper()
	words := strings.Fields(line)
	if strings.ContainsAny(line, "\n;|&`$") {
		t.Errorf("%q is no single command", line)
	}
	if words[0] == "make" {
		if len(words) != 2 || !regexp.MustCompile(`(?m)^`+words[1]+`:`).MatchString(makefile) {
			t.Errorf("there is no %q", line)
		}
		return
	}
	info, err := os.Stat(filepath.Join("../..", words[0]))
	if err != nil || info.Mode()&0o100 == 0 {
		t.Errorf("%q does not run: %v", line, err)
	}
}

// TestOnlyATagIsReleased: a checkout between two versions, or without a changelog, is not.
func TestOnlyATagIsReleased(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	said(t, "", "cp", "-r", "../../build", "../../CHANGELOG.md", dir)
	said(t, "", "rm", "-rf", filepath.Join(dir, "build/out"), filepath.Join(dir, "build/bin"))
	git := func(args ...string) {
		t.Helper()
		said(t, dir, "git", append([]string{"-c", "user.name=Ada", "-c", "user.email=ada@example.org"}, args...)...)
	}
	check := func(repository string) string {
		cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "build/release.sh"), "check")
		cmd.Env = append(os.Environ(), "BECKON_REPOSITORY="+repository)
		text, err := cmd.CombinedOutput()
		if (err == nil) != (len(text) == 0) {
			t.Errorf("%v: %s", err, text)
		}
		return string(text)
	}
	git("init", "--quiet")
	git("add", ".")
	git("commit", "--quiet", "--message=one")
	if said := check("someone/beckon"); !strings.Contains(said, "which is no tag; nothing was made") {
		t.Errorf("without a tag: %s", said)
	}
	git("tag", "v9.0.0")
	if said := check("someone/beckon"); !strings.Contains(said, "says nothing of 9.0.0") {
		t.Errorf("without a changelog: %s", said)
	}
	said(t, dir, "build/changelog.sh", "cut", "9.1.0")
	git("commit", "--quiet", "--all", "--message=two")
	git("tag", "v9.1.0")
	if said := check(""); !strings.Contains(said, "whose releases these are") {
		t.Errorf("of nobody: %s", said)
	}
	if said := check("someone/beckon"); said != "" {
		t.Errorf("a tag is refused: %s", said)
	}
	if err := os.WriteFile(filepath.Join(dir, "CHANGELOG.md"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if said := check("someone/beckon"); said == "" {
		t.Error("with changes that no commit has it is released")
	}
}

// TestIdentityIsOne: files that no script writes name the same program as build/identity.sh.
func TestIdentityIsOne(t *testing.T) {
	t.Parallel()
	id := strings.TrimSpace(said(t, "../..", "bash", "-c", ". build/identity.sh; echo $app_id"))
	for file, want := range map[string]string{
		"linux/" + id + ".metainfo.xml": "<id>" + id + "</id>", "darwin/Info.plist": "<key>CFBundleIdentifier</key>\n  <string>" + id + "</string>",
	} {
		text, err := os.ReadFile(filepath.Join("../../build", file))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s has no %s, %v", file, want, err)
		}
	}
}
