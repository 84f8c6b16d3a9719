// Package driver runs agents that speak the Agent Client Protocol, as agent.Sessions: it
// starts them below Beckon's supervisor, reads each of their lines as agent.Events, and asks
// of them what the protocol has a word for. What it has none for is refused in words.
package driver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"beckon/backend/agent"
	"beckon/backend/agent/acp"
	"beckon/backend/agent/process"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/transcript/runlog"
)

// Driver starts the agents of the known kinds, and of the user's own.
type Driver struct {
	// Supervisor and Tether are those of process.Spec.
	Supervisor string
	Tether     *process.Tether
	// Logs is the folder of the transcripts, which are the record of what these agents took.
	Logs string
	// Version is Beckon's.
	Version string
	// Own returns the kinds that the user added; nil: none.
	Own func() []beckon.OwnAgent
	// Models is the file in which the driver keeps the models that agents offered; empty: it
	// knows them as long as it lives.
	Models string

	offers offers
}

// Kinds are the known ones, and whether each is on this machine.
func (d *Driver) Kinds() []beckon.AgentKind {
	list := []beckon.AgentKind{}
	for _, k := range slices.Concat(kinds, d.own()) {
		_, err := process.Find(k.Program)
		list = append(list, beckon.AgentKind{
			Name: k.Name, Label: k.Label, Sign: k.Sign, Found: err == nil, Own: k.Own,
			Program: strings.Join(append([]string{k.Program}, k.Args...), " "), SignIn: k.SignIn, Install: k.Install,
			Asks: k.Asks, Resumes: k.Resumes, Cost: k.Cost, Models: beckon.NonNil(d.offers.of(d.Models, k.Name).Models),
		})
	}
	return list
}

// Usable returns why agents of a kind cannot be used on an executor, "" for this machine.
func (d *Driver) Usable(kind, executor string) error {
	_, _, err := d.find(kind, executor)
	return err
}

func (d *Driver) find(kind, executor string) (Kind, string, error) {
	k, known := d.kindNamed(kind)
	if !known {
		return k, "", reason.Of(reason.AgentUnknown, "agent", kind).Err(beckon.ErrUnavailable)
	}
	if executor != "" {
		return k, "", reason.Of(reason.AgentHereOnly, "agent", k.Label).Err(beckon.ErrUnavailable)
	}
	path, err := process.Find(k.Program)
	if err != nil {
		return k, "", reason.Of(reason.AgentMissing, "agent", k.Label, "program", k.Program).Err(beckon.ErrUnavailable)
	}
	return k, path, nil
}

// Prepare returns how the agent of a run is started, or why it cannot be.
func (d *Driver) Prepare(_ context.Context, run beckon.Run) (agent.Start, error) {
	k, path, err := d.find(run.Agent, run.Executor)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, l agent.Launch) (agent.Session, error) { return d.start(ctx, k, path, l) }, nil
}

// Record returns what the log of a run has of what its agent took.
func (d *Driver) Record(run beckon.Run) (agent.Record, error) {
	return &record{dir: d.Logs, run: run.ID, took: map[string]bool{}}, nil
}

// record is the log of a run, in which a line of Beckon's says of each message that the
// agent began its turn, and of each answer that it went on with it.
type record struct {
	dir, run string
	next     int64 // the first line that was not looked at
	took     map[string]bool
}

// Has implements agent.Record.
func (r *record) Has(proofs []agent.Proof, _ int64) (map[string]bool, error) {
	log, err := runlog.OpenRead(r.dir, r.run, runlog.Count{
		May: func([]byte) bool { return false }, After: func(t runlog.Totals, _ []byte) runlog.Totals { return t },
	})
	if err != nil {
		return nil, err
	}
	defer log.Close()
	for line, err := range log.View().ReadShort(new([]byte), r.next, -1) {
		if err != nil {
			return nil, fmt.Errorf("read what the agent took: %w", err)
		}
		if message := acp.TookOf(line.Raw); message != "" {
			r.took[message] = true
		}
		r.next = line.Number + 1
	}
	has := map[string]bool{}
	for _, p := range proofs {
		if r.took[p.ID] {
			has[p.ID] = true
		}
	}
	if len(has) < len(proofs) {
		return has, errSilent
	}
	return has, nil
}

// errSilent is why a message or an answer may be with an agent that has said nothing since.
var errSilent = errors.New("the agent may have read more than it shows")
