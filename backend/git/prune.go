package git

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	// seenRef holds a text that says on how many days Prune saw each of the
	// discarded refs.
	seenRef = "refs/beckon/seen"
	// keptDays is on how many days it must have seen one before it goes.
	keptDays = 30
)

// Prune lets go of what was discarded more than 30 days before at, if it saw
// it on 30 different days since. The days are what a clock that jumps forward
// cannot bring: it counts as one.
func (r *Repo) Prune(ctx context.Context, at time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	list, err := r.Discarded(ctx)
	if err != nil {
		return err
	}
	old, before, err := r.readSightings(ctx)
	if err != nil || len(list) == 0 && old == "" {
		return err
	}
	now := before.on(at.UTC().Format(time.DateOnly), list)
	for _, d := range list {
		if at.Sub(time.UnixMilli(d.At)) <= keptFor || now.days[d.Ref] < keptDays {
			continue
		}
		if _, err := r.at().Run(ctx, "update-ref", "-d", d.Ref, d.Commit); err != nil {
			return err
		}
		delete(now.days, d.Ref)
	}
	return r.writeSightings(ctx, old, now)
}

// sightings says on how many days each ref was seen, the last one included.
type sightings struct {
	last string // day
	days map[string]int
}

// on returns the sightings once the list was seen on that day. What is not in
// the list any more is forgotten.
func (s sightings) on(day string, list []Discarded) sightings {
	next := sightings{day, map[string]int{}}
	for _, d := range list {
		next.days[d.Ref] = s.days[d.Ref]
		if day != s.last || s.days[d.Ref] == 0 {
			next.days[d.Ref]++
		}
	}
	return next
}

// String is the text that is kept: the day, and a line of each ref.
func (s sightings) String() string {
	lines := []string{}
	for ref, days := range s.days {
		lines = append(lines, fmt.Sprintf("%d %s\n", days, ref))
	}
	slices.Sort(lines)
	return s.last + "\n" + strings.Join(lines, "")
}

// readSightings returns what is kept, and the object that holds it. A text
// that cannot be read counts as none, so that everything is kept longer.
func (r *Repo) readSightings(ctx context.Context) (object string, s sightings, err error) {
	object, text, err := r.at().Text(ctx, seenRef)
	if err != nil || text == "" {
		return object, s, err
	}
	day, lines, _ := strings.Cut(text, "\n")
	s = sightings{day, map[string]int{}}
	for line := range strings.Lines(lines) {
		days, ref, _ := strings.Cut(strings.TrimSpace(line), " ")
		s.days[ref], _ = strconv.Atoi(days)
	}
	return object, s, nil
}

// writeSightings keeps s in place of the object old; nothing where nothing
// that was discarded is left.
func (r *Repo) writeSightings(ctx context.Context, old string, s sightings) error {
	text := ""
	if len(s.days) > 0 {
		text = s.String()
	}
	return r.at().SetText(ctx, seenRef, old, text)
}
