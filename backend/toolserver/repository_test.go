package toolserver

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"beckon/backend/beckon"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

// TestARepositoryIsOpenedForTheOwnTaskOnly: the tool is there for runs whose project has
// further repositories, and opens one for the run that calls.
func TestARepositoryIsOpenedForTheOwnTaskOnly(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, mine := h.admit(t)
	other, _ := h.admit(t)
	h.withRepository(mine)
	for name, c := range map[string]struct {
		client *client.Client
		offers bool
	}{"mine": {h.connect(t, token), true}, "other": {h.connect(t, other), false}} {
		list, err := c.client.ListTools(t.Context(), mcp.ListToolsRequest{})
		must(t, err)
		if has := slices.ContainsFunc(list.Tools, func(tool mcp.Tool) bool { return tool.Name == OpenRepositoryTool }); has != c.offers {
			t.Errorf("%s: the tool is offered: %t", name, has)
		}
		result, err := c.client.CallTool(t.Context(), mcp.CallToolRequest{Params: mcp.CallToolParams{Name: OpenRepositoryTool, Arguments: map[string]any{"name": "dash"}}})
		if !c.offers {
			if err == nil {
				t.Errorf("%s: opened %+v", name, result)
			}
			continue
		}
		must(t, err)
		if text := (called{result, nil}).text(t); result.IsError || text != "/trees/"+mine+"/dash" {
			t.Errorf("%s: the agent reads %q", name, text)
		}
		result, err = c.client.CallTool(t.Context(), mcp.CallToolRequest{Params: mcp.CallToolParams{Name: OpenRepositoryTool, Arguments: map[string]any{"name": "../etc"}}})
		must(t, err)
		if !result.IsError {
			t.Errorf("%s: opened %+v", name, result)
		}
	}
}

// withRepository has the project of one run have a further repository, dash.
func (h *house) withRepository(runID string) {
	h.Server.desk.HasRepositories = func(_ context.Context, id string) bool { return id == runID }
	h.Server.desk.OpenRepository = func(_ context.Context, id, name string) (string, error) {
		if name != "dash" {
			return "", fmt.Errorf("there is no repository %q: %w", name, beckon.ErrNotFound)
		}
		return "/trees/" + id + "/dash", nil
	}
}
