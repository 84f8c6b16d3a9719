// Package change has the words for what a person changes on cards, on one or on
// many at once, and for taking that back. It has no I/O.
package change

import "beckon/backend/beckon"

// Kind is what a person did to cards.
type Kind string

// The kinds.
const (
	Create   Kind = "create"
	Move     Kind = "move"
	Queue    Kind = "queue"
	Edit     Kind = "edit"
	Label    Kind = "label"
	Priority Kind = "priority"
	Model    Kind = "model"
	Policy   Kind = "policy"
	Executor Kind = "executor"
	Close    Kind = "close"
	Archive  Kind = "archive"
	Restore  Kind = "restore"
	Discard  Kind = "discard"
	Delete   Kind = "delete"
	Merge    Kind = "merge"
	Project  Kind = "project"
	Update   Kind = "update" // its branch took from its base
)

// Kinds lists every kind.
var Kinds = []Kind{Create, Move, Queue, Edit, Label, Priority, Model, Policy, Executor, Close, Archive, Restore, Discard, Delete, Merge, Project, Update}

// To is what putting a card into a column is.
func To(column beckon.Status) Kind {
	switch column {
	case beckon.Queued:
		return Queue
	case beckon.Archived:
		return Archive
	case beckon.Done:
		return Close
	default:
		return Move
	}
}

// Many is one change of several cards. Its Kind says which of the values count:
// those of Move, Queue, Label, Priority, Model, Policy, Executor, Project, Archive and
// Delete.
type Many struct {
	Kind     Kind          `json:"kind"`
	Status   beckon.Status `json:"status"` // of Move
	Add      []string      `json:"add"`    // labels
	Remove   []string      `json:"remove"` // labels
	Priority int           `json:"priority"`
	Model    string        `json:"model"`
	Policy   beckon.Policy `json:"policy"`
	WaitMs   int64         `json:"waitMs"` // 0 keeps what each has
	// Executor is an id, executing.Here, or empty for the project's.
	Executor string `json:"executor"`
	// ProjectID is the project that they go to.
	ProjectID string `json:"projectId"`
}

// Step is a change that can be taken back.
type Step struct {
	Kind Kind  `json:"kind"` // empty: there is none
	At   int64 `json:"at"`
	// Keys and TaskIDs are of its cards.
	Keys    []string `json:"keys"`
	TaskIDs []string `json:"taskIds"`
}

// Add adds a card to the step.
func (s *Step) Add(key, taskID string) {
	s.Keys, s.TaskIDs = append(s.Keys, key), append(s.TaskIDs, taskID)
}

// New returns a step without cards.
func New(kind Kind, at int64) Step {
	return Step{Kind: kind, At: at, Keys: []string{}, TaskIDs: []string{}}
}

// Result is what came of a change of several cards, or of taking one back.
type Result struct {
	Step    Step      `json:"step"` // with the cards that it came true for
	Refused []Refusal `json:"refused"`
}

// Of returns the result of a change that came true for no card yet.
func Of(kind Kind, at int64) Result { return Result{Step: New(kind, at), Refused: []Refusal{}} }

// Add adds what came of a card.
func (r *Result) Add(key, taskID string, err error) {
	if err != nil {
		r.Refused = append(r.Refused, Refusal{Key: key, Why: beckon.FailureOf(err)})
		return
	}
	r.Step.Add(key, taskID)
}

// Refusal says why a card stayed as it was.
type Refusal struct {
	Key string         `json:"key"`
	Why beckon.Failure `json:"why"`
}
