package crash

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/client"
)

// cramped is a Beckon whose data folder, and its project, are on a disk of
// their own that the test can fill.
type cramped struct {
	*victim
	disk    string
	gate    string // the agent waits for this file, which is elsewhere
	project beckon.Project
}

// onDisk starts Beckon on a small disk with an agent that plays script, in
// which GATE waits for open. Transcripts go elsewhere where split says so.
func onDisk(t *testing.T, script string, split bool) *cramped {
	t.Helper()
	disk := smallDisk(t)
	elsewhere := t.TempDir()
	c := &cramped{disk: disk, gate: filepath.Join(elsewhere, "gate")}
	script = strings.ReplaceAll(script, "GATE", "run touch reached; until test -e "+c.gate+"; do sleep 0.02; done")
	plays := filepath.Join(elsewhere, "scripts")
	must(t, os.Mkdir(plays, 0o700))
	must(t, os.WriteFile(filepath.Join(plays, "play.txtar"), []byte("-- script --\n"+script), 0o600))
	agent := filepath.Join(elsewhere, "claude")
	wrapper := fmt.Sprintf("#!/bin/sh\nBECKON_AGENT_SCRIPTS=%s exec %s \"$@\"\n", plays, agentBin)
	must(t, os.WriteFile(agent, []byte(wrapper), 0o700)) //nolint:gosec // It is to be executable.
	data, repo := filepath.Join(disk, "data"), filepath.Join(disk, "sample")
	if split {
		must(t, os.Mkdir(data, 0o700))
		must(t, os.Mkdir(filepath.Join(elsewhere, "transcripts"), 0o700))
		must(t, os.Symlink(filepath.Join(elsewhere, "transcripts"), filepath.Join(data, "transcripts")))
	}
	must(t, os.CopyFS(repo, os.DirFS(client.Repository(t, map[string]string{"a.txt": "a\n"}))))
	c.victim = &victim{
		t: t, args: []string{"-data", data, "-claude", agent},
		env: []string{"HOME=" + elsewhere, "PATH=" + os.Getenv("PATH"), "XDG_RUNTIME_DIR=" + elsewhere, "TMPDIR=" + t.TempDir()},
	}
	c.Program = client.Serve(t, beckonBin, c.env, c.args...)
	c.project = client.Must[beckon.Project](c.Program, "AddProject", beckon.NewProject{Dir: repo, Trusted: true})
	return c
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// smallDisk mounts a disk of a few megabytes.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	err := syscall.Mount("none", dir, "tmpfs", 0, "size=24m,mode=0700")
	if errors.Is(err, syscall.EPERM) && os.Getuid() != 0 {
		t.Skip("only root can mount a small disk")
	}
	must(t, err)
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// begin starts a task and waits until its agent is at the gate.
func (c *cramped) begin() {
	c.t.Helper()
	c.task = client.Must[beckon.Task](c.Program, "CreateTask", beckon.NewTask{ProjectID: c.project.ID, Title: "Cramped", Status: beckon.Running})
	c.reached()
}

func (c *cramped) reached() {
	c.t.Helper()
	c.Until("the agent is at the gate", patience, func() bool {
		_, err := os.Stat(filepath.Join(c.Task(c.task.ID).Worktree, "reached"))
		return err == nil
	})
}

func (c *cramped) open() {
	c.t.Helper()
	must(c.t, os.WriteFile(c.gate, nil, 0o600))
}

// fill leaves no room on the disk.
func (c *cramped) fill() {
	c.t.Helper()
	f, err := os.OpenFile(filepath.Join(c.disk, "filling"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	must(c.t, err)
	defer f.Close()
	for piece := make([]byte, 4096); err == nil; {
		_, err = f.Write(piece)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		c.t.Fatal(err)
	}
}

func (c *cramped) makeRoom() {
	c.t.Helper()
	must(c.t, os.Remove(filepath.Join(c.disk, "filling")))
}

// full is what the page has of the disk.
func (c *cramped) full() bool {
	c.t.Helper()
	for _, e := range client.Must[beckon.Frame](c.Program, "Attach", "driveclient").Events {
		if e.Disk != nil {
			return e.Disk.Full
		}
	}
	c.t.Fatal("the page has nothing of the disk")
	return false
}

// last is the task's last run, as the page has it.
func (c *cramped) last() beckon.Run {
	c.t.Helper()
	runs := client.Must[[]beckon.Run](c.Program, "Runs", c.task.ID)
	return runs[len(runs)-1]
}

// noneRuns waits until nothing claims to run any more.
func (c *cramped) noneRuns() {
	c.t.Helper()
	c.Until("the page says that the agent is gone", patience, func() bool {
		phase := c.last().Phase
		return phase == beckon.Saving || phase == beckon.Ended
	})
	c.Until("the page says that the disk is full", patience, c.full)
}

// killOnceItIsSaved kills Beckon as soon as the page says that the agent is gone.
func (c *cramped) killOnceItIsSaved() {
	c.t.Helper()
	c.Until("the page says that the agent is gone", patience, func() bool {
		phase := c.last().Phase
		return phase == beckon.Saving || phase == beckon.Ended
	})
	c.kill()
}

// TestARunThatSucceedsOnAFullDiskIsRecordedOnceThereIsRoom: the transcript has
// its last line, and the database had no room for the end.
func TestARunThatSucceedsOnAFullDiskIsRecordedOnceThereIsRoom(t *testing.T) {
	t.Parallel()
	for _, killed := range []bool{false, true} {
		t.Run(fmt.Sprintf("killed %t", killed), func(t *testing.T) {
			t.Parallel()
			c := onDisk(t, "write made.txt made\nGATE\ntext Done.\n", true)
			c.begin()
			c.fill()
			c.open()
			if killed {
				c.killOnceItIsSaved()
			} else if c.noneRuns(); c.last().Phase != beckon.Saving {
				t.Errorf("it is %s; its end cannot have been recorded", c.last().Phase)
			}
			c.makeRoom()
			if killed {
				c.again()
			}
			c.succeeded()
			c.Until("the page says that there is room", patience, func() bool { return !c.full() })
		})
	}
}

// TestARunWhoseTranscriptFindsNoRoomSaysSo: its agent is stopped, since nobody
// could see what it does; it can be resumed.
func TestARunWhoseTranscriptFindsNoRoomSaysSo(t *testing.T) {
	t.Parallel()
	for _, killed := range []bool{false, true} {
		t.Run(fmt.Sprintf("killed %t", killed), func(t *testing.T) {
			t.Parallel()
			c := onDisk(t, "GATE\nflood 2000 500\nsleep 60s\n", false)
			c.begin()
			c.fill()
			c.open()
			if killed {
				c.killOnceItIsSaved()
			} else {
				c.noneRuns()
			}
			c.makeRoom()
			if killed {
				c.again()
			}
			c.InReview(c.task.ID)
			if run := c.last(); run.Outcome != beckon.Failed || !strings.Contains(run.Reason.String(), "disk is full") {
				t.Errorf("it %s: %s", run.Outcome, run.Reason)
			}
		})
	}
}

// TestNoTaskStartsOnAFullDisk: the user hears why, the card stays where it is,
// and what waits in the queue starts once there is room.
func TestNoTaskStartsOnAFullDisk(t *testing.T) {
	t.Parallel()
	c := onDisk(t, "write made.txt made\nGATE\ntext Done.\n", false)
	settings := beckon.DefaultSettings()
	settings.Slots = 1
	client.Must[any](c.Program, "SaveSettings", settings)
	c.begin()
	first := c.task.ID
	waits := client.Must[beckon.Task](c.Program, "CreateTask", beckon.NewTask{ProjectID: c.project.ID, Title: "Waits", Status: beckon.Queued})
	other := client.Must[beckon.Task](c.Program, "CreateTask", beckon.NewTask{ProjectID: c.project.ID, Title: "Other"})
	c.fill()
	_, err := client.Call[beckon.Task](c.Program, "MoveTask", other.ID, beckon.Running, 0)
	if refusal := new(client.Error); !errors.As(err, &refusal) || refusal.Code != "disk_full" || !strings.Contains(refusal.Message, "make room") {
		t.Errorf("it was refused with %v", err)
	}
	if now := c.Task(other.ID); now.Status != beckon.Backlog {
		t.Errorf("the card is in %s", now.Status)
	}
	if runs := client.Must[[]beckon.Run](c.Program, "Runs", other.ID); len(runs) > 0 {
		t.Errorf("it has runs: %+v", runs)
	}
	c.open()
	c.noneRuns()
	c.makeRoom()
	c.InReview(first)
	c.InReview(waits.ID)
}

// TestAnAnswerThatFindsNoRoomIsNotTakenForGiven: the question stays open, and
// the answer reaches the agent once there is room.
func TestAnAnswerThatFindsNoRoomIsNotTakenForGiven(t *testing.T) {
	t.Parallel()
	c := onDisk(t, "run touch reached\nask_user {\"question\":\"Which colour?\",\"options\":[\"Red\",\"Blue\"]}\nwrite heard.txt ${answer}\ntext Heard.\n", false)
	c.begin()
	q := c.Asked(c.task.ID, "Which colour?")
	c.fill()
	answer := beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"Red"}}}}
	_, err := client.Call[any](c.Program, "AnswerQuestion", q.ID, answer)
	if refusal := new(client.Error); !errors.As(err, &refusal) || refusal.Code != "disk_full" {
		t.Fatalf("it was taken, or refused with %v", err)
	}
	c.Until("the page says that the disk is full", patience, c.full)
	if now, ok := c.question(); !ok || now.Settlement != beckon.Open {
		t.Errorf("the question is %s", now.Settlement)
	}
	c.makeRoom()
	c.Until("the page says that there is room", patience, func() bool { return !c.full() })
	c.Answer(q, "Red")
	c.InReview(c.task.ID)
	if heard := c.wrote("heard.txt"); !strings.Contains(heard, "Red") {
		t.Errorf("the agent heard %q", heard)
	}
}

