// Package request says what a control request of claude's asks for, as a
// question that a person can answer, and what the settled question means to
// claude, on the wire or in words.
//
// All of it is pure: nothing here waits, remembers or writes. It knows neither
// runs nor who answers.
package request

import (
	"encoding/json"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
)

// Question returns what a request asks. Who asks, and what happens when nobody
// answers, is left to the caller.
func Question(req claude.Request) beckon.Question {
	q := beckon.Question{ToolUseID: req.ToolUseID, Items: []beckon.QuestionItem{}}
	if req.Subtype == claude.Elicitation {
		q.Kind, q.Form, q.Origin = beckon.Elicitation, string(req.Schema), req.Server
		_ = json.Unmarshal(req.Message, &q.Message) // one that is no text is not shown
		return q
	}
	switch req.ToolName {
	case claude.AskTool:
		ask, err := claude.DecodeAsk(req.Input)
		if err != nil {
			break // shown as a permission, with what it holds
		}
		q.Kind, q.Items = beckon.Ask, itemsOf(ask)
		return q
	case claude.PlanTool:
		plan, err := claude.DecodePlan(req.Input)
		if err != nil {
			break
		}
		q.Kind, q.Plan = beckon.Plan, plan.Plan
		return q
	}
	q.Kind, q.Permission = beckon.Permission, describePermission(req)
	return q
}

func itemsOf(ask claude.AskInput) []beckon.QuestionItem {
	items := make([]beckon.QuestionItem, 0, len(ask.Questions))
	for _, item := range ask.Questions {
		items = append(items, itemOf(item))
	}
	return items
}

func itemOf(item claude.AskQuestion) beckon.QuestionItem {
	options := make([]beckon.Option, 0, len(item.Options))
	for _, o := range item.Options {
		options = append(options, beckon.Option{Label: o.Label, Description: o.Description, Preview: o.Preview})
	}
	return beckon.QuestionItem{Header: item.Header, Text: item.Question, Options: options, Multiple: item.MultiSelect}
}
