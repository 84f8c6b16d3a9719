package notify

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/notifying"
	"beckon/backend/beckon/spending"
)

// soonIn is how long before a clock runs out the user is reminded.
const soonIn = 30 * time.Second

// lookAgain is how soon the clock on the wall is read again while something is held until the
// quiet hours end: it may be set, or the machine may sleep.
const lookAgain = time.Minute

// Decider decides about one event after the other. One goroutine uses it; now is the time of the
// wall where the user is.
type Decider struct {
	View *View

	told   map[string]notifying.Kind // notices that were told and not taken away
	held   map[string]notifying.Kind // those that wait for the end of the quiet hours
	since  map[string]time.Time      // when a question was first told or held
	looked map[string]bool           // questions that the user has looked at
	soon   map[string]bool           // those told again as their clock runs out
	again  map[string]bool           // those told again as nobody looked
}

// NewDecider returns one that knows nothing.
func NewDecider() *Decider {
	return &Decider{
		View: NewView(), told: map[string]notifying.Kind{}, held: map[string]notifying.Kind{}, since: map[string]time.Time{},
		looked: map[string]bool{}, soon: map[string]bool{}, again: map[string]bool{},
	}
}

// Begin takes what was there before Beckon began to look, which is no news.
func (d *Decider) Begin(whole []beckon.Event, now time.Time) {
	for _, e := range whole {
		d.View.Apply(e)
	}
	for id := range d.View.Questions {
		d.since[id] = now
	}
}

// OnEvent takes an event and returns what it calls for.
func (d *Decider) OnEvent(e beckon.Event, now time.Time) []notifying.Notice {
	notices := d.decide(e, now) // before the view has it, for what matters is what changes
	d.View.Apply(e)
	return append(notices, d.summary(now)...)
}

// Tick returns what is due without any event; Next says when that is.
func (d *Decider) Tick(now time.Time) []notifying.Notice {
	return slices.Concat(d.summary(now), d.clocksOut(now), d.unseen(now))
}

// LookedAt takes that the user has looked at a question.
func (d *Decider) LookedAt(questionID string) {
	if _, waits := d.View.Questions[questionID]; waits {
		d.looked[questionID] = true
	}
}

// TaskNote names the one notice that a task has beside its questions.
func TaskNote(taskID string) string { return "task/" + taskID }

// SSHNote begins the name of the notice of what ssh asks.
const SSHNote = "ssh/"

// KindOf returns the kind of a question.
func KindOf(q beckon.Question) notifying.Kind {
	switch {
	case q.Budget != nil:
		return notifying.Budget
	case q.Kind == beckon.Permission:
		return notifying.Permission
	case q.Kind == beckon.Plan:
		return notifying.Plan
	default:
		return notifying.Question
	}
}

func (d *Decider) decide(e beckon.Event, now time.Time) []notifying.Notice {
	switch {
	case e.Question != nil:
		return d.question(*e.Question, now)
	case e.Run != nil:
		return d.run(*e.Run, now)
	case e.Task != nil:
		return d.task(*e.Task, now)
	case e.Spending != nil:
		return d.spending(*e.Spending, now)
	case e.Executors != nil:
		return d.executors(*e.Executors, now)
	case e.Settings != nil:
		return d.settings(*e.Settings)
	case e.Gone != "":
		return d.gone(e.Gone)
	default:
		return nil
	}
}

// question tells what is asked, once, and takes it away when it is settled, however that was.
// Changes of its clock are no news.
func (d *Decider) question(q beckon.Question, now time.Time) []notifying.Notice {
	if !IsWaiting(q) {
		return d.drop(q.ID)
	}
	if _, known := d.View.Questions[q.ID]; known {
		return nil
	}
	if d.View.hides(q.ID) || !pressing(q) {
		return nil
	}
	d.since[q.ID] = now
	return d.tell(notifying.Notice{ID: q.ID, Kind: KindOf(q)}, now)
}

// pressing reports whether somebody waits for the answer now: an agent, or the task that a budget
// holds. A question of a run that ended waits in the Inbox.
func pressing(q beckon.Question) bool { return q.Settlement == beckon.Open || q.Budget != nil }

// run tells of an agent that stopped on its own, or whose work waits for review already; a live
// one takes back what was told of the one before.
func (d *Decider) run(r beckon.Run, now time.Time) []notifying.Notice {
	note := TaskNote(r.TaskID)
	before, known := d.View.Runs[r.TaskID]
	task, has := d.View.Tasks[r.TaskID]
	switch {
	case r.Phase != beckon.Ended && r.Quiet == 0:
		return d.drop(note)
	case r.Phase != beckon.Ended:
		if !has || before.Quiet != 0 {
			return nil
		}
		return d.tell(notifying.Notice{ID: note, Kind: notifying.Quiet}, now)
	}
	if !known || !has || before.ID == r.ID && before.Phase == beckon.Ended {
		return nil
	}
	if task.Status == beckon.Review && isReady(r) {
		return d.tell(notifying.Notice{ID: note, Kind: notifying.Review}, now)
	}
	if !slices.Contains([]beckon.Outcome{beckon.Failed, beckon.Limited, beckon.Lost}, r.Outcome) {
		return nil
	}
	return d.tell(notifying.Notice{ID: note, Kind: notifying.Failed}, now)
}