// TestADeliveryThatFindsNoRoomIsNotedLater: else the next run would hear
// the answer again.
func TestADeliveryThatFindsNoRoomIsNotedLater(t *testing.T) {
	t.Parallel()
	c := onDisk(t, "run touch reached\nask_user {\"question\":\"Which colour?\",\"options\":[\"Red\",\"Blue\"]}\ntext Heard.\n", true)
	c.begin()
	q := c.Asked(c.task.ID, "Which colour?")
	c.signalAgent(syscall.SIGSTOP)
	c.Answer(q, "Red")
	c.fill()
	c.signalAgent(syscall.SIGCONT)
	c.Until("the page says that the disk is full", patience, c.full)
	c.makeRoom()
	c.Until("the answer counts as delivered", patience, func() bool {
		now, _ := c.question()
		return now.Delivered != 0
	})
}

// TestAQuestionThatFindsNoRoomIsRefused: the agent hears so, and nothing waits
// for an answer that nobody can give.
func TestAQuestionThatFindsNoRoomIsRefused(t *testing.T) {
	t.Parallel()
	c := onDisk(t, "GATE\nask_user {\"question\":\"Which colour?\",\"options\":[\"Red\",\"Blue\"]}\ntext On.\n", true)
	c.begin()
	c.fill()
	c.open()
	c.noneRuns()
	if q, ok := c.question(); ok {
		t.Errorf("a question waits: %+v", q)
	}
	c.makeRoom()
	c.InReview(c.task.ID)
	if run := c.last(); run.Outcome == beckon.Lost {
		t.Errorf("it %s: %s", run.Outcome, run.Reason)
	}
}

