// Package acpagent is an agent that speaks the Agent Client Protocol and does what its
// prompts say, a line each:
//
//	say WORDS           a message, in two parts
//	think WORDS         a thought
//	run COMMAND         asks for permission, then runs the command with sh
//	free COMMAND        runs it without asking
//	write FILE WORDS    a file of its folder, by a tool that edits
//	choose WORDS        a question of its own: Red or Blue
//	form WORDS          a form that is no choice
//	ask WORDS           Beckon's ask_user, over MCP
//	permit              wants permission for ask_user
//	trouble WORDS       what Codex says of a turn that failed, and ends it well
//	error CODE WORDS    ends the turn with an error
//	stop REASON         ends it so
//	update KIND         an update that nobody knows
//	request METHOD      a request that nobody knows
//	noise WORDS         a line that is no message
//	late WORDS          a message behind the turn's end
//	wait                until it is cancelled
//	model NAME          goes on with another of its models, and says so
//	die CODE            ends the process at once
//	flood N BYTES       N updates of that size, each of a call of its own
//	next LINE           does that first of all when it is spoken to again, in whatever process
//
// A prompt with nothing to do it answers by a word, an empty one by none.
//
// It has the models fast, which is its own choice, and deep, as an option of its sessions; as
// the older protocol has them where there is a file older in its home, and none where there
// is a file modelless. It says nothing of them of a session that it loads where there is a
// file silent.
//
// It keeps its sessions in files of the folder that ACP_AGENT_HOME names, so that another
// process can load them, and writes to log.ndjson there each message that it reads, and to
// heard.ndjson each prompt and answer once its model has it. What is not as the published
// schema has it, of either side, it writes to wrong.txt.
//
// It stands still where a file of that folder says so, and shows by another, of which .reached
// is the end, that it does: "deaf" before it hears a prompt or an answer, "mute" behind that,
// "loading" before it has loaded a session.
package acpagent

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  any             `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

type agent struct {
	out  io.Writer
	home string
	log  *os.File

	mu      sync.Mutex
	next    int
	waits   map[string]waiting
	cancels map[string]context.CancelFunc // by session

	cwd, server, token string
	beside             []string // folders that it may work in besides
}

// waiting is a request that waits for its answer.
type waiting struct {
	method string
	answer chan json.RawMessage
}

// check notes what is not as the schema has it.
func (a *agent) check(err error) {
	if err == nil {
		return
	}
	f, openErr := os.OpenFile(filepath.Join(a.home, "wrong.txt"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if openErr != nil {
		panic(openErr)
	}
	defer f.Close()
	fmt.Fprintln(f, err)
}

// gate stands still while there is a file of that name.
func (a *agent) gate(name string) {
	file := filepath.Join(a.home, name)
	if _, err := os.Stat(file); err != nil {
		return
	}
	a.check(os.WriteFile(file+".reached", nil, 0o600))
	for _, err := os.Stat(file); err == nil; _, err = os.Stat(file) {
		time.Sleep(5 * time.Millisecond)
	}
}

// Heard is a prompt or an answer that the model of a session has.
type Heard struct{ Session, Text string }

// hear notes that the model has it.
func (a *agent) hear(session, text string) {
	line, err := json.Marshal(Heard{session, text})
	if err != nil {
		panic(err)
	}
	f, err := os.OpenFile(filepath.Join(a.home, "heard.ndjson"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	_, err = f.Write(append(line, '\n'))
	a.check(err)
	a.gate("mute")
}

// Run speaks on in and out until in ends.
func Run(in io.Reader, out io.Writer, home string) error {
	log, err := os.OpenFile(filepath.Join(home, "log.ndjson"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	a := &agent{out: out, home: home, log: log, waits: map[string]waiting{}, cancels: map[string]context.CancelFunc{}}
	prompts := make(chan message, 100)
	go func() {
		for m := range prompts {
			a.prompt(m)
		}
	}()
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return nil
		}
		if _, err := log.Write(line); err != nil {
			return err
		}
		var m struct {
			message
			Result json.RawMessage `json:"result"`
		}
		if err := json.Unmarshal(line, &m); err != nil {
			return err
		}
		if m.Method != "" {
			a.check(fits(schemas().params, m.Method, m.Params))
		}
		switch m.Method {
		case "":
			a.answered(string(m.ID), m.Result)
		case "session/prompt":
			a.gate("deaf")
			prompts <- m.message
		default:
			a.request(m.message)
		}
	}
}

func (a *agent) answered(id string, result json.RawMessage) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if w, waits := a.waits[id]; waits {
		if result != nil { // else it is an error
			a.check(fits(schemas().results, w.method, result))
		}
		w.answer <- result
		delete(a.waits, id)
	}
}

func (a *agent) send(m message) {
	m.JSONRPC = "2.0"
	raw, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	a.write(string(raw))
}

func (a *agent) write(line string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	fmt.Fprintln(a.out, line)
}

func (a *agent) request(m message) {
	var p struct {
		Session string   `json:"sessionId"`
		Cwd     string   `json:"cwd"`
		Beside  []string `json:"additionalDirectories"`
		Servers []struct {
			URL     string `json:"url"`
			Headers []struct {
				Value string `json:"value"`
			} `json:"headers"`
		} `json:"mcpServers"`
	}
	_ = json.Unmarshal(m.Params, &p)
	switch m.Method {
	case "initialize":
		a.send(message{ID: m.ID, Result: map[string]any{
			"protocolVersion": 1, "agentInfo": map[string]any{"name": "scripted", "version": "1"},
			"agentCapabilities": map[string]any{
				"loadSession": true, "promptCapabilities": map[string]any{"image": true},
				"mcpCapabilities":     map[string]any{"http": true},
				"sessionCapabilities": map[string]any{"additionalDirectories": map[string]any{}},
			}, "authMethods": []any{},
		}})
	case "session/new", "session/load":
		if m.Method == "session/load" {
			a.gate("loading")
		}
		a.open(m, p.Session, p.Cwd)
		a.beside = p.Beside
		for _, s := range p.Servers {
			a.server = s.URL
			for _, h := range s.Headers {
				a.token = h.Value
			}
		}
	case "session/set_config_option":
		a.option(m)
	case "session/set_model":
		a.olderModel(m)
	case "session/set_mode":
		a.send(message{ID: m.ID, Result: map[string]any{}})
	case "session/cancel":
		a.mu.Lock()
		cancel := a.cancels[p.Session]
		a.mu.Unlock()
		if cancel != nil {
			cancel()
		}
	default:
		if m.ID != nil {
			a.send(message{ID: m.ID, Error: &rpcError{-32601, "no " + m.Method}})
		}
	}
}

// open begins a session, or says again what one had.
func (a *agent) open(m message, session, cwd string) {
	a.cwd = cwd
	if m.Method == "session/load" {
		said, err := os.ReadFile(filepath.Join(a.home, session))
		if err != nil {
			a.send(message{ID: m.ID, Error: &rpcError{-32002, "no such session"}})
			return
		}
		for line := range strings.Lines(string(said)) {
			a.update(session, map[string]any{"sessionUpdate": "user_message_chunk", "content": text(strings.TrimSpace(line))})
		}
		a.opened(m, map[string]any{"modes": modes("default")}, session)
		return
	}
	session = "session-" + strconv.Itoa(os.Getpid())
	if err := os.WriteFile(filepath.Join(a.home, session), nil, 0o600); err != nil {
		panic(err)
	}
	a.opened(m, map[string]any{"sessionId": session, "modes": modes("auto")}, session)
}

func modes(current string) map[string]any {
	return map[string]any{"currentModeId": current, "availableModes": []any{
		map[string]any{"id": "default", "name": "Default"}, map[string]any{"id": "auto", "name": "Auto"},
	}}
}

func text(s string) map[string]any { return map[string]any{"type": "text", "text": s} }

func (a *agent) update(session string, update map[string]any) {
	params, err := json.Marshal(map[string]any{"sessionId": session, "update": update})
	if err != nil {
		panic(err)
	}
	if update["secret"] == nil {
		a.check(fits(schemas().params, "session/update", params))
	}
	a.send(message{Method: "session/update", Params: params})
}

// call sends a request and waits for its answer, or until the turn is cancelled.
func (t *turn) call(method string, params any) json.RawMessage {
	raw, err := json.Marshal(params)
	if err != nil {
		panic(err)
	}
	t.mu.Lock()
	t.next++
	id := strconv.Itoa(t.next)
	wait := make(chan json.RawMessage, 1)
	t.waits[id] = waiting{method, wait}
	t.mu.Unlock()
	t.check(fits(schemas().params, method, raw))
	t.send(message{ID: json.RawMessage(id), Method: method, Params: raw})
	select {
	case answer := <-wait:
		t.gate("deaf")
		t.hear(t.session, string(answer))
		return answer
	case <-t.ctx.Done():
		cancelled, _ := json.Marshal(map[string]any{"requestId": json.RawMessage(id)})
		t.send(message{Method: "$/cancel_request", Params: cancelled})
		return nil
	}
}

func (a *agent) prompt(m message) {
	var p struct {
		Session string `json:"sessionId"`
		Prompt  []struct {
			Text string `json:"text"`
		} `json:"prompt"`
	}
	if err := json.Unmarshal(m.Params, &p); err != nil {
		panic(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	a.mu.Lock()
	a.cancels[p.Session] = cancel
	a.mu.Unlock()
	a.hear(p.Session, p.Prompt[0].Text)
	words := a.saved(p.Session) + p.Prompt[0].Text
	f, err := os.OpenFile(filepath.Join(a.home, p.Session), os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		fmt.Fprintln(f, strings.ReplaceAll(words, "\n", " "))
		f.Close()
	}
	t := &turn{agent: a, ctx: ctx, session: p.Session, stop: "end_turn"}
	did := strings.TrimSpace(words) == ""
	for line := range strings.Lines(words) {
		if verb, rest, _ := strings.Cut(strings.TrimSpace(line), " "); ctx.Err() == nil && !t.over {
			did = t.do(verb, rest) || did
		}
	}
	if !did {
		t.say("agent_message_chunk", "I heard it.")
	}
	switch {
	case t.failed != nil:
		a.send(message{ID: m.ID, Error: t.failed})
	case ctx.Err() != nil:
		a.send(message{ID: m.ID, Result: map[string]any{"stopReason": "cancelled"}})
	default:
		a.send(message{ID: m.ID, Result: map[string]any{"stopReason": t.stop, "usage": map[string]any{"totalTokens": 42, "inputTokens": 40, "outputTokens": 2}}})
	}
	if t.late != "" {
		a.update(p.Session, map[string]any{"sessionUpdate": "agent_message_chunk", "content": text(t.late)})
		a.update(p.Session, map[string]any{"sessionUpdate": "usage_update", "used": 7, "size": 100})
	}
	cancel()
}

// saved returns, once, the lines that were to be done next.
func (a *agent) saved(session string) string {
	file := filepath.Join(a.home, session+".next")
	lines, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	a.check(os.Remove(file))
	return string(lines)
}

// save keeps a line that is to be done next.
func (t *turn) save(line string) {
	f, err := os.OpenFile(filepath.Join(t.home, t.session+".next"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	fmt.Fprintln(f, line)
}

type turn struct {
	*agent
	ctx     context.Context
	session string
	stop    string
	over    bool
	failed  *rpcError
	late    string
	calls   int
}

func (t *turn) say(kind, words string) {
	half := len(words) / 2
	for _, part := range []string{words[:half], words[half:]} {
		t.update(t.session, map[string]any{"sessionUpdate": kind, "content": text(part)})
	}
}

// do does what a line says, and reports whether it says anything to do.
func (t *turn) do(verb, rest string) bool {
	switch verb {
	case "say":
		t.say("agent_message_chunk", rest)
	case "think":
		t.say("agent_thought_chunk", rest)
	case "run", "free":
		t.run(rest, verb == "run")
	case "beside":
		t.say("agent_message_chunk", "beside "+strings.Join(t.beside, " "))
	case "write":
		t.file(rest)
	case "choose", "form":
		t.elicit(verb, rest)
	case "ask":
		t.ask(rest)
	case "permit":
		t.permission("call-permit", map[string]any{"title": "mcp__beckon__ask_user", "kind": "other"})
	case "trouble":
		t.say("agent_message_chunk", rest)
		t.update(t.session, map[string]any{"sessionUpdate": "session_info_update", "_meta": map[string]any{"codex": map[string]any{"threadStatus": map[string]any{"type": "systemError"}}}})
	case "error":
		code, words, _ := strings.Cut(rest, " ")
		n, _ := strconv.Atoi(code)
		t.failed, t.over = &rpcError{n, words}, true
	case "stop":
		t.stop, t.over = rest, true
	case "update":
		t.update(t.session, map[string]any{"sessionUpdate": rest, "secret": "kept"})
	case "request":
		t.call(rest, map[string]any{})
	case "noise":
		t.write(rest)
	case "late":
		t.late = rest
	case "model":
		t.keepModel(t.session, rest)
		t.update(t.session, map[string]any{"sessionUpdate": "config_option_update", "configOptions": t.options(t.session)})
	case "wait":
		<-t.ctx.Done()
	case "flood":
		t.flood(rest)
	case "die":
		code, _ := strconv.Atoi(rest)
		os.Exit(code)
	case "next":
		t.save(rest)
	default:
		return false
	}
	return true
}

// flood writes updates as fast as they are read, of which the first alone is checked.
func (t *turn) flood(rest string) {
	var many, size int
	if _, err := fmt.Sscan(rest, &many, &size); err != nil {
		panic(err)
	}
	const number = "000000000000"
	update := map[string]any{
		"sessionUpdate": "tool_call", "toolCallId": "flood-" + number, "title": "Look", "kind": "read", "status": "completed",
		"content": []any{map[string]any{"type": "content", "content": text(strings.Repeat("word ", size/5))}},
	}
	params, err := json.Marshal(map[string]any{"sessionId": t.session, "update": update})
	if err != nil {
		panic(err)
	}
	t.check(fits(schemas().params, "session/update", params))
	before, after, _ := strings.Cut(`{"jsonrpc":"2.0","method":"session/update","params":`+string(params)+"}\n", number)
	t.mu.Lock()
	defer t.mu.Unlock()
	out := bufio.NewWriterSize(t.out, 64<<10)
	defer out.Flush()
	for i := range many {
		fmt.Fprintf(out, "%s%012d%s", before, i, after)
	}
}

// permission asks to let a call run, and returns the option that was chosen.
func (t *turn) permission(id string, call map[string]any) string {
	call["toolCallId"] = id
	answer := t.call("session/request_permission", map[string]any{
		"sessionId": t.session, "toolCall": call,
		"options": []any{
			map[string]any{"optionId": "always", "name": "Yes, and do not ask again", "kind": "allow_always"},
			map[string]any{"optionId": "once", "name": "Yes", "kind": "allow_once"},
			map[string]any{"optionId": "no", "name": "No", "kind": "reject_once"},
		},
	})
	var chosen struct {
		Outcome struct {
			Option string `json:"optionId"`
		} `json:"outcome"`
	}
	_ = json.Unmarshal(answer, &chosen)
	return chosen.Outcome.Option
}

func (t *turn) id() string {
	t.calls++
	return fmt.Sprintf("call-%d-%d", os.Getpid(), t.calls)
}

func (t *turn) run(command string, ask bool) {
	id := t.id()
	call := map[string]any{"title": "a command of mine", "kind": "execute", "status": "pending", "rawInput": map[string]any{"command": command}}
	t.update(t.session, with(call, map[string]any{"sessionUpdate": "tool_call", "toolCallId": id}))
	if chosen := ""; ask {
		if chosen = t.permission(id, map[string]any{"title": "a command of mine"}); chosen != "once" && chosen != "always" {
			t.update(t.session, map[string]any{"sessionUpdate": "tool_call_update", "toolCallId": id, "status": "failed", "content": []any{
				map[string]any{"type": "content", "content": text("The user rejected it")},
			}})
			t.over = true
			return
		}
	}
	cmd := exec.CommandContext(t.ctx, "sh", "-c", command)
	cmd.Dir = t.cwd
	out, err := cmd.CombinedOutput()
	status := "completed"
	if err != nil {
		status = "failed"
	}
	t.update(t.session, map[string]any{"sessionUpdate": "tool_call_update", "toolCallId": id, "status": status, "content": []any{
		map[string]any{"type": "content", "content": text(string(out))},
	}})
}

func (t *turn) file(rest string) {
	name, words, _ := strings.Cut(rest, " ")
	path, id := filepath.Join(t.cwd, name), t.id()
	if filepath.IsAbs(name) {
		path = name
	}
	t.update(t.session, map[string]any{"sessionUpdate": "tool_call", "toolCallId": id, "title": "Write", "kind": "edit", "status": "in_progress", "locations": []any{map[string]any{"path": path}}})
	if err := os.WriteFile(path, []byte(words+"\n"), 0o600); err != nil {
		panic(err)
	}
	t.update(t.session, map[string]any{"sessionUpdate": "tool_call_update", "toolCallId": id, "status": "completed", "content": []any{
		map[string]any{"type": "diff", "path": path, "oldText": nil, "newText": words + "\n"},
	}})
}

func with(a, b map[string]any) map[string]any {
	for k, v := range b {
		a[k] = v
	}
	return a
}

func (t *turn) elicit(verb, words string) {
	properties := map[string]any{"q0": map[string]any{"type": "string", "oneOf": []any{
		map[string]any{"const": "Red", "title": "Red", "description": "warm"}, map[string]any{"const": "Blue", "title": "Blue"},
	}}}
	if verb == "form" {
		properties = map[string]any{"amount": map[string]any{"type": "integer", "title": "Amount"}}
	}
	answer := t.call("elicitation/create", map[string]any{
		"sessionId": t.session, "mode": "form", "message": words,
		"requestedSchema": map[string]any{"type": "object", "properties": properties, "required": []string{}},
	})
	t.say("agent_message_chunk", "heard "+string(answer))
}

// ask calls Beckon's own tool.
func (t *turn) ask(words string) {
	c, err := client.NewStreamableHttpClient(t.server, transport.WithHTTPHeaders(map[string]string{"Authorization": t.token}))
	if err == nil {
		defer c.Close()
		_, err = c.Initialize(t.ctx, mcp.InitializeRequest{Params: mcp.InitializeParams{
			ProtocolVersion: mcp.LATEST_PROTOCOL_VERSION, ClientInfo: mcp.Implementation{Name: "scripted", Version: "1"},
		}})
	}
	if err != nil {
		t.say("agent_message_chunk", "no server: "+err.Error())
		return
	}
	id := t.id()
	t.update(t.session, map[string]any{"sessionUpdate": "tool_call", "toolCallId": id, "title": "mcp__beckon__ask_user", "kind": "other", "status": "in_progress"})
	result, err := c.CallTool(t.ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: "ask_user", Arguments: map[string]any{
		"question": words, "options": []any{map[string]any{"label": "Red"}, map[string]any{"label": "Blue"}},
	}}})
	raw, _ := json.Marshal(result)
	t.gate("deaf")
	t.hear(t.session, string(raw))
	t.update(t.session, map[string]any{"sessionUpdate": "tool_call_update", "toolCallId": id, "status": "completed", "content": []any{
		map[string]any{"type": "content", "content": text(string(raw))},
	}})
	if err != nil {
		raw = []byte(err.Error())
	}
	t.say("agent_message_chunk", "heard "+string(raw))
}
