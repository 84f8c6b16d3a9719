// Package numbers adds up, by the day, what agents took and did, and how long they waited for
// the user. What a day is, this computer's clock says. It writes nothing.
package numbers

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/store/table"
)

// Rows are the tables in an open database.
type Rows struct{ read *sql.DB }

// New returns those of a database, by its readers.
func New(read *sql.DB) Rows { return Rows{read} }

// Numbers are those of the days up to today.
type Numbers struct {
	Days  []string `json:"days"` // as Fact has them, the oldest first, today last
	Facts []Fact   `json:"facts"`
	// Cut says that there are more facts than are listed: the oldest days are left out.
	Cut bool `json:"cut"`
}

// Subject is what a fact is about. What was deleted since keeps its id.
type Subject struct {
	Day       string `json:"day"`       // its date by this computer's clock: 2026-11-28
	TaskID    string `json:"taskId"`    // empty of a session elsewhere
	ProjectID string `json:"projectId"` // empty of a session elsewhere
	Agent     string `json:"agent"`     // as beckon.Run has it
	Model     string `json:"model"`
	Executor  string `json:"executor"`
}

// Fact is what one task's runs with one agent, model and machine took and did on one day.
type Fact struct {
	Subject
	CostUSD float64 `json:"costUsd"`
	Tokens  int64   `json:"tokens"`
	// Unpriced are those of the Tokens whose agents said no cost.
	Unpriced int64 `json:"unpriced"`
	// Runs are those that began on the day, and WorkedMs is how long they worked, also on later days.
	Runs     int   `json:"runs"`
	WorkedMs int64 `json:"workedMs"`
	// Questions are those that were asked on the day; what settled one later counts here too.
	Questions int `json:"questions"`
	Answered  int `json:"answered"` // by the user, or by a standing answer
	Assumed   int `json:"assumed"`  // that nobody answered in time
	// WaitedMs is how long the questions waited, until now for one that is open, and Answers how
	// long each one did that the user answered, in milliseconds.
	WaitedMs int64   `json:"waitedMs"`
	Answers  []int64 `json:"answers"`
	// Merged are tasks that Beckon merged on the day. Closed and Discarded are those that came to
	// such an end and were changed on the day for the last time.
	Merged    int `json:"merged"`
	Closed    int `json:"closed"`
	Discarded int `json:"discarded"`
}

// The bounds of what one call returns.
const (
	mostDays  = 366
	mostFacts = 20_000
)

// Of returns the numbers of the day of a moment, by its clock, and of those before it, in all
// 1 to 366.
func (r Rows) Of(ctx context.Context, days int, now time.Time) (Numbers, error) {
	if days < 1 || days > mostDays {
		return Numbers{}, beckon.Invalid("numbers are of 1 to %d days, not %d", mostDays, days)
	}
	// A day begins at another hour than midnight where the clock is put forward then: it is
	// named by its noon.
	noon := func(i int) time.Time {
		return time.Date(now.Year(), now.Month(), now.Day()+1-days+i, 12, 0, 0, 0, now.Location())
	}
	n := Numbers{Days: make([]string, days)}
	for i := range days {
		n.Days[i] = noon(i).Format(time.DateOnly)
	}
	a := adder{map[Subject]*Fact{}, now.Location()}
	for _, part := range []struct {
		query string
		add   func(*Fact, row)
	}{
		{took, addTaken}, {ran, addRuns}, {asked, addQuestions}, {ended, addEnds},
	} {
		rows, err := table.Rows(ctx, r.read, (*row).fields, part.query, noon(0).Add(-13*time.Hour).UnixMilli(), now.UnixMilli())
		if err != nil {
			return Numbers{}, err
		}
		for _, one := range rows {
			if one.Day = a.day(one.at); one.Day >= n.Days[0] {
				part.add(a.fact(one.Subject), one)
			}
		}
	}
	n.Facts, n.Cut = a.list()
	return n, nil
}

// row is one row of each of the queries: whose it is, when, a word, and amounts. What the word
// and the amounts are, the query says.
type row struct {
	Subject
	at      int64
	word    string
	a, b, c int64
	usd     float64
}

func (r *row) fields() []any {
	return []any{&r.TaskID, &r.ProjectID, &r.Agent, &r.Model, &r.Executor, &r.at, &r.word, &r.a, &r.b, &r.c, &r.usd}
}

