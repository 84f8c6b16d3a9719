//go:build linux

package executors

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// TestTheLinkIsCutAgainAndAgain while an agent elsewhere asks: its end there is killed, or
// the one here, or nobody answers there for a while. Each question is asked and answered
// once, and nothing is left there.
func TestTheLinkIsCutAgainAndAgain(t *testing.T) {
	t.Parallel()
	const asks = 25
	turns := []fixture.Turn{}
	for n := range asks {
		turns = append(turns, fixture.Turn{"tool": "mcp__beckon__ask_user", "input": map[string]any{"question": fmt.Sprintf("Question %d of all?", n)}})
	}
	s, h := fixture.Elsewhere(t, append(turns,
		fixture.Turn{"tool": "Write", "input": map[string]any{"file_path": "done.txt", "content": "x\n"}}, fixture.Turn{"text": "Done."})...)
	task := s.Create(beckon.NewTask{Title: "Ask much"})
	s.Asked(task.ID, "Question 0 of all?")
	var cuts atomic.Int32
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-over:
				return
			case <-time.After(time.Duration(rand.IntN(400)) * time.Millisecond):
			}
			// On a slow machine a link may take longer than the pause; mostly it has begun.
			for end := time.Now().Add(patience); rand.IntN(100) > 0 && time.Now().Before(end) && linkLost(s, task.ID); {
				time.Sleep(20 * time.Millisecond)
			}
			switch rand.IntN(10) {
			case 0:
				h.Stop()
				time.Sleep(time.Duration(rand.IntN(300)) * time.Millisecond)
				h.Start()
			case 1, 2, 3:
				h.CutHere()
			default:
				h.Cut()
			}
			cuts.Add(1)
		}
	}()
	for n := range asks {
		q := s.Asked(task.ID, fmt.Sprintf("Question %d of all?", n))
		// A quick agent would have asked all of them between a few cuts.
		s.Until("the link is cut again", patience, func() bool { return int(cuts.Load()) > n })
		s.Reply(q, fmt.Sprintf("Answer %d to it", n))
	}
	close(over)
	<-ended
	t.Logf("%d cuts", cuts.Load())
	task = s.InReview(task.ID)
	all := client.Must[[]beckon.Question](s.Program, "Questions", task.ID)
	if len(all) != asks || task.Trouble != nil {
		t.Errorf("%d questions, want %d; trouble %q", len(all), asks, task.Trouble)
	}
	told := strings.Split(strings.TrimSpace(s.Told()), "\n")
	for n := range asks {
		if got := strings.Count(told[len(told)-1], fmt.Sprintf("Answer %d to it", n)); got == 0 {
			t.Errorf("the model has not heard answer %d", n)
		}
	}
	if got := results(s); got != asks+1 {
		t.Errorf("the model heard %d results, want %d", got, asks+1)
	}
	if got := client.Git(t, s.Dir, "show", "--format=", "--name-only", task.Branch); strings.TrimSpace(got) != "done.txt" {
		t.Errorf("the commit holds %q", got)
	}
	s.Until("nothing is left there", patience, func() bool { return len(h.Agents()) == 0 })
}

// TestAnAnswerWaitsForTheLink: the run says that it is lost, and the answer that is given
// meanwhile arrives once it is back.
func TestAnAnswerWaitsForTheLink(t *testing.T) {
	t.Parallel()
	s, h := fixture.Elsewhere(t, fixture.AskColour, fixture.Turn{"text": "Done."})
	task := s.Create(beckon.NewTask{Title: "Paint"})
	q := s.Asked(task.ID, "Which colour?")
	h.Stop()
	s.Until("the link is lost", patience, func() bool { return s.Run(task.ID).LinkLost > 0 })
	s.Until("the executor is lost", patience, func() bool { return s.Health(s.Project.Executor).State == executing.Lost })
	s.Reply(q, "Green")
	if run := s.Run(task.ID); run.Phase == beckon.Ended {
		t.Errorf("the run ended: %+v", run)
	}
	h.Start()
	task = s.InReview(task.ID)
	s.Heard(`Green`)
	if run := s.Run(task.ID); run.Outcome != beckon.Succeeded || run.LinkLost != 0 {
		t.Errorf("%+v", run)
	}
	if state := s.Health(s.Project.Executor).State; state != executing.Ready {
		t.Errorf("the executor is %s", state)
	}
}

