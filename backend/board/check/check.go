// Package check refuses what a project, a task, the settings or the layout of
// Mission Control cannot be, with an error for the user that is ErrInvalid.
//
// It looks at nothing but the values: whether a folder or a branch exists is
// the caller's to know.
package check

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/notifying"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
)

// Project refuses what a project cannot be; base must be one of the
// branches.
func Project(branches []string, p beckon.Project) error {
	switch {
	case strings.TrimSpace(p.Name) == "" || len(p.Name) > beckon.MaxTitle:
		err := beckon.Invalid("a project needs a name of at most %d bytes", beckon.MaxTitle)
		return problem.New(problem.ProjectName, err, "most", strconv.Itoa(beckon.MaxTitle))
	case !ValidKey(p.Key):
		err := beckon.Invalid("a project's key is 2 to 5 letters or digits and begins with a letter, not %q", p.Key)
		return problem.New(problem.ProjectKey, err)
	case p.Base != "" && !slices.Contains(branches, p.Base):
		return problem.New(problem.NoBase, beckon.Invalid("there is no branch %q to start from", p.Base), "base", p.Base)
	case p.Color < 1 || p.Color > 4:
		return beckon.Invalid("a project's colour is 1 to 4, not %d", p.Color)
	}
	if !beckon.SoundModel(p.Model) {
		return beckon.Invalid("%.80q is no model's name", p.Model)
	}
	if err := cmp.Or(soundAgent(p.Agent), branchPattern(p.BranchPattern)); err != nil {
		return err
	}
	if err := Rules(p.Allowed); err != nil {
		return err
	}
	if !slices.Contains(reviewing.MergeWays, p.MergeWay) {
		return beckon.Invalid("%q is no way to merge", p.MergeWay)
	}
	if err := scripts(p.Scripts); err != nil {
		return err
	}
	return checkDefaults(p.Mode, p.Policy, p.WaitMs)
}

// Task refuses what a task cannot be.
func Task(t beckon.Task) error {
	switch {
	case t.Title == "":
		return problem.New(problem.NoTitle, beckon.Invalid("a task needs a title"))
	case len(t.Title) > beckon.MaxTitle:
		err := beckon.Invalid("a title has at most %d bytes, this one %d; the brief has room for the rest", beckon.MaxTitle, len(t.Title))
		return problem.New(problem.LongTitle, err, "most", strconv.Itoa(beckon.MaxTitle))
	case len(t.Brief) > beckon.MaxBrief:
		err := beckon.Invalid("a brief has at most %d bytes, this one %d", beckon.MaxBrief, len(t.Brief))
		return problem.New(problem.LongBrief, err, "most", strconv.Itoa(beckon.MaxBrief))
	case t.StartsAt < 0:
		return beckon.Invalid("a task starts at a time since 1970, not at %d", t.StartsAt)
	case t.Priority < 0 || t.Priority > 4:
		return beckon.Invalid("a priority is 0 to 4, not %d", t.Priority)
	case !beckon.SoundModel(t.Model):
		return beckon.Invalid("%.80q is no model's name", t.Model)
	}
	if err := cmp.Or(checkLabels(t.Labels), soundAgent(t.Agent)); err != nil {
		return err
	}
	return checkDefaults(t.Mode, t.Policy, t.WaitMs)
}

// OneLine makes a title of what was typed or pasted: one line, no NUL.
func OneLine(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "\x00", "")), " ")
}

// A card has room for so many labels, of so many bytes each.
const (
	maxLabels = 20
	maxLabel  = 80
)

func checkLabels(labels []string) error {
	if len(labels) > maxLabels {
		err := beckon.Invalid("a task has at most %d labels, not %d", maxLabels, len(labels))
		return problem.New(problem.ManyLabels, err, "most", strconv.Itoa(maxLabels))
	}
	for _, label := range labels {
		if strings.TrimSpace(label) == "" || len(label) > maxLabel || strings.ContainsFunc(label, unicode.IsControl) {
			err := beckon.Invalid("a label is one line of 1 to %d bytes, which %.80q is not", maxLabel, label)
			return problem.New(problem.Label, err, "most", strconv.Itoa(maxLabel), "label", fmt.Sprintf("%.80s", label))
		}
	}
	return nil
}

