package beckon

import "beckon/backend/beckon/reason"

// This file has the words for where a task's agent works, and for what it leaves
// there.

// Work is what the agent of a run left, once it is saved.
type Work struct {
	Changes Changes        // what the task's branch has against its base
	Trouble *reason.Reason // what hindered the saving, for the card
	Setback Setback        // why the task resumes on its own
	Resets  int64          // when the limit does that it met, in Unix milliseconds
}

// WorkFolder is where the agent of a task run works.
type WorkFolder struct {
	Task Task // as it is with the folder
	Dir  string
	// Lacks names what is missing in it, by the notice that says so, where the folder was made
	// just then.
	Lacks map[string][]string
	// Private says that Beckon's settings for claude may be written there: the
	// repository tracks none of its own, and git ignores them.
	Private bool
}
