package spare

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	// seenRef holds a text that says on how many days Prune saw each of what is
	// kept.
	seenRef = "refs/beckon/seen"
	// keptDays is on how many days it must have seen one before it goes.
	keptDays = 30
)

// Prune lets go of what was discarded more than 30 days before at, if it saw
// it on 30 different days since. The days are what a clock that jumps forward
// cannot bring: it counts as one.
func (t Trash) Prune(ctx context.Context, at time.Time) error {
	list, err := t.all(ctx)
	if err != nil {
		return err
	}
	old, before, err := t.readSightings(ctx)
	if err != nil || len(list) == 0 && old == "" {
		return err
	}
	now := before.on(at.UTC().Format(time.DateOnly), list)
	for _, k := range list {
		if at.Sub(time.UnixMilli(k.At)) <= KeptFor || now.days[k.Ref] < keptDays {
			continue
		}
		if err := t.letGo(ctx, k); err != nil {
			return err
		}
		delete(now.days, k.Ref)
	}
	return t.writeSightings(ctx, old, now)
}

// all lists whatever is kept, what no branch reached and bundles without a ref included.
func (t Trash) all(ctx context.Context) ([]TrashKept, error) {
	list, err := t.list(ctx, discarded, unreached)
	if err != nil {
		return nil, err
	}
	left, err := t.orphans(list)
	return append(list, left...), err
}

// letGo removes what all named.
func (t Trash) letGo(ctx context.Context, k TrashKept) error {
	if k.Commit == "" {
		return os.Remove(filepath.Join(t.Bundles, k.Ref))
	}
	if _, err := t.Git.Run(ctx, "update-ref", "-d", k.Ref, k.Commit); err != nil {
		return err
	}
	return t.removeBundle(k.Ref)
}

// sightings says on how many days each ref was seen, the last one included.
type sightings struct {
	last string // day
	days map[string]int
}

// on returns the sightings once the list was seen on that day. What is not in
// the list any more is forgotten.
func (s sightings) on(day string, list []TrashKept) sightings {
	next := sightings{day, map[string]int{}}
	for _, k := range list {
		next.days[k.Ref] = s.days[k.Ref]
		if day != s.last || s.days[k.Ref] == 0 {
			next.days[k.Ref]++
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
func (t Trash) readSightings(ctx context.Context) (object string, s sightings, err error) {
	object, text, err := t.Git.Text(ctx, seenRef)
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
func (t Trash) writeSightings(ctx context.Context, old string, s sightings) error {
	text := ""
	if len(s.days) > 0 {
		text = s.String()
	}
	return t.Git.SetText(ctx, seenRef, old, text)
}
