package git

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/git/inspect"
)

func TestInspectFindsTheRepositoryFromAnyFolderInIt(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"deep/down/a.txt": "one\n"})
	link := filepath.Join(filepath.Dir(b.data), "link")
	if err := os.Symlink(filepath.Join(b.repo.dir, "deep", "down"), link); err != nil {
		t.Skip(err)
	}
	for _, dir := range []string{b.repo.dir, filepath.Join(b.repo.dir, "deep"), link} {
		found := must(Inspect(b.ctx, dir))(t)
		want := Found{
			Dir: b.repo.dir, Git: true, Branch: "main", Base: "main", Branches: []string{"main"},
			Brings: []beckon.Brought{},
		}
		if d := cmp.Diff(want, found); d != "" {
			t.Errorf("%s: %s", dir, d)
		}
	}
}

func TestInspectProposesTheBranchThatPeopleMerge(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	propose := func(want string) {
		t.Helper()
		if found := must(Inspect(b.ctx, b.repo.dir))(t); found.Base != want {
			t.Errorf("proposes %q, want %q", found.Base, want)
		}
	}
	b.git(b.repo.dir, "checkout", "-q", "-b", "feature")
	propose("main")
	b.git(b.repo.dir, "branch", "develop")
	b.git(b.repo.dir, "update-ref", "refs/remotes/origin/develop", "main")
	b.git(b.repo.dir, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/develop")
	propose("develop")
	b.git(b.repo.dir, "branch", "-D", "develop")
	propose("main")
	b.git(b.repo.dir, "branch", "-m", "main", "trunk")
	propose("feature")
	b.git(b.repo.dir, "checkout", "-q", "--detach")
	b.git(b.repo.dir, "branch", "-D", "feature")
	propose("trunk")
}

// TestInspectProposesNoBranchThatAnotherWorktreeHas: nothing could be merged into it.
func TestInspectProposesNoBranchThatAnotherWorktreeHas(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	folder := filepath.Join(b.data, "linked")
	b.git(b.repo.dir, "worktree", "add", "-q", "-b", "dev", folder)
	for dir, want := range map[string]string{folder: "dev", b.repo.dir: "main"} {
		if found := must(Inspect(b.ctx, dir))(t); found.Base != want {
			t.Errorf("%s: proposes %q, want %q", dir, found.Base, want)
		}
	}
}

// A person who is asked for trust must see all that it would let run.
func TestInspectListsWhatTheRepositoryBrings(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"a.txt": "one\n", ".gitattributes": "*.txt text\n",
		"sub/.gitattributes": "*.bin filter=lfs\n",
	}
	for _, name := range []string{
		".mcp.json", ".gitmodules", ".lfsconfig", ".devcontainer/devcontainer.json", ".devcontainer.json", "CLAUDE.md",
		"CLAUDE.local.md", "deep/down/CLAUDE.md", "deep/.claude/skills/x/SKILL.md",
		".claude/settings.json", ".claude/settings.local.json", ".claude/hooks/x.sh",
		".claude/CLAUDE.md", ".claude/rules/x.md",
		".claude/output-styles/x.md", ".claude/commands/x.md", ".claude/agents/x.md",
		".claude/skills/x/SKILL.md", ".claude/later/x",
		".claude/.gitignore", ".claude/worktrees/x",
		".codex/config.toml", ".gemini/settings.json", "opencode.json", ".opencode/plugin/x.js", ".github/hooks/x.json",
		"AGENTS.md", "GEMINI.md", "deep/down/AGENTS.md", ".github/copilot-instructions.md",
	} {
		files[name] = "\n"
	}
	b := newBench(t, files)
	b.write(b.repo.dir, ".git/hooks/pre-commit", "#!/bin/sh\n")
	config := []string{
		"alias.x", "core.fsmonitor", "core.hookspath", "core.sshcommand", "core.worktree",
		"credential.helper", "diff.x.textconv",
		"difftool.x.cmd", "filter.lfs.smudge", "gpg.ssh.program", "hook.x.command", "http.proxy",
		"interactive.difffilter", "merge.x.driver",
		"mergetool.x.cmd", "pager.log", "protocol.ext.allow", "remote.origin.uploadpack",
		"sequence.editor", "submodule.x.update",
		"tar.x.command", "trailer.x.cmd", "trailer.y.command", "uploadpack.packobjectshook", "url.x.insteadof",
	}
	for _, key := range config {
		value := "x\ny"
		if key == "core.worktree" {
			value = b.repo.dir
		}
		b.git(b.repo.dir, "config", key, value)
	}
	want := []beckon.Brought{
		{Kind: beckon.BroughtServers, Names: []string{".mcp.json"}},
		{Kind: beckon.BroughtContainers, Names: []string{".devcontainer", ".devcontainer.json"}},
		{
			Kind:  beckon.BroughtSettings,
			Names: []string{".claude/hooks", ".claude/settings.json", ".claude/settings.local.json"},
		},
		{
			Kind:  beckon.BroughtOthers,
			Names: []string{".codex", ".gemini", ".opencode", "opencode.json", ".github/hooks"},
		},
		{Kind: beckon.BroughtHooks, Names: []string{"pre-commit"}},
		{Kind: beckon.BroughtConfig, Names: config},
		{Kind: beckon.BroughtFilters, Names: []string{".lfsconfig", "sub/.gitattributes"}},
		{
			Kind:  beckon.BroughtTools,
			Names: []string{".claude/agents", ".claude/commands", ".claude/later", ".claude/skills", "deep/.claude"},
		},
		{Kind: beckon.BroughtInstructions, Names: []string{
			"CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md", ".github/copilot-instructions.md",
			".claude/CLAUDE.md", ".claude/output-styles", ".claude/rules", "deep/down/CLAUDE.md", "deep/down/AGENTS.md",
		}},
		{Kind: beckon.BroughtSubmodules, Names: []string{".gitmodules"}},
	}
	found := must(Inspect(b.ctx, b.repo.dir))(t)
	if d := cmp.Diff(want, found.Brings); d != "" {
		t.Error(d)
	}
}

