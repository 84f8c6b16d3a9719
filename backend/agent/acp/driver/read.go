package driver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"path/filepath"
	"strings"

	"beckon/backend/agent"
	"beckon/backend/agent/acp"
	"beckon/backend/beckon"
)

// reader reads the lines of one agent as events, for the goroutine that calls Next.
type reader struct {
	session *session

	// text is what was said of a message that is not over, of the kind of its parts.
	text strings.Builder
	kind string
	last string // the last whole text of the turn

	calls   map[string]acp.ToolCall // those of the turn, by their ids
	trouble string                  // the agent's own word that the turn fails
	acted   bool                    // it said or did something in the turn

	used used
}

// used is what the agent used so far, of its process, and how many tokens its context has.
type used struct {
	tokens  int64
	costUSD float64
	// before is what the session had cost before this process.
	before float64
	known  bool // before is
	window int64
}

// turn adds what the end of a turn says.
func (u *used) turn(tokens int64, since counts) {
	if since == ofProcess {
		u.tokens = max(u.tokens, tokens)
	} else {
		u.tokens += tokens
	}
}

// session takes what an update says of the whole session. What a session that is loaded had
// cost is what it says first.
func (u *used) session(update acp.Update, resumed bool) {
	u.window = cmp.Or(update.Size, u.window)
	if update.Cost == nil || update.Cost.Currency != "USD" {
		return
	}
	if resumed && !u.known {
		u.before = update.Cost.Amount
	}
	u.known = true
	u.costUSD = max(0, update.Cost.Amount-u.before)
}

// textMost is how much of a text is kept until its message is over.
const textMost = 256 << 10

// line reads one line: what it completes comes before it.
func (r *reader) line(raw []byte) []agent.Output {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil
	}
	line := acp.NewLine(raw)
	switch {
	case line.Update != nil && r.session.isReplaying():
		if line.Update.Kind == acp.UsageUpdate {
			r.used.session(*line.Update, true)
		}
		return nil // the log has it
	case line.Partial() && line.Update.Kind != acp.ToolUpdate:
		return r.part(line)
	}
	out := append(r.flush(), r.begins(line)...)
	if line.Update != nil {
		return append(out, agent.Output{Line: line, Events: r.update(*line.Update)})
	}
	return append(out, agent.Output{Line: line, Events: r.message(line)})
}

// part reads a part of a text.
func (r *reader) part(line *acp.Line) (out []agent.Output) {
	if line.Update.Kind != r.kind {
		out = r.flush()
	}
	out = append(out, r.begins(line)...)
	first := r.text.Len() == 0
	r.kind = line.Update.Kind
	r.text.WriteString(line.Block.Text)
	events := []agent.Event{agent.Part{First: first}}
	if first {
		events = append(events, agent.ActivityIs{Activity: writing(r.kind)})
	}
	out = append(out, agent.Output{Line: line, Events: events})
	if r.text.Len() > textMost {
		out = append(out, r.flush()...)
	}
	return out
}

func writing(kind string) beckon.Activity {
	if kind == acp.ThoughtChunk {
		return beckon.Activity{Verb: beckon.Thinking}
	}
	return beckon.Activity{Verb: beckon.Writing}
}

// flush returns the text whose parts came as the line that the log keeps of it.
func (r *reader) flush() []agent.Output {
	if r.text.Len() == 0 {
		return nil
	}
	text := r.text.String()
	if r.kind == acp.TextChunk {
		r.said(text)
	}
	line := acp.NewLine(acp.Whole(r.session.sessionID(), r.kind, text))
	r.text.Reset()
	r.kind = ""
	return []agent.Output{{Line: line, Events: []agent.Event{agent.Spoke{}}}}
}

// said notes a whole text. One that is an adapter's alone is nothing that the agent did.
func (r *reader) said(text string) {
	if ownWords(text) != "" {
		r.acted = true
		r.session.goesOn()
	}
	r.last = cmp.Or(strings.TrimSpace(text), r.last)
}

// begins returns that a turn began, once a line says something of it. What agents say at any
// time, of their commands and their use, says nothing of a turn.
func (r *reader) begins(line *acp.Line) []agent.Output {
	m := line.Message
	ofTurn := line.Update != nil && !acp.Quiet(line.Update.Kind) || m.ID != nil && m.Method != "" || m.MessageOf() != ""
	if line.Err != nil || !ofTurn {
		return nil
	}
	message, session, model := r.session.hears()
	if message == "" {
		return r.heardAnswers(line)
	}
	r.last, r.trouble, r.acted, r.calls = "", "", false, map[string]acp.ToolCall{}
	return []agent.Output{{Line: agent.Raw(acp.TookLine(message)), Events: []agent.Event{
		agent.Heard{Given: given(message)}, agent.TurnBegan{Session: session, Model: model, Tools: true},
	}}}
}

