package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"beckon/backend/agent"
	"beckon/backend/agent/acp"
	"beckon/backend/agent/claude/lines"
	"beckon/backend/agent/process"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

// How long an agent may take to leave, once its turn is over, and how much of the end of
// its stderr is kept.
const (
	grace      = 5 * time.Second
	stderrKept = 64 << 10
)

// session is a running agent.
type session struct {
	kind    Kind
	version string // Beckon's
	launch  agent.Launch
	child   process.Piped
	input   *process.Input
	lines   *lines.Reader
	stderr  process.Tail

	exited chan struct{} // closed when exit is set
	exit   process.Status

	read reader // of the goroutine that calls Next

	// keep keeps the models that it offers, and knows those that it offered before.
	keep  func(offer)
	knows func() offer

	mu     sync.Mutex // guards what follows
	id     string     // of the session, empty before there is one
	says   acp.Opened // what the agent says of that
	models offer
	own    string // the model that the session had when it was opened
	can    capabilities
	calls  int
	waits  map[string]chan<- acp.Message // what answers our requests, by their ids
	// turn is the open one, and held the messages that wait for its end.
	turn *turn
	held []agent.Message
	// denial are the words of a denial, which go behind the turn that it ends, as a message
	// whose id proves that they were heard.
	denial agent.Message
	// open are the agent's requests that wait for an answer, by their ids.
	open      map[string]refusal
	noSession bool   // it does not have the one that it was to go on with
	loads     string // the request that loads its session, while that is not answered
	stopping  bool   // no turn is to follow
	sentAway  bool   // it did not leave when its turns were over
	refused   bool   // a person refused something since the agent did anything
}

// turn is what is known of an open one.
type turn struct {
	message string        // whose it is
	heard   bool          // the agent says something of it
	over    chan struct{} // closed at its end
}

func (d *Driver) start(ctx context.Context, k Kind, path string, l agent.Launch) (agent.Session, error) {
	env := slices.Concat(k.Env, l.Env)
	if k.Server != nil {
		env = slices.Concat(env, k.Server(l.Tools))
	}
	child, err := process.StartPiped(ctx, process.Spec{
		Path: path, Args: k.Args, Dir: l.Dir, Env: process.Environ(os.Environ(), k.Passed, env),
		Supervisor: d.Supervisor, Tether: d.Tether,
	})
	if err != nil {
		return nil, err
	}
	s := &session{
		kind: k, version: d.Version, launch: l, child: child, input: process.NewInput(child.Stdin),
		lines: lines.NewPlain(0), stderr: process.Tail{Most: stderrKept}, exited: make(chan struct{}),
		waits: map[string]chan<- acp.Message{}, open: map[string]refusal{},
		keep:  func(o offer) { d.offers.keep(d.Models, k.Name, o) },
		knows: func() offer { return d.offers.of(d.Models, k.Name) },
	}
	s.lines.Reset(child.Stdout)
	s.read.session = s
	go s.follow()
	return s, nil
}

// follow keeps the end of stderr and notes the end of the process.
func (s *session) follow() {
	_, _ = io.Copy(&s.stderr, s.child.Stderr)
	s.child.Stderr.Close()
	s.exit = s.child.Wait()
	close(s.exited)
	s.input.End()
}

// Next implements agent.Session.
func (s *session) Next() ([]agent.Output, error) {
	for {
		lines, err := s.lines.Next()
		var out []agent.Output
		for _, line := range lines {
			out = append(out, s.read.line(line.Raw)...)
		}
		if err != nil {
			out = s.read.flush()
		}
		switch {
		case len(out) > 0:
			return out, nil // an error comes again
		case err != nil:
			s.child.Stdout.Close()
			return nil, err
		}
	}
}

