package question

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"beckon/backend/beckon"
)

// ErrFlood is what Ask returns for a question beyond a budget. It was neither
// recorded nor shown, and the error's text is for the agent to read.
var ErrFlood = errors.New("too many questions")

// Budget is how many questions may wait at once, and how many may be asked
// within a minute.
type Budget struct{ Open, PerMinute int }

// Budgets keep one that floods from burying what the others ask. The outside
// has a share of the whole, for a program there can come in as often as it
// likes, and must not use up what the user's own tasks need.
type Budgets struct {
	Run     Budget // of a task's run
	Client  Budget // of one program outside Beckon
	Clients Budget // of all of them
	All     Budget
}

// budgets are far above what agents that work come to: a person answers a
// question in a second at best.
var budgets = Budgets{
	Run:     Budget{100, 120},
	Client:  Budget{50, 60},
	Clients: Budget{200, 240},
	All:     Budget{1000, 1200},
}

// calm is how long nothing of a task must have been refused for its flood to
// be over, and pulse the least time between two counts that clients are sent.
const (
	calm  = time.Minute
	pulse = time.Second
)

// ledger counts the questions of each asker, and knows which askers are refused.
type ledger struct {
	budgets Budgets
	publish func(beckon.Event)
	now     func() time.Time

	telling sync.Mutex // held while the floods are read and published

	mu     sync.Mutex
	open   map[string]int // by account
	asked  map[string]int // by account, within the minute
	minute int64          // the one that asked counts
	floods map[string]*flood
}

// flood is one task's, or that of all programs outside.
type flood struct {
	beckon.Flood
	last, told time.Time   // when it was refused, and when clients heard of it
	due        bool        // clients are about to hear of it
	over       *time.Timer // ends it
}

func newLedger(publish func(beckon.Event), now func() time.Time) *ledger {
	return &ledger{
		budgets: budgets, publish: publish, now: now,
		open: map[string]int{}, asked: map[string]int{}, floods: map[string]*flood{},
	}
}

// account is one of those that a question is counted under.
type account struct {
	key, who string
	budget   Budget
}

func (l *ledger) accounts(q beckon.Question) []account {
	all := account{"all", "all agents together", l.budgets.All}
	if q.TaskID != "" {
		return []account{{"run/" + q.RunID, "one agent", l.budgets.Run}, all}
	}
	return []account{
		{"run/" + q.RunID, "one program", l.budgets.Client},
		{"clients", "all programs outside Beckon together", l.budgets.Clients},
		all,
	}
}

// admit counts q until leave is called, or refuses it with ErrFlood.
func (l *ledger) admit(q beckon.Question) (leave func(), err error) {
	l.mu.Lock()
	if minute := l.now().Unix() / 60; minute != l.minute {
		l.minute = minute
		clear(l.asked)
	}
	accounts := l.accounts(q)
	for _, a := range accounts {
		if err := l.check(a); err != nil {
			news := l.refused(q)
			l.mu.Unlock()
			if news {
				l.publishFloods()
			}
			return nil, err
		}
	}
	for _, a := range accounts {
		l.open[a.key]++
		l.asked[a.key]++
	}
	l.mu.Unlock()
	return func() { l.leave(accounts) }, nil
}

// check says why an account has no room. The caller holds mu.
func (l *ledger) check(a account) error {
	const instead = "This one was not shown to the user. Put what belongs together into one call; or decide by your best judgment, and say in your final message what you assumed"
	switch {
	case l.open[a.key] >= a.budget.Open:
		return fmt.Errorf("%w: %d wait for the user's answer already, the most for %s. Wait for those. "+instead, ErrFlood, l.open[a.key], a.who)
	case l.asked[a.key] >= a.budget.PerMinute:
		return fmt.Errorf("%w: %d were asked within a minute, the most for %s. Wait a minute before you ask again. "+instead, ErrFlood, l.asked[a.key], a.who)
	default:
		return nil
	}
}

func (l *ledger) leave(accounts []account) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, a := range accounts {
		if l.open[a.key]--; l.open[a.key] == 0 {
			delete(l.open, a.key)
		}
	}
}

// refused notes that q was refused, and reports whether clients are to hear of
// it. The caller holds mu.
func (l *ledger) refused(q beckon.Question) (news bool) {
	f, now := l.floods[q.TaskID], l.now()
	if f == nil {
		slog.Warn("refuse questions beyond the budget", "task", q.TaskID, "run", q.RunID, "from", q.Origin)
		f = &flood{Flood: beckon.Flood{TaskID: q.TaskID}}
		f.over = time.AfterFunc(calm, func() { l.end(f) })
		l.floods[q.TaskID] = f
	} else {
		f.over.Reset(calm)
	}
	f.Refused++
	f.Origin, f.last = q.Origin, now
	switch {
	case f.due:
		return false
	case now.Sub(f.told) >= pulse:
		f.told = now
		return true
	default:
		f.due = true
		time.AfterFunc(pulse, func() { l.count(f) })
		return false
	}
}

// count tells how many were refused since clients heard of it last.
func (l *ledger) count(f *flood) {
	l.mu.Lock()
	f.due, f.told = false, l.now()
	l.mu.Unlock()
	l.publishFloods()
}

// end takes a flood away of which nothing was refused any more.
func (l *ledger) end(f *flood) {
	l.mu.Lock()
	over := l.floods[f.TaskID] == f && l.now().Sub(f.last) >= calm
	if over {
		delete(l.floods, f.TaskID)
	}
	l.mu.Unlock()
	if over {
		l.publishFloods()
	}
}

// publishFloods publishes who floods, the newest value last.
func (l *ledger) publishFloods() {
	l.telling.Lock()
	defer l.telling.Unlock()
	l.publish(beckon.Event{Floods: l.present()})
}

func (l *ledger) present() *beckon.Floods {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := make([]beckon.Flood, 0, len(l.floods))
	for _, taskID := range slices.Sorted(maps.Keys(l.floods)) {
		all = append(all, l.floods[taskID].Flood)
	}
	return &beckon.Floods{Floods: all}
}