// task tells of work that waits for review, where the run's end came before the card moved;
// where it comes after, run does.
func (d *Decider) task(t beckon.Task, now time.Time) []notifying.Notice {
	if t.Status != beckon.Review {
		if before, known := d.View.Tasks[t.ID]; known && before.Status == t.Status {
			return nil // it is where it was
		}
		return d.drop(TaskNote(t.ID))
	}
	if d.View.Tasks[t.ID].Status != beckon.Running || !isReady(d.View.Runs[t.ID]) {
		return nil
	}
	return d.tell(notifying.Notice{ID: TaskNote(t.ID), Kind: notifying.Review}, now)
}

// isReady reports whether a run left work to review.
func isReady(r beckon.Run) bool {
	return r.Kind == beckon.TaskRun && r.Phase == beckon.Ended && r.Outcome == beckon.Succeeded
}

// spending tells of each budget once that it is nearly used up, where that is news, and without
// a sound: nothing is asked yet.
func (d *Decider) spending(s spending.State, now time.Time) (all []notifying.Notice) {
	if d.View.Spending == nil || !d.View.Settings.Notify.Banners(notifying.Budget) {
		return nil
	}
	for _, b := range s.Budgets {
		before := slices.IndexFunc(d.View.Spending.Budgets, func(o spending.Budget) bool { return o.Scope == b.Scope && o.Subject == b.Subject })
		if b.Level != spending.Near {
			all = append(all, d.drop(TaskNote(b.Subject+"/"+string(b.Scope)))...)
		}
		if b.Level != spending.Near || before < 0 || d.View.Spending.Budgets[before].Level != spending.Fine {
			continue
		}
		for _, n := range d.tell(notifying.Notice{ID: TaskNote(b.Subject + "/" + string(b.Scope)), Kind: notifying.Budget}, now) {
			all = append(all, n.As(notifying.Banner, ""))
		}
	}
	return all
}

// AsksOf returns the executors that ask something, the longest waiting first.
func AsksOf(list executing.List) (asks []executing.Status) {
	for _, one := range list.All {
		if one.Health.Ask != nil {
			asks = append(asks, one)
		}
	}
	slices.SortStableFunc(asks, func(a, b executing.Status) int { return cmp.Compare(a.Health.Ask.Since, b.Health.Ask.Since) })
	return asks
}

// executors tells what ssh asks, once, and takes it away when that is asked no longer.
func (d *Decider) executors(list executing.List, now time.Time) (all []notifying.Notice) {
	known, open := map[string]bool{}, map[string]bool{}
	for _, one := range AsksOf(d.View.Executors) {
		known[one.Health.Ask.ID] = true
	}
	for _, one := range AsksOf(list) {
		id := one.Health.Ask.ID
		open[id] = true
		if !known[id] {
			all = append(all, d.tell(notifying.Notice{ID: SSHNote + id, Kind: notifying.Question}, now)...)
		}
	}
	for id := range known {
		if !open[id] {
			all = append(d.drop(SSHNote+id), all...)
		}
	}
	return all
}

// settings takes away what is not wanted any more.
func (d *Decider) settings(s beckon.Settings) (all []notifying.Notice) {
	for id, kind := range d.told {
		if !s.Notify.Banners(kind) || !s.TellElsewhere && d.View.WayOf(id) != "" {
			all = append(all, d.drop(id)...)
		}
	}
	for id, kind := range d.held {
		if s.Notify.How(kind) == notifying.Nothing {
			delete(d.held, id)
		}
	}
	return all
}

func (d *Decider) gone(id string) []notifying.Notice {
	all := d.drop(TaskNote(id))
	for _, q := range d.View.Questions {
		if q.ID == id || q.TaskID == id {
			all = append(all, d.drop(q.ID)...)
		}
	}
	return all
}

// tell returns news in the way of its kind, or holds it until the quiet hours end.
func (d *Decider) tell(n notifying.Notice, now time.Time) []notifying.Notice {
	s := d.View.Settings.Notify
	how := s.How(n.Kind)
	if how == notifying.Nothing {
		return nil
	}
	if s.IsQuiet(now) {
		d.held[n.ID] = n.Kind
		return nil
	}
	n.Why = cmp.Or(n.Why, notifying.News)
	d.told[n.ID] = n.Kind
	return []notifying.Notice{n.As(how, s.Chime)}
}

