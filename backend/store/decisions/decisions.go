// Package decisions lists the questions that were decided, by a person, a standing answer, the
// clock or the agent itself, the newest first and a page at a time. It writes nothing, and does
// not know what a decision led to.
package decisions

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/plain"
	"beckon/backend/store/table"
)

// Rows are the decisions in an open database.
type Rows struct {
	read      *sql.DB
	questions table.Of[beckon.Question]
}

// New returns those of a database, by its readers; questions says how a question is kept.
func New(read *sql.DB, questions table.Of[beckon.Question]) Rows { return Rows{read, questions} }

// Kind is what a decision is about.
type Kind string

// The kinds of decisions.
const (
	AnyKind     Kind = ""
	Questions   Kind = "question" // forms and budgets are among them
	Permissions Kind = "permission"
	Plans       Kind = "plan"
)

// Kinds lists every kind.
var Kinds = []Kind{AnyKind, Questions, Permissions, Plans}

// clock and agent are places that no answer has: the policy decided, and the agent did.
const (
	clock = "clock"
	agent = "agent"
)

// Filter leaves some of the decisions. Its zero value leaves all.
type Filter struct {
	Kind    Kind `json:"kind"`
	Assumed bool `json:"assumed"` // those without a person's answer, and with an assumption
	Undone  bool `json:"undone"`  // those that were chosen differently later
	// ProjectID leaves those of a project's tasks, and TaskID those of a task.
	ProjectID string `json:"projectId"`
	TaskID    string `json:"taskId"`
	// Since and Until leave those that were made from one moment to another, both among them, in
	// Unix milliseconds; 0 for no bound. Those that were assumed come first then.
	Since int64 `json:"since"`
	Until int64 `json:"until"`
	// From leaves those from a place: a beckon.By, "clock" or "agent".
	From string `json:"from"`
	// Text has words that all occur in the question or in the answer, in capital or small
	// letters as far as ASCII goes.
	Text string `json:"text"`
}

// Counts are how many decisions a filter leaves, without regard to its kind, its Assumed and its
// Undone.
type Counts struct {
	All         int `json:"all"`
	Questions   int `json:"questions"`
	Permissions int `json:"permissions"`
	Plans       int `json:"plans"`
	Assumed     int `json:"assumed"`
	Undone      int `json:"undone"`
	Found       int `json:"found"` // with regard to all
}

// Page are decisions, the newest first.
type Page struct {
	// Rows have no forms, inputs and diffs, and only the beginning of plans.
	Rows []beckon.Question `json:"rows"`
	// Instead has the other answers to those of the rows that were chosen differently later, by
	// the ids of the questions.
	Instead map[string]beckon.Answer `json:"instead"`
	// Next is what the following page begins after; empty at the end.
	Next string `json:"next"`
	// Counts are of the first page only.
	Counts *Counts `json:"counts,omitempty"`
}

const (
	// pageRows is how many rows a page has.
	pageRows = 100
	// mostWords and mostText bound what is searched for.
	mostWords = 8
	mostText  = 200
	// planStart is how much of a plan a row has, in bytes.
	planStart = 400
)

// The conditions. decided is worded as in the index question_decided.
const (
	decided      = "(settlement IN ('answered', 'expired') OR assumption <> '')"
	assumed      = "(settlement = 'expired' AND answer IS NULL OR assumption <> '')"
	undone       = "id IN (SELECT question_id FROM rewind WHERE step IN ('moved', 'returning'))"
	isQuestion   = "kind IN ('ask', 'elicitation')"
	isPermission = "kind = 'permission'"
	isPlan       = "kind = 'plan'"
	wasAsked     = "(nullif(reason, '') ->> 'code' IS NOT 'notAsked')"
	place        = `CASE WHEN answer IS NOT NULL THEN coalesce(nullif(answer ->> 'by', ''), 'user')
		WHEN settlement = 'expired' AND ` + wasAsked + ` THEN 'clock' ELSE 'agent' END`
	// says is a question or an answer in which a word occurs.
	says = `(plan LIKE ? ESCAPE '\' OR message LIKE ? ESCAPE '\' OR assumption LIKE ? ESCAPE '\'
		OR EXISTS (SELECT 1 FROM json_tree(items) WHERE type = 'text' AND key IN ('text', 'header', 'label', 'description') AND value LIKE ? ESCAPE '\')
		OR EXISTS (SELECT 1 FROM json_each(permission) WHERE key IN ('command', 'path', 'tool', 'description') AND value LIKE ? ESCAPE '\')
		OR EXISTS (SELECT 1 FROM json_tree(answer) WHERE type = 'text' AND (key IN ('text', 'other', 'note', 'byName') OR typeof(key) = 'integer') AND value LIKE ? ESCAPE '\'))`
)

