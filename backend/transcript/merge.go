package transcript

import "beckon/backend/beckon"

// Merge joins two values of the entry with one ID: a, and b, which came to be
// known later. A client that holds entries of several pages, or of a page
// and the live stream, does the same: the entry stays where it began, a result goes
// to its call, and a message is not replaced by its echo.
func Merge(a, b beckon.Entry) beckon.Entry {
	if a.Pos > b.Pos {
		a, b = b, a
	}
	if a.Tool == nil || b.Tool == nil {
		return sameOrFirst(a, b)
	}
	switch {
	case b.Tool.Orphan:
		return answered(a, b)
	case a.Tool.Orphan:
		return answered(b, a)
	case a.Tool.Done && !b.Tool.Done:
		return a
	case a.Tool.Input == "" && b.Tool.Input != "":
		return calledWith(a, *b.Tool)
	default:
		return sameOrFirst(a, b)
	}
}

// sameOrFirst is the newer value of one thing, and the first of two.
func sameOrFirst(a, b beckon.Entry) beckon.Entry {
	if a.Pos == b.Pos {
		return b
	}
	return a
}

// calledWith is a call with its input, which was not known when it began.
func calledWith(call beckon.Entry, t beckon.ToolCall) beckon.Entry {
	t.Done, t.Failed, t.Result, t.Cut = call.Tool.Done, call.Tool.Failed, call.Tool.Result, call.Tool.Cut
	if t.Name == "tool" {
		t.Name = call.Tool.Name
	}
	call.Tool = &t
	return call
}

// answered is call with a result. The diff of the result is the true one; what
// failed changed nothing.
func answered(call, from beckon.Entry) beckon.Entry {
	t, result := *call.Tool, from.Tool
	t.Done, t.Failed, t.Result, t.Cut = result.Done, result.Failed, result.Result, result.Cut
	if result.Failed || result.Diff != "" {
		t.Diff, t.Added, t.Removed = result.Diff, result.Added, result.Removed
	}
	call.Tool, call.Pictures = &t, from.Pictures
	return call
}
