package scripted

import (
	"context"
	"encoding/json"
	"strings"
)

// elicitServer is the MCP server that asks by forms.
const elicitServer = "forms"

// elicitCall is a tool of an MCP server that asks the user to fill in a form.
func elicitCall(t *turn, s step) (call, error) {
	args, err := t.operands(s.args, 2)
	if err != nil {
		return call{}, err
	}
	return call{"mcp__" + elicitServer + "__fill", encode(object{}), func(ctx context.Context, _ string) outcome {
		line, err := t.request(ctx, object{
			"subtype", "elicitation", "mcp_server_name", elicitServer, "message", args[0],
			"mode", "form", "requested_schema", json.RawMessage(args[1]),
		})
		if err != nil {
			return rejected()
		}
		var reply struct {
			Response struct {
				Response struct {
					Action  string          `json:"action"`
					Content json.RawMessage `json:"content"`
				} `json:"response"`
			} `json:"response"`
		}
		if err := json.Unmarshal(line, &reply); err != nil {
			return failure(err.Error())
		}
		answer := strings.TrimSpace(reply.Response.Response.Action + " " + string(reply.Response.Response.Content))
		t.setAnswer(answer)
		return outcome{content: answer}
	}}, nil
}
