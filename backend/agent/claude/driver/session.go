package driver

import (
	"context"
	"log/slog"
	"slices"

	"beckon/backend/agent"
	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/cli"
	"beckon/backend/agent/claude/request"
	"beckon/backend/beckon"
)

// session is a running CLI as an agent.Session. What the two have in common is the process's.
type session struct {
	*cli.Process
	about, tools string
	read         reader // of the goroutine that calls Next
}

// newSession returns a running CLI whose own folder is that.
func newSession(p *cli.Process, l agent.Launch, own string) *session {
	return &session{p, l.About, l.Tools.Name, newReader(l.Tools.Name, own)}
}

// Next implements agent.Session.
func (s *session) Next() ([]agent.Output, error) {
	lines, err := s.Process.Next()
	outputs := make([]agent.Output, 0, len(lines))
	for i, events := range s.read.chunk(lines) {
		o := agent.Output{Events: events}
		if line := &lines[i]; line.Kind != claude.LongLine {
			o.Line = line
		}
		outputs = append(outputs, o)
	}
	for _, id := range s.read.takeUnknown() {
		logged("refuse a control request", s.RefuseControl(id.request, "Beckon does not know "+id.subtype))
	}
	return outputs, err
}

// Ready implements agent.Session.
func (s *session) Ready(ctx context.Context) (beckon.Abilities, error) {
	can, err := s.Initialize(ctx, s.about, s.tools)
	b := beckon.Abilities{Models: []beckon.Model{}, Commands: commandsOf(can.Commands)}
	for _, m := range can.Models {
		b.Models = append(b.Models, beckon.Model{
			Value: m.Value, Resolved: m.ResolvedModel, Name: m.DisplayName, Description: m.Description,
			Efforts: beckon.NonNil(m.EffortLevels), Auto: m.SupportsAuto,
		})
	}
	return b, err
}

func commandsOf(said []claude.Command) []beckon.Command {
	commands := make([]beckon.Command, 0, len(said))
	for _, c := range said {
		commands = append(commands, beckon.Command{Name: c.Name, Description: c.Description, Hint: c.ArgumentHint})
	}
	return commands
}

// Send implements agent.Session.
func (s *session) Send(m agent.Message) error {
	return s.Process.Send(claude.UserMessage{UUID: m.ID, Text: m.Text, Blocks: claude.Blocks(m.Blocks)})
}

// TakeBack implements agent.Session.
func (s *session) TakeBack(ctx context.Context, messageID string) (bool, error) {
	return s.CancelMessage(ctx, messageID)
}

// Reply implements agent.Session.
func (s *session) Reply(r agent.Request, q beckon.Question, afterPlan beckon.PermissionMode) error {
	req := r.Native.(claude.Request)
	if req.Subtype == claude.Elicitation {
		action, content := request.Elicited(q)
		return s.Elicit(req.ID, action, content)
	}
	d, err := request.Decide(req, q, afterPlan)
	if err != nil {
		d = claude.Deny{Message: "Beckon could not pass the answer on: " + err.Error()}
	}
	return s.Decide(req.ID, d)
}

// Allow implements agent.Session.
func (s *session) Allow(r agent.Request) error {
	return s.Decide(r.ID, claude.Allow{UpdatedInput: r.Native.(claude.Request).Input})
}

// Refuse implements agent.Session.
func (s *session) Refuse(requestID, why string) error { return s.RefuseControl(requestID, why) }

// SetMode implements agent.Session.
func (s *session) SetMode(ctx context.Context, mode beckon.PermissionMode) error {
	return s.Process.SetMode(ctx, string(mode))
}

// StopJob implements agent.Session.
func (s *session) StopJob(ctx context.Context, id string) error { return s.StopTask(ctx, id) }

// ContextUsage implements agent.Session.
func (s *session) ContextUsage(ctx context.Context) (beckon.ContextUsage, error) {
	found, err := s.Process.ContextUsage(ctx)
	usage := beckon.ContextUsage{
		Gauge: beckon.Gauge{Tokens: found.TotalTokens, Limit: found.MaxTokens}, Parts: []beckon.ContextPart{},
	}
	for _, c := range found.Categories {
		usage.Parts = append(usage.Parts, beckon.ContextPart{Name: c.Name, Tokens: c.Tokens})
	}
	return usage, err
}

// onFirstMessage is the status of Beckon's own server before an agent's first
// turn, with which the agent connects to it.
const onFirstMessage = "first-message"

// ToolServers implements agent.Session.
func (s *session) ToolServers(ctx context.Context) ([]beckon.ToolServer, error) {
	found, err := s.MCPServers(ctx)
	servers := []beckon.ToolServer{}
	if err == nil && !slices.ContainsFunc(found, func(m claude.MCPServer) bool { return m.Name == s.tools }) {
		servers = append(servers, beckon.ToolServer{Name: s.tools, Status: onFirstMessage})
	}
	for _, m := range found {
		servers = append(servers, beckon.ToolServer{Name: m.Name, Status: m.Status, Error: m.Error, Tools: len(m.Tools)})
	}
	return servers, err
}

// Rewind implements agent.Session.
func (s *session) Rewind(ctx context.Context, messageID string, try bool) (agent.Rewound, error) {
	found, err := s.RewindFiles(ctx, messageID, try)
	return agent.Rewound{
		Possible: found.CanRewind, Reason: found.Error, Files: found.Files, Added: found.Added, Removed: found.Removed,
	}, err
}

// Wait implements agent.Session.
func (s *session) Wait() agent.Exit {
	exit := s.Process.Wait()
	return agent.Exit{Code: exit.Code, Signal: exit.Signal, Stderr: exit.Stderr, Reason: exit.Reason(), NoSession: exit.NoSession()}
}

func logged(what string, err error) {
	if err != nil {
		slog.Error(what, "err", err)
	}
}
