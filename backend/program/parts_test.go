package program

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"beckon/backend/agent/process"
	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git"
	"beckon/tests/runnertest"
)

// withRepositories gives the project two further repositories, of which tasks have the first
// from their start.
func (d *desktopOf) withRepositories(t *testing.T) {
	t.Helper()
	for _, name := range []string{"proto", "dash"} {
		dir := filepath.Join(t.TempDir(), name)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".txt"), []byte("one\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := git.Init(t.Context(), dir, "first"); err != nil {
			t.Fatal(err)
		}
		d.project.Repositories = append(d.project.Repositories, reviewing.Repository{Name: name, Dir: dir, FromStart: name == "proto"})
	}
	p, err := d.EditProject(d.project)
	if err != nil {
		t.Fatal(err)
	}
	d.project = p
}

// TestAnAgentWorksInSeveralRepositories: Claude is started with the folder of their worktrees,
// and learns where each is; another agent gets it as its protocol has it.
func TestAnAgentWorksInSeveralRepositories(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads the agent's arguments as Linux shows them")
	}
	d, _ := withKimiAnd(t, runnertest.Agents(t, "run tr '\\0' '\\n' < /proc/$PPID/cmdline > args.txt; cd ../*.with/proto; echo two >> proto.txt\n"))
	d.withRepositories(t)
	task := d.run(beckon.NewTask{Title: "Change both"})
	task, run := d.Ended(task.ID)
	if run.Outcome != beckon.Succeeded || task.Trouble != nil || task.Changes.Files != 2 {
		t.Fatalf("the run %s, the card says %q of %+v", run.Outcome, task.Trouble, task.Changes)
	}
	args := d.said(task.ID, "args.txt")
	beside := task.Worktree + ".with"
	for _, want := range []string{
		"--add-dir=" + beside + "\n", "- proto: " + filepath.Join(beside, "proto") + ", branch " + task.Branch,
		"- dash: not opened yet", "mcp__beckon__open_repository",
	} {
		if !strings.Contains(args, want) {
			t.Errorf("the agent was started without %q: %s", want, args)
		}
	}
	review, err := d.Review(task.ID+"/proto", reviewing.View{})
	if err != nil || len(review.Files) != 1 || review.Files[0].Path != "proto.txt" || len(review.Uncommitted) != 0 || review.Refusal != nil {
		t.Errorf("the part's changes are %+v, %v", review, err)
	}
	if ranges, err := d.ChangeRanges(task.ID + "/proto"); err != nil || len(ranges.Commits) != 1 {
		t.Errorf("the part's commits are %+v, %v", ranges, err)
	}
	whole, err := d.p.changed(t.Context(), task.ID, "")
	if err != nil || len(whole.Files) != 2 || whole.Files[1].Path != "proto/proto.txt" || whole.Files[1].Patch == "" || whole.Elsewhere != 0 {
		t.Errorf("a shared page of the task shows %+v, %v", whole, err)
	}
	if of, err := d.p.changed(t.Context(), task.ID, run.ID); err != nil || len(of.Files)+of.Elsewhere != 2 {
		t.Errorf("a shared page of the run shows %+v, %v", of, err)
	}
	if !d.p.hasRepositories(t.Context(), run.ID) {
		t.Error("the tool that opens dash is not offered")
	}
	if dir, err := d.p.openRepository(t.Context(), run.ID, "dash"); err != nil || dir != filepath.Join(beside, "dash") {
		t.Errorf("dash is opened in %s, %v", dir, err)
	}
	other := d.run(beckon.NewTask{Title: "Look", Agent: "kimi", Brief: "beside"})
	other, _ = d.Ended(other.ID)
	page, err := d.Transcript(other.ID, "", 100)
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for _, e := range page.Entries {
		shown = append(shown, e.Text)
	}
	if all := strings.Join(shown, "\n"); !strings.Contains(all, "beside "+other.Worktree+".with") {
		t.Errorf("another agent says %s", all)
	}
}

// TestAnAgentOfOneRepositoryIsStartedAsBefore: with no folder besides, and no words of others.
func TestAnAgentOfOneRepositoryIsStartedAsBefore(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads the agent's arguments as Linux shows them")
	}
	t.Parallel()
	d := start(t, "run tr '\\0' '\\n' < /proc/$PPID/cmdline > args.txt\n")
	task := d.run(beckon.NewTask{Title: "Change one"})
	task, run := d.Ended(task.ID)
	if args := d.said(task.ID, "args.txt"); !strings.Contains(args, "--append-system-prompt=") || strings.Contains(args, "--add-dir") || strings.Contains(args, "epositories") || strings.Contains(args, "open_repository") {
		t.Errorf("the agent was started with %s", args)
	}
	if d.p.hasRepositories(t.Context(), run.ID) {
		t.Error("it is offered a tool that opens others")
	}
}

