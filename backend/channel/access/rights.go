// Package access says what people away from the desk may do, whatever way they have to
// it: how they are paired, what they may see and answer, what is hidden of it, and how
// often they were refused.
package access

import (
	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
)

// Sees reports whether a question is shown there, whether it may be answered or not.
func Sees(r remote.Rights, q beckon.Question) bool { return q.TaskID != "" || r.Elsewhere }

// MayAnswer reports whether a question may be answered there.
func MayAnswer(r remote.Rights, q beckon.Question) bool {
	switch {
	case !Sees(r, q):
		return false
	case q.Kind == beckon.Permission:
		return r.Commands
	case q.Kind == beckon.Plan:
		return r.Plans
	default:
		return r.Questions
	}
}
