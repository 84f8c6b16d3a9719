package beckon

// Setback is why a task's agent could not go on, where time alone cures it.
type Setback string

// The setbacks.
const (
	PlanLimit Setback = "limit"    // the plan's quota is spent until it resets
	Overload  Setback = "overload" // Claude's API failed, or could not be reached
)

// Setbacks lists every setback.
var Setbacks = []Setback{PlanLimit, Overload}

// Resume says when a queued task resumes on its own.
type Resume struct {
	At    int64   `json:"at"`    // 0: as soon as there is a slot
	Why   Setback `json:"why"`   // empty with At
	Tries int     `json:"tries"` // setbacks in a row
}
