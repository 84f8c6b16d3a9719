// Package repeat makes the cards of templates: at the times that these name, and when the
// user or a program asks for one. A time makes one card, whatever is killed meanwhile, and
// none while the last card of its template is not over. What passed while Beckon did not run
// is made up for as the template says.
//
// It knows when a card is to be made; what a card is, and when its agent starts, is the
// board's to know.
package repeat

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/starting"
	"beckon/backend/store"
)

const (
	// soonest is how late a time may be noticed and still counts as kept: what is later was
	// missed.
	soonest = 2 * time.Minute
	// longest is how long Repeater waits without looking at the clock, which stands still
	// while the computer sleeps.
	longest = time.Minute
)

// Config is what a Repeater works with.
type Config struct {
	Kept store.Templates
	// Create puts a card on the board.
	Create func(context.Context, beckon.NewTask) (beckon.Task, error)
	// Projects returns all projects.
	Projects func(context.Context) ([]beckon.Project, error)
	// Now replaces the clock in tests.
	Now func() time.Time
}

// Repeater makes the cards of templates. Its methods may be called from any goroutine.
type Repeater struct {
	Config
	wake chan struct{} // 1-buffered: the templates changed
	end  func()
	done chan struct{}

	// changing is held while a card is made or a template is edited: the template that was
	// looked at is the one that makes the card.
	changing sync.Mutex
}

// New returns one that makes nothing by itself before Start.
func New(c Config) *Repeater {
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Repeater{Config: c, wake: make(chan struct{}, 1), end: func() {}}
}

// Start begins to make cards at their times.
func (r *Repeater) Start() {
	ctx, cancel := context.WithCancel(context.Background())
	r.end, r.done = cancel, make(chan struct{})
	go func() {
		defer close(r.done)
		r.watch(ctx)
	}()
}

// Close ends that, and waits for it.
func (r *Repeater) Close() {
	r.end()
	if r.done != nil {
		<-r.done
	}
}

func (r *Repeater) watch(ctx context.Context) {
	for ctx.Err() == nil {
		var next <-chan time.Time
		if wait, some := r.round(ctx); some {
			next = time.After(wait)
		}
		select {
		case <-ctx.Done():
		case <-r.wake:
		case <-next:
		}
	}
}

// round makes the cards that are due, and returns how long it is until it is to look again;
// some is false where no template makes a card by itself.
func (r *Repeater) round(ctx context.Context) (wait time.Duration, some bool) {
	r.changing.Lock()
	defer r.changing.Unlock()
	list, err := r.Kept.All(ctx)
	if err != nil {
		slog.Error("look which templates are due", "err", err)
		return longest, true
	}
	wait = longest
	for _, t := range list {
		if t.Paused || t.NextAt == 0 {
			continue
		}
		some = true
		late := r.Now().Sub(time.UnixMilli(t.NextAt))
		if late < 0 {
			wait = min(wait, -late)
			continue
		}
		if err := r.due(ctx, t, late); err != nil {
			slog.Error("make the card of a template", "err", err, "template", t.ID)
		}
	}
	return wait, some
}

// due makes the card of a time that has come, unless it was missed and is to be skipped. The
// template goes on to its next time only afterwards: a card that was made before a kill is
// known by that.
func (r *Repeater) due(ctx context.Context, t beckon.Template, late time.Duration) error {
	why, at := (*reason.Reason)(nil), t.NextAt
	if late > soonest && t.Missed == beckon.MissedSkip {
		why = reason.Of(reason.RepeatMissed)
	} else if _, err := r.makeCard(ctx, t, at); err != nil {
		why = whyOf(err)
	}
	following, err := next(t.Schedule, r.Now())
	if err != nil {
		return err
	}
	_, err = r.Kept.Update(ctx, t.ID, func(now *beckon.Template) {
		now.LastAt, now.Refusal, now.NextAt = at, why, millis(following)
	})
	return err
}

// makeCard makes a card, unless it was made for that time already, or the last one is not over.
func (r *Repeater) makeCard(ctx context.Context, t beckon.Template, at int64) (beckon.Task, error) {
	last, made, err := r.Kept.Last(ctx, t.ID)
	switch {
	case err != nil:
		return last, err
	case made && at > 0 && last.Created >= at:
		return last, nil
	case made && !last.Over() && last.Status != beckon.Archived:
		err := fmt.Errorf("%s is not over: %w", last.Key, beckon.ErrConflict)
		return last, problem.New(problem.RepeatWaits, err, "key", last.Key)
	}
	card := t.Task
	card.ProjectID, card.Status, card.TemplateID = t.ProjectID, beckon.Queued, t.ID
	return r.Create(ctx, card)
}

// List returns all templates, the oldest first.
func (r *Repeater) List(ctx context.Context) ([]beckon.Template, error) { return r.Kept.All(ctx) }