// TestPacketsAreDropped for longer than either end waits for a sign of life: the answer that
// is given meanwhile arrives once, in the same turn.
func TestPacketsAreDropped(t *testing.T) {
	t.Parallel()
	s, h := fixture.FarAway(t, fixture.AskColour, fixture.Turn{"text": "Done."})
	task := s.Create(beckon.NewTask{Title: "Paint"})
	q := s.Asked(task.ID, "Which colour?")
	h.Unplug()
	s.Until("the link is lost", 2*patience, func() bool { return linkLost(s, task.ID) })
	s.Reply(q, "Green")
	h.Plug()
	task = s.InReview(task.ID)
	s.Heard("Green")
	if runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID); len(runs) != 1 || runs[0].Outcome != beckon.Succeeded || task.Trouble != nil {
		t.Errorf("runs %+v, trouble %q", runs, task.Trouble)
	}
	if got := results(s); got != 1 {
		t.Errorf("the model heard %d results, want one", got)
	}
	s.Until("nothing is left there", patience, func() bool { return len(h.Agents()) == 0 })
}

// TestStopWithoutALink ends the run here at once, and its agent when there is a link
// again.
func TestStopWithoutALink(t *testing.T) {
	t.Parallel()
	s, h := fixture.Elsewhere(t, fixture.AskColour, fixture.Turn{"text": "Done."})
	task := s.Create(beckon.NewTask{Title: "Paint"})
	s.Asked(task.ID, "Which colour?")
	turns := s.Turns()
	h.Stop()
	s.Until("the link is lost", patience, func() bool { return s.Run(task.ID).LinkLost > 0 })
	client.Must[any](s.Program, "Stop", task.ID)
	s.Until("the run has ended", patience, func() bool { return s.Run(task.ID).Outcome == beckon.Stopped })
	if task = s.InReview(task.ID); !strings.Contains(task.Trouble.String(), "still on Farm") {
		t.Errorf("trouble %q", task.Trouble)
	}
	if len(h.Agents()) != 1 {
		t.Error("the agent is gone, and nobody could reach it")
	}
	h.Start()
	s.Until("the trouble is over", patience, func() bool { return s.Task(task.ID).Trouble == nil })
	s.Until("its agent has ended", patience, func() bool { return len(h.Agents()) == 0 && len(h.Working()) == 0 })
	if n := s.Turns() - turns; n != 0 {
		t.Errorf("it was stopped, and asked the model %d times without an answer", n)
	}
}

