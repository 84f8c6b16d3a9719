// Package rights says what may be seen and answered away from the desk, of whatever
// way people have to it.
package rights

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