// TestBeckonSaysWhyItCannotStartOnAFullDisk: and what to do; with room it
// starts, and tells the truth of what ran.
func TestBeckonSaysWhyItCannotStartOnAFullDisk(t *testing.T) {
	t.Parallel()
	c := onDisk(t, "GATE\ntext Done.\n", true)
	c.begin()
	c.fill()
	c.open()
	c.killOnceItIsSaved()
	c.fill() // what Beckon had open may have left a little
	said := c.doesNotStart()
	if !strings.Contains(said, "disk is full") || !strings.Contains(said, "make room") {
		t.Errorf("it says %q", said)
	}
	c.makeRoom()
	c.again()
	c.InReview(c.task.ID)
	if run := c.last(); run.Outcome != beckon.Succeeded {
		t.Errorf("it %s: %s", run.Outcome, run.Reason)
	}
}

// doesNotStart runs Beckon to its early end and returns what it said.
func (c *cramped) doesNotStart() string {
	c.t.Helper()
	cmd := exec.CommandContext(c.t.Context(), beckonBin, append([]string{"serve"}, c.args...)...)
	cmd.Env = c.env
	timer := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	out, err := cmd.CombinedOutput()
	if err == nil {
		c.t.Errorf("it ended well: %s", out)
	}
	return string(out)
}