func TestALongListOfWhatIsBroughtSaysHowMuchIsLeftOut(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range inspect.MaxNames + 7 {
		files[fmt.Sprintf("d%03d/CLAUDE.md", i)] = "x"
	}
	b := newBench(t, files)
	found := must(Inspect(b.ctx, b.repo.dir))(t)
	if len(found.Brings) != 1 || len(found.Brings[0].Names) != inspect.MaxNames || found.Brings[0].More != 7 {
		t.Errorf("it brings %+v", found.Brings)
	}
}

func TestInspectSaysWhatIsNoProject(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	dir := filepath.Dir(b.data)
	b.git(dir, "init", "-q", "--bare", "bare")
	b.git(dir, "init", "-q", "empty")
	for name, c := range map[string]struct {
		want error
		says string
		kind problem.Kind
	}{
		"nowhere":    {beckon.ErrInvalid, "there is no folder", problem.NoFolder},
		"repo/a.txt": {beckon.ErrInvalid, "not a folder", problem.NotFolder},
		"bare":       {beckon.ErrInvalid, "bare repository", problem.Bare},
		"repo/.git":  {beckon.ErrInvalid, "inside a .git folder", problem.InsideGit},
		"empty":      {beckon.ErrConflict, "git commit --allow-empty", problem.NoCommit},
	} {
		_, err := Inspect(b.ctx, filepath.Join(dir, name))
		b.refused(err, c.want, c.says)
		if said := beckon.FailureOf(err); said.Problem != c.kind ||
			!strings.HasSuffix(said.Data["dir"], filepath.Base(name)) {
			t.Errorf("the page is given %+v for %s", said, name)
		}
	}
	b.write(b.repo.dir, ".git/config", "[broken")
	_, err := Inspect(b.ctx, b.repo.dir)
	b.conflict(err, "config")
}

func TestFolderWithoutGitIsAProjectToo(t *testing.T) {
	t.Parallel()
	dir := must(filepath.EvalSymlinks(t.TempDir()))(t)
	if err := os.WriteFile(filepath.Join(dir, ".mcp.json"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	found := must(Inspect(t.Context(), dir))(t)
	if d := cmp.Diff(Found{
		Dir: dir, Branches: []string{},
		Brings: []beckon.Brought{{Kind: beckon.BroughtServers, Names: []string{".mcp.json"}}},
	}, found); d != "" {
		t.Error(d)
	}
}

func TestBranchesAreTheNewestTwoHundred(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	var create strings.Builder
	head := b.git(b.repo.dir, "rev-parse", "HEAD")
	for i := range inspect.MaxBranches + 5 {
		create.WriteString("create refs/heads/many/" + strings.Repeat("x", i+1) + " " + head + "\n")
	}
	c := b.repo.at()
	c.Input = create.String()
	must(c.Run(b.ctx, "update-ref", "--stdin"))(t)
	b.git(b.repo.dir, "checkout", "-q", "-b", "newest")
	time.Sleep(1100 * time.Millisecond) // commits are dated to the second
	b.commit(b.repo.dir, "a.txt", "x\n")
	found := must(Inspect(b.ctx, b.repo.dir))(t)
	if len(found.Branches) != inspect.MaxBranches || found.Branches[0] != "newest" || found.Base != "main" {
		t.Errorf("%d branches, the first %q", len(found.Branches), found.Branches[0])
	}
}

func TestMissingGitIsNamed(t *testing.T) {
	if version := must(Version(t.Context()))(t); !strings.HasPrefix(version, "2.") {
		t.Errorf("version %q", version)
	}
	if runtime.GOOS == "windows" {
		t.Skip("the old git is a shell script")
	}
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	if _, err := Version(t.Context()); !errors.Is(err, beckon.ErrUnavailable) {
		t.Errorf("without git: %v", err)
	}
	if err := os.WriteFile(filepath.Join(bin, "git"),
		[]byte("#!/bin/sh\n[ \"$2\" = config ] && exit 1\necho git version 2.30.1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Version(t.Context()); !errors.Is(err, beckon.ErrUnavailable) ||
		!strings.Contains(err.Error(), "too old") {
		t.Errorf("with an old git: %v", err)
	}
}
