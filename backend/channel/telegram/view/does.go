package view

import (
	"strings"

	"beckon/backend/beckon"
)

// Does says what an agent of a kind does to what; empty for nothing that there is a word
// for.
func (w Words) Does(kind string, verb beckon.Verb, target string) string {
	format := map[beckon.Verb]string{
		beckon.Thinking: w.DoesThinking, beckon.Writing: w.DoesWriting, beckon.Reading: w.DoesReading, beckon.Editing: w.DoesEditing,
		beckon.Executing: w.DoesExecuting, beckon.Searching: w.DoesSearching, beckon.Fetching: w.DoesFetching, beckon.Planning: w.DoesPlanning,
		beckon.AskingYou: w.DoesAsking, beckon.Delegates: w.DoesDelegating, beckon.Using: w.DoesUsing, beckon.Waiting: w.DoesWaiting,
		beckon.Background: w.DoesBackground,
	}[verb]
	if verb == beckon.Waiting {
		target = beckon.AgentSays(kind)
	}
	if strings.Contains(format, "%s") {
		return say(format, target)
	}
	return format
}