// TestCommentsOfAllRepositoriesGoOutTogether: the message names the repository of each.
func TestCommentsOfAllRepositoriesGoOutTogether(t *testing.T) {
	t.Parallel()
	d := start(t, "run echo x > own.txt; cd ../*.with/proto; echo two >> proto.txt\n\n")
	d.withRepositories(t)
	task := d.run(beckon.NewTask{Title: "Change both"})
	task, first := d.Ended(task.ID)
	for repository, path := range map[string]string{"": "own.txt", "proto": "proto.txt"} {
		lines := reviewing.CommentLines{Repository: repository, Path: path, Side: reviewing.After, First: 1, Last: 1, Quote: map[string]string{"": "x", "proto": "one"}[repository]}
		if _, err := d.SaveComment(reviewing.CommentEdit{TaskID: task.ID, Lines: lines, Text: "Why?"}); err != nil {
			t.Fatal(err)
		}
	}
	list, err := d.Comments(task.ID)
	if err != nil || len(list) != 2 || list[0].Outdated || list[1].Outdated {
		t.Fatalf("the comments are %+v, %v", list, err)
	}
	if n, err := d.SendComments(task.ID); n != 2 || err != nil {
		t.Fatalf("%d were sent, %v", n, err)
	}
	d.Until("the next run", func() bool { return d.Seen.Runs[task.ID].ID != first.ID })
	d.Ended(task.ID)
	page, err := d.Transcript(task.ID, "", 100)
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	for _, e := range page.Entries {
		said.WriteString(e.Text + "\n")
	}
	if !strings.Contains(said.String(), "`proto.txt` in the repository proto") || !strings.Contains(said.String(), "`own.txt`, line 1") {
		t.Errorf("the agent was sent %s", said.String())
	}
}

// TestATaskOfSeveralRepositoriesRunsOnThisComputer: it is refused before anything starts.
func TestATaskOfSeveralRepositoriesRunsOnThisComputer(t *testing.T) {
	t.Parallel()
	d := start(t, "text Done.\n")
	d.withRepositories(t)
	_, err := d.CreateTask(beckon.NewTask{ProjectID: d.project.ID, Title: "Elsewhere", Status: beckon.Running, Executor: "host"})
	if kind, _ := problem.From(err); kind != problem.PartsElsewhere {
		t.Errorf("it says %v", err)
	}
}

// scriptedGH is a server of pull requests by its program: it numbers them by repository, and
// keeps what each says in a file.
const scriptedGH = `#!/bin/sh
cd "$PULLS"
for arg; do
	case "$arg" in
	--repo=*) repo=${arg##*/} ;;
	repos/*) repo=$(basename "$(dirname "$(dirname "$arg")")") ;;
	esac
done
case "$1 $2" in
"pr list") echo '[]' ;;
"pr create") cat > "$repo"; echo "https://github.com/ada/$repo/pull/7" ;;
"pr view") echo '{"number":7,"url":"https://github.com/ada/'$repo'/pull/7","state":"OPEN"}' ;;
"api --hostname=github.com")
	case "$3" in
	--method=PATCH) sed 's/^{"body":"//; s/"}$//; s/\\n/\n/g; s/\\u003c/</g; s/\\u003e/>/g' > "$repo.new"; mv "$repo.new" "$repo" ;;
	*) printf '{"body":"%s"}' "$(sed ':a;N;$!ba;s/\n/\\n/g' "$repo")" ;;
	esac ;;
*) exit 1 ;;
esac
`

// scriptedSSH serves the bare repository that a folder of the address names.
const scriptedSSH = `#!/bin/sh
for last; do :; done
repo=$(echo "$last" | sed "s/.*ada.//; s/'.*//; s/\.git//")
case "$last" in
git-receive-pack*) exec git receive-pack "$PULLS/$repo.bare" ;;
*) exec git upload-pack "$PULLS/$repo.bare" ;;
esac
`

// TestThePullRequestsOfATaskNameEachOther from the second one on, where one owner has both.
func TestThePullRequestsOfATaskNameEachOther(t *testing.T) {
	for _, owner := range []string{"ada", "not-ada"} {
		t.Run(owner, func(t *testing.T) { pullsNameEachOther(t, owner) })
	}
}

