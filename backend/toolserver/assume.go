package toolserver

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"beckon/backend/beckon"

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

// recordAssumption notes on a question of the caller's own, which nobody
// answered, what the agent goes on with.
func (s *Server) recordAssumption(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args assumeArgs
	if err := req.BindArguments(&args); err != nil {
		return mcp.NewToolResultError("record_assumption: the arguments do not fit the schema: " + err.Error()), nil
	}
	if err := args.check(); err != nil {
		return mcp.NewToolResultError("record_assumption: " + err.Error()), nil
	}
	q, err := s.desk.Assume(ctx, callOf(ctx).caller.RunID, args.Question, args.Assumption)
	if errors.Is(err, beckon.ErrNotFound) {
		return mcp.NewToolResultError("record_assumption: you asked nothing that is without an answer, so there is nothing to assume"), nil
	}
	if err != nil {
		return mcp.NewToolResultError("record_assumption: not recorded: " + err.Error()), nil
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