// heardAnswers returns that the agent has the answers to what it asked, once its model goes
// on: it says nothing, and its turn does not end, while a call waits for its result. Calls that
// were begun together with one that asks go on meanwhile.
func (r *reader) heardAnswers(line *acp.Line) []agent.Output {
	says := line.Update != nil && (line.Update.Kind == acp.TextChunk || line.Update.Kind == acp.ThoughtChunk)
	if !says && line.Message.MessageOf() == "" || r.text.Len() > 0 {
		return nil
	}
	return []agent.Output{{Events: []agent.Event{agent.Heard{Given: answers{but: r.session.denialID()}}}}}
}

// answers are all that were given so far, by whatever way, but a denial whose words follow the
// turn. The log is the record of them.
type answers struct{ but string }

// Message implements agent.Given.
func (answers) Message() string { return "" }

// HasResult implements agent.Given.
func (a answers) HasResult(callID string) bool { return callID != a.but }

// Line implements agent.Witness.
func (answers) Line(callID string) []byte { return acp.TookLine(callID) }

// given is a message that the agent took.
type given string

// Message implements agent.Given.
func (g given) Message() string { return string(g) }

// HasResult implements agent.Given: the words of a denial are a message that has its id.
func (g given) HasResult(callID string) bool { return callID == string(g) }

// message reads what is no update.
func (r *reader) message(line *acp.Line) []agent.Event {
	m := line.Message
	switch {
	case line.Err != nil:
		return nil
	case m.Method == "":
		return r.answer(m)
	case m.Method == acp.CancelRequest:
		var cancelled struct {
			ID json.RawMessage `json:"requestId"`
		}
		acp.Decode(m.Params, &cancelled)
		r.session.forget(string(cancelled.ID))
		return []agent.Event{agent.TookBack{RequestID: string(cancelled.ID)}}
	case m.ID == nil:
		return nil
	}
	return r.asks(m)
}

// answer reads what answers a request of Beckon's: that of a message ends its turn.
func (r *reader) answer(m acp.Message) []agent.Event {
	end, ends := m.End()
	if !ends {
		r.session.route(m)
		return nil
	}
	over := r.ended(m, end)
	if goesOn := r.session.turnOver(m.MessageOf()); goesOn {
		return nil // with the words of a denial, which the run takes for the same turn
	}
	return []agent.Event{over}
}

// ended is how a turn ended. The protocol has no word for failure, so a turn that ends well
// is believed only where the agent said nothing else.
func (r *reader) ended(m acp.Message, end acp.Result) agent.TurnEnded {
	r.used.turn(end.Tokens(), r.session.kind.Counts)
	e := agent.TurnEnded{Rounds: 1, Said: r.last, Tokens: r.used.tokens, CostUSD: r.used.costUSD}
	if r.used.window > 0 {
		e.Windows = map[string]int64{r.session.modelName(): r.used.window}
	}
	switch {
	case m.Error != nil:
		e.Failed, e.Said = true, cmp.Or(m.Error.Words(), r.last)
		if m.Error.Code == acp.AuthRequired {
			e.Why = r.session.signedOut()
		}
	case end.StopReason == acp.Cancelled, r.session.goesOn() && end.StopReason == acp.EndTurn:
		e.Interrupted = true
	case end.StopReason != acp.EndTurn:
		e.Failed, e.Said = true, cmp.Or(r.last, end.StopReason)
	case r.trouble == systemError:
		e.Failed, e.Said = true, cmp.Or(r.last, r.trouble)
	case r.trouble != "":
		e.Failed, e.Said = true, r.trouble
	case !r.acted: // as where it gave up in silence, or only thought
		e.Failed = true
	case isError(r.last):
		e.Failed = true
	case r.session.kind.Asks == beckon.AsksText:
		e.Asks = questionIn(r.last)
	}
	if e.Failed && limited(e.Said+"\n"+r.last, m.Error) {
		e.Limited, e.Setback = true, beckon.Overload
	}
	return e
}

// update reads what an update means for the run.
func (r *reader) update(u acp.Update) []agent.Event {
	r.note(u)
	switch u.Kind {
	case acp.ToolCallUpdate, acp.ToolUpdate:
		return r.tool(u)
	case acp.UsageUpdate:
		r.used.session(u, r.session.launch.Session != "")
		return []agent.Event{agent.ContextIs{Tokens: u.Used}}
	case acp.CommandsUpdate:
		list := make([]beckon.Command, 0, len(u.Commands))
		for _, c := range u.Commands {
			command := beckon.Command{Name: c.Name, Description: c.Description}
			if c.Input != nil {
				command.Hint = c.Input.Hint
			}
			list = append(list, command)
		}
		return []agent.Event{agent.CommandsAre{Commands: list}}
	case acp.OptionsUpdate:
		r.session.optionsAre(u.Options)
	case acp.PlanUpdate:
		return []agent.Event{agent.ActivityIs{Activity: beckon.Activity{Verb: beckon.Planning}}}
	}
	return nil
}

