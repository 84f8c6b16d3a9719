package toolserver

import (
	"context"
	_ "embed"

	"beckon/backend/answer"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"

	"github.com/mark3labs/mcp-go/mcp"
)

// ToolUseID is where, in a call's _meta, Claude's client says which tool call
// of the conversation it carries out. Two calls of one id are one question.
const ToolUseID = "claudecode/toolUseId"

// errStopped is why a question is closed whose caller cancelled the call,
// or closed the connection and did not come back.
var errStopped = reason.Of(reason.AgentStopped).Err()

//go:embed ask.json
var askSchema []byte

func askUserTool() mcp.Tool {
	tool := mcp.NewToolWithRawSchema("ask_user", whenToAsk, askSchema)
	tool.Meta = inThePrompt()
	tool.Title = "Ask the user"
	tool.Annotations = mcp.ToolAnnotation{
		Title:           tool.Title,
		ReadOnlyHint:    mcp.ToBoolPtr(true), // asking changes nothing
		DestructiveHint: mcp.ToBoolPtr(false),
		IdempotentHint:  mcp.ToBoolPtr(false),
		OpenWorldHint:   mcp.ToBoolPtr(false),
	}
	return tool
}

// inThePrompt has Claude show a tool to the model in every turn. Without it the
// tool is found by a search only, by an agent that already thinks of asking.
func inThePrompt() *mcp.Meta {
	return &mcp.Meta{AdditionalFields: map[string]any{"anthropic/alwaysLoad": true}}
}

// askUser blocks until the question is settled. What the model did wrong comes
// back as a tool error that tells it how to do it right.
func (s *Server) askUser(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args askArgs
	if err := req.BindArguments(&args); err != nil {
		return mcp.NewToolResultError("ask_user: the arguments do not fit the schema: " + err.Error()), nil
	}
	items, err := args.items()
	if err != nil {
		return mcp.NewToolResultError("ask_user: " + err.Error()), nil
	}
	at := callOf(ctx)
	release := at.keepAlive(progressToken(req.Params.Meta), s.beat)
	defer release()
	a, first := at.caller.join(keyOf(req.Params.Meta, items))
	s.waitOn(at, a)
	// The connection does not end ctx: what does is the client's cancellation.
	defer context.AfterFunc(ctx, func() { a.close(errStopped) })()
	if first {
		q := newQuestion(at.caller.Caller, req.Params.Meta, items)
		at.caller.settle(a, func(ctx context.Context) (beckon.Question, error) { return s.desk.Ask(ctx, q) })
	}
	select {
	case <-a.settled:
	case <-at.conn.Done():
		return nil, errStopped // which nobody reads
	}
	if a.err != nil {
		return mcp.NewToolResultError("ask_user: not answered: " + a.err.Error()), nil
	}
	return result(answer.AsAsked(a.question, items)), nil
}

func newQuestion(c Caller, meta *mcp.Meta, items []beckon.QuestionItem) beckon.Question {
	return beckon.Question{
		TaskID:    c.TaskID,
		RunID:     c.RunID,
		Kind:      beckon.Ask,
		ToolUseID: toolUse(meta),
		Agent:     c.Agent,
		Origin:    c.Origin,
		Items:     items,
		Policy:    c.Policy,
		WaitMs:    c.WaitMs,
	}
}

func toolUse(meta *mcp.Meta) string {
	if meta == nil {
		return ""
	}
	id, _ := meta.AdditionalFields[ToolUseID].(string)
	return id
}

func progressToken(meta *mcp.Meta) mcp.ProgressToken {
	if meta == nil {
		return nil
	}
	return meta.ProgressToken
}

// answers is the structuredContent of a result.
type answers struct {
	Answers []itemAnswer `json:"answers"`
}

// itemAnswer is what the user said to one question.
type itemAnswer struct {
	Question string   `json:"question"`
	Labels   []string `json:"labels"`
	IDs      []string `json:"ids"`
	Other    string   `json:"other"`
}

// result is what the model reads. An expiry is no error: the agent goes on.
func result(q beckon.Question) *mcp.CallToolResult {
	if q.Settlement != beckon.Answered || q.Answer == nil {
		return mcp.NewToolResultText(q.Reason.String())
	}
	if q.Answer.Verdict == beckon.Skip {
		return mcp.NewToolResultText(answer.Text(q))
	}
	all := make([]itemAnswer, 0, len(q.Items))
	for i, item := range q.Items[:min(len(q.Items), len(q.Answer.Items))] {
		a := q.Answer.Items[i]
		all = append(all, itemAnswer{
			Question: item.Text,
			Labels:   append([]string{}, a.Labels...),
			IDs:      answer.IDs(item, a),
			Other:    a.Other,
		})
	}
	return mcp.NewToolResultStructured(answers{all}, answer.Text(q))
}
