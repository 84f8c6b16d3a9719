// Package importing has the words for lists kept by other tools that become cards: where they
// come from, what is found in them, and what is not taken and why.
package importing

import "beckon/backend/beckon/starting"

// Source is what a list is read from.
type Source string

// The sources.
const (
	VibeKanban Source = "vibeKanban" // a database of vibe-kanban's on this computer
	Forge      Source = "forge"      // the open issues of a project's server, by gh or glab
	CSV        Source = "csv"        // a table as Linear, Jira and others export it
	Markdown   Source = "markdown"   // a list in Markdown
)

// Sources lists every source.
var Sources = []Source{VibeKanban, Forge, CSV, Markdown}

// Field is what a column of a table is taken for; empty: it is left out.
type Field string

// The fields.
const (
	Title    Field = "title"
	Text     Field = "text"
	Labels   Field = "labels"
	Priority Field = "priority"
	State    Field = "state"
	Key      Field = "key"  // its name there, such as ENG-12
	Link     Field = "link" // its page there
)

// Fields lists every field.
var Fields = []Field{Title, Text, Labels, Priority, State, Key, Link}

// Column is where the rows of a state go; empty: they are left out.
type Column string

// The columns. A card of work that was never done here cannot stand in Review.
const (
	ToBacklog Column = "backlog"
	ToDone    Column = "done"
)

// Columns lists every column.
var Columns = []Column{ToBacklog, ToDone}

// Why says why something of a list cannot become a card: frontend/messages has its sentence as
// imports.not<Why>.
type Why string

// The reasons. A Refusal's Detail is what the comment names.
const (
	NoTitle    Why = "noTitle"
	LongTitle  Why = "longTitle"  // the most bytes
	LongText   Why = "longText"   // the most kilobytes
	Unreadable Why = "unreadable" // characters that are none: another encoding, or damage
	BadQuotes  Why = "badQuotes"  // a row of a CSV whose quotes do not close
	Checked    Why = "checked"    // it is ticked off in its list
	Twice      Why = "twice"      // its name there, which an earlier row has
	NoProject  Why = "noProject"  // the name of its project there, whose folder is no project's
	Beyond     Why = "beyond"     // how many rows are read at the most: this one and the next ones are more
)

// Whys lists every reason.
var Whys = []Why{NoTitle, LongTitle, LongText, Unreadable, BadQuotes, Checked, Twice, NoProject, Beyond}

// Sizes that lists are held to.
const (
	MaxRows = 2000    // that are read, and become cards at once
	MaxText = 8 << 20 // bytes of a table or list
	// MaxPiece is how many bytes of a text one call brings: a call of `serve` has room for
	// a megabyte.
	MaxPiece = 512 << 10
	// MaxRefusals is how many are returned; the others are counted.
	MaxRefusals = 200
)

// Places are the sources that this computer has for a project.
type Places struct {
	// Database is vibe-kanban's by itself; empty where there is none.
	Database string `json:"database"`
	// Server is where the project's work goes, and Tool what asks there, gh or glab; empty
	// where there is none.
	Server string `json:"server"`
	Tool   string `json:"tool"`
}

// Query asks for what a source has.
type Query struct {
	Source    Source `json:"source"`
	ProjectID string `json:"projectId"` // whose cards it becomes; of VibeKanban's each row says
	// Text is the id of a text that was brought, of a CSV or a Markdown list.
	Text string `json:"text"`
	// File is another database of vibe-kanban's; empty for the one in Places.
	File string `json:"file"`
	// Fields are what the columns of a CSV are taken for; empty: as their names say.
	Fields []Field `json:"fields"`
}

// Found is what a source has.
type Found struct {
	ID     string `json:"id"`     // names it in an Order
	Origin string `json:"origin"` // the tool, file or repository, as it is shown
	// Columns are those of a CSV.
	Columns []TableColumn `json:"columns"`
	States  []StateCount  `json:"states"`
	Rows    []Row         `json:"rows"`
	// Refusals are the first of what cannot become a card, and Refused is how much that is.
	Refusals []Refusal `json:"refusals"`
	Refused  int       `json:"refused"`
}

// TableColumn is a column of a CSV.
type TableColumn struct {
	Name  string `json:"name"`
	Field Field  `json:"field"` // what it is taken for
}

// StateCount is a state that rows have there, empty for none.
type StateCount struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
	To    Column `json:"to"` // where its rows go, unless the user says otherwise
}

// Row is something that can become a card.
type Row struct {
	Title     string   `json:"title"`
	ProjectID string   `json:"projectId"`
	State     string   `json:"state"`
	Labels    []string `json:"labels"`
	Priority  int      `json:"priority"` // as a task's
	Key       string   `json:"key"`      // there, such as ENG-12 or #212
	Branch    string   `json:"branch"`   // that is here, and goes on
	HasText   bool     `json:"hasText"`
	// Same is the key of the card that it equals; empty: it is new.
	Same string `json:"same"`
}

// Refusal is something that cannot become a card.
type Refusal struct {
	Line   int    `json:"line"`  // of a CSV or a Markdown list, from 1; else 0
	Title  string `json:"title"` // as far as it can be read
	Why    Why    `json:"why"`
	Detail string `json:"detail"`
}

// Order says which rows become cards.
type Order struct {
	ID    string `json:"id"` // of what was found
	Picks []Pick `json:"picks"`
}

// Pick is a row that becomes a card.
type Pick struct {
	Row int    `json:"row"` // its place in Found.Rows, from 0
	To  Column `json:"to"`
}

// Card is a row with all that the card gets.
type Card struct {
	Row
	Text  string
	Link  string
	Start starting.Start
}
