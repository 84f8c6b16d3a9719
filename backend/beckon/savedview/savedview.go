// Package savedview has the words for how a person looks at a board and saves
// that look under a name. It has no I/O and knows no other package.
package savedview

// Field is what a condition is about.
type Field string

// The fields.
const (
	Label    Field = "label" // a label; empty for none
	Priority Field = "priority"
	State    Field = "state"   // a column, or "stopped"
	Project  Field = "project" // its id
	Model    Field = "model"
	Waiting  Field = "waiting" // "you": its agent waits for the person
	File     Field = "file"    // a changed file, a folder with a "/" at its end, or either with "*" for any signs
	Text     Field = "text"    // words of the key and title
)

// Fields lists every field.
var Fields = []Field{Label, Priority, State, Project, Model, Waiting, File, Text}

// Clause is one condition: a card has any of the values, or with Not none.
type Clause struct {
	Field  Field    `json:"field"`
	Not    bool     `json:"not"`
	Values []string `json:"values"`
}

// Group is what the cards of a column are grouped by.
type Group string

// The groups.
const (
	Ungrouped  Group = "none"
	ByProject  Group = "project"
	ByLabel    Group = "label"
	ByPriority Group = "priority"
)

// Groups lists every group.
var Groups = []Group{Ungrouped, ByProject, ByLabel, ByPriority}

// Sort is the order of the cards of a column.
type Sort string

// The orders; what waits for the person comes first in each.
const (
	Manual      Sort = "manual"
	Pressing    Sort = "priority"
	LastChanged Sort = "updated"
	Newest      Sort = "created"
)

// Sorts lists every order.
var Sorts = []Sort{Manual, Pressing, LastChanged, Newest}

// Part is what a card may show.
type Part string

// The parts.
const (
	Labels     Part = "labels"
	Priorities Part = "priority"
	Time       Part = "time"
	Spent      Part = "spent"
	Changes    Part = "changes"
	ModelName  Part = "model"
	Branch     Part = "branch"
)

// Parts lists every part.
var Parts = []Part{Labels, Priorities, Time, Spent, Changes, ModelName, Branch}

// Display is how the cards are shown.
type Display struct {
	Group     Group  `json:"group"`
	Sort      Sort   `json:"sort"`
	Shows     []Part `json:"shows"` // on each card
	HideDone  bool   `json:"hideDone"`
	HideEmpty bool   `json:"hideEmpty"` // columns
}

// View is a look at all projects' cards, under a name. A card has to meet all
// conditions.
type View struct {
	ID      string   `json:"id"` // empty of one that is not saved yet
	Name    string   `json:"name"`
	Clauses []Clause `json:"clauses"`
	Display Display  `json:"display"`
	Created int64    `json:"created"`
}

// List is all views, in the order in which they were made.
type List struct {
	All []View `json:"all"`
}