// Ready implements agent.Session: it opens the session that the run works in.
func (s *session) Ready(ctx context.Context) (beckon.Abilities, error) {
	can := beckon.Abilities{Models: []beckon.Model{}, Commands: []beckon.Command{}}
	var hello struct {
		Capabilities capabilities `json:"agentCapabilities"`
	}
	if err := s.call(ctx, acp.Initialize, map[string]any{
		"protocolVersion": acp.Version, "clientInfo": map[string]any{"name": "beckon", "title": "Beckon", "version": s.version},
		"clientCapabilities": map[string]any{
			"fs": map[string]any{"readTextFile": false, "writeTextFile": false}, "terminal": false,
			"elicitation": map[string]any{"form": map[string]any{}},
			"session":     map[string]any{"notices": map[string]any{}},
		},
	}, &hello); err != nil {
		return can, err
	}
	s.mu.Lock()
	s.can = hello.Capabilities
	s.mu.Unlock()
	return can, s.begin(ctx, hello.Capabilities)
}

// capabilities is what an agent says that it can do.
type capabilities struct {
	Load    bool `json:"loadSession"`
	Session struct {
		Resume *struct{} `json:"resume"`
		Beside *struct{} `json:"additionalDirectories"`
	} `json:"sessionCapabilities"`
	Prompt struct {
		Image bool `json:"image"`
	} `json:"promptCapabilities"`
	MCP struct {
		HTTP bool `json:"http"`
	} `json:"mcpCapabilities"`
}

// begin opens a session, or goes on with the run's earlier one.
func (s *session) begin(ctx context.Context, can capabilities) error {
	if s.launch.Copy {
		return s.cannot()
	}
	params := map[string]any{"cwd": s.launch.Dir, "mcpServers": s.servers(can)}
	if s.launch.Beside != "" && can.Session.Beside != nil {
		params["additionalDirectories"] = []string{s.launch.Beside}
	}
	method, earlier := acp.NewSession, s.launch.Session
	switch {
	case earlier == "":
	case can.Session.Resume != nil:
		method, params["sessionId"] = acp.ResumeSession, earlier
	case can.Load:
		method, params["sessionId"] = acp.LoadSession, earlier
	default:
		return s.lost(s.cannot())
	}
	var opened acp.Opened
	err := s.call(ctx, method, params, &opened)
	if err != nil && earlier != "" && s.refusedSession(ctx, err) {
		return s.lost(err)
	}
	if err != nil {
		return err
	}
	s.mu.Lock()
	if s.id = earlier; opened.ID != "" {
		s.id = opened.ID
	}
	s.says = opened
	s.mu.Unlock()
	s.learnModels(opened)
	if err := s.useModel(ctx, s.launch.Model); err != nil {
		return err
	}
	return s.setMode(ctx)
}

// setMode has the agent begin in the mode in which a person decides, where it has modes: by
// an option of its session's, or by the older request. It comes behind the model's, which may
// have changed it.
func (s *session) setMode(ctx context.Context) error {
	s.mu.Lock()
	session := s.id
	current, option := s.says.Mode()
	s.mu.Unlock()
	switch {
	case s.kind.Mode == "" || current == "" || current == s.kind.Mode:
		return nil
	case option != "":
		return s.call(ctx, acp.SetOption, map[string]any{"sessionId": session, "configId": option, "value": s.kind.Mode}, nil)
	}
	return s.call(ctx, acp.SetMode, map[string]any{"sessionId": session, "modeId": s.kind.Mode}, nil)
}

// servers are the MCP servers that the agent is to connect: Beckon's own, unless it has that
// by its environment.
func (s *session) servers(can capabilities) []any {
	if s.kind.Server != nil || !can.MCP.HTTP || s.launch.Tools.URL == "" {
		return []any{}
	}
	return []any{map[string]any{
		"type": "http", "name": s.launch.Tools.Name, "url": s.launch.Tools.URL,
		"headers": []any{map[string]any{"name": "Authorization", "value": "Bearer " + s.launch.Tools.Token}},
	}}
}

