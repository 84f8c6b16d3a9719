package git

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"beckon/backend/beckon"
)

// TestWhatWorktreesMayWantIsOffered: without .env most projects do not start in a worktree.
func TestWhatWorktreesMayWantIsOffered(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{
		".gitignore": ".env*\n!.env.example\n/venv\n", ".env.example": "A=\n", "web/a.ts": "\n",
	})
	none := beckon.Offer{Patterns: []string{}, Env: []string{}, EnvPatterns: []string{}, Setups: []beckon.FoundSetup{}}
	if diff := cmp.Diff(none, Offer(b.ctx, Found{Dir: b.repo.dir, Git: true})); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{".env", "web/.env.local", "venv/.env", "web/.env.d/x", "other/env", ".envs/pyvenv.cfg"} {
		b.write(b.repo.dir, name, "A=1\n")
	}
	o := Offer(b.ctx, Found{Dir: b.repo.dir, Git: true})
	if diff := cmp.Diff([]string{".env", "web/.env.local"}, o.Env); diff != "" || o.Listed {
		t.Error(diff, o.Listed)
	}
	copied := must(b.repo.Tree(b.w).CopyIgnored(b.ctx, o.EnvPatterns))(t)
	if diff := cmp.Diff(o.Env, copied); diff != "" {
		t.Errorf("what is offered is not what is copied: %s", diff)
	}
	b.write(b.repo.dir, ".worktreeinclude", "# for all tools\n.env\n")
	o = Offer(b.ctx, Found{Dir: b.repo.dir, Git: true})
	if diff := cmp.Diff([]string{".env"}, o.Patterns); diff != "" || !o.Listed || len(o.Env)+len(o.EnvPatterns) > 0 {
		t.Errorf("%s%+v", diff, o)
	}
	b.write(b.repo.dir, ".worktreeinclude", "")
	if o = Offer(b.ctx, Found{Dir: b.repo.dir, Git: true}); !o.Listed || len(o.Env) > 0 {
		t.Errorf("a project that wants nothing copied is offered %+v", o)
	}
}

// TestNothingIsAskedOfAnOddGitignore: the folder is looked at before trust.
func TestNothingIsAskedOfAnOddGitignore(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"web/a.ts": "\n"})
	b.write(b.repo.dir, ".git/info/exclude", ".env\n")
	b.write(b.repo.dir, "web/.env", "A=1\n")
	if o := Offer(b.ctx, Found{Dir: b.repo.dir, Git: true}); len(o.Env) != 1 {
		t.Fatalf("%+v", o)
	}
	b.git(b.repo.dir, "config", "core.excludesFile", "/dev/zero")
	if o := Offer(b.ctx, Found{Dir: b.repo.dir, Git: true}); len(o.Env) > 0 {
		t.Errorf("%+v", o)
	}
	b.git(b.repo.dir, "config", "--unset", "core.excludesFile")
	for _, name := range []string{"web/.gitignore", ".gitignore", ".git/info/exclude"} {
		at := filepath.Join(b.repo.dir, filepath.FromSlash(name))
		before, err := os.ReadFile(at)
		_ = os.Remove(at)
		if err := os.Symlink("/dev/zero", at); err != nil {
			t.Skip(err)
		}
		if o := Offer(b.ctx, Found{Dir: b.repo.dir, Git: true}); len(o.Env) > 0 {
			t.Errorf("%s: %+v", name, o)
		}
		if os.Remove(at) != nil || err == nil && os.WriteFile(at, before, 0o600) != nil {
			t.Fatal(at)
		}
	}
}