var kindConditions = map[Kind]string{
	AnyKind: "1", Questions: isQuestion, Permissions: isPermission, Plans: isPlan,
}

// condition is part of a query, with its arguments.
type condition struct {
	text string
	args []any
}

func (c *condition) and(text string, args ...any) {
	c.text += " AND " + text
	c.args = append(c.args, args...)
}

// around returns the filter without its kind, its Assumed and its Undone.
func (f Filter) around() (condition, error) {
	if _, known := kindConditions[f.Kind]; !known {
		return condition{}, beckon.Invalid("decisions have no kind %.40q", f.Kind)
	}
	if f.From != "" && f.From != clock && f.From != agent && !slices.Contains(beckon.Bys, beckon.By(f.From)) {
		return condition{}, beckon.Invalid("decisions do not come from %.40q", f.From)
	}
	c := condition{text: decided}
	if f.ProjectID != "" {
		c.and("task_id IN (SELECT id FROM task WHERE project_id = ?)", f.ProjectID)
	}
	if f.TaskID != "" {
		c.and("task_id = ?", f.TaskID)
	}
	if f.From != "" {
		c.and(place+" = ?", f.From)
	}
	if f.Since > 0 {
		c.and("settled >= ?", f.Since)
	}
	if f.Until > 0 {
		c.and("settled <= ?", f.Until)
	}
	words := strings.Fields(plain.Cut(f.Text, mostText))
	for _, word := range words[:min(len(words), mostWords)] {
		like := "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(word) + "%"
		c.and(says, like, like, like, like, like, like)
	}
	return c, nil
}

// own returns the filter's kind, its Assumed and its Undone as a condition.
func (f Filter) own() string {
	text := kindConditions[f.Kind]
	if f.Assumed {
		text += " AND " + assumed
	}
	if f.Undone {
		text += " AND " + undone
	}
	return text
}

// rank is what the rows of a filter are sorted by before all else, the larger first; empty for
// nothing.
func (f Filter) rank() string {
	if f.Since > 0 || f.Until > 0 {
		return assumed
	}
	return ""
}

// Page returns the decisions that a filter leaves and that come after a page's Next, with what a
// row shows of them; from the newest on where that is empty.
func (r Rows) Page(ctx context.Context, f Filter, after string) (Page, error) {
	p, err := r.WholePage(ctx, f, after)
	for i := range p.Rows {
		shorten(&p.Rows[i])
	}
	return p, err
}

// WholePage is Page with all of each decision.
func (r Rows) WholePage(ctx context.Context, f Filter, after string) (p Page, err error) {
	c, err := f.around()
	if err != nil {
		return Page{}, err
	}
	if after == "" {
		counts, err := r.count(ctx, f, c)
		if err != nil {
			return Page{}, err
		}
		p.Counts = &counts
	}
	c.and(f.own())
	sorted := "settled DESC, id DESC"
	if f.rank() != "" {
		sorted = f.rank() + " DESC, " + sorted
	}
	if err := c.after(f, after); err != nil {
		return Page{}, err
	}
	p.Rows, err = r.questions.List(ctx, r.read, "WHERE "+c.text+" ORDER BY "+sorted+" LIMIT ?", append(c.args, pageRows+1)...)
	if err != nil {
		return Page{}, err
	}
	if len(p.Rows) > pageRows {
		p.Rows = p.Rows[:pageRows]
		p.Next = f.next(p.Rows[pageRows-1])
	}
	p.Instead, err = r.instead(ctx, p.Rows)
	return p, err
}

// next is what the page after a decision begins after: its rank, when it was made, and its id.
func (f Filter) next(last beckon.Question) string {
	rank := 0
	if f.rank() != "" && (last.Assumption != "" || last.Settlement == beckon.Expired && last.Answer == nil) {
		rank = 1
	}
	return fmt.Sprintf("%d-%d-%s", rank, last.Settled, last.ID)
}

// after leaves what comes after a page's Next.
func (c *condition) after(f Filter, next string) error {
	if next == "" {
		return nil
	}
	parts := strings.SplitN(next, "-", 3)
	if len(parts) != 3 {
		return beckon.Invalid("no page of decisions begins after %.40q", next)
	}
	rank, err := strconv.Atoi(parts[0])
	if err != nil {
		return beckon.Invalid("no page of decisions begins after %.40q", next)
	}
	settled, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return beckon.Invalid("no page of decisions begins after %.40q", next)
	}
	if f.rank() == "" {
		c.and("(settled, id) < (?, ?)", settled, parts[2])
	} else {
		c.and("("+f.rank()+", settled, id) < (?, ?, ?)", rank, settled, parts[2])
	}
	return nil
}