// TestWhatChangedHereIsNotPutOver: a file that the user edits while the agent works
// elsewhere stays, and what the agent did is kept beside it.
func TestWhatChangedHereIsNotPutOver(t *testing.T) {
	t.Parallel()
	s, _ := fixture.Elsewhere(t,
		// What the turn began with is noted beside the agent, and may bring its work so early.
		fixture.AskColour,
		fixture.Turn{"tool": "Write", "input": map[string]any{"file_path": "theirs.txt", "content": "theirs\n"}}, fixture.Turn{"text": "Done."})
	task := s.Create(beckon.NewTask{Title: "Paint"})
	q := s.Asked(task.ID, "Which colour?")
	mine := filepath.Join(s.Task(task.ID).Worktree, "mine.txt")
	if err := os.WriteFile(mine, []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Reply(q, "Green")
	task = s.InReview(task.ID)
	ref := "refs/beckon/elsewhere/" + task.ID
	if text, err := os.ReadFile(mine); err != nil || string(text) != "mine\n" || !strings.Contains(task.Trouble.String(), ref) {
		t.Errorf("%q, %v; trouble %q", text, err, task.Trouble)
	}
	if got := client.Git(t, s.Dir, "show", ref+":theirs.txt"); got != "theirs\n" {
		t.Errorf("what the agent did is kept as %q", got)
	}
}

// TestNoFilterRunsForWorkFromElsewhere, such as git-lfs, though the project is
// trusted and the agent names it for its files.
func TestNoFilterRunsForWorkFromElsewhere(t *testing.T) {
	t.Parallel()
	write := func(name, text string) fixture.Turn {
		return fixture.Turn{"tool": "Write", "input": map[string]any{"file_path": name, "content": text}}
	}
	s, _ := fixture.Elsewhere(t, write(".gitattributes", "* filter=mine\n"), write("data.txt", "theirs\n"), fixture.Turn{"text": "Done."})
	ran := filepath.Join(t.TempDir(), "ran")
	client.Git(t, s.Dir, "config", "filter.mine.smudge", "tee -a "+ran)
	client.Git(t, s.Dir, "config", "filter.mine.clean", "tee -a "+ran)
	task := s.InReview(s.Create(beckon.NewTask{Title: "Paint"}).ID)
	if task.Trouble != nil || s.Run(task.ID).Outcome != beckon.Succeeded {
		t.Fatalf("trouble %q, run %+v", task.Trouble, s.Run(task.ID))
	}
	if got := client.Git(t, s.Dir, "show", task.Branch+":data.txt"); got != "theirs\n" {
		t.Errorf("its work is %q here", got)
	}
	if text, err := os.ReadFile(ran); err == nil {
		t.Errorf("the filter got %q", text)
	}
}

// TestATaskHasItsPortsElsewhere: its setup command and its agent there have those that it has here.
func TestATaskHasItsPortsElsewhere(t *testing.T) {
	t.Parallel()
	s, _ := fixture.Elsewhere(t, fixture.Turn{
		"tool": "Bash", "input": map[string]any{"command": "cat ready > ports; echo $BECKON_PORT >> ports", "description": "x"},
	}, fixture.Turn{"text": "Done."})
	s.Project.Scripts = beckon.ScriptSet{Setup: "echo $BECKON_PORT > ready", Check: "echo $BECKON_PORT > ../port"}
	client.Must[beckon.Project](s.Program, "EditProject", s.Project)
	task := s.InReview(s.Create(beckon.NewTask{Title: "Serve", Mode: beckon.ModeBypass}).ID)
	client.Must[beckon.ScriptRun](s.Program, "RunScript", task.ID, beckon.ScriptCheck)
	var here []byte
	s.Until("the check is over", patience, func() bool {
		here, _ = os.ReadFile(filepath.Join(filepath.Dir(task.Worktree), "port"))
		return strings.HasSuffix(string(here), "\n")
	})
	if there := client.Git(t, s.Dir, "show", task.Branch+":ports"); len(here) < 5 || there != strings.Repeat(string(here), 2) {
		t.Errorf("BECKON_PORT is %q there, and %q here", there, here)
	}
}

// TestIgnoredFilesGoAlong: what the project names is there before the setup command, once, and
// nothing of it comes home or stays in a repository.
func TestIgnoredFilesGoAlong(t *testing.T) {
	t.Parallel()
	s, h := fixture.Elsewhere(t, fixture.Turn{
		"tool": "Bash", "input": map[string]any{"command": "cat .env conf/local.json > seen; test -x bin/tool && echo runs >> seen; ls .env.far >> seen 2>&1; echo $FARM_TOKEN > token; echo MINE=1 > .env", "description": "x"},
	}, fixture.Turn{"text": "Done."}, fixture.Turn{"tool": "Bash", "input": map[string]any{"command": "cp .env seen-again", "description": "x"}}, fixture.Turn{"text": "Again."})
	for name, text := range map[string]string{
		".gitignore": ".env*\n/conf/local.json\n/bin/\n", ".env": "SECRET=2f7c91\n", "conf/local.json": "{}\n", "bin/tool": "#!/bin/sh\n",
	} {
		file := filepath.Join(s.Dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o700)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(s.Dir, ".env.far")); err != nil {
		t.Fatal(err)
	}
	client.Git(t, s.Dir, "add", ".gitignore")
	client.Git(t, s.Dir, "commit", "--quiet", "--message=ignore")
	farm := client.Must[executing.Executor](s.Program, "SaveExecutor", executing.Executor{
		ID: s.Project.Executor, Name: "Farm", Kind: executing.SSH, Host: fixture.HostName, Slots: 4, Variables: []string{"FARM_TOKEN"},
	})
	client.Must[any](s.Program, "KeepVariable", farm.ID, "FARM_TOKEN", "kept-51c2")
	s.Project.Scripts = beckon.ScriptSet{Copied: []string{".env*", "conf/local.json", "bin/"}, Setup: "grep -q SECRET .env"}
	client.Must[beckon.Project](s.Program, "EditProject", s.Project)
	task := s.InReview(s.Create(beckon.NewTask{Title: "Look", Mode: beckon.ModeBypass}).ID)
	if seen := client.Git(t, s.Dir, "show", task.Branch+":seen"); !strings.HasPrefix(seen, "SECRET=2f7c91\n{}\nruns\n") || strings.HasSuffix(seen, "\n.env.far\n") {
		t.Errorf("the agent there saw %q", seen)
	}
	if token := client.Git(t, s.Dir, "show", task.Branch+":token"); token != "kept-51c2\n" {
		t.Errorf("of the value that is kept the agent there saw %q", token)
	}
	blob := strings.TrimSpace(client.Git(t, s.Dir, "hash-object", "--no-filters", ".env"))
	for _, repo := range append(h.Has("repos/*.git"), filepath.Join(s.Dir, ".git")) {
		if exec.Command("git", "--git-dir", repo, "cat-file", "-e", blob).Run() == nil {
			t.Errorf("%s has the secret among its objects", repo)
		}
	}
	if left := h.Has("repos/*.git/beckon-along/*"); len(left) > 0 {
		t.Errorf("there is still %q", left)
	}
	client.Must[beckon.Task](s.Program, "SendBack", task.ID, "Again")
	s.InReview(task.ID)
	if seen := client.Git(t, s.Dir, "show", task.Branch+":seen-again"); seen != "MINE=1\n" {
		t.Errorf("what the agent made of it there became %q", seen)
	}
}

// TestAnOddHost: what a machine may be like, and what the executor then says; an agent
// works there or it does not, and nothing runs here instead.
func TestAnOddHost(t *testing.T) {
	t.Parallel()
	for _, one := range []struct {
		name  string
		make  func(*fixture.Host)
		words string // of the problem; empty: it works
	}{
		{"a key in the profile", func(h *fixture.Host) {
			h.At(".profile", "PATH="+os.Getenv("PATH")+"; export ANTHROPIC_API_KEY=sk-test")
		}, ""},
		{"a greeting", func(h *fixture.Host) { h.At(".bashrc", "echo Welcome to the farm; printf 'no line feed'") }, `says "Welcome to the farm`},
		{"fish", func(h *fixture.Host) { h.LoginShell("fish") }, ""},
		{"nologin", func(h *fixture.Host) { h.Command("/usr/sbin/nologin") }, "may run nothing there: its login shell is nologin"},
		{"a shell that says nothing", func(h *fixture.Host) { h.Command("exit 1") }, "See whether ssh farm true works in a terminal"},
		{"endless words", func(h *fixture.Host) { h.Command("yes") }, "did not say which system it is"},
		{"wrong words", func(h *fixture.Host) { h.Command("echo beckon-says a b c d") }, "did not say which system it is"},
		{"no claude", func(h *fixture.Host) { h.Without(".local/bin/claude") }, "Claude was not found there"},
		{"no room for its folder", func(h *fixture.Host) { h.At(".local/share", "a file") }, "cannot create directory"},
		{"another key", func(h *fixture.Host) { h.Rekey() }, "shows a different key than before"},
		{"no way in", func(h *fixture.Host) { h.LockOut() }, "does not let you in"},
		{"nobody there", func(h *fixture.Host) { h.Stop() }, "does not answer"},
	} {
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			h := fixture.NewHost(t)
			one.make(h)
			s := fixture.NewWithEnv(t, h.Env)
			e := client.Must[executing.Executor](s.Program, "SaveExecutor", executing.Executor{Name: "Farm", Kind: executing.SSH, Host: fixture.HostName, Slots: 4})
			found := s.LookedAt(e.ID, one.words)
			if found.State == executing.Ready && (found.Found.Claude == "" || found.Found.Git == "" || found.Found.Free == 0) {
				t.Errorf("it found %+v", found.Found)
			}
			if want := map[bool]executing.Login{true: executing.SignedIn, false: executing.SignedOut}[one.name == "a key in the profile"]; found.State == executing.Ready && found.Found.Login != want {
				t.Errorf("its sign-in is %q, want %q", found.Found.Login, want)
			}
			if changed := found.Changed; (changed != nil) != (one.name == "another key") || changed != nil && (changed.Line == 0 || !strings.HasSuffix(changed.File, "known_hosts")) {
				t.Errorf("the key that changed is in %+v", changed)
			}
		})
	}
}

