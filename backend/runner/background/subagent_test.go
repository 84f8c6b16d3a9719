package background

import (
	"slices"
	"testing"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
)

const asks = `{"type":"assistant","message":{"role":"assistant","id":"m","content":[` +
	`{"type":"text","text":"I ask."},{"type":"tool_use","id":"toolu_2","name":"mcp__beckon__ask_user","input":{}}]},"parent_tool_use_id":"toolu_1"}`

// TestASubAgentThatAsksIsNamed whichever comes first, its call's line or its
// question.
func TestASubAgentThatAsksIsNamed(t *testing.T) {
	t.Parallel()
	var n SubagentNames
	if calls := n.Calls(claude.NewLine([]byte(asks)), "mcp__beckon"); calls != nil {
		t.Errorf("before there is a sub-agent %v", calls)
	}
	n.Started(claude.System{Task: claude.Task{TaskID: "a1", TaskType: claude.SubAgent, Description: "look for the cause"}, Denial: claude.Denial{ToolUseID: "toolu_1"}})
	n.Started(claude.System{Task: claude.Task{TaskID: "job", Description: "a command"}})
	if n.Of("a1") != "look for the cause" || n.Of("job") != "" {
		t.Errorf("named %q and %q", n.Of("a1"), n.Of("job"))
	}
	if calls := n.Calls(claude.NewLine([]byte(asks)), "mcp__beckon"); !slices.Equal(calls, []SubagentCall{{"toolu_2", "look for the cause"}}) {
		t.Errorf("the call is made by %v", calls)
	}
	if n.Calls(claude.NewLine([]byte(asks)), "mcp__other") != nil {
		t.Error("a call of other tools is named")
	}
	q := beckon.Question{Settlement: beckon.Open, ToolUseID: "toolu_2"}
	if name := n.OfQuestion(q); name != "look for the cause" {
		t.Errorf("the question is by %q", name)
	}
	q.Settlement = beckon.Answered
	if name := n.OfQuestion(q); name != "" {
		t.Errorf("a question that is settled is named %q again", name)
	}
}

func TestASubAgentThatWasNotAnnouncedIsNamedByItsCall(t *testing.T) {
	t.Parallel()
	var n SubagentNames
	n.Started(claude.System{Task: claude.Task{TaskID: "other", TaskType: claude.SubAgent}})
	if calls := n.Calls(claude.NewLine([]byte(asks)), "mcp__beckon"); !slices.Equal(calls, []SubagentCall{{"toolu_2", "toolu_1"}}) {
		t.Errorf("the call is made by %v", calls)
	}
}