// Order refuses what an order to merge cannot be.
func Order(o reviewing.MergeOrder) error {
	if o.Way != "" && !slices.Contains(reviewing.MergeWays, o.Way) {
		return beckon.Invalid("%q is no way to merge", o.Way)
	}
	if len(o.Message) > reviewing.MostMessage {
		err := beckon.Invalid("a commit message has at most %d bytes", reviewing.MostMessage)
		return problem.New(problem.LongMessage, err, "most", strconv.Itoa(reviewing.MostMessage>>10))
	}
	return nil
}

// Rules refuses what is not one permission rule each.
func Rules(rules []string) error {
	if len(rules) > beckon.MaxAllowed {
		return beckon.Invalid("a project has at most %d rules", beckon.MaxAllowed)
	}
	_, err := claude.SoundRules(rules)
	return err
}

// checkDefaults refuses modes, policies and waits that do not exist.
func checkDefaults(m beckon.PermissionMode, policy beckon.Policy, waitMs int64) error {
	switch {
	case !slices.Contains(beckon.PermissionModes, m):
		return beckon.Invalid("there is no permission mode %q", m)
	case !slices.Contains(beckon.Policies, policy):
		return beckon.Invalid("there is no policy %q", policy)
	case waitMs < beckon.MinWaitMs || waitMs > beckon.MaxWaitMs:
		return problem.New(problem.Wait, beckon.Invalid("an answer is waited for 10 seconds to 24 hours, not %d ms", waitMs))
	}
	return nil
}

// Settings refuses what the settings cannot be.
func Settings(s beckon.Settings) error {
	switch {
	case s.Slots < 1 || s.Slots > executing.MaxSlots:
		return beckon.Invalid("1 to %d agents can work at once on this computer, not %d: each needs some 150 to 300 MB of memory", executing.MaxSlots, s.Slots)
	case !slices.Contains([]string{"", "en", "de"}, s.Language):
		return beckon.Invalid("there is no translation into %q", s.Language)
	case len(s.Shortcut) > 40 || strings.ContainsFunc(s.Shortcut, unicode.IsControl):
		return beckon.Invalid("%.40q is no combination of keys", s.Shortcut)
	case !slices.Contains([]string{"", "light", "dark"}, s.Theme):
		return beckon.Invalid("there is no theme %q", s.Theme)
	case !s.Looks.Valid():
		return beckon.Invalid("the page cannot look like %+v", s.Looks)
	case !slices.Contains([]int64{0, 2000, 4000}, s.TakeBackMs):
		return beckon.Invalid("an answer can be taken back for 2 or 4 seconds, or leaves at once, not %d ms", s.TakeBackMs)
	case s.Awake.Battery < 0 || s.Awake.Battery > 100:
		return beckon.Invalid("a battery has 0 to 100 percent, not %d", s.Awake.Battery)
	case !ofDay(s.QuietMinutes):
		return beckon.Invalid("a run is quiet after at most a day, not after %d minutes", s.QuietMinutes)
	case len(s.ObserveRoots) > rootsMost || slices.ContainsFunc(s.ObserveRoots, func(dir string) bool { return !filepath.IsAbs(dir) }):
		return beckon.Invalid("sessions are read in at most %d folders, each by its whole path", rootsMost)
	}
	return cmp.Or(notify(s.Notify), labelTones(s.LabelTones), keys(s.Keys), soundAgent(s.Agent), ownAgents(s.OwnAgents))
}

// kindsMost is how many kinds the table of notices may name, those of other versions among them.
const kindsMost = 40

