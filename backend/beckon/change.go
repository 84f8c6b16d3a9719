package beckon

// This file has the words for what a person changes on cards, on one or on
// many at once, and for taking that back.

// ChangeKind is what a person did to cards.
type ChangeKind string

// The kinds.
const (
	ChangeCreate   ChangeKind = "create"
	ChangeMove     ChangeKind = "move"
	ChangeQueue    ChangeKind = "queue"
	ChangeEdit     ChangeKind = "edit"
	ChangeLabel    ChangeKind = "label"
	ChangePriority ChangeKind = "priority"
	ChangeModel    ChangeKind = "model"
	ChangePolicy   ChangeKind = "policy"
	ChangeAgent    ChangeKind = "agent"
	ChangeExecutor ChangeKind = "executor"
	ChangeClose    ChangeKind = "close"
	ChangeArchive  ChangeKind = "archive"
	ChangeRestore  ChangeKind = "restore"
	ChangeDiscard  ChangeKind = "discard"
	ChangeDelete   ChangeKind = "delete"
	ChangeMerge    ChangeKind = "merge"
	ChangeProject  ChangeKind = "project"
	ChangeUpdate   ChangeKind = "update" // its branch took from its base
)

// ChangeKinds lists every kind.
var ChangeKinds = []ChangeKind{
	ChangeCreate, ChangeMove, ChangeQueue, ChangeEdit, ChangeLabel, ChangePriority, ChangeModel, ChangePolicy, ChangeAgent,
	ChangeExecutor, ChangeClose, ChangeArchive, ChangeRestore, ChangeDiscard, ChangeDelete, ChangeMerge, ChangeProject, ChangeUpdate,
}

// ChangeTo is what putting a card into a column is.
func ChangeTo(column Status) ChangeKind {
	switch column {
	case Queued:
		return ChangeQueue
	case Archived:
		return ChangeArchive
	case Done:
		return ChangeClose
	default:
		return ChangeMove
	}
}

// ManyChange is one change of several cards. Its Kind says which of the values count:
// those of Move, Queue, Label, Priority, Model, Policy, Agent, Executor, Project, Archive
// and Delete.
type ManyChange struct {
	Kind     ChangeKind `json:"kind"`
	Status   Status     `json:"status"` // of Move
	Add      []string   `json:"add"`    // labels
	Remove   []string   `json:"remove"` // labels
	Priority int        `json:"priority"`
	Model    string     `json:"model"`
	Policy   Policy     `json:"policy"`
	WaitMs   int64      `json:"waitMs"` // 0 keeps what each has
	// Agent is a kind's Name or ClaudeCode, for cards without a session.
	Agent string `json:"agent"`
	// Executor is an id, executing.Here, or empty for the project's.
	Executor string `json:"executor"`
	// ProjectID is the project that they go to.
	ProjectID string `json:"projectId"`
}

// ChangeStep is a change that can be taken back.
type ChangeStep struct {
	Kind ChangeKind `json:"kind"` // empty: there is none
	At   int64      `json:"at"`
	// Keys and TaskIDs are of its cards.
	Keys    []string `json:"keys"`
	TaskIDs []string `json:"taskIds"`
}

// Add adds a card to the step.
func (s *ChangeStep) Add(key, taskID string) {
	s.Keys, s.TaskIDs = append(s.Keys, key), append(s.TaskIDs, taskID)
}

// NewChangeStep returns a step without cards.
func NewChangeStep(kind ChangeKind, at int64) ChangeStep {
	return ChangeStep{Kind: kind, At: at, Keys: []string{}, TaskIDs: []string{}}
}

// ChangeResult is what came of a change of several cards, or of taking one back.
type ChangeResult struct {
	Step    ChangeStep      `json:"step"` // with the cards that it came true for
	Refused []ChangeRefusal `json:"refused"`
}

// ChangeResultOf returns the result of a change that came true for no card yet.
func ChangeResultOf(kind ChangeKind, at int64) ChangeResult {
	return ChangeResult{Step: NewChangeStep(kind, at), Refused: []ChangeRefusal{}}
}

// Add adds what came of a card.
func (r *ChangeResult) Add(key, taskID string, err error) {
	if err != nil {
		r.Refused = append(r.Refused, ChangeRefusal{Key: key, Why: FailureOf(err)})
		return
	}
	r.Step.Add(key, taskID)
}

// ChangeRefusal says why a card stayed as it was.
type ChangeRefusal struct {
	Key string  `json:"key"`
	Why Failure `json:"why"`
}
