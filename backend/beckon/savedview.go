package beckon

// This file has the words for how a person looks at a board and saves
// that look under a name.

// ViewField is what a condition is about.
type ViewField string

// The fields.
const (
	FieldLabel    ViewField = "label" // a label; empty for none
	FieldPriority ViewField = "priority"
	FieldState    ViewField = "state"   // a column, or "stopped"
	FieldProject  ViewField = "project" // its id
	FieldModel    ViewField = "model"
	FieldAgent    ViewField = "agent"   // a kind's name; empty for Claude Code
	FieldWaiting  ViewField = "waiting" // "you": its agent waits for the person
	FieldFile     ViewField = "file"    // a changed file, a folder with a "/" at its end, or either with "*" for any signs
	FieldText     ViewField = "text"    // words of the key and title
)

// ViewFields lists every field.
var ViewFields = []ViewField{FieldLabel, FieldPriority, FieldState, FieldProject, FieldModel, FieldAgent, FieldWaiting, FieldFile, FieldText}

// ViewClause is one condition: a card has any of the values, or with Not none.
type ViewClause struct {
	Field  ViewField `json:"field"`
	Not    bool      `json:"not"`
	Values []string  `json:"values"`
}

// ViewGroup is what the cards of a column are grouped by.
type ViewGroup string

// The groups.
const (
	GroupUngrouped  ViewGroup = "none"
	GroupByProject  ViewGroup = "project"
	GroupByLabel    ViewGroup = "label"
	GroupByPriority ViewGroup = "priority"
	GroupByAgent    ViewGroup = "agent"
)

// ViewGroups lists every group.
var ViewGroups = []ViewGroup{GroupUngrouped, GroupByProject, GroupByLabel, GroupByPriority, GroupByAgent}

// ViewSort is the order of the cards of a column.
type ViewSort string

// The orders; what waits for the person comes first in each.
const (
	SortManual      ViewSort = "manual"
	SortPressing    ViewSort = "priority"
	SortLastChanged ViewSort = "updated"
	SortNewest      ViewSort = "created"
)

// ViewSorts lists every order.
var ViewSorts = []ViewSort{SortManual, SortPressing, SortLastChanged, SortNewest}

// ViewPart is what a card may show.
type ViewPart string

// The parts.
const (
	PartLabels     ViewPart = "labels"
	PartPriorities ViewPart = "priority"
	PartTime       ViewPart = "time"
	PartSpent      ViewPart = "spent"
	PartChanges    ViewPart = "changes"
	PartModelName  ViewPart = "model"
	PartBranch     ViewPart = "branch"
)

// ViewParts lists every part.
var ViewParts = []ViewPart{PartLabels, PartPriorities, PartTime, PartSpent, PartChanges, PartModelName, PartBranch}

// ViewDisplay is how the cards are shown.
type ViewDisplay struct {
	Group     ViewGroup  `json:"group"`
	Sort      ViewSort   `json:"sort"`
	Shows     []ViewPart `json:"shows"` // on each card
	HideDone  bool       `json:"hideDone"`
	HideEmpty bool       `json:"hideEmpty"` // columns
}

// View is a look at all projects' cards, under a name. A card has to meet all
// conditions.
type View struct {
	ID      string       `json:"id"` // empty of one that is not saved yet
	Name    string       `json:"name"`
	Clauses []ViewClause `json:"clauses"`
	Display ViewDisplay  `json:"display"`
	Created int64        `json:"created"`
}

// ViewList is all views, in the order in which they were made.
type ViewList struct {
	All []View `json:"all"`
}
