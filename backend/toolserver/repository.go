package toolserver

import (
	"context"
	_ "embed"
	"fmt"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// This file has the tool by which an agent gets a worktree of a further repository of its
// project. It is offered to the runs of tasks only that have such repositories.

//go:embed repository.json
var repositorySchema []byte

// OpenRepositoryTool is the tool's name, without what an agent has before it.
const OpenRepositoryTool = "open_repository"

func repositoryTool() mcp.Tool {
	tool := mcp.NewToolWithRawSchema(OpenRepositoryTool, "Open another repository of this project: makes a worktree of it for your task, on a branch of its own, "+
		"and returns its folder. Call it before you first need a file there. Called again it returns the same folder.", repositorySchema)
	tool.Meta = inThePrompt()
	tool.Title = "Open a repository"
	tool.Annotations = mcp.ToolAnnotation{
		Title:           tool.Title,
		ReadOnlyHint:    mcp.ToBoolPtr(false),
		DestructiveHint: mcp.ToBoolPtr(false),
		IdempotentHint:  mcp.ToBoolPtr(true),
		OpenWorldHint:   mcp.ToBoolPtr(false),
	}
	return tool
}

// offered hides the tool from callers whose project has no further repository to open.
func (s *Server) offered() server.ServerOption {
	return server.WithToolFilter(func(ctx context.Context, tools []mcp.Tool) []mcp.Tool {
		c, _ := ctx.Value(callKey{}).(*call)
		if c != nil && s.desk.HasRepositories != nil && s.desk.HasRepositories(ctx, c.caller.RunID) {
			return tools
		}
		return slices.DeleteFunc(slices.Clone(tools), func(t mcp.Tool) bool { return t.Name == OpenRepositoryTool })
	})
}

// openRepository opens a repository for the caller's own task.
func (s *Server) openRepository(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args struct {
		Name string `json:"name"`
	}
	if err := req.BindArguments(&args); err != nil {
		return mcp.NewToolResultError(OpenRepositoryTool + ": the arguments do not fit the schema: " + err.Error()), nil
	}
	dir, err := s.desk.OpenRepository(ctx, callOf(ctx).caller.RunID, args.Name)
	if err != nil {
		return mcp.NewToolResultError(fmt.Sprintf("%s: not opened: %v", OpenRepositoryTool, err)), nil
	}
	return mcp.NewToolResultText(dir), nil
}
