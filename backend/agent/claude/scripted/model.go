package scripted

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
)

// noConversation ends a process that is to resume a session without a record. It returns
// the exit code.
func (a *agent) noConversation() int {
	text := "No conversation found with session ID: " + a.session
	a.out.line(object{
		"type", "result", "subtype", "error_during_execution", "is_error", true, "num_turns", 0,
		"session_id", a.out.session(), "errors",
		[]string{text},
		"uuid", beckon.NewUUID(),
	})
	return fail(a.stderr, fmt.Errorf("%s", text))
}

// model says and does what the Messages API answers, until that calls no tool.
func model(t *turn, _ step) error {
	for {
		answer, err := t.askModel()
		if err != nil {
			return err
		}
		var list []call
		for _, b := range answer {
			switch b.Type {
			case claude.TextBlock:
				err = t.say(b.Type, string(b.Text))
			case claude.ThinkingBlock:
				err = t.say(b.Type, string(b.Thinking))
			case claude.ToolUseBlock:
				var c call
				c, err = t.modelCall(b.Name, b.Input)
				list = append(list, c)
			}
			if err != nil {
				return err
			}
		}
		if len(list) == 0 {
			return nil
		}
		if err := t.call(list); err != nil {
			return err
		}
	}
}

// askModel sends the conversation, with what this turn was told, and returns the answer.
// Each request has a connection of its own, so that none is sent to a peer that is gone.
func (t *turn) askModel() (claude.Content, error) {
	said, err := t.out.conversation()
	if err != nil {
		return nil, err
	}
	for _, m := range t.unsaid {
		said = joined(said, speech{"user", m.Message.Content})
	}
	name, _ := t.manners()
	tools := []object{}
	for _, tool := range t.tools() {
		tools = append(tools, object{"name", tool, "input_schema", object{"type", "object"}})
	}
	body := encode(object{"model", name, "max_tokens", 32000, "messages", said, "tools", tools})
	request, err := http.NewRequestWithContext(t.ctx, http.MethodPost, os.Getenv("ANTHROPIC_BASE_URL")+"/v1/messages", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Close = true
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Anthropic-Version", "2023-06-01")
	request.Header.Set("X-Api-Key", os.Getenv("ANTHROPIC_API_KEY"))
	request.Header.Set("X-Claude-Code-Session-Id", t.out.session())
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the Messages API: %s", reply.Status)
	}
	var answer struct {
		Content claude.Content `json:"content"`
	}
	err = json.NewDecoder(reply.Body).Decode(&answer)
	return answer.Content, err
}

// modelCall returns the call that the model wants to be made.
func (t *turn) modelCall(name string, input json.RawMessage) (call, error) {
	if tool, ok := strings.CutPrefix(name, "mcp__"); ok {
		_, tool, _ = strings.Cut(tool, "__")
		return mcpCall(t, step{args: tool + " " + string(input)})
	}
	switch name {
	case claude.AskTool:
		return askCall(t, step{args: string(input)})
	case "Bash", "Edit", "Read", "Write":
		return t.tool(name, input)
	}
	return call{}, fmt.Errorf("the model calls %s", name)
}