// TestAnExecutorIsRemoved with all that Beckon had there.
func TestAnExecutorIsRemoved(t *testing.T) {
	t.Parallel()
	s, h := fixture.Elsewhere(t, fixture.AskColour, fixture.Turn{"text": "Done."})
	task := s.Create(beckon.NewTask{Title: "Paint"})
	q := s.Asked(task.ID, "Which colour?")
	if _, err := client.Call[any](s.Program, "RemoveExecutor", s.Project.Executor, false); err == nil || !strings.Contains(err.Error(), task.Key) {
		t.Errorf("it was removed under its agent: %v", err)
	}
	left := client.Must[executing.Left](s.Program, "LeftOnExecutor", s.Project.Executor)
	if left.Worktrees != 1 || left.Bytes == 0 || len(left.Keys) != 1 {
		t.Errorf("%+v", left)
	}
	s.Reply(q, "Green")
	s.InReview(task.ID)
	client.Must[any](s.Program, "RemoveExecutor", s.Project.Executor, false)
	if !h.Cleared() {
		t.Error("something of Beckon's is left there")
	}
	for _, e := range client.Must[beckon.Frame](s.Program, "Attach", "removeclient").Events {
		if e.Project != nil && e.Project.Executor != "" || e.Executors != nil && len(e.Executors.All) > 0 {
			t.Errorf("%+v", e)
		}
	}
}

