package background

import (
	"testing"

	"beckon/backend/agent"
	"beckon/backend/beckon"
)

// TestASubAgentThatAsksIsNamed whichever comes first, its call's line or its
// question.
func TestASubAgentThatAsksIsNamed(t *testing.T) {
	t.Parallel()
	var n SubagentNames
	n.Started(agent.SubAgentBegan{ID: "a1", CallID: "toolu_1", Name: "look for the cause"})
	if n.Of("a1") != "look for the cause" || n.Of("job") != "" {
		t.Errorf("named %q and %q", n.Of("a1"), n.Of("job"))
	}
	if name := n.Called(agent.SubAgentCalled{CallID: "toolu_2", By: "toolu_1"}); name != "look for the cause" {
		t.Errorf("the call is made by %q", name)
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
	n.Started(agent.SubAgentBegan{ID: "other"})
	if name := n.Called(agent.SubAgentCalled{CallID: "toolu_2", By: "toolu_1"}); name != "toolu_1" {
		t.Errorf("the call is made by %q", name)
	}
}
