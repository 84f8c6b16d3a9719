package cli_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"beckon/backend/agent"
	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/cli"
	"beckon/backend/beckon"
)

func TestAnAgentThatDoesNotReadIsHeardToTheEnd(t *testing.T) {
	t.Parallel()
	p, err := cli.Start(t.Context(),
		cli.Options{
			Path: "/bin/sh", Dir: t.TempDir(), Grace: 300 * time.Millisecond,
			Lead: []string{"-c", `i=0; while [ $i -lt 3000 ]; do printf '{"type":"control_request","request_id":"%s","request":{"subtype":"unheard_of"}}\n' $i; i=$((i+1)); done; echo '{"type":"result"}'; exec sleep 600`},
		})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), deadline)
		defer cancel()
		_ = p.Stop(ctx)
	})
	heard := make(chan error, 1)
	go func() {
		for {
			lines, err := p.Next()
			if err != nil {
				heard <- err
				return
			}
			for _, l := range lines {
				if l.Kind == claude.ResultLine {
					heard <- nil
					return
				}
				// Together they are far more than a pipe holds.
				if err := p.RefuseControl(strings.Repeat("i", 100), "Beckon does not know it"); err != nil {
					heard <- err
					return
				}
			}
		}
	}()
	select {
	case err := <-heard:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(deadline):
		t.Fatal("the reader of the stream waits for the agent to read")
	}
}

func TestAFullInputBlocksNoDeadline(t *testing.T) {
	t.Parallel()
	p := deaf(t, ": > ready; exec sleep 600")
	for range 3 { // none waits for the agent to read
		if err := p.Send(claude.UserMessage{Text: strings.Repeat("x", 3<<20)}); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	began := time.Now()
	err := p.Interrupt(ctx)
	if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, beckon.ErrUnavailable) ||
		!strings.Contains(err.Error(), "does not react") {
		t.Errorf("the interrupt got %v; want words for a deaf agent", err)
	}
	p.CloseInput()
	if took := time.Since(began); took > deadline/2 {
		t.Errorf("it took %s", took)
	}
}

func TestWhatIsOnItsWayIsWrittenBeforeTheInputEnds(t *testing.T) {
	t.Parallel()
	c := converse(t, "text I hear ${message}")
	c.tell("this")
	c.CloseInput()
	if r := c.result(); r.Text != "I hear this" {
		t.Errorf("result %+v", r)
	}
	if err := c.Send(claude.UserMessage{Text: "more"}); !errors.Is(err, agent.ErrEnded) {
		t.Errorf("a message after the end got %v", err)
	}
}