// TestBeckonIsQuitWhileAnAgentAsksElsewhere: it takes its agents with it, there too, and
// brings their work; what a slow machine keeps for longer comes with the next start.
func TestBeckonIsQuitWhileAnAgentAsksElsewhere(t *testing.T) {
	t.Parallel()
	s, h := fixture.Elsewhere(t,
		fixture.Turn{"tool": "Write", "input": map[string]any{"file_path": "early.txt", "content": "early\n"}},
		fixture.AskColour,
		fixture.Turn{"text": "Done."})
	task := s.Create(beckon.NewTask{Title: "Paint"})
	s.Asked(task.ID, "Which colour?")
	worktree := s.Task(task.ID).Worktree
	s.Close()
	s.Until("no agent is left there", patience, func() bool { return len(h.Agents()) == 0 })
	if len(s.Owed()) > 0 {
		s.Slay()
		s.Until("its work is home", patience, func() bool { return len(s.Owed()) == 0 })
	}
	if text, err := os.ReadFile(filepath.Join(worktree, "early.txt")); err != nil || string(text) != "early\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestBeckonIsQuitWhileManyAgentsAskElsewhere: they end side by side, and nobody is warned of
// what comes with the next start.
func TestBeckonIsQuitWhileManyAgentsAskElsewhere(t *testing.T) {
	t.Parallel()
	const many = 8
	s, h := fixture.Elsewhere(t, slices.Repeat([]fixture.Turn{fixture.AskColour}, many)...)
	client.Must[executing.Executor](s.Program, "SaveExecutor", executing.Executor{ID: s.Project.Executor, Name: "Farm", Kind: executing.SSH, Host: fixture.HostName, Slots: many})
	tasks := []beckon.Task{}
	for n := range many {
		tasks = append(tasks, s.Create(beckon.NewTask{Title: fmt.Sprintf("Paint %d", n)}))
	}
	for _, task := range tasks {
		s.Asked(task.ID, "Which colour?")
	}
	began := time.Now()
	s.Close()
	t.Logf("it took %s", time.Since(began))
	if said := s.Logs(); strings.Contains(said, "context canceled") || strings.Contains(said, "WARN") {
		t.Errorf("it said:\n%s", said)
	}
	s.Until("no agent is left there", patience, func() bool { return len(h.Agents()) == 0 && len(h.Working()) == 0 })
	s.Slay()
	s.Until("all their work is home", patience, func() bool { return len(s.Owed()) == 0 })
	for _, task := range tasks {
		if run := s.Run(task.ID); run.Outcome != beckon.Parked {
			t.Errorf("a run ended as %+v", run)
		}
	}
}

// TestAHostThatIsRestartedSaysSo: its agent is gone, and its work and the answer are not.
func TestAHostThatIsRestartedSaysSo(t *testing.T) {
	t.Parallel()
	s, h := fixture.Elsewhere(t, fixture.AskingLate()...)
	task := s.Create(beckon.NewTask{Title: "Paint"})
	s.Asked(task.ID, "Which colour?")
	h.Restart()
	s.Until("the run has ended", patience, func() bool { return s.Run(task.ID).Outcome == beckon.Failed })
	const why = "The agent on Farm is gone: the machine was restarted, or ended it. What it did there comes home, and its session is kept: answer or resume the task, and it goes on."
	if run := s.Run(task.ID); run.Reason.String() != why {
		t.Errorf("the run ended for %q", run.Reason)
	}
	s.ReplyLate(task)
}

// TestAFolderThatVanishedThereIsMadeAgain by a look, and by a run, whose task's work is sent
// again.
func TestAFolderThatVanishedThereIsMadeAgain(t *testing.T) {
	t.Parallel()
	write := func(name string) fixture.Turn {
		return fixture.Turn{"tool": "Write", "input": map[string]any{"file_path": name, "content": "x\n"}}
	}
	s, h := fixture.Elsewhere(t, write("one.txt"), fixture.Turn{"text": "Done."}, write("two.txt"), fixture.Turn{"text": "Done."})
	task := s.InReview(s.Create(beckon.NewTask{Title: "Paint"}).ID)
	h.Wipe()
	client.Must[any](s.Program, "CheckExecutor", s.Project.Executor)
	s.Until("the helper is there again", patience, func() bool { return len(h.Has("core/*/beckon-core")) == 1 })
	s.LookedAt(s.Project.Executor, "")
	h.Wipe()
	client.Must[beckon.Task](s.Program, "SendBack", task.ID, "Paint more")
	s.RanAgain(task.ID)
	if task = s.InReview(task.ID); task.Trouble != nil {
		t.Errorf("trouble %q", task.Trouble)
	}
	if there := h.Has("work/*/*/*.txt"); len(there) != 2 {
		t.Errorf("its work there is %q", there)
	}
	if got := client.Git(t, s.Dir, "ls-tree", "--name-only", task.Branch); got != "README.md\none.txt\ntwo.txt\n" {
		t.Errorf("the branch holds %q", got)
	}
}

// TestWorkThatVanishedThereIsSaidToBeLost: the agent's, which was at work, and not what came
// home before.
func TestWorkThatVanishedThereIsSaidToBeLost(t *testing.T) {
	t.Parallel()
	s, h := fixture.Elsewhere(t, fixture.AskColour, fixture.Turn{"text": "Done."}, fixture.Turn{"text": "Done."})
	task := s.Create(beckon.NewTask{Title: "Paint"})
	q := s.Asked(task.ID, "Which colour?")
	h.Wipe()
	s.Reply(q, "Green")
	if task = s.InReview(task.ID); !strings.Contains(task.Trouble.String(), "Beckon's folder there was removed") || len(s.Owed()) > 0 {
		t.Errorf("trouble %q, owed %q", task.Trouble, s.Owed())
	}
	client.Must[beckon.Task](s.Program, "SendBack", task.ID, "Paint more")
	s.RanAgain(task.ID)
	if task = s.InReview(task.ID); task.Trouble != nil {
		t.Errorf("trouble %q", task.Trouble)
	}
}

// TestTwoBeckonsOfOneAccountKeepApart: the one that is removed takes nothing of the other's,
// whose agent goes on.
func TestTwoBeckonsOfOneAccountKeepApart(t *testing.T) {
	t.Parallel()
	write := func(name string) fixture.Turn {
		return fixture.Turn{"tool": "Write", "input": map[string]any{"file_path": name, "content": "x\n"}}
	}
	laptop, h := fixture.Elsewhere(t, fixture.AskColour, write("two.txt"), fixture.Turn{"text": "Done."}, write("one.txt"), fixture.Turn{"text": "Done."})
	task := laptop.Create(beckon.NewTask{Title: "Paint"})
	q := laptop.Asked(task.ID, "Which colour?")
	desktop := fixture.NewWithEnv(t, h.Env)
	desktop.ExecutesOn(executing.Executor{Name: "Farm", Kind: executing.SSH, Host: fixture.HostName, Slots: 4})
	desktop.InReview(desktop.Create(beckon.NewTask{Title: "Draw"}).ID)
	for _, s := range []*fixture.Fixture{laptop, desktop} {
		if left := client.Must[executing.Left](s.Program, "LeftOnExecutor", s.Project.Executor); left.Worktrees != 1 {
			t.Errorf("of two Beckons that have a worktree each one has %+v", left)
		}
	}
	client.Must[any](desktop.Program, "RemoveExecutor", desktop.Project.Executor, false)
	if there := append(h.Has("work/*/*"), h.Has("core/*")...); len(there) != 2 {
		t.Errorf("of the other one is left %q", there)
	}
	laptop.Reply(q, "Green")
	if task = laptop.InReview(task.ID); task.Trouble != nil {
		t.Errorf("trouble %q", task.Trouble)
	}
	if got := client.Git(t, laptop.Dir, "show", "--format=", "--name-only", task.Branch); strings.TrimSpace(got) != "one.txt" {
		t.Errorf("the commit holds %q", got)
	}
	client.Must[any](laptop.Program, "RemoveExecutor", laptop.Project.Executor, false)
	if !h.Cleared() {
		t.Error("the last one left something there")
	}
}

// linkLost reports whether a task's run says so. It fails no test: it is asked beside one.
func linkLost(s *fixture.Fixture, taskID string) bool {
	runs, err := client.Call[[]beckon.Run](s.Program, "Runs", taskID)
	return err == nil && len(runs) > 0 && runs[len(runs)-1].LinkLost > 0
}

// results is how many results of tools the model heard, by its last request.
func results(s *fixture.Fixture) int {
	told := strings.Split(strings.TrimSpace(s.Told()), "\n")
	return strings.Count(told[len(told)-1], `"tool_result"`)
}
