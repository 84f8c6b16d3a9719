package driver

import (
	"bytes"
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"beckon/backend/agent"
	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/fold"
	"beckon/backend/agent/claude/request"
	"beckon/backend/beckon"
)

// reader reads the lines of one CLI as events. Only what says something of the run's life
// is decoded, once for all that read it.
type reader struct {
	tools   string // Beckon's MCP server
	own     string // the CLI's folder
	failure failure
	// commands has the command of each background call whose job has not begun.
	commands  map[string]string
	subAgents bool // there was one
	jobs      bool // there was one
	unknown   []unknownRequest
}

// unknownRequest is a control request that nobody here can answer.
type unknownRequest struct{ request, subtype string }

func newReader(tools, own string) reader {
	return reader{tools: tools, own: own, commands: map[string]string{}}
}

// takeUnknown returns the requests that are to be refused, once.
func (r *reader) takeUnknown() []unknownRequest {
	unknown := r.unknown
	r.unknown = nil
	return unknown
}

// chunk reads lines that came together.
func (r *reader) chunk(lines []claude.Line) [][]agent.Event {
	busy, activity := lastActivity(lines)
	all := make([][]agent.Event, len(lines))
	for i := range lines {
		all[i] = r.events(&lines[i])
		if i == busy {
			all[i] = slices.Insert(all[i], 0, agent.Event(agent.ActivityIs{Activity: activity}))
		}
	}
	return all
}

// lastActivity returns what the agent is at by the end of a chunk, and the
// line that says so; -1 where none does. A tool's call is seldom the last line.
func lastActivity(lines []claude.Line) (int, beckon.Activity) {
	for i := range slices.Backward(lines) {
		line := &lines[i]
		if line.Kind != claude.StreamEvent && line.Kind != claude.AssistantLine {
			continue
		}
		if a, ok := fold.Activity(line); ok {
			return i, a
		}
	}
	return -1, beckon.Activity{}
}

// events returns what a line means.
func (r *reader) events(line *claude.Line) []agent.Event {
	switch line.Kind {
	case claude.StreamEvent:
		return r.part(line)
	case claude.AssistantLine:
		return r.said(line)
	case claude.UserLine:
		return r.heard(line)
	case claude.SystemLine:
		if m, err := line.Message(); err == nil && m.System != nil {
			return r.system(m)
		}
	case claude.ResultLine:
		if m, err := line.Message(); err == nil && m.Result != nil {
			return r.result(*m.Result)
		}
	case claude.RateLimitLine:
		if m, err := line.Message(); err == nil && m.Limit != nil {
			return []agent.Event{r.limit(*m.Limit)}
		}
	case claude.ControlRequest:
		return r.asked(line)
	case claude.ControlCancel:
		m, err := line.Message()
		logged("read a cancelled request", err)
		return []agent.Event{agent.TookBack{RequestID: m.RequestID}}
	case claude.LongLine:
		return []agent.Event{agent.TooLong{Most: claude.LineMost}}
	case claude.ControlResponse, claude.UnknownLine: // the process hands on replies; the rest is only shown
	}
	return nil
}

// part reads a part of the text being written, and what the newest API message takes.
func (r *reader) part(line *claude.Line) []agent.Event {
	ends := bytes.Contains(line.Raw, []byte(`"message_delta"`)) // its end, without a text
	var events []agent.Event
	if ends || bytes.Contains(line.Raw, []byte(`"message_start"`)) {
		events = usage(line)
	}
	if !ends {
		events = append(events, agent.Part{
			SubAgent: line.OfSubAgent(), First: bytes.Contains(line.Raw, []byte(`"content_block_start"`)),
		})
	}
	return events
}

// usage reads what an API message takes. Only the main agent's context counts: those of
// sub-agents are their own.
func usage(line *claude.Line) []agent.Event {
	m, err := line.Message()
	if err != nil || m.Event == nil {
		return nil
	}
	input := m.Event.Message.Usage.Input()
	switch u := m.Event.Usage; {
	case u != nil:
		return []agent.Event{agent.Spent{Tokens: u.InputTokens + u.OutputTokens + u.CacheReadInputTokens + u.CacheCreationInputTokens}}
	case input > 0 && m.ParentToolUseID == "":
		return []agent.Event{agent.ContextIs{Tokens: input}}
	}
	return nil
}

// said reads a complete message of an agent's.
func (r *reader) said(line *claude.Line) []agent.Event {
	events := []agent.Event{agent.Spoke{SubAgent: bySubAgent(line)}}
	events = append(events, r.subAgentCalls(line)...)
	events = append(events, r.written(line)...)
	if line.InBackground() {
		r.noteCommands(line)
	}
	if line.WithError() {
		r.failure.note(line)
	}
	return events
}

// bySubAgent reports whether a complete message is a sub-agent's. The main one's may speak
// of others.
func bySubAgent(line *claude.Line) bool {
	if !line.OfSubAgent() {
		return false
	}
	m, err := line.Message()
	return err == nil && m.ParentToolUseID != ""
}

// subAgentCalls reads the calls of Beckon's tools that a sub-agent makes. Lines are
// searched only once there is a sub-agent: it would be a fifth of what a flood costs.
func (r *reader) subAgentCalls(line *claude.Line) (calls []agent.Event) {
	if !r.subAgents || !bytes.Contains(line.Raw, []byte(`"`+tools(r.tools))) || bytes.Contains(line.Raw, []byte(`"parent_tool_use_id":null`)) {
		return nil
	}
	m, err := line.Message()
	if err != nil || m.Speech == nil || m.ParentToolUseID == "" {
		return nil
	}
	for _, b := range m.Speech.Content {
		if b.Type == claude.ToolUseBlock {
			calls = append(calls, agent.SubAgentCalled{CallID: b.ID, By: m.ParentToolUseID})
		}
	}
	return calls
}

