package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon/reviewing"
)

// trap makes the repository of b run "touch" on a canary in every way that a
// repository can have git run something, and returns the folder of canaries.
func (b *bench) trap() string {
	b.Helper()
	canaries := filepath.Join(filepath.Dir(b.data), "canaries")
	if err := os.Mkdir(canaries, 0o755); err != nil {
		b.Fatal(err)
	}
	touch := func(name string) string { return "touch '" + filepath.Join(canaries, name) + "'; cat; exit 0 #" }
	hookNames := []string{
		"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-merge-commit", "post-merge",
		"post-checkout", "reference-transaction", "post-index-change", "pre-auto-gc", "post-rewrite",
		"update", "push-to-checkout",
	}
	for _, dir := range []string{".git/hooks", "hooks"} {
		for _, name := range hookNames {
			b.write(b.repo.dir, filepath.Join(dir, name), "#!/bin/sh\n"+touch(strings.ReplaceAll(dir, "/", "-")+"-"+name)+"\n")
			if err := os.Chmod(filepath.Join(b.repo.dir, dir, name), 0o755); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.commit(b.repo.dir, ".gitattributes",
		"*.txt filter=evil diff=evil merge=evil\n*.odd filter=a.b=c\n*.bin filter=proc\n")
	for key, value := range map[string]string{
		"core.hooksPath": filepath.Join(b.repo.dir, "hooks"), "core.fsmonitor": touch("fsmonitor"),
		"core.sshCommand": touch("ssh"),
		"core.pager":      touch("pager"), "core.editor": touch("editor"), "core.askPass": touch("askpass"),
		"core.gitProxy":     touch("proxy"),
		"credential.helper": "!" + touch("credential"), "filter.evil.clean": touch("clean"),
		"filter.evil.smudge":   touch("smudge"),
		"filter.evil.required": "true", "filter.a.b=c.clean": touch("odd-clean"), "filter.a.b=c.smudge": touch("odd-smudge"),
		"filter.proc.process": touch("process"), "filter.proc.required": "true", "diff.evil.textconv": touch("textconv"),
		"diff.evil.command": touch("diffcommand"), "diff.external": touch("external"), "merge.evil.driver": touch("driver"),
		"merge.evil.name": "x", "commit.gpgSign": "true", "gpg.program": touch("gpg"), "gpg.ssh.program": touch("gpg-ssh"),
		"log.showSignature": "true", "merge.verifySignatures": "true", "hook.evil.command": touch("config-hook"),
		"hook.evil.event": "reference-transaction", "alias.status": "!" + touch("alias"), "gc.auto": "1",
		"remote.origin.url": "ext::sh -c " + touch("ext"), "remote.origin.promisor": "true",
		"remote.origin.uploadpack": touch("uploadpack"),
		"protocol.ext.allow":       "always", "protocol.allow": "always",
		"submodule.recurse": "true", "diff.submodule": "log", "status.submoduleSummary": "true",
	} {
		b.git(b.repo.dir, "config", key, value)
	}
	b.clearCanaries(canaries)
	return canaries
}

// clearCanaries empties the folder, after what ran while the trap was set.
func (b *bench) clearCanaries(dir string) {
	b.Helper()
	for _, file := range must(os.ReadDir(dir))(b) {
		if err := os.Remove(filepath.Join(dir, file.Name())); err != nil {
			b.Fatal(err)
		}
	}
}

func TestNothingOfAnUntrustedRepositoryRuns(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the traps are shell scripts")
	}
	b := newBench(t, map[string]string{"a.txt": "one\n", "b.txt": "one\n", "c.bin": "one\n", "d.odd": "one\n"})
	canaries := b.trap()
	sprung := func(after string) {
		t.Helper()
		for _, file := range must(os.ReadDir(canaries))(t) {
			t.Errorf("%s ran %s", after, file.Name())
		}
		b.clearCanaries(canaries)
	}
	must(Inspect(b.ctx, b.repo.dir))(t)
	sprung("Inspect")
	w := must(b.repo.AddWorktree(b.ctx, filepath.Join(b.data, "1"), "beckon/kes-1", "main"))(t)
	sprung("AddWorktree")
	for _, name := range []string{"a.txt", "new.txt", "c.bin", "d.odd"} {
		b.write(w.Dir, name, "two\n")
	}
	must(b.repo.Diff(b.ctx, w, reviewing.View{}))(t)
	must(b.repo.Summary(b.ctx, w))(t)
	must(b.repo.Status(b.ctx, w))(t)
	must(b.repo.Loss(b.ctx, w))(t)
	sprung("looking")
	if err := b.repo.Exclude(b.ctx, w.Dir, "/x"); err != nil || b.repo.Tracked(b.ctx, w.Dir, "x") {
		t.Error(err)
	}
	if _, ok, err := b.repo.CommitAll(b.ctx, w, "work", nil); err != nil || !ok {
		t.Fatal(ok, err)
	}
	sprung("CommitAll")
	must(b.repo.Merge(b.ctx, w, reviewing.MergeCommit, "merge"))(t)
	sprung("Merge")
	if err := b.repo.RemoveWorktree(b.ctx, w); err != nil {
		t.Fatal(err)
	}
	if err := b.repo.RestoreWorktree(b.ctx, w); err != nil {
		t.Fatal(err)
	}
	sprung("RemoveWorktree and RestoreWorktree")

	// Both sides change a file that has a merge driver.
	b.write(b.repo.dir, "b.txt", "one\ntheirs\n")
	if _, _, err := b.repo.CommitAll(b.ctx, Worktree{Dir: b.repo.dir, Branch: "main"}, "theirs", nil); err != nil {
		t.Fatal(err)
	}
	b.write(w.Dir, "b.txt", "ours\none\n")
	if _, _, err := b.repo.CommitAll(b.ctx, w, "ours", nil); err != nil {
		t.Fatal(err)
	}
	_, err := b.repo.Merge(b.ctx, w, reviewing.MergeCommit, "merge")
	b.conflict(err, "b.txt")
	sprung("Merge with a driver")

	b.write(w.Dir, "late.txt", "x\n")
	b.w = w
	b.discard()
	list := must(b.repo.Discarded(b.ctx))(t)
	must(b.repo.Restore(b.ctx, list[0].Ref, ""))(t)
	if err := b.repo.Prune(b.ctx, time.Now()); err != nil {
		t.Fatal(err)
	}
	sprung("Discard, Restore and Prune")

	// The traps do spring when git is asked without our guards.
	b.write(b.repo.dir, "a.txt", "changed\n")
	b.write(b.repo.dir, "c.bin", "changed\n")
	for _, args := range [][]string{{"add", "a.txt"}, {"add", "c.bin"}, {"hook", "run", "pre-commit"}} {
		cmd := exec.CommandContext(b.ctx, "git", args...)
		cmd.Dir = b.repo.dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Logf("git %q: %v: %s", args, err, out)
		}
	}
	for _, name := range []string{"hooks-pre-commit", "fsmonitor", "clean", "process"} {
		if !exists(filepath.Join(canaries, name)) {
			t.Errorf("the trap %s is not set, so nothing was shown", name)
		}
	}
}

