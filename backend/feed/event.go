package feed

import "beckon/backend/beckon"

// eventWeight is what an event weighs, in bytes, beside its long texts.
const eventWeight = 512

// scope returns the task that a client must watch to be sent e, and whether
// it must watch one at all.
func scope(e beckon.Event) (task string, scoped bool) {
	switch {
	case e.Entry != nil, e.Live != nil:
		return e.TaskID, true
	default:
		return e.Reload, e.Reload != ""
	}
}

// sizeOf estimates how many bytes e keeps alive.
func sizeOf(e beckon.Event) int {
	switch {
	case e.Task != nil:
		return eventWeight + len(e.Task.Title) + len(e.Task.Brief)
	case e.Run != nil:
		return eventWeight + len(e.Run.Detail) + len(e.Run.Activity.Target)
	case e.Session != nil:
		return eventWeight + len(e.Session.LastText)
	case e.Question != nil:
		return eventWeight + questionSize(e.Question)
	case e.Live != nil:
		return eventWeight + len(e.Live.Text)
	case e.Entry != nil:
		return eventWeight + entrySize(e.Entry)
	default:
		return eventWeight
	}
}

func questionSize(q *beckon.Question) int {
	size := len(q.Plan)
	for _, item := range q.Items {
		size += len(item.Text)
		for _, o := range item.Options {
			size += len(o.Label) + len(o.Description) + len(o.Preview)
		}
	}
	if p := q.Permission; p != nil {
		size += len(p.Command) + len(p.Diff) + len(p.Input)
	}
	return size
}

func entrySize(e *beckon.Entry) int {
	size := len(e.Text)
	if t := e.Tool; t != nil {
		size += len(t.Input) + len(t.Diff) + len(t.Result)
	}
	return size
}
