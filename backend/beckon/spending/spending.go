// Package spending has the words for what agents take, in tokens and money, and for what
// users and plans allow them. Money is in US dollars as the agents say it; nothing here, and
// nothing that uses it, makes a price out of tokens.
package spending

// Scope is what a budget is for.
type Scope string

// The scopes, the narrowest first.
const (
	Task    Scope = "task"
	Project Scope = "project"
	Day     Scope = "day" // of all projects, from midnight to midnight of this computer
)

// Scopes lists every scope.
var Scopes = []Scope{Task, Project, Day}

// Sum is what runs took.
type Sum struct {
	Tokens  int64   `json:"tokens"`
	CostUSD float64 `json:"costUsd"`
	// Unpriced are those of the Tokens whose agents said no cost.
	Unpriced int64 `json:"unpriced"`
}

// Limit is how much may be taken; a zero allows any amount.
type Limit struct {
	USD    float64 `json:"usd"`
	Tokens int64   `json:"tokens"`
}

// Level is how much of a budget is used up.
type Level string

// The levels.
const (
	Fine    Level = ""
	Near    Level = "near"    // four fifths or more
	Reached Level = "reached" // all of it, or more
)

// Levels lists every level but Fine.
var Levels = []Level{Near, Reached}

// near is from which part on a budget is nearly used up.
const near = 0.8

// Budget is what a user allows, and what was taken of it.
type Budget struct {
	Scope Scope `json:"scope"`
	// Subject is the id of the task or project; empty for the day.
	Subject string `json:"subject"`
	// Limit is the one in force: that of a day has what was added for today.
	Limit Limit `json:"limit"`
	// Each is the limit of every day, of the scope Day; elsewhere it is Limit.
	Each  Limit `json:"each"`
	Spent Sum   `json:"spent"`
	// Since is from when on is counted, in Unix milliseconds; 0: from the beginning.
	Since int64 `json:"since"`
	// Until is when the count begins again, in Unix milliseconds; 0: never.
	Until int64 `json:"until"`
	Level Level `json:"level"`
}

// Part is how much of the limit is used up: 1 is all of it.
func (b Budget) Part() float64 {
	part := 0.0
	if b.Limit.USD > 0 {
		part = b.Spent.CostUSD / b.Limit.USD
	}
	if b.Limit.Tokens > 0 {
		part = max(part, float64(b.Spent.Tokens)/float64(b.Limit.Tokens))
	}
	return part
}

// LevelOf returns the level that a part amounts to. Sums of money are rounded to a ten
// thousandth of the limit: 0.1 + 0.2 reach 0.3.
func LevelOf(part float64) Level {
	const rounding = 1e-4
	switch {
	case part >= 1-rounding:
		return Reached
	case part >= near-rounding:
		return Near
	}
	return Fine
}

// Raised returns the limit that one key raises a limit to: by half of it, in whole cents and
// thousands of tokens, and above what was spent by then.
func (b Budget) Raised() Limit {
	raised := b.Limit
	if step := cents(b.Each.USD / 2); b.Limit.USD > 0 {
		for raised.USD = cents(raised.USD + step); raised.USD <= b.Spent.CostUSD; {
			step = cents(max(2*step, 0.01))
			raised.USD = cents(b.Limit.USD + step)
		}
	}
	if step := thousands(b.Each.Tokens / 2); b.Limit.Tokens > 0 {
		for raised.Tokens += step; raised.Tokens <= b.Spent.Tokens; {
			step *= 2
			raised.Tokens = b.Limit.Tokens + step
		}
	}
	return raised
}

// cents rounds money to whole cents, one at least.
func cents(usd float64) float64 { return float64(int64(max(usd, 0.01)*100+0.5)) / 100 }

// thousands rounds tokens up to whole thousands, one at least.
func thousands(tokens int64) int64 { return max(1, (tokens+999)/1000) * 1000 }

// None reports whether the limit allows any amount.
func (l Limit) None() bool { return l.USD <= 0 && l.Tokens <= 0 }

// Asked is the budget that a question of Beckon's own is about.
type Asked struct {
	Scope   Scope  `json:"scope"`
	Subject string `json:"subject"`
	// Limit is the one that was reached, Raised what the first option makes of it.
	Limit  Limit `json:"limit"`
	Raised Limit `json:"raised"`
	Spent  Sum   `json:"spent"`
}

// Window is a part of the quota of a plan, as its agent said it last.
type Window struct {
	Agent    string `json:"agent"`    // the kind; empty for Claude Code
	Executor string `json:"executor"` // the id of where it was said; empty for this computer
	Kind     string `json:"kind"`     // five_hour, seven_day, …: the agent's own word
	// Percent is how much of it is used up, 0 to 100; -1 where that was not said.
	Percent float64 `json:"percent"`
	Resets  int64   `json:"resets"`  // Unix milliseconds; 0 where that was not said
	Refused bool    `json:"refused"` // the agent is refused until it resets
	Said    int64   `json:"said"`    // when the agent said so, Unix milliseconds
}

// State is what clients show all the time.
type State struct {
	// Budgets are those of tasks and projects that there are, and that of the day.
	Budgets []Budget `json:"budgets"`
	Today   Sum      `json:"today"`
	Windows []Window `json:"windows"`
}

// By is what totals are added up by.
type By string

// What totals are added up by.
const (
	ByRun     By = "run"
	ByTask    By = "task"
	ByProject By = "project"
	ByDay     By = "day"
	ByModel   By = "model"
	ByAgent   By = "agent"
	ByMachine By = "machine"
)

// Bys lists all of them.
var Bys = []By{ByRun, ByTask, ByProject, ByDay, ByModel, ByAgent, ByMachine}

// Total is what the runs took that have something in common.
type Total struct {
	// ID is what they have in common: the id of a run, task, project or executor, the name of a model
	// or of a kind of agent, or the day as 2026-11-28. Empty for what is not known, for
	// Claude Code and for this computer.
	ID string `json:"id"`
	// TaskID and Number name the run.
	TaskID string `json:"taskId"`
	Number int    `json:"number"`
	Sum
	Runs int `json:"runs"`
}