// refusedSession reports whether the agent itself is why it does not go on with a session. One
// that was killed meanwhile, is slow or is signed out has it still.
func (s *session) refusedSession(ctx context.Context, err error) bool {
	select {
	case <-s.exited:
		return s.exit.Signal == ""
	default:
		return ctx.Err() == nil && !errors.Is(err, agent.ErrEnded) && !beckon.ReasonOf(err).Is(reason.AgentSignedOut)
	}
}

// lost notes that the agent does not have the session that it was to go on with.
func (s *session) lost(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noSession = true
	return err
}

// call sends a request and waits for its answer.
func (s *session) call(ctx context.Context, method string, params, result any) error {
	answer := make(chan acp.Message, 1)
	s.mu.Lock()
	s.calls++
	id := "beckon/" + strconv.Itoa(s.calls)
	s.waits[id] = answer
	if method == acp.LoadSession {
		s.loads = id
	}
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.waits, id)
	}()
	if err := s.post(map[string]any{"id": id, "method": method, "params": params}); err != nil {
		return err
	}
	select {
	case m := <-answer:
		if m.Error != nil {
			return s.failed(*m.Error)
		}
		if result != nil {
			acp.Decode(m.Result, result)
		}
		return nil
	case <-s.exited:
		return agent.ErrEnded
	case <-ctx.Done():
		return ctx.Err()
	}
}

// failed is why the agent refuses a request, and how to sign in where that is why.
func (s *session) failed(e acp.Error) error {
	if e.Code == acp.AuthRequired {
		return s.signedOut().Err(beckon.ErrUnavailable)
	}
	return reason.Of(reason.AgentRefuses, "agent", s.kind.Label).Because(reason.Said(e.Words())).Err(beckon.ErrUnavailable)
}

func (s *session) signedOut() *reason.Reason {
	return reason.Of(reason.AgentSignedOut, "agent", s.kind.Label, "command", s.kind.SignIn)
}

// cannot is what an agent answers of which something is asked that it cannot do.
func (s *session) cannot() error {
	return reason.Of(reason.AgentCannot, "agent", s.kind.Label).Err(beckon.ErrUnavailable)
}

// post has a message written, and does not wait for that.
func (s *session) post(message map[string]any) error {
	message["jsonrpc"] = "2.0"
	line, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = s.input.Post(line)
	return err
}

// Send implements agent.Session. A message that comes within a turn waits for its end: the
// protocol has no word for joining one.
func (s *session) Send(m agent.Message) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turn != nil {
		s.held = append(s.held, m)
		return nil
	}
	return s.prompt(m)
}

// prompt begins the turn of a message. The caller holds mu.
func (s *session) prompt(m agent.Message) error {
	if err := s.post(map[string]any{"id": acp.PromptID(m.ID), "method": acp.Prompt, "params": map[string]any{
		"sessionId": s.id, "prompt": s.blocks(m),
	}}); err != nil {
		return err
	}
	s.launch.SystemPrompt, s.launch.About = "", "" // the first message had them
	s.turn = &turn{message: m.ID, over: make(chan struct{})}
	return nil
}

// blocks are what a message is sent as. The first of a process brings what the agent is to
// know beside its task, behind the task's own words, after which agents name their sessions.
// Pictures are left out where the agent takes none, in words.
func (s *session) blocks(m agent.Message) []any {
	var blocks []any
	if len(m.Blocks) == 0 {
		blocks = append(blocks, acp.Text(m.Text))
	}
	for _, b := range m.Blocks {
		switch {
		case b.MediaType == "":
			blocks = append(blocks, acp.Text(b.Text))
		case s.can.Prompt.Image:
			blocks = append(blocks, acp.Block{Type: "image", Data: b.Data, MIMEType: b.MediaType})
		default:
			blocks = append(blocks, acp.Text("(A picture was here, which this agent does not take.)"))
		}
	}
	for _, known := range []string{s.launch.About, s.launch.SystemPrompt} {
		if known != "" {
			blocks = append(blocks, acp.Text(known))
		}
	}
	return blocks
}

