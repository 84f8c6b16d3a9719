package scripted

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"sync"
	"time"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
)

// exit ends the process with its code, in the middle of a turn.
type exit int

// Error implements error.
func (e exit) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// message is one that the user sent.
type message struct {
	UUID     string `json:"uuid"`
	Priority string `json:"priority"`
	Message  *struct {
		Role    string         `json:"role"`
		Content claude.Content `json:"content"`
	} `json:"message"`
}

func (m message) text() string { return m.Message.Content.Text() }

// agent is the process: one conversation.
type agent struct {
	arguments
	scripts []*script
	script  *script // chosen by the first message
	out     *output
	stderr  io.Writer
	states  bool // session_state_changed is wanted
	mcp     servers
	spent   spending // of all turns
	turns   int
	failed  bool // the last result was an error

	mu        sync.Mutex // guards what follows
	queue     []message
	pending   map[string]waiting // requests of the host, by their ids
	interrupt context.CancelFunc // of the running turn; nil between turns
	begins    bool               // a turn has taken its messages, and does not run yet
	early     bool               // the turn was interrupted before it began
	deaf      bool               // the turn refuses interrupts
	// checkpoints are those of all messages that were taken, in order.
	checkpoints []checkpoint
	woken       bool   // a turn begins on its own
	jobs, ended []*job // in the background: that run, and that no turn has told of
	quitting    bool   // SIGINT was received

	arrived chan struct{} // has a token when queue may have grown
	input   chan struct{} // closed at the end of stdin
	broken  chan error    // a line that the CLI dies of
}

// spending counts requests to the API.
type spending struct{ requests int }

func newAgent(o arguments, scripts []*script, stdout, stderr io.Writer) *agent {
	return &agent{
		mcp:       servers{list: down(scripts)},
		arguments: o, scripts: scripts, stderr: stderr, out: newOutput(stdout, o.session),
		states:  os.Getenv("CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS") == "1",
		pending: map[string]waiting{}, arrived: make(chan struct{}, 1),
		input: make(chan struct{}), broken: make(chan error, 1),
	}
}

// live answers messages until stdin ends.
func (a *agent) live(stdin io.Reader) int {
	if a.resumed && !a.out.recorded() && slices.ContainsFunc(a.scripts, func(s *script) bool { return s.model }) {
		return a.noConversation()
	}
	go a.listen(stdin)
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	go a.quitOn(interrupts)
	for {
		messages, ok := a.await()
		if !ok {
			return a.farewell()
		}
		if err := a.turn(messages); err != nil {
			var code exit
			if errors.As(err, &code) {
				return int(code)
			}
			return fail(a.stderr, err)
		}
	}
}

// await waits for messages. Those that queued up during a turn come as one;
// none come for a turn that begins on its own.
func (a *agent) await() ([]message, bool) {
	for {
		a.mu.Lock()
		messages, quitting, woken := a.next(), a.quitting, a.woken
		a.woken = woken && len(messages) > 0
		a.begins = !quitting && (woken || len(messages) > 0 && !messages[0].isCommand())
		a.mu.Unlock()
		if (len(messages) > 0 || woken) && !quitting {
			return messages, true
		}
		if quitting {
			return nil, false
		}
		select {
		case <-a.arrived:
		case err := <-a.broken:
			a.broken <- err
			return nil, false
		case <-a.input:
			a.mu.Lock()
			left := len(a.queue)
			a.mu.Unlock()
			if left == 0 {
				return nil, false
			}
		}
	}
}

func (a *agent) farewell() int {
	a.killJobs()
	select {
	case err := <-a.broken:
		return fail(a.stderr, err)
	default:
	}
	if a.failed && !a.quitting {
		return 1
	}
	return 0
}

// quitOn treats SIGINT as the CLI does: the turn is interrupted and its
// result said; then the process exits. A deaf turn does not hear it.
func (a *agent) quitOn(interrupts <-chan os.Signal) {
	for range interrupts {
		if a.isDeaf() {
			continue
		}
		a.mu.Lock()
		a.quitting = true
		a.mu.Unlock()
		a.withdraw()
		a.cutShort()
		a.nudge()
	}
}

// listen reads stdin. It never waits for anything else.
func (a *agent) listen(stdin io.Reader) {
	defer close(a.input)
	r := bufio.NewReaderSize(stdin, 64<<10)
	for {
		line, err := r.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if err := a.hear(line); err != nil {
				a.broken <- err
				a.cutShort()
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// hear takes in a line; its error is one that the CLI exits on.
func (a *agent) hear(line []byte) error {
	var head struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return fmt.Errorf("Error parsing streaming input line: %s: %w", line, err)
	}
	switch head.Type {
	case "user":
		return a.hearMessage(line)
	case "control_request":
		a.hearRequest(line)
	case "control_response":
		a.hearResponse(line)
	}
	return nil
}

func (a *agent) hearMessage(line []byte) error {
	var m message
	if err := json.Unmarshal(line, &m); err != nil || m.Message == nil {
		return fmt.Errorf("Error parsing streaming input line: %s", line)
	}
	if m.Message.Role != "user" {
		return fmt.Errorf("Error: Expected message role 'user', got '%s'", m.Message.Role)
	}
	if m.UUID == "" {
		m.UUID = beckon.NewUUID()
	}
	a.mu.Lock()
	a.queue = append(a.queue, m)
	a.mu.Unlock()
	a.nudge()
	return nil
}

func (a *agent) nudge() {
	select {
	case a.arrived <- struct{}{}:
	default:
	}
}

// choose takes the script that fits the first message.
func (a *agent) choose(first string) {
	a.script = &script{}
	for _, s := range a.scripts {
		if len(a.scripts) == 1 || s.fits(first, a.resumed) {
			a.script = s
			return
		}
	}
}

// turn plays the next turn of the script.
func (a *agent) turn(messages []message) error {
	if len(messages) == 1 && messages[0].isCommand() {
		a.command(messages[0])
		return nil
	}
	if a.script == nil {
		a.choose(messages[0].text())
	}
	steps := []step{{verb: "text", args: "Done."}}
	switch {
	case a.script.model:
		steps = []step{{verb: "model"}}
	case a.turns < len(a.script.turns):
		steps = a.script.turns[a.turns]
	}
	a.turns++
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	a.mu.Lock()
	a.interrupt, a.begins = cancel, false
	if a.early {
		a.early = false
		cancel()
	}
	a.mu.Unlock()
	defer a.rest()
	t := &turn{agent: a, ctx: ctx, began: time.Now(), unsaid: messages, heard: messages, merged: len(messages) > 1}
	return t.play(steps)
}

func (a *agent) rest() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.interrupt, a.begins, a.deaf = nil, false, false
}

// cutShort interrupts the turn that runs or is about to, if there is one.
func (a *agent) cutShort() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.interrupt != nil {
		a.interrupt()
		return
	}
	a.early = a.begins || len(a.queue) > 0
}

// state announces what the session is at, where that is wanted.
func (a *agent) state(state string) {
	if a.states {
		a.out.system("session_state_changed", "state", state)
	}
}
