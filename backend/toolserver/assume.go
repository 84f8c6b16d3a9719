package toolserver

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"

	"github.com/mark3labs/mcp-go/mcp"
)

//go:embed assume.json
var assumeSchema []byte

func assumeTool() mcp.Tool {
	tool := mcp.NewToolWithRawSchema("record_assumption", whenToAssume, assumeSchema)
	tool.Meta = inThePrompt()
	tool.Title = "Record an assumption"
	tool.Annotations = mcp.ToolAnnotation{
		Title:           tool.Title,
		ReadOnlyHint:    mcp.ToBoolPtr(true), // a note changes nothing that agents work on
		DestructiveHint: mcp.ToBoolPtr(false),
		IdempotentHint:  mcp.ToBoolPtr(true),
		OpenWorldHint:   mcp.ToBoolPtr(false),
	}
	return tool
}

type assumeArgs struct {
	Question   string `json:"question"`
	Assumption string `json:"assumption"`
}

func (a assumeArgs) check() error {
	switch {
	case strings.TrimSpace(a.Assumption) == "":
		return errors.New("`assumption` is empty: write what you take for granted")
	case len(a.Assumption) > beckon.MaxQuestionText:
		return fmt.Errorf("`assumption` has %d bytes, and %d are the most: one sentence is enough", len(a.Assumption), beckon.MaxQuestionText)
	case len(a.Question) > beckon.MaxQuestionText:
		return fmt.Errorf("`question` has %d bytes, and %d are the most", len(a.Question), beckon.MaxQuestionText)
	}
	return nil
}

// recordAssumption notes what the agent goes on with: on a question of the caller's own
// that nobody answered, or as a decision of its own that it asked nobody about.
func (s *Server) recordAssumption(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args assumeArgs
	if err := req.BindArguments(&args); err != nil {
		return mcp.NewToolResultError("record_assumption: the arguments do not fit the schema: " + err.Error()), nil
	}
	if err := args.check(); err != nil {
		return mcp.NewToolResultError("record_assumption: " + err.Error()), nil
	}
	q := newQuestion(callOf(ctx).caller.Caller, req.Params.Meta, []beckon.QuestionItem{{Text: args.Question, Options: []beckon.Option{}}})
	q.Assumption = args.Assumption
	q, err := s.desk.Assume(ctx, q)
	if errors.Is(err, beckon.ErrNotFound) {
		said := "record_assumption: you asked nothing that is without an answer, so there is nothing to assume"
		if q.TaskID != "" {
			said += "; to record what you decided without asking, name in `question` what you decided"
		}
		return mcp.NewToolResultError(said), nil
	}
	if err != nil {
		return mcp.NewToolResultError("record_assumption: not recorded: " + err.Error()), nil
	}
	if q.Reason.Is(reason.NotAsked) {
		return mcp.NewToolResultText(fmt.Sprintf("Recorded as decided without asking, %q: %s", asked(q), q.Assumption)), nil
	}
	return mcp.NewToolResultText(fmt.Sprintf("Recorded with your question %q: %s", asked(q), q.Assumption)), nil
}

// asked is a question's text, of several the first one's.
func asked(q beckon.Question) string {
	if len(q.Items) == 0 {
		return ""
	}
	return q.Items[0].Text
}
