package scripted

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
)

// errEnded ends a turn whose result has been said already.
var errEnded = errors.New("turn ended")

// turn is one turn being played.
type turn struct {
	*agent
	ctx    context.Context // done when interrupted
	began  time.Time
	unsaid []message // taken into the conversation, but not replayed yet
	heard  []message // all of this turn's
	merged bool      // unsaid are several that became one

	speaking string // id of the API message that is being said; empty between them
	block    int    // number of its next content block
	requests int    // to the API, in this turn
	last     string // the latest text
	denials  []object

	mu     sync.Mutex // guards answer: calls may run in parallel
	answer string
}

// play plays steps and says the turn's result.
func (t *turn) play(steps []step) error {
	t.state("running")
	if len(t.heard) == 0 {
		t.tellEnds()
	}
	t.mcp.connect()
	t.init()
	var err error
	for _, s := range steps {
		if err = t.ctx.Err(); err == nil {
			err = t.step(s)
		}
		if err != nil {
			break
		}
	}
	t.echo()
	t.endMessage("end_turn")
	switch {
	case err == nil:
		t.result("success", false, t.last, "completed", "api_error_status", nil)
	case t.ctx.Err() != nil:
		t.aborted(errors.Is(err, errToolAborted))
	case !errors.Is(err, errEnded):
		return err
	}
	if t.idle() {
		t.state("idle")
	}
	return nil
}

func (t *turn) step(s step) error {
	s.args = t.expand(s.args)
	if do := verbs[s.verb]; do != nil {
		if err := do(t, s); err != nil {
			return t.explain(s, err)
		}
		return nil
	}
	c, err := calls[s.verb](t, s)
	if err != nil {
		return t.explain(s, err)
	}
	return t.call([]call{c})
}

// explain names the step that err is about, unless err is a way to end.
func (t *turn) explain(s step, err error) error {
	var code exit
	if errors.As(err, &code) || errors.Is(err, errEnded) || t.ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("%s: step %q: %w", t.script.name, s.verb+" "+s.args, err)
}

// expand fills in a step's variables.
func (t *turn) expand(text string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.NewReplacer("${answer}", t.answer, "${message}", firstText(t.heard), "${images}", pictures(t.heard), "${session}", t.out.session()).Replace(text)
}

func (t *turn) setAnswer(answer string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.answer = answer
}

// argument returns what a word stands for: a file of the archive, or itself.
func (t *turn) argument(word string) (string, error) {
	name, ok := strings.CutPrefix(word, "@")
	if !ok {
		return word, nil
	}
	text, ok := t.script.files[name]
	if !ok {
		return "", fmt.Errorf("no file %q in the archive", name)
	}
	return t.expand(text), nil
}

// takeMessages takes waiting messages into the conversation, as the CLI does at a
// tool boundary.
func (t *turn) takeMessages() {
	t.agent.mu.Lock()
	var later []message
	for _, m := range t.queue {
		if m.Priority == "later" || m.isCommand() {
			later = append(later, m)
			continue
		}
		t.unsaid = append(t.unsaid, m)
		t.heard = append(t.heard, m)
	}
	t.queue = later
	t.agent.mu.Unlock()
}

// echo replays the messages of the turn, just before its first words. Of those
// that were merged the last has the content of all, but not in the record.
func (t *turn) echo() {
	for i, m := range t.unsaid {
		t.begin(m.UUID)
		content := m.Message.Content
		if !t.replay {
			continue
		}
		t.out.record(t.out.userLine(content, m.UUID, "isReplay", true))
		if t.merged && i == len(t.unsaid)-1 {
			content = nil
			for _, each := range t.unsaid {
				content = append(content, each.Message.Content...)
			}
		}
		t.out.raw(t.out.userLine(content, m.UUID, "isReplay", true))
	}
	t.unsaid, t.merged = nil, false
}

func (t *turn) init() {
	model, mode := t.manners()
	dir := workDir()
	t.out.line(object{
		"type", "system", "subtype", "init", "cwd", dir, "session_id", t.out.session(), "tools", t.tools(),
		"mcp_servers", t.mcp.brief(), "model", model, "permissionMode", mode, "slash_commands",
		[]string{"compact"},
		"apiKeySource", "none", "claude_code_version", version, "output_style", "default", "agents",
		[]string{},
		"skills",
		[]string{},
		"plugins",
		[]string{},
		"uuid", beckon.NewUUID(), "fast_mode_state", "off",
	})
}

func (t *turn) tools() []string {
	names := []string{"Bash", "Edit", "Read", "Write"}
	if t.prompts {
		names = append(names, claude.AskTool, claude.PlanTool)
	}
	return append(names, t.mcp.toolNames()...)
}

// sleep waits, unless the turn is interrupted.
func (t *turn) sleep(d time.Duration) error {
	if d == 0 {
		return t.ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-t.ctx.Done():
		return t.ctx.Err()
	}
}

// aborted says what an interrupt leaves behind.
func (t *turn) aborted(inTool bool) {
	marker, reason := "[Request interrupted by user]", "aborted_streaming"
	if inTool {
		marker, reason = "[Request interrupted by user for tool use]", "aborted_tools"
	}
	t.out.user([]object{{"type", "text", "text", marker}}, beckon.NewUUID())
	t.result("error_during_execution", true, "", reason,
		"errors", []string{"[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=null"})
}

// result ends the turn.
func (t *turn) result(subtype string, failed bool, text, reason string, extra ...any) {
	t.spent.requests += t.requests
	t.failed = failed
	model, _ := t.manners()
	used := object{}
	if n := t.spent.requests; n > 0 {
		used = object{model, object{
			"inputTokens", n * tokensIn, "outputTokens", n * tokensOut, "cacheReadInputTokens", 0,
			"cacheCreationInputTokens", 0, "webSearchRequests", 0, "costUSD", float64(n) * costRequest,
			"contextWindow", window(model), "maxOutputTokens", 64000,
		}}
	}
	line := object{"type", "result", "subtype", subtype, "is_error", failed}
	line = append(line, "duration_ms", time.Since(t.began).Milliseconds(), "duration_api_ms", 40*t.spent.requests,
		"num_turns", t.requests)
	if subtype == "success" {
		line = append(line, "result", text)
	}
	line = append(line, "stop_reason", "end_turn", "session_id", t.out.session(),
		"total_cost_usd", float64(t.spent.requests)*costRequest,
		"usage", object{
			"input_tokens", t.requests * tokensIn, "cache_creation_input_tokens", 0, "cache_read_input_tokens", 0,
			"output_tokens", t.requests * tokensOut, "service_tier", "standard",
		},
		"modelUsage", used, "permission_denials", append([]object{}, t.denials...), "terminal_reason", reason,
		"fast_mode_state", "off", "uuid", beckon.NewUUID())
	t.out.line(append(line, extra...))
}
