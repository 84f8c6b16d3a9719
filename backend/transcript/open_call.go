package transcript

import (
	"slices"

	"beckon/backend/beckon"
)

// newest is how many entries OpenCall looks at. What came after an older call broke its
// silence.
const newest = 64

// OpenCall returns the newest tool call of the turn that a log ends with which has no result
// yet, false where none has.
func OpenCall(l *Log) (beckon.Activity, bool, error) {
	span, err := Around(l, -1, newest, 0)
	if err != nil {
		return beckon.Activity{}, false, err
	}
	for _, e := range slices.Backward(span.Entries) {
		switch {
		case e.Kind == beckon.TurnEntry:
			return beckon.Activity{}, false, nil
		case e.Kind == beckon.ToolEntry && e.Tool != nil && !e.Tool.Done:
			return beckon.Activity{Verb: e.Tool.Verb, Target: e.Tool.Target, Since: e.At}, true, nil
		}
	}
	return beckon.Activity{}, false, nil
}
