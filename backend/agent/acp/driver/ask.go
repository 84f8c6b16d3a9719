package driver

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"beckon/backend/agent"
	"beckon/backend/agent/acp"
	"beckon/backend/beckon"
)

// refusal is what a request is answered with that nobody answers.
type refusal map[string]any

// The answers to a permission of which the turn is cancelled, and to a form.
var (
	permissionCancelled = refusal{"outcome": map[string]any{"outcome": "cancelled"}}
	formCancelled       = refusal{"action": "cancel"}
)

// asks reads a request of the agent's. One that Beckon does not know is refused at once:
// the agent would wait for good.
func (r *reader) asks(m acp.Message) []agent.Event {
	id := string(m.ID)
	switch m.Method {
	case acp.AskPermission:
		return r.permission(id, m.Params)
	case acp.Elicit:
		return r.form(id, m.Params)
	}
	logged("refuse a request", r.session.post(map[string]any{"id": m.ID, "error": map[string]any{
		"code": acp.UnknownMethod, "message": "Beckon does not know " + m.Method,
	}}))
	return nil
}

// permission is a request to let a tool run.
type permission struct {
	Options []option `json:"options"`
}

// option is one of the answers that the agent takes.
type option struct {
	ID   string `json:"optionId"`
	Name string `json:"name"`
	Kind string `json:"kind"` // allow_once, allow_always, reject_once, reject_always
}

// first returns the first option of the first of the kinds that is offered. The order of
// options is not that of safety.
func (p permission) first(kinds ...string) (option, bool) {
	for _, kind := range kinds {
		if i := slices.IndexFunc(p.Options, func(o option) bool { return o.Kind == kind }); i >= 0 {
			return p.Options[i], true
		}
	}
	return option{}, false
}

// permission puts a request for one to the person, or lets Beckon's own tool ask. What it is
// about stands in it, or in the call that it names.
func (r *reader) permission(id string, params json.RawMessage) []agent.Event {
	var request struct {
		Call json.RawMessage `json:"toolCall"`
		permission
	}
	acp.Decode(params, &request)
	asked := acp.ReadCall(request.Call)
	call := joined(r.calls[asked.ID], asked)
	if r.session.kind.CommandInTitle && call.ToolKind == "execute" && len(call.Input) == 0 {
		call.Input = commandInput(call.Title)
	}
	own := agent.Request{ID: id, Native: request.permission}
	if r.session.kind.AskTool != "" && call.Title == r.session.kind.AskTool && call.Command() == "" {
		r.session.opened(id, permissionCancelled)
		logged("let the agent ask", r.session.Allow(own))
		return nil
	}
	always, _ := request.first("allow_always")
	proof := beckon.NewUUID() // a call's name is not its own in all sessions
	own.Question = beckon.Question{Kind: beckon.Permission, ToolUseID: proof, Permission: &beckon.PermissionRequest{
		Tool: cmp.Or(call.Name, call.ToolKind, "tool"), Description: described(call, asked), Command: call.Command(), Path: call.Path(), Diff: call.Diff(),
		Input: string(call.Input), Digest: digest(call), Always: always.Name, Lasting: []string{},
	}}
	r.session.opened(id, permissionCancelled)
	return []agent.Event{agent.Asks{Request: own}}
}

// described is what the agent says of a call, besides what will happen. Its title is left out
// only where that is shown in its place.
func described(call, asked acp.ToolCall) string {
	text := asked.Text()
	shown := call.Command() != "" || call.Path() != ""
	if text == "" || !shown && call.Title != "" && !strings.Contains(text, call.Title) {
		text = strings.TrimSpace(call.Title + "\n" + text)
	}
	return text
}

// digest tells calls apart by what they will do. The title counts only where an agent says
// nothing else: it may be the model's own words.
func digest(c acp.ToolCall) string {
	said := []any{c.Input, c.Path(), c.Content}
	if len(c.Input) == 0 {
		said = append(said, c.Title)
	}
	raw, err := json.Marshal(said)
	if err != nil {
		return "" // which is the digest of no call
	}
	return fmt.Sprintf("%x", sha256.Sum256(raw))
}

// commandInput is the input of a call that has its command as its title.
func commandInput(title string) json.RawMessage {
	raw, err := json.Marshal(map[string]string{"command": title})
	if err != nil {
		panic(err) // it is made of a string
	}
	return raw
}

