package program

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

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

// TestCommentsOfAllRepositoriesGoOutTogether: the message names the repository of each.
func TestCommentsOfAllRepositoriesGoOutTogether(t *testing.T) {
	t.Parallel()
	d := start(t, "run echo x > own.txt; cd ../*.with/proto; echo two >> proto.txt\n\n")
	d.withRepositories(t)
	task := d.run(beckon.NewTask{Title: "Change both"})
	task, _ = d.Ended(task.ID)
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
	d := start(t, "say Done.\n")
	d.withRepositories(t)
	_, err := d.CreateTask(beckon.NewTask{ProjectID: d.project.ID, Title: "Elsewhere", Status: beckon.Running, Executor: "host"})
	if kind, _ := problem.From(err); kind != problem.PartsElsewhere {
		t.Errorf("it says %v", err)
	}
}