func TestMissingObjectsAreNotFetchedWithoutTrust(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the trap is a shell script")
	}
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	canary := filepath.Join(filepath.Dir(b.data), "canary")
	blob := b.git(b.repo.dir, "rev-parse", "HEAD:a.txt")
	if err := os.Remove(filepath.Join(b.repo.dir, ".git/objects", blob[:2], blob[2:])); err != nil {
		t.Fatal(err)
	}
	for key, value := range map[string]string{
		"extensions.partialClone": "origin", "core.repositoryFormatVersion": "1", "remote.origin.promisor": "true",
		"remote.origin.url": b.repo.dir, "remote.origin.uploadpack": "touch '" + canary + "'; false",
	} {
		b.git(b.repo.dir, "config", key, value)
	}
	if _, err := b.repo.AddWorktree(b.ctx, filepath.Join(b.data, "1"), "beckon/kes-1", "main"); err == nil ||
		exists(canary) {
		t.Errorf("error %v, upload-pack ran: %v", err, exists(canary))
	}
	b.repo.trusted = true
	if _, err := b.repo.AddWorktree(b.ctx, filepath.Join(b.data, "1"), "beckon/kes-1", "main"); err == nil ||
		!exists(canary) {
		t.Errorf("error %v, and the trap is not set", err)
	}
}

func TestTrustLetsFiltersRunAndNoHooks(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the traps are shell scripts")
	}
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	canaries := b.trap()
	b.repo.trusted = true
	w := must(b.repo.AddWorktree(b.ctx, filepath.Join(b.data, "1"), "beckon/kes-1", "main"))(t)
	b.write(w.Dir, "a.txt", "two\n")
	if _, ok, err := b.repo.CommitAll(b.ctx, w, "work", nil); err != nil || !ok {
		t.Fatal(ok, err)
	}
	for _, name := range []string{"smudge", "clean"} {
		if !exists(filepath.Join(canaries, name)) {
			t.Errorf("the filter's %s did not run", name)
		}
	}
	for _, file := range must(os.ReadDir(canaries))(t) {
		if name := file.Name(); name != "smudge" && name != "clean" {
			t.Errorf("%s ran", name)
		}
	}
}

func TestInheritedGitVariablesPointNowhere(t *testing.T) {
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	other := newBench(t, map[string]string{"other.txt": "x\n"})
	t.Setenv("GIT_DIR", filepath.Join(other.repo.dir, ".git"))
	t.Setenv("GIT_INDEX_FILE", filepath.Join(other.repo.dir, ".git/index"))
	t.Setenv("GIT_WORK_TREE", other.repo.dir)
	if found := must(Inspect(b.ctx, b.repo.dir))(t); found.Dir != b.repo.dir {
		t.Errorf("found %s", found.Dir)
	}
	b.write(b.w.Dir, "new.txt", "x\n")
	if diff := must(b.repo.Diff(b.ctx, b.w, reviewing.View{}))(t); len(diff.Files) != 1 ||
		diff.Files[0].Path != "new.txt" {
		t.Errorf("the diff has %+v", diff.Files)
	}
}