// TakeBack implements agent.Session: what waits for a turn's end can be taken back.
func (s *session) TakeBack(_ context.Context, messageID string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := len(s.held)
	s.held = slices.DeleteFunc(s.held, func(m agent.Message) bool { return m.ID == messageID })
	return len(s.held) < before, nil
}

// Interrupt implements agent.Session. What the agent waits for is answered first, as the
// protocol wants it.
func (s *session) Interrupt(ctx context.Context) error {
	s.mu.Lock()
	open, id := s.turn, s.id
	s.mu.Unlock()
	if open == nil {
		return nil
	}
	err := s.post(map[string]any{"method": acp.Cancel, "params": map[string]any{"sessionId": id}})
	if err != nil {
		return err
	}
	s.cancelOpen()
	select {
	case <-open.over:
		return nil
	case <-s.exited:
		return agent.ErrEnded
	case <-ctx.Done():
		return fmt.Errorf("%s did not end its turn: %w", s.kind.Label, beckon.ErrUnavailable)
	}
}

// CloseInput implements agent.Session. Not every agent leaves when nothing more can come:
// one whose turn is over is taken for one that did, and ended.
func (s *session) CloseInput() {
	s.input.Close()
	go func() {
		if s.leaves(context.Background()) {
			return
		}
		s.mu.Lock()
		s.sentAway = s.turn == nil
		away := s.sentAway
		s.mu.Unlock()
		if away {
			_ = s.child.Kill() // it fails only where all is done
		}
	}()
}

// leaves waits for the end of the process, as long as it may take.
func (s *session) leaves(ctx context.Context) bool {
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case <-s.exited:
		return true
	case <-late.C:
	case <-ctx.Done():
	}
	return false
}

// Stop implements agent.Session: the turn is ended, so that nothing that waits goes on
// without its answer; then the agent is to leave, and at last all of it is killed.
func (s *session) Stop(ctx context.Context) error {
	s.mu.Lock()
	s.stopping = true
	s.mu.Unlock()
	turn, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	if s.Interrupt(turn) == nil {
		s.input.Close()
		if s.leaves(ctx) {
			return nil
		}
	}
	_ = s.child.Kill() // it fails only where all is done
	<-s.exited
	return ctx.Err()
}

// Wait implements agent.Session.
func (s *session) Wait() agent.Exit {
	<-s.exited
	s.mu.Lock()
	defer s.mu.Unlock()
	said := s.stderr.String()
	if s.sentAway {
		return agent.Exit{Stderr: said}
	}
	return agent.Exit{
		Code: s.exit.Code, Signal: s.exit.Signal, Stderr: said,
		Reason: s.exit.Reason(process.LastWords(said)), NoSession: s.noSession,
	}
}

// What the protocol has no word for, or an agent's own names alone.

// SetMode implements agent.Session.
func (s *session) SetMode(context.Context, beckon.PermissionMode) error {
	return s.cannot()
}

// SetEffort implements agent.Session.
func (s *session) SetEffort(context.Context, string) error { return s.cannot() }

// StopJob implements agent.Session.
func (s *session) StopJob(context.Context, string) error {
	return s.cannot()
}

// ContextUsage implements agent.Session.
func (s *session) ContextUsage(context.Context) (beckon.ContextUsage, error) {
	return beckon.ContextUsage{}, s.cannot()
}

// ToolServers implements agent.Session.
func (s *session) ToolServers(context.Context) ([]beckon.ToolServer, error) {
	return nil, s.cannot()
}

// ReconnectServer implements agent.Session.
func (s *session) ReconnectServer(context.Context, string) error {
	return s.cannot()
}

// Rewind implements agent.Session.
func (s *session) Rewind(context.Context, string, bool) (agent.Rewound, error) {
	return agent.Rewound{}, s.cannot()
}

// AnswerTool implements agent.Session. These agents reach Beckon's server by themselves.
func (s *session) AnswerTool(string, json.RawMessage) error {
	return s.cannot()
}

func logged(what string, err error) {
	if err != nil {
		slog.Error(what, "err", err)
	}
}
