package cli_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"beckon/backend/agent"
	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/cli"
)

func TestInterruptWithdrawsTheOpenQuestion(t *testing.T) {
	t.Parallel()
	c := converse(t, "ask Sure? | yes | no\nturn\ntext still here")
	c.tell("go")
	asked := c.request()
	if err := c.Interrupt(within(t)); err != nil {
		t.Fatal(err)
	}
	m := c.until("withdrawal", func(m claude.Message) bool { return m.Kind == claude.ControlCancel })
	if m.RequestID != asked.ID {
		t.Errorf("%s was withdrawn, not %s", m.RequestID, asked.ID)
	}
	if r := c.result(); !r.Interrupted() {
		t.Errorf("result %+v", r)
	}
	if err := c.Decide(asked.ID, claude.Allow{UpdatedInput: asked.Input}); err != nil {
		t.Fatal(err)
	}
	c.tell("go on")
	if r := c.result(); r.Text != "still here" {
		t.Errorf("result %+v", r)
	}
}

func TestStopLetsTheAgentSayItsResult(t *testing.T) {
	t.Parallel()
	c := converse(t, "text working\nsleep 1000s")
	c.tell("go")
	c.until("text", func(m claude.Message) bool { return m.Kind == claude.AssistantLine })
	if err := c.Stop(within(t)); err != nil {
		t.Fatal(err)
	}
	if r := c.result(); !r.Interrupted() {
		t.Errorf("result %+v", r)
	}
	if e := c.ended(); e.Signal != "" {
		t.Errorf("exit %+v, want no signal", e)
	}
}

// deaf starts a shell in the agent's place. It takes the ladder's last rung
// to end one that ignores SIGINT.
func deaf(t *testing.T, command string) *cli.Process {
	t.Helper()
	o := cli.Options{Path: "/bin/sh", Lead: []string{"-c", command}, Dir: t.TempDir(), Grace: 2 * time.Second}
	p, err := cli.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for _, err := p.Next(); err == nil; _, err = p.Next() {
		}
	}()
	awaitFile(t, filepath.Join(o.Dir, "ready"))
	return p
}

func TestStopInterruptsAnAgentThatDoesNotListen(t *testing.T) {
	t.Parallel()
	p := deaf(t, `trap 'exit 5' INT; touch ready; while :; do sleep 0.05; done`)
	if err := p.Stop(within(t)); err != nil {
		t.Fatal(err)
	}
	if e := p.Wait(); e.Code != 5 {
		t.Errorf("exit %+v, want the code of its trap", e)
	}
}

func TestStopKillsAnAgentThatWillNotLeave(t *testing.T) {
	t.Parallel()
	p := deaf(t, `trap '' INT TERM HUP; touch ready; while :; do sleep 0.05; done`)
	if err := p.Stop(within(t)); err != nil {
		t.Fatal(err)
	}
	if e := p.Wait(); e.Signal != "killed" {
		t.Errorf("exit %+v", e)
	}
}

func TestStopDoesNotWaitBeyondItsContext(t *testing.T) {
	t.Parallel()
	c := converse(t, "run sleep 1000")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Stop(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("stop: %v", err)
	}
	c.ended()
}

func TestStopEndsAnAgentWhoseInputIsFull(t *testing.T) {
	t.Parallel()
	p := deaf(t, `touch ready; exec sleep 1000`)
	if err := p.Send(claude.UserMessage{Text: string(make([]byte, 1<<20))}); err != nil {
		t.Fatal(err)
	}
	if err := p.Stop(within(t)); err != nil {
		t.Fatal(err)
	}
	if err := p.Send(claude.UserMessage{Text: "more"}); !errors.Is(err, agent.ErrEnded) {
		t.Errorf("send after the end: %v", err)
	}
}

// awaitFile waits for a file with something in it, or an empty one named
// ready, and returns its content.
func awaitFile(t *testing.T, path string) string {
	t.Helper()
	for end := time.Now().Add(deadline); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		data, err := os.ReadFile(path)
		if err == nil && (len(data) > 0 || filepath.Base(path) == "ready") {
			return string(data)
		}
	}
	t.Fatalf("no %s within %v", path, deadline)
	return ""
}
