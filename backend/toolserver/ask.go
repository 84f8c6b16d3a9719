package toolserver

import (
	"context"
	_ "embed"
	"errors"

	"beckon/backend/beckon"

	"github.com/mark3labs/mcp-go/mcp"
)

// toolUseID is where Claude's client says which tool call of the conversation
// it carries out.
const toolUseID = "claudecode/toolUseId"

// errStopped is why a question is withdrawn whose caller cancelled the call or
// closed the connection.
var errStopped = errors.New("the agent stopped waiting")

//go:embed ask.json
var askSchema []byte

func askUserTool() mcp.Tool {
	tool := mcp.NewToolWithRawSchema("ask_user", whenToAsk, askSchema)
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
	q := newQuestion(at.caller.Caller, req.Params.Meta, items)
	release := at.out.hold(progressToken(req.Params.Meta), s.beat)
	defer release()
	ctx, cancel := untilGone(ctx, at.caller)
	defer cancel()
	q, err = s.ask(ctx, q)
	if err != nil {
		return mcp.NewToolResultError("ask_user: not answered: " + err.Error()), nil
	}
	return result(q), nil
}

// untilGone returns a context that ends, with a cause for people to read, when
// the call is cancelled, its connection breaks, or its caller is dismissed.
func untilGone(ctx context.Context, c *caller) (context.Context, context.CancelFunc) {
	waiting, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stopCall := context.AfterFunc(ctx, func() { cancel(errStopped) })
	stopRun := context.AfterFunc(c.ctx, func() { cancel(context.Cause(c.ctx)) })
	return waiting, func() {
		stopCall()
		stopRun()
		cancel(nil)
	}
}

func newQuestion(c Caller, meta *mcp.Meta, items []beckon.QuestionItem) beckon.Question {
	q := beckon.Question{
		TaskID: c.TaskID,
		RunID:  c.RunID,
		Kind:   beckon.Ask,
		Agent:  c.Agent,
		Items:  items,
		Policy: c.Policy,
		WaitMs: c.WaitMs,
	}
	if meta != nil {
		q.ToolUseID, _ = meta.AdditionalFields[toolUseID].(string)
	}
	return q
}

func progressToken(meta *mcp.Meta) mcp.ProgressToken {
	if meta == nil {
		return nil
	}
	return meta.ProgressToken
}

// answers is the structuredContent of a result.
type answers struct {
	Answers []answer `json:"answers"`
}

// answer is what the user said to one question.
type answer struct {
	Question string   `json:"question"`
	Labels   []string `json:"labels"`
	IDs      []string `json:"ids"`
	Other    string   `json:"other"`
}

// result is what the model reads. An expiry is no error: the agent goes on.
func result(q beckon.Question) *mcp.CallToolResult {
	if q.Settlement != beckon.Answered || q.Answer == nil {
		return mcp.NewToolResultText(q.Reason)
	}
	all := make([]answer, 0, len(q.Items))
	for i, item := range q.Items[:min(len(q.Items), len(q.Answer.Items))] {
		a := q.Answer.Items[i]
		all = append(all, answer{
			Question: item.Text,
			Labels:   append([]string{}, a.Labels...),
			IDs:      item.IDs(a),
			Other:    a.Other,
		})
	}
	return mcp.NewToolResultStructured(answers{all}, q.AnswerText())
}