// systemError is Codex's state of a thread whose turn failed.
const systemError = "systemError"

// note keeps the signs that a turn fails, of which its end says nothing.
func (r *reader) note(u acp.Update) {
	if u.Kind == acp.NoticeUpdate && u.Severity == "error" {
		r.trouble = strings.TrimSpace(u.Title + ": " + u.Description)
	}
	if e := u.Meta.Codex.Error; e != nil && !e.WillRetry {
		r.trouble = cmp.Or(e.Message, systemError)
	}
	if bytes.Contains(u.Meta.Codex.ThreadStatus, []byte(systemError)) {
		r.trouble = cmp.Or(r.trouble, systemError)
	}
}

// tool reads a call: what it does at this moment, and the file that it writes.
func (r *reader) tool(u acp.Update) []agent.Event {
	call := u.ToolCall
	if r.calls == nil {
		r.calls = map[string]acp.ToolCall{}
	}
	known := r.calls[call.ID]
	known = joined(known, call)
	r.calls[call.ID] = known
	if u.Kind == acp.ToolCallUpdate {
		r.acted = true
		r.session.goesOn()
	}
	if known.Done() {
		delete(r.calls, call.ID)
		return nil
	}
	events := []agent.Event{agent.ActivityIs{Activity: beckon.Activity{Verb: known.Verb(), Target: brief(known)}}}
	if path := known.Path(); known.Writes() && filepath.IsAbs(path) {
		events = append(events, agent.Writes{Path: path})
	}
	return events
}

// brief is the target as a card has room for it: a file without its folder.
func brief(c acp.ToolCall) string {
	if c.Command() == "" && c.Path() != "" {
		return filepath.Base(c.Path())
	}
	return c.Target()
}

// joined is a call with what is new of it.
func joined(was, is acp.ToolCall) acp.ToolCall {
	is.Title, is.Name, is.ToolKind = cmp.Or(is.Title, was.Title), cmp.Or(is.Name, was.Name), cmp.Or(is.ToolKind, was.ToolKind)
	is.Status = cmp.Or(is.Status, was.Status)
	if len(is.Content) == 0 {
		is.Content = was.Content
	}
	if len(is.Locations) == 0 {
		is.Locations = was.Locations
	}
	if len(is.Input) == 0 {
		is.Input = was.Input
	}
	if text := is.Text(); len(is.Input) == 0 && strings.HasPrefix(text, "{") && json.Valid([]byte(text)) {
		is.Input = json.RawMessage(text) // Kimi Code streams it so, and asks before it has said it otherwise
	}
	return is
}

// sessionID returns the session, empty before there is one.
func (s *session) sessionID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.id
}

// isReplaying reports whether the agent says again what was said before this run: until it
// answers the request to load its session.
func (s *session) isReplaying() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.loads != ""
}

// hears notes that the agent says something of the open turn, and returns whose message
// that is, the first time.
func (s *session) hears() (message, session, model string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turn == nil || s.turn.heard {
		return "", "", ""
	}
	s.turn.heard = true
	model, _ = s.says.Model()
	return s.turn.message, s.id, model
}

// denialID returns the id of the words of a denial that follow the turn, "" for none.
func (s *session) denialID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.denial.ID
}

// goesOn notes that the agent does something, and reports whether a person had refused
// something before.
func (s *session) goesOn() (refused bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	refused, s.refused = s.refused, false
	return refused
}

// route brings an answer to who waits for it.
func (s *session) route(m acp.Message) {
	var id string
	if json.Unmarshal(m.ID, &id) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loads == id {
		s.loads = ""
	}
	if waits := s.waits[id]; waits != nil {
		waits <- m // it has room for one, and one comes
		delete(s.waits, id)
	}
}

// turnOver ends the turn of a message, and begins that of the next. It reports whether that
// has the words of a denial.
func (s *session) turnOver(message string) (goesOn bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turn == nil || s.turn.message != message {
		return false
	}
	close(s.turn.over)
	s.turn = nil
	denial := s.denial
	s.denial = agent.Message{}
	switch {
	case s.stopping:
		return false
	case denial.ID != "":
		err := s.prompt(denial)
		logged("bring the words of a denial", err)
		return err == nil
	case len(s.held) > 0:
		next := s.held[0]
		s.held = s.held[1:]
		logged("begin the turn of a message that waited", s.prompt(next))
	}
	return false
}
