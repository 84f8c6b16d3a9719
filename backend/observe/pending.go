package observe

import (
	"cmp"
	"slices"

	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/sessionfile"
)

// call is a call of a tool without a result.
type call struct {
	sessionfile.Call
	at int64
}

// facts are what is known of a session's process.
type facts struct {
	alive    bool
	status   Status
	statusAt int64
	started  int64
}

// The tools that the CLI runs beside each other. Of the others in one message the
// next one is asked for once the first has its result.
var parallel = []string{claude.AskTool, "Read", "Glob", "Grep", "WebFetch", "WebSearch", "Agent", "Task"}

// calls are those without a result in one file, in its order.
type calls struct {
	agent  Agent  // whose file it is
	parent string // the call that started the agent
	open   []call
}

// pending says what a session waits for, by the calls without a result in its
// file and in those of its sub-agents.
//
// A question is open as soon as its call is written, unless the process has said
// since that it is idle. Any other tool may as well be running: only the status
// waiting, which has no name for what it waits for, makes it a permission. An
// older CLI has no status, and nothing is guessed there.
func pending(files []calls, f facts) []Ask {
	asks := []Ask{}
	if !f.alive {
		return asks
	}
	for _, file := range files {
		own := slices.DeleteFunc(slices.Clone(file.open), func(c call) bool {
			return c.at < f.started || slices.ContainsFunc(files, func(of calls) bool { return of.parent == c.ID })
		})
		for i, c := range own {
			kind := kindOf(c.Tool)
			if kind == AskPermission && f.asksFor(own, i) || kind != AskPermission && f.holds(c, kind) {
				asks = append(asks, Ask{ID: c.ID, Kind: kind, Tool: c.Tool, Input: c.Input, Agent: file.agent, At: c.at, MayShow: true})
			}
		}
	}
	asks = f.withoutRunning(asks)
	slices.SortStableFunc(asks, func(a, b Ask) int { return cmp.Compare(a.At, b.At) })
	return asks
}

func kindOf(tool string) AskKind {
	switch tool {
	case claude.AskTool:
		return AskQuestion
	case claude.PlanTool:
		return AskPlan
	default:
		return AskPermission
	}
}

// holds reports whether a question or plan is open.
func (f facts) holds(c call, kind AskKind) bool {
	switch f.status {
	case Waiting, Unknown:
		return true
	case Idle:
		return kind == AskQuestion && f.statusAt < c.at // what is older says nothing of it
	default:
		return kind == AskQuestion
	}
}

// asksFor reports whether a permission can be open for a call: those before it in
// its file must be over unless they run beside it.
func (f facts) asksFor(own []call, i int) bool {
	if f.status != Waiting {
		return false
	}
	return i == 0 || !slices.ContainsFunc(own[:i+1], func(c call) bool { return !slices.Contains(parallel, c.Tool) })
}

// withoutRunning leaves out the permissions of calls that were made after the
// dialog was drawn, where another call explains the dialog.
func (f facts) withoutRunning(asks []Ask) []Ask {
	late := func(a Ask) bool { return a.Kind == AskPermission && a.At > f.statusAt }
	if !slices.ContainsFunc(asks, func(a Ask) bool { return !late(a) }) {
		return asks
	}
	return slices.DeleteFunc(asks, late)
}