// form puts a form to the person: as a question where all of its fields are choices, else
// as the form that it is.
func (r *reader) form(id string, params json.RawMessage) []agent.Event {
	var request struct {
		Mode    string          `json:"mode"`
		Message string          `json:"message"`
		Schema  json.RawMessage `json:"requestedSchema"`
	}
	acp.Decode(params, &request)
	r.session.opened(id, formCancelled)
	if request.Mode != "form" { // which is all that Beckon says it has
		logged("refuse a form", r.session.Refuse(id, ""))
		return nil
	}
	own := agent.Request{ID: id, Native: form{}}
	proof := beckon.NewUUID()
	if fields, ok := choices(request.Message, request.Schema); ok {
		own.Native = form{fields: fields}
		own.Question = beckon.Question{Kind: beckon.Ask, ToolUseID: proof, Message: request.Message}
		for _, f := range fields {
			own.Question.Items = append(own.Question.Items, f.item)
		}
		return []agent.Event{agent.Asks{Request: own}}
	}
	own.Question = beckon.Question{Kind: beckon.Elicitation, ToolUseID: proof, Message: request.Message, Form: string(request.Schema)}
	return []agent.Event{agent.Asks{Request: own}}
}

// opened notes that the agent waits for an answer.
func (s *session) opened(id string, refused refusal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[id] = refused
}

// forget notes that it waits no more, and reports whether it did.
func (s *session) forget(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, open := s.open[id]
	delete(s.open, id)
	return open
}

// cancelOpen answers all that the agent waits for: its turn is cancelled.
func (s *session) cancelOpen() {
	s.mu.Lock()
	open := s.open
	s.open = map[string]refusal{}
	s.mu.Unlock()
	for id, refused := range open {
		logged("cancel a request", s.post(map[string]any{"id": json.RawMessage(id), "result": refused}))
	}
}

// respond answers a request, once.
func (s *session) respond(id string, result map[string]any) error {
	if !s.forget(id) {
		return fmt.Errorf("%s does not wait for this answer any more: %w", s.kind.Label, beckon.ErrConflict)
	}
	return s.post(map[string]any{"id": json.RawMessage(id), "result": result})
}

// Reply implements agent.Session.
func (s *session) Reply(r agent.Request, q beckon.Question, _ beckon.PermissionMode) error {
	switch native := r.Native.(type) {
	case permission:
		return s.decide(r.ID, native, q)
	case form:
		return s.respond(r.ID, native.answer(q))
	}
	return fmt.Errorf("a request of an unknown kind: %w", beckon.ErrInvalid)
}

// allowing has the kinds of options that stand for a verdict, the best first.
var allowing = map[beckon.Verdict][]string{
	beckon.AllowOnce: {"allow_once"}, beckon.AllowAlways: {"allow_always", "allow_once"},
}

// decide answers a permission by the option that fits. Words go with the agent's next
// message: the answer has no room for them.
func (s *session) decide(id string, p permission, q beckon.Question) error {
	var a beckon.Answer
	if q.Settlement == beckon.Answered && q.Answer != nil {
		a = *q.Answer
	}
	allows := allowing[a.Verdict]
	o, offered := p.first(allows...)
	if allows == nil {
		o, offered = p.first("reject_once", "reject_always")
	}
	if allows == nil || !offered {
		s.refuse(q.Proof, a.Text)
	}
	if !offered {
		return s.respond(id, permissionCancelled)
	}
	return s.respond(id, map[string]any{"outcome": map[string]any{"outcome": "selected", "optionId": o.ID}})
}

// refuse notes that a person refused something, with words that follow the turn. They prove
// that it was heard.
func (s *session) refuse(proof, words string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused = true
	if s.turn != nil && words != "" {
		s.denial = agent.Message{ID: cmp.Or(proof, beckon.NewUUID()), Text: words}
	}
}

// Allow implements agent.Session.
func (s *session) Allow(r agent.Request) error {
	return s.decide(r.ID, r.Native.(permission), beckon.Question{
		Settlement: beckon.Answered, Answer: &beckon.Answer{Verdict: beckon.AllowOnce},
	})
}

// Refuse implements agent.Session. The protocol has no words for why.
func (s *session) Refuse(requestID, _ string) error {
	s.mu.Lock()
	refused := s.open[requestID]
	s.mu.Unlock()
	return s.respond(requestID, refused)
}