// instead returns the other answers of those decisions that were chosen differently, by id.
func (r Rows) instead(ctx context.Context, rows []beckon.Question) (map[string]beckon.Answer, error) {
	ids := make([]string, len(rows))
	for i, q := range rows {
		ids[i] = q.ID
	}
	type other struct {
		id     string
		answer beckon.Answer
	}
	found, err := table.Rows(ctx, r.read, func(o *other) []any { return []any{&o.id, table.JSON(&o.answer)} },
		`SELECT question_id, answer FROM rewind WHERE step IN ('moved', 'returning')
		AND question_id IN (SELECT value FROM json_each(?)) ORDER BY at, id`, table.JSON(&ids))
	answers := make(map[string]beckon.Answer, len(found))
	for _, o := range found {
		answers[o.id] = o.answer
	}
	return answers, err
}

func (r Rows) count(ctx context.Context, f Filter, c condition) (n Counts, err error) {
	sums := make([]string, 0, 6)
	for _, one := range []string{isQuestion, isPermission, isPlan, assumed, undone, f.own()} {
		sums = append(sums, "coalesce(sum("+one+"), 0)")
	}
	err = r.read.QueryRowContext(ctx, "SELECT count(*), "+strings.Join(sums, ", ")+" FROM question WHERE "+c.text, c.args...).
		Scan(&n.All, &n.Questions, &n.Permissions, &n.Plans, &n.Assumed, &n.Undone, &n.Found)
	return n, err
}

// shorten leaves what a row shows.
func shorten(q *beckon.Question) {
	q.Form, q.Plan = "", plain.Cut(q.Plan, planStart)
	if q.Permission != nil {
		q.Permission.Diff, q.Permission.Input = "", ""
	}
}

// Neighbors are the decisions of the same kind in the same run that come before and after a
// decision; zero where there is none. What an agent decided without asking, which it may say
// long afterwards, is none of them.
type Neighbors struct{ Before, After beckon.Question }

// Neighbors returns those of a decision, with what a row shows of them.
func (r Rows) Neighbors(ctx context.Context, q beckon.Question) (n Neighbors, err error) {
	const same = "WHERE run_id = ? AND kind = ? AND " + decided + " AND " + wasAsked
	for one, where := range map[*beckon.Question]string{
		&n.Before: " AND (settled, id) < (?, ?) ORDER BY settled DESC, id DESC LIMIT 1",
		&n.After:  " AND (settled, id) > (?, ?) ORDER BY settled, id LIMIT 1",
	} {
		found, err := r.questions.List(ctx, r.read, same+where, q.RunID, q.Kind, q.Settled, q.ID)
		if err != nil {
			return Neighbors{}, err
		}
		if len(found) == 1 {
			shorten(&found[0])
			*one = found[0]
		}
	}
	return n, nil
}

// mostAfter is how many decisions After returns.
const mostAfter = 20

// After returns the first decisions that came after one in the same run, in order.
func (r Rows) After(ctx context.Context, q beckon.Question) ([]beckon.Question, error) {
	found, err := r.questions.List(ctx, r.read, "WHERE run_id = ? AND "+decided+
		" AND (settled, id) > (?, ?) ORDER BY settled, id LIMIT ?", q.RunID, q.Settled, q.ID, mostAfter)
	for i := range found {
		shorten(&found[i])
	}
	return found, err
}

// mostOfRun is how many decisions OfRun returns.
const mostOfRun = 1000

// OfRun returns the decisions of a run that are no permissions, the newest first.
func (r Rows) OfRun(ctx context.Context, runID string) ([]beckon.Question, error) {
	found, err := r.questions.List(ctx, r.read, "WHERE run_id = ? AND "+decided+" AND NOT "+isPermission+
		" ORDER BY settled DESC, id DESC LIMIT ?", runID, mostOfRun)
	for i := range found {
		shorten(&found[i])
	}
	return found, err
}

// One returns a decision whole, or beckon.ErrNotFound.
func (r Rows) One(ctx context.Context, id string) (beckon.Question, error) {
	found, err := r.questions.List(ctx, r.read, "WHERE id = ? AND "+decided, id)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("decision %s: %w", id, beckon.ErrNotFound)
	}
	if err != nil {
		return beckon.Question{}, err
	}
	return found[0], nil
}