// written reads which file a message of an agent's writes into. What the CLI keeps of its
// own, such as plans, is no work.
func (r *reader) written(line *claude.Line) []agent.Event {
	file := fold.Written(line)
	if file == "" {
		return nil
	}
	if in, err := filepath.Rel(r.own, file); err == nil && filepath.IsLocal(in) {
		return nil
	}
	return []agent.Event{agent.Writes{Path: file}}
}

// noteCommands remembers the commands of a message that go on in the background.
func (r *reader) noteCommands(line *claude.Line) {
	m, err := line.Message()
	if err != nil || m.Speech == nil {
		return
	}
	for _, block := range m.Speech.Content {
		if command := block.BackgroundCommand(); command != "" {
			r.commands[block.ID] = command
		}
	}
}

// heard reads what the CLI shows to be with the agent: messages, by their echo, which comes
// with the first words of their turn, results of tools, and ends of jobs.
func (r *reader) heard(line *claude.Line) []agent.Event {
	events := []agent.Event{agent.Heard{Given: given{line}}}
	if r.jobs && bytes.Contains(line.Raw, []byte("<task-notification>")) {
		events = append(events, told(line.Raw)...)
	}
	return events
}

// given is a user's line.
type given struct{ *claude.Line }

// Message implements agent.Given: the CLI echoes a message that it took.
func (g given) Message() string {
	if !bytes.Contains(g.Raw, []byte(`"isReplay":true`)) {
		return ""
	}
	m, err := g.Line.Message()
	if err != nil {
		return ""
	}
	return m.UUID
}

// HasResult implements agent.Given.
func (g given) HasResult(callID string) bool {
	return bytes.Contains(g.Raw, []byte(`"tool_use_id":"`+callID+`"`))
}

// told reads of which jobs' ends a line of a turn tells the agent: the CLI announces no end
// that it could add to a running turn.
func told(raw []byte) (events []agent.Event) {
	const from, to = "<task-id>", "</task-id>"
	for _, rest := range strings.Split(string(raw), from)[1:] {
		if id, _, closed := strings.Cut(rest, to); closed {
			events = append(events, agent.JobTold{ID: id})
		}
	}
	return events
}

// system reads what the CLI says of the session and of how the agent is doing.
func (r *reader) system(m claude.Message) []agent.Event {
	s := *m.System
	switch m.Subtype {
	case claude.Init:
		return []agent.Event{agent.TurnBegan{
			Session: m.SessionID, Model: s.Model, Mode: beckon.PermissionMode(s.Mode), Tools: s.HasServer(r.tools),
		}}
	case claude.StatusChanged:
		if s.Mode != "" {
			return []agent.Event{agent.ModeIs{Mode: beckon.PermissionMode(s.Mode)}}
		}
	case claude.StateChanged:
		return stateEvents[s.State]
	case claude.CommandsChanged:
		return []agent.Event{agent.CommandsAre{Commands: commandsOf(s.Commands)}}
	case claude.CompactBoundary:
		return []agent.Event{agent.ContextIs{Tokens: s.Compacted.PostTokens}}
	case claude.TaskStarted:
		return r.began(s)
	case claude.TaskUpdated:
		if s.Ended() {
			return []agent.Event{agent.JobEnded{ID: s.TaskID}}
		}
	case claude.TaskNotification:
		return []agent.Event{agent.JobAnnounced{ID: s.TaskID}}
	case claude.Informational:
		if s.Prevents {
			r.failure.hook = cmp.Or(s.Content, "A hook ended the turn without a word.")
		}
	case claude.APIRetry:
		return []agent.Event{agent.Retrying{Error: s.Error}}
	}
	return nil
}

// stateEvents is what the states of a session mean. Just before it asks it says so too,
// which the request itself says better.
var stateEvents = map[string][]agent.Event{
	claude.StateRunning: {agent.Busy{}},
	claude.StateIdle:    {agent.Idle{}},
}

// began reads that a command or a sub-agent runs beside the turn. Housekeeping of the CLI's
// own is no job.
func (r *reader) began(s claude.System) (events []agent.Event) {
	if s.TaskType == claude.SubAgent {
		r.subAgents = true
		events = append(events, agent.SubAgentBegan{ID: s.TaskID, CallID: s.ToolUseID, Name: s.Description})
	}
	if s.SkipTranscript {
		return events
	}
	r.jobs = true
	command := r.commands[s.ToolUseID]
	delete(r.commands, s.ToolUseID)
	return append(events, agent.JobBegan{
		ID: s.TaskID, Name: cmp.Or(command, s.Task.Description, s.TaskID), Left: command != "",
	})
}

// asked reads a control request. What nobody here can answer is refused, or the CLI may
// wait forever.
func (r *reader) asked(line *claude.Line) []agent.Event {
	m, err := line.Message()
	if err != nil || m.Request == nil {
		logged("read a control request", err)
		return nil
	}
	switch req := *m.Request; {
	case req.Subtype == claude.MCPMessage && req.ToolServer == r.tools:
		return []agent.Event{agent.ToolMessage{RequestID: req.ID, Message: req.Message}}
	case req.Subtype == claude.CanUseTool, req.Subtype == claude.Elicitation:
		return []agent.Event{agent.Asks{Request: agent.Request{
			ID: req.ID, AgentID: req.AgentID, Question: request.Question(req), Native: req,
		}}}
	default:
		r.unknown = append(r.unknown, unknownRequest{req.ID, req.Subtype})
		return nil
	}
}