// took has what was taken: tokens, those without a cost, and money.
const took = `SELECT task_id, project_id, agent, model, executor, at, '', tokens, iif(cost_usd = 0, tokens, 0), 0, cost_usd
	FROM spent WHERE at >= ?1 AND at <= ?2`

func addTaken(f *Fact, r row) {
	f.Tokens, f.Unpriced, f.CostUSD = f.Tokens+r.a, f.Unpriced+r.b, f.CostUSD+r.usd
}

// ran has the runs: how long each worked.
const ran = `SELECT coalesce(run.task_id, ''), coalesce(task.project_id, ''), run.agent, run.model, run.executor, run.started, '', run.worked_ms, 0, 0, 0.0
	FROM run LEFT JOIN task ON task.id = run.task_id WHERE run.started >= ?1 AND run.started <= ?2`

func addRuns(f *Fact, r row) { f.Runs, f.WorkedMs = f.Runs+1, f.WorkedMs+r.a }

// asked has the questions of agents, and what they decided without asking: how each was settled, until when it waited, and whether
// a standing answer settled it. One whose run ended waits no longer.
const asked = `SELECT coalesce(question.task_id, ''), coalesce(task.project_id, ''), run.agent, run.model, run.executor, question.asked,
	iif(nullif(question.reason, '') ->> 'code' IS 'notAsked', 'notAsked', question.settlement), iif(question.settled > 0, question.settled, iif(run.ended > 0, run.ended, ?2)), question.rule_id <> '', 0, 0.0
	FROM question JOIN run ON run.id = question.run_id LEFT JOIN task ON task.id = question.task_id
	WHERE question.asked >= ?1 AND question.asked <= ?2 AND question.budget IS NULL`

func addQuestions(f *Fact, r row) {
	if reason.Code(r.word) == reason.NotAsked {
		f.Assumed++
		return
	}
	f.Questions++
	waited, standing := max(0, r.a-r.at), r.b != 0
	switch beckon.Settlement(r.word) {
	case beckon.Answered:
		f.Answered++
		if standing {
			return
		}
		f.Answers = append(f.Answers, waited)
	case beckon.Expired:
		f.Assumed++
	case beckon.Open, beckon.Withdrawn, beckon.Orphaned:
	}
	f.WaitedMs += waited
}

// ended has the tasks that came to an end: which.
const ended = `SELECT * FROM (
	SELECT task.id, task.project_id, coalesce(last.agent, task.agent), coalesce(last.model, task.model), coalesce(last.executor, task.executor),
		coalesce(iif(task.resolution = 'merged', nullif(task.landed ->> 'at', 0), NULL), task.updated) AS at, task.resolution, 0, 0, 0, 0.0
	FROM task LEFT JOIN run AS last ON last.task_id = task.id AND last.number = (SELECT max(number) FROM run WHERE task_id = task.id)
	WHERE task.resolution <> '') WHERE at >= ?1 AND at <= ?2`

func addEnds(f *Fact, r row) {
	switch beckon.Resolution(r.word) {
	case beckon.Merged:
		f.Merged++
	case beckon.Closed:
		f.Closed++
	case beckon.Discarded:
		f.Discarded++
	}
}

// adder collects facts.
type adder struct {
	facts map[Subject]*Fact
	clock *time.Location
}

// day is the one of a moment.
func (a adder) day(at int64) string { return time.UnixMilli(at).In(a.clock).Format(time.DateOnly) }

// fact returns the one of a subject.
func (a adder) fact(of Subject) *Fact {
	f := a.facts[of]
	if f == nil {
		f = &Fact{Subject: of, Answers: []int64{}}
		a.facts[of] = f
	}
	return f
}

// list returns them, the newest day first, and whether some were left out.
func (a adder) list() (list []Fact, cut bool) {
	list = make([]Fact, 0, len(a.facts))
	for _, f := range a.facts {
		list = append(list, *f)
	}
	slices.SortFunc(list, func(x, y Fact) int {
		return cmp.Or(strings.Compare(y.Day, x.Day), strings.Compare(x.TaskID, y.TaskID), strings.Compare(x.Agent, y.Agent),
			strings.Compare(x.Model, y.Model), strings.Compare(x.Executor, y.Executor), strings.Compare(x.ProjectID, y.ProjectID))
	})
	if len(list) > mostFacts {
		return list[:mostFacts], true
	}
	return list, false
}