// drop takes a notice away, and forgets what was noted of its question.
func (d *Decider) drop(id string) []notifying.Notice {
	for _, noted := range []map[string]bool{d.looked, d.soon, d.again} {
		delete(noted, id)
	}
	delete(d.since, id)
	delete(d.held, id)
	kind, told := d.told[id]
	if !told {
		return nil
	}
	delete(d.told, id)
	return []notifying.Notice{{ID: id, Kind: kind, Why: notifying.News, Over: true}}
}

// summary tells, once the quiet hours are over, how much of what came in them still stands.
func (d *Decider) summary(now time.Time) []notifying.Notice {
	s := d.View.Settings.Notify
	if len(d.held) == 0 || s.IsQuiet(now) {
		return nil
	}
	n, banner, sound := notifying.Notice{ID: notifying.Summary, Why: notifying.After}, false, false
	for id, kind := range d.held {
		how := s.How(kind)
		if how == notifying.Nothing || d.View.hides(id) {
			continue
		}
		banner = banner || how != notifying.Sound
		note := strings.HasPrefix(id, TaskNote(""))
		sound = sound || how != notifying.Banner && (!note || kind != notifying.Budget) // as its news
		if kind.Waits() && !note {
			n.Waiting++
			d.since[id] = now // of this the user is reminded later
		} else {
			n.Others++
		}
		if n.Kind == "" || slices.Index(notifying.Kinds, kind) < slices.Index(notifying.Kinds, n.Kind) {
			n.Kind = kind
		}
	}
	clear(d.held)
	switch {
	case banner && sound:
		return []notifying.Notice{n.As(notifying.Both, s.Chime)}
	case banner:
		return []notifying.Notice{n.As(notifying.Banner, s.Chime)}
	case sound:
		return []notifying.Notice{n.As(notifying.Sound, s.Chime)}
	default:
		return nil
	}
}

// clocksOut tells again the questions whose clocks are about to run out.
func (d *Decider) clocksOut(now time.Time) (all []notifying.Notice) {
	for _, q := range d.View.Waiting() {
		at, due := d.soonAt(q)
		if due && !at.After(now) {
			d.soon[q.ID] = true
			all = append(all, d.remind(q, notifying.Soon, now)...)
		}
	}
	return all
}

// unseen tells once more of the questions that nobody looked at for as long as the user set.
func (d *Decider) unseen(now time.Time) (all []notifying.Notice) {
	if d.View.Settings.Notify.IsQuiet(now) {
		return nil
	}
	for _, q := range d.View.Waiting() {
		at, due := d.againAt(q)
		if due && !at.After(now) {
			d.again[q.ID] = true
			all = append(all, d.remind(q, notifying.Again, now)...)
		}
	}
	return all
}

// remind tells a question again, by the same table as its news. In quiet hours it does nothing:
// the question itself is held, or was told before.
func (d *Decider) remind(q beckon.Question, why notifying.Why, now time.Time) []notifying.Notice {
	if d.View.Settings.Notify.IsQuiet(now) {
		return nil
	}
	return d.tell(notifying.Notice{ID: q.ID, Kind: KindOf(q), Why: why}, now)
}

// soonAt returns when the user is reminded of q's clock. A clock that is short needs none.
func (d *Decider) soonAt(q beckon.Question) (at time.Time, due bool) {
	off := d.View.Settings.Notify.SoonOff || time.Duration(q.WaitMs)*time.Millisecond <= 2*soonIn
	return time.UnixMilli(q.Deadline).Add(-soonIn), q.Settlement == beckon.Open && q.Deadline > 0 && !off && !d.soon[q.ID]
}

// againAt returns when the user hears of q once more, if they do not look at it before.
func (d *Decider) againAt(q beckon.Question) (at time.Time, due bool) {
	minutes := d.View.Settings.Notify.RemindMinutes
	since, known := d.since[q.ID]
	_, held := d.held[q.ID]
	return since.Add(time.Duration(minutes) * time.Minute), minutes > 0 && known && pressing(q) && !held && !d.looked[q.ID] && !d.again[q.ID]
}

// Next returns when Tick may have something to do; zero is never.
func (d *Decider) Next(now time.Time) time.Time {
	var soonest time.Time
	add := func(at time.Time, due bool) {
		if due && (soonest.IsZero() || at.Before(soonest)) {
			soonest = at
		}
	}
	quiet := d.View.Settings.Notify.IsQuiet(now)
	add(now.Add(lookAgain), len(d.held) > 0)
	for _, q := range d.View.Waiting() {
		add(d.soonAt(q))
		at, due := d.againAt(q)
		if quiet && at.Before(now.Add(lookAgain)) {
			at = now.Add(lookAgain)
		}
		add(at, due)
	}
	return soonest
}
