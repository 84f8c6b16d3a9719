// Package trial has an agent do one small turn in an empty folder, so that a person knows
// whether it works here before a task needs it.
package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

// Dir is where trials have their folders, in the data folder.
func Dir(data string) string { return filepath.Join(data, "trials") }

// most is how long a trial may take.
const most = 90 * time.Second

// prompt is what the agent is asked for: nothing that needs a tool.
const prompt = "Reply with the single word ready. Use no tool, and do nothing else."

// Trials tries agents, each kind once at a time. It may be used from any goroutine.
type Trials struct {
	Agents agent.Driver
	Dir    string
	// Most is how long one may take, 0 for 90 seconds.
	Most time.Duration

	mu   sync.Mutex
	busy map[string]bool
	last map[string]beckon.AgentTrial
}

// Try has the agent of a kind, "" for Claude Code, do its turn on this machine. What kept it
// from that is in the trial; the error is that there could be none: one of the kind is under
// way (beckon.ErrConflict), or there is no room for its folder.
func (t *Trials) Try(ctx context.Context, kind string) (beckon.AgentTrial, error) {
	if !t.begin(kind) {
		return beckon.AgentTrial{}, fmt.Errorf("a trial of this agent is under way: %w", beckon.ErrConflict)
	}
	defer t.end(kind)
	if err := os.MkdirAll(t.Dir, 0o700); err != nil {
		return beckon.AgentTrial{}, err
	}
	dir, err := os.MkdirTemp(t.Dir, "trial-")
	if err != nil {
		return beckon.AgentTrial{}, err
	}
	defer func() { logged("remove the folder of a trial", os.RemoveAll(dir)) }()
	limit := t.Most
	if limit == 0 {
		limit = most
	}
	silent := reason.Of(reason.TrialSilent, "seconds", fmt.Sprint(int(limit.Seconds())))
	ctx, cancel := context.WithTimeoutCause(ctx, limit, silent.Err(beckon.ErrUnavailable))
	defer cancel()
	one := attempt{at: time.Now(), row: beckon.AgentTrial{Agent: cmp.Or(kind, beckon.ClaudeCode), At: beckon.Now(), Steps: []beckon.TrialStep{}}}
	if err := one.do(ctx, t.Agents, kind, dir); err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		one.row.Why = cmp.Or(reason.From(err), reason.Said(err.Error()))
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last[kind] = one.row
	return one.row, nil
}

// Last returns the last trial of each kind since Beckon began.
func (t *Trials) Last() []beckon.AgentTrial {
	t.mu.Lock()
	defer t.mu.Unlock()
	return beckon.NonNil(slices.Collect(maps.Values(t.last)))
}

func (t *Trials) begin(kind string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.busy == nil {
		t.busy, t.last = map[string]bool{}, map[string]beckon.AgentTrial{}
	}
	if t.busy[kind] {
		return false
	}
	if len(t.busy) == 0 { // what a Beckon left that was killed meanwhile
		logged("remove the folders of earlier trials", os.RemoveAll(t.Dir))
	}
	t.busy[kind] = true
	return true
}

func (t *Trials) end(kind string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.busy, kind)
}

// attempt is a trial that runs.
type attempt struct {
	at  time.Time // when the step began that runs
	row beckon.AgentTrial
}

// stepped notes that a step is done.
func (a *attempt) stepped(kind beckon.TrialKind) {
	now := time.Now()
	a.row.Steps = append(a.row.Steps, beckon.TrialStep{Kind: kind, Ms: now.Sub(a.at).Milliseconds()})
	a.at = now
}

// do takes the steps, and returns what keeps the agent from one.
func (a *attempt) do(ctx context.Context, agents agent.Driver, kind, dir string) error {
	start, err := agents.Prepare(ctx, beckon.Run{ID: filepath.Base(dir), Agent: kind, Mode: beckon.ModeDefault})
	if err != nil {
		return err
	}
	work, files := filepath.Join(dir, "work"), filepath.Join(dir, "files")
	if err := errors.Join(os.Mkdir(work, 0o700), os.Mkdir(files, 0o700)); err != nil {
		return err
	}
	s, err := start(ctx, agent.Launch{
		Dir: work, Files: files, Mode: beckon.ModeDefault, Tools: agent.ToolServer{Name: "beckon"},
	})
	if err != nil {
		return err
	}
	a.stepped(beckon.TrialStarted)
	turn := make(chan agent.TurnEnded, 1)
	read := make(chan struct{})
	go func() {
		defer close(read)
		follow(s, turn)
	}()
	err = a.talk(ctx, s, turn)
	leave, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	_ = s.Stop(leave) // at last by force: then its error is that of leave
	<-read
	exit := s.Wait()
	if err != nil {
		return ended(err, exit)
	}
	a.stepped(beckon.TrialLeft)
	return nil
}

// talk opens the session and has the agent do a turn.
func (a *attempt) talk(ctx context.Context, s agent.Session, turn <-chan agent.TurnEnded) error {
	if _, err := s.Ready(ctx); err != nil {
		return err
	}
	a.stepped(beckon.TrialOpened)
	if err := s.Send(agent.Message{ID: beckon.NewUUID(), Text: prompt}); err != nil {
		return err
	}
	select {
	case e, ok := <-turn:
		if !ok {
			return agent.ErrEnded
		}
		a.row.Tokens, a.row.Cost, a.row.SignIn = e.Tokens, e.CostUSD, e.SignIn
		if e.Failed || e.Limited || e.Interrupted {
			return e.Reason().Err(beckon.ErrUnavailable)
		}
		a.stepped(beckon.TrialAnswered)
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// ended returns why an agent went no further: of one that left, what it said then.
func ended(err error, exit agent.Exit) error {
	if !errors.Is(err, agent.ErrEnded) {
		return err
	}
	if exit.Reason != nil {
		return exit.Reason.Err(beckon.ErrUnavailable)
	}
	return err
}

// follow reads what the agent says until it is gone. Nobody is there to be asked: each
// request is refused.
func follow(s agent.Session, turn chan<- agent.TurnEnded) {
	defer close(turn)
	over := false
	for {
		outputs, err := s.Next()
		for _, o := range outputs {
			for _, e := range o.Events {
				switch e := e.(type) {
				case agent.Asks:
					_ = s.Refuse(e.Request.ID, "This is a trial: nobody answers.") // it fails where the agent is gone
				case agent.ToolMessage:
					_ = s.Refuse(e.RequestID, "This is a trial: there are no tools.")
				case agent.TurnEnded:
					if !over {
						turn <- e
					}
					over = true
				}
			}
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				logged("read an agent that is tried", err)
			}
			return
		}
	}
}

func logged(doing string, err error) {
	if err != nil {
		slog.Warn(doing, "err", err)
	}
}