// notify refuses what notices cannot follow. A kind or a way that is not known is no error: another
// version may know it.
func notify(s notifying.Settings) error {
	switch {
	case s.Chime != "" && !slices.Contains(notifying.Chimes, s.Chime):
		return beckon.Invalid("there is no sound %.40q", s.Chime)
	case !ofDay(s.QuietFrom) || !ofDay(s.QuietTo):
		return beckon.Invalid("quiet hours are minutes of a day, not %d to %d", s.QuietFrom, s.QuietTo)
	case !ofDay(s.RemindMinutes):
		return beckon.Invalid("a reminder comes after at most a day, not after %d minutes", s.RemindMinutes)
	case len(s.Tell) > kindsMost:
		return beckon.Invalid("at most %d kinds of notices can be set", kindsMost)
	}
	for kind, how := range s.Tell {
		if len(kind) > keyMost || len(how) > keyMost {
			return beckon.Invalid("%.40q is no kind of notice", string(kind))
		}
	}
	return nil
}

// tonesMost is how many labels may have a colour of the user's.
const tonesMost = 500

// labelTones refuses what are no colours of labels.
func labelTones(tones map[string]int) error {
	if len(tones) > tonesMost {
		return beckon.Invalid("at most %d labels have a colour of their own", tonesMost)
	}
	for label, tone := range tones {
		if label == "" || len(label) > maxLabel || tone < 0 || tone > 4 {
			return beckon.Invalid("%.80q cannot have the colour %d", label, tone)
		}
	}
	return nil
}

// keysMost is how many rows of the key map may have keys of the user's, and how many keys a
// row; no name of one is longer than keyMost.
const (
	keysMost = 300
	keyMost  = 40
)

// keys refuses what are no keys. Which rows there are, only the page knows; it leaves out the others.
func keys(chosen map[string][]string) error {
	if len(chosen) > keysMost {
		return beckon.Invalid("at most %d rows of the key map can have other keys", keysMost)
	}
	for row, keys := range chosen {
		if row == "" || len(row) > keyMost || len(keys) == 0 || len(keys) > keyMost {
			return beckon.Invalid("%.40q is no row of the key map", row)
		}
		for _, key := range keys {
			if key == "" || len(key) > keyMost || strings.ContainsFunc(key, unicode.IsControl) {
				return beckon.Invalid("%.40q is no key", key)
			}
		}
	}
	return nil
}

// rootsMost is how many folders of Claude Code's files may be read.
const rootsMost = 32

// ofDay reports whether a day has that minute.
func ofDay(minute int) bool { return 0 <= minute && minute < 24*60 }

// layouts are how many panes Mission Control shows at once.
var layouts = []int{1, 4, 6, 9}

// panesMost is how many tasks may have a place, in view or not.
const panesMost = 100

// Mission refuses what the layout of Mission Control cannot be.
func Mission(m beckon.Mission) error {
	if !slices.Contains(layouts, m.Layout) {
		return beckon.Invalid("Mission Control has 1, 4, 6 or 9 panes, not %d", m.Layout)
	}
	if len(m.Panes) > panesMost {
		return beckon.Invalid("Mission Control has room for %d tasks, not %d", panesMost, len(m.Panes))
	}
	if len(m.Removed) > panesMost {
		return beckon.Invalid("Mission Control remembers %d removed tasks, not %d", panesMost, len(m.Removed))
	}
	return nil
}

// maxDraft holds an answer of every item, in bytes, in the page's own form.
const maxDraft = 8 * beckon.MaxAnswerText

// Draft refuses a draft that is too long.
func Draft(text string) error {
	if len(text) > maxDraft {
		return beckon.Invalid("a draft has at most %d KB", maxDraft>>10)
	}
	return nil
}

// maxPath is how long the path of a file may be, in bytes; Linux has 4096.
const maxPath = 8 << 10

// Viewed refuses what cannot be a file of a diff.
func Viewed(path, content string) error {
	if path == "" || len(path) > maxPath || len(content) > 128 {
		return beckon.Invalid("%.80q is no file of a diff", path)
	}
	return nil
}
