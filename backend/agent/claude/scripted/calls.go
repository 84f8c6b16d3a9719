package scripted

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"beckon/backend/beckon"
)

// errToolAborted is an interrupt that came while a tool ran.
var errToolAborted = errors.New("interrupted in a tool")

// call is a tool call that is about to be made.
type call struct {
	name  string
	input json.RawMessage
	do    func(ctx context.Context, id string) outcome
}

// outcome is what a tool gives back.
type outcome struct {
	content any // a string or blocks
	detail  any // tool_use_result
	failed  bool
	ended   bool // the turn is over: the host denied and interrupted
}

func failure(text string) outcome {
	return outcome{content: text, detail: "Error: " + text, failed: true}
}

// calls makes the call of a step that is one.
var calls = map[string]func(*turn, step) (call, error){
	"read":       readCall,
	"write":      writeCall,
	"edit":       editCall,
	"run":        runCall,
	"ask":        askCall,
	"permit":     permitCall,
	"plan":       planCall,
	"elicit":     elicitCall,
	"ask_user":   askUserCall,
	"mcp":        mcpCall,
	"background": backgroundCall,
}

// call makes calls of which all are under way before the first result.
func (t *turn) call(list []call) error {
	ids := make([]string, len(list))
	for i, c := range list {
		ids[i] = "toolu_" + strings.ReplaceAll(beckon.NewUUID(), "-", "")[:24]
		t.toolUse(ids[i], c.name, c.input)
	}
	t.endMessage("tool_use")
	type done struct {
		i int
		outcome
	}
	results := make(chan done)
	for i, c := range list {
		go func() { results <- done{i, c.do(t.ctx, ids[i])} }()
	}
	ended := false
	for range list {
		r := <-results
		if t.ctx.Err() != nil || r.ended {
			r.outcome = rejected()
		}
		ended = ended || r.ended
		t.toolResult(ids[r.i], r.outcome)
	}
	if ended {
		t.cutShort()
	}
	if t.ctx.Err() != nil {
		return fmt.Errorf("%w: %w", errToolAborted, t.ctx.Err())
	}
	t.takeMessages()
	t.echo()
	return nil
}

func rejected() outcome {
	return outcome{
		content: "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, " +
			"the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.",
		detail: "User rejected tool use", failed: true, ended: true,
	}
}

func (t *turn) toolResult(id string, r outcome) {
	block := object{"tool_use_id", id, "type", "tool_result", "content", r.content}
	if r.failed {
		block = append(block, "is_error", true)
	}
	t.out.user([]object{block}, beckon.NewUUID(), "tool_use_result", r.detail)
}

// parallel makes all the calls of its inner steps at once.
func parallel(t *turn, s step) error {
	var list []call
	for _, inner := range s.inner {
		prepare := calls[inner.verb]
		if prepare == nil {
			return fmt.Errorf("%q is no call", inner.verb)
		}
		inner.args = t.expand(inner.args)
		c, err := prepare(t, inner)
		if err != nil {
			return err
		}
		list = append(list, c)
	}
	return t.call(list)
}