// pullsNameEachOther opens the requests of a repository of ada's and one of another owner's.
func pullsNameEachOther(t *testing.T, owner string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the programs are scripts")
	}
	pulls, bin := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"gh": scriptedGH, "scriptedssh": scriptedSSH} {
		if err := process.WriteProgram(filepath.Join(bin, name), text); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("PULLS", pulls)
	d := start(t, "run echo x > own.txt; cd ../*.with/proto; echo two >> proto.txt\n")
	d.withRepositories(t)
	owners := map[string]string{"sample": "ada", "proto": owner}
	for name, dir := range map[string]string{"sample": d.project.Dir, "proto": d.project.Repositories[0].Dir} {
		for _, args := range [][]string{
			{"init", "-q", "--bare", filepath.Join(pulls, name+".bare")},
			{"push", "-q", filepath.Join(pulls, name+".bare"), "main"},
			{"config", "core.sshCommand", "scriptedssh"},
			{"remote", "add", "origin", "git@github.com:" + owners[name] + "/" + name + ".git"},
		} {
			c := exec.CommandContext(t.Context(), "git", args...)
			c.Dir = dir
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("git %v: %v: %s", args, err, out)
			}
		}
	}
	task := d.run(beckon.NewTask{Title: "Change both"})
	d.Ended(task.ID)
	ids := []string{task.ID, task.ID + "/proto"}
	for range 2 {
		for _, id := range ids {
			if r, err := d.OpenPull(id, reviewing.PullOrder{Title: "Change both", Body: "What ada wrote."}); err != nil || r.Number != 7 || r.TaskID != id {
				t.Fatalf("opened %+v, %v", r, err)
			}
		}
	}
	for name, other := range map[string]string{"sample": "proto", "proto": "sample"} {
		text, err := os.ReadFile(filepath.Join(pulls, name))
		want := "What ada wrote."
		if owner == "ada" {
			want += "\n\nTogether with https://github.com/ada/" + other + "/pull/7 <!-- beckon: together -->"
		}
		if err != nil || strings.TrimSpace(string(text)) != want {
			t.Errorf("that of %s says %q, %v; want %q", name, text, err, want)
		}
	}
	if r, err := d.RefreshPull(ids[1]); err != nil || r.State != reviewing.PullOpen {
		t.Errorf("asked again it is %+v, %v", r, err)
	}
}

// TestAConflictInAFurtherRepositoryIsResolvedThere: the project's own stays as it is.
func TestAConflictInAFurtherRepositoryIsResolvedThere(t *testing.T) {
	t.Parallel()
	d := start(t, "run echo x > own.txt; cd ../*.with/proto; echo two > proto.txt\n")
	d.withRepositories(t)
	task := d.run(beckon.NewTask{Title: "Change both"})
	task, _ = d.Ended(task.ID)
	dir, id := d.project.Repositories[0].Dir, task.ID+"/proto"
	if err := os.WriteFile(filepath.Join(dir, "proto.txt"), []byte("three\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"add", "-A"}, {"-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-qm", "Others"}} {
		c := exec.CommandContext(t.Context(), "git", args...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	if list, err := d.Conflicts(id); err != nil || len(list) != 1 || list[0].Path != "proto.txt" {
		t.Fatalf("the conflicts are %+v, %v", list, err)
	}
	if err := d.ResolveByHand(id); err != nil {
		t.Fatal(err)
	}
	if by, err := d.ByHand(id); err != nil || !by.On || len(by.Files) != 1 {
		t.Errorf("by hand it is %+v, %v", by, err)
	}
	if by, err := d.ByHand(task.ID); err != nil || by.On {
		t.Errorf("the own is by hand %+v, %v", by, err)
	}
	if err := os.WriteFile(filepath.Join(task.Worktree+".with", "proto", "proto.txt"), []byte("both\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), "git", "add", "-A")
	c.Dir = filepath.Join(task.Worktree+".with", "proto")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if _, err := d.FinishByHand(id); err != nil {
		t.Fatal(err)
	}
	list, err := d.Parts(task.ID)
	if err != nil || list[0].State != reviewing.PartClean || list[0].Behind != 0 {
		t.Errorf("the parts are %+v, %v", list, err)
	}
	if now, err := d.Merge(task.ID); err != nil || now.Status != beckon.Done {
		t.Errorf("merged it is in %s, %v", now.Status, err)
	}
}