var name = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// Save keeps a template: a new one where it has no id, else what the user may edit of the one
// that has it.
func (r *Repeater) Save(ctx context.Context, t beckon.Template) (beckon.Template, error) {
	t.Schedule, t.Task.Title = strings.TrimSpace(t.Schedule), strings.TrimSpace(t.Task.Title)
	r.changing.Lock()
	defer r.changing.Unlock()
	if err := r.check(ctx, t); err != nil {
		return t, err
	}
	at, err := next(t.Schedule, r.Now())
	if err != nil {
		return t, err
	}
	t.Missed, t.NextAt = cmp.Or(t.Missed, beckon.MissedOnce), millis(at)
	// A branch is worked on by one task, and a number is one request's: each card has its own.
	t.Task.Start = starting.Start{Base: t.Task.Start.Base}
	t.Task.After, t.Task.StartsAt, t.Task.Labels = "", 0, beckon.NonNil(t.Task.Labels)
	defer r.lookSoon()
	if t.ID == "" {
		t.ID, t.Created = beckon.NewID(), beckon.Now()
		t.LastAt, t.Refusal = 0, nil
		return t, r.Kept.Add(ctx, t)
	}
	return r.Kept.Update(ctx, t.ID, func(now *beckon.Template) {
		now.Name, now.Task, now.Schedule, now.Missed, now.Paused = t.Name, t.Task, t.Schedule, t.Missed, t.Paused
		now.NextAt = t.NextAt
	})
}

// check refuses what no template can be.
func (r *Repeater) check(ctx context.Context, t beckon.Template) error {
	all, err := r.Kept.All(ctx)
	switch {
	case err != nil:
		return err
	case len(t.Name) > beckon.MaxTemplateName || !name.MatchString(t.Name):
		return problem.New(problem.TemplateName, beckon.Invalid("%.80q is no template's name", t.Name), "name", t.Name)
	case t.Task.Title == "":
		return problem.New(problem.NoTitle, beckon.Invalid("a task needs a title"))
	case t.Missed != "" && !slices.Contains(beckon.MissedWays, t.Missed):
		return beckon.Invalid("nothing is done about missed times by %q", t.Missed)
	case t.ID == "" && len(all) >= beckon.MaxTemplates:
		most := strconv.Itoa(beckon.MaxTemplates)
		return problem.New(problem.ManyTemplates, fmt.Errorf("there are %s templates already: %w", most, beckon.ErrConflict), "most", most)
	}
	for _, other := range all {
		if other.ID != t.ID && other.ProjectID == t.ProjectID && other.Name == t.Name {
			err := fmt.Errorf("the project has a template called %s: %w", t.Name, beckon.ErrConflict)
			return problem.New(problem.TemplateTaken, err, "name", t.Name)
		}
	}
	return nil
}

// Delete removes a template; the cards that it made stay.
func (r *Repeater) Delete(ctx context.Context, id string) error { return r.Kept.Delete(ctx, id) }

// Run makes a card of a template now, paused or not.
func (r *Repeater) Run(ctx context.Context, id string) (beckon.Task, error) {
	r.changing.Lock()
	defer r.changing.Unlock()
	t, err := r.Kept.One(ctx, id)
	if err != nil {
		return beckon.Task{}, err
	}
	task, err := r.makeCard(ctx, t, 0)
	_, err2 := r.Kept.Update(ctx, id, func(now *beckon.Template) {
		now.LastAt, now.Refusal = millis(r.Now()), whyOf(err)
	})
	return task, cmp.Or(err, err2)
}

// RunNamed makes a card of the template with a name, in the project with a key; empty where
// only one project has such a template.
func (r *Repeater) RunNamed(ctx context.Context, name, projectKey string) (beckon.Task, error) {
	all, err := r.Kept.All(ctx)
	if err != nil {
		return beckon.Task{}, err
	}
	projects, err := r.Projects(ctx)
	if err != nil {
		return beckon.Task{}, err
	}
	keys := map[string]string{}
	for _, p := range projects {
		keys[p.ID] = p.Key
	}
	var found []beckon.Template
	for _, t := range all {
		if t.Name == name && (projectKey == "" || strings.EqualFold(keys[t.ProjectID], projectKey)) {
			found = append(found, t)
		}
	}
	switch len(found) {
	case 0:
		return beckon.Task{}, fmt.Errorf("no template is called %.80q: the project's settings have their names: %w", name, beckon.ErrNotFound)
	case 1:
		return r.Run(ctx, found[0].ID)
	}
	return beckon.Task{}, fmt.Errorf("%d projects have a template called %s: name the project, too, as in KES/%s: %w", len(found), name, name, beckon.ErrConflict)
}

// Preview returns the next times of a schedule, in milliseconds; it refuses what is none.
func (r *Repeater) Preview(schedule string, most int) ([]int64, error) {
	times, at := []int64{}, r.Now()
	for range most {
		following, err := next(strings.TrimSpace(schedule), at)
		if err != nil || following.IsZero() {
			return times, err
		}
		times, at = append(times, millis(following)), following
	}
	return times, nil
}

func (r *Repeater) lookSoon() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// whyOf is an error as a template keeps it, nil for none.
func whyOf(err error) *reason.Reason {
	if err == nil {
		return nil
	}
	return cmp.Or(reason.From(err), reason.Said(err.Error()))
}

// millis is a moment as it is kept, 0 for none.
func millis(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMilli()
}
