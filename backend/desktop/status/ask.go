package status

import (
	"cmp"
	"path"
	"slices"
	"time"

	"beckon/backend/beckon/executing"
	"beckon/backend/plain"
)

// askNotePrefix begins the name of the notification of what ssh asks.
const askNotePrefix = "ssh/"

// asksOf returns the executors that ask something, the longest waiting first.
func asksOf(list executing.List) (asks []executing.Status) {
	for _, one := range list.All {
		if one.Health.Ask != nil {
			asks = append(asks, one)
		}
	}
	slices.SortStableFunc(asks, func(a, b executing.Status) int { return cmp.Compare(a.Health.Ask.Since, b.Health.Ask.Since) })
	return asks
}

// askText says what is asked. It has no words of the other machine's.
func askText(ask executing.Ask, m messages) string {
	switch ask.Kind {
	case executing.AskHostKey:
		return m.SSHKey
	case executing.AskPassphrase:
		return fill(m.SSHSecret, "what", plain.Line(path.Base(ask.File), maxWho))
	case executing.AskPassword:
		return fill(m.SSHPassword, "what", plain.Line(ask.Host, maxWho))
	case executing.AskConfirm, executing.AskTouch, executing.AskWords:
	}
	return m.SSHOther
}

// executors shows what ssh asks, once, and closes it when that is asked no longer. It is
// answered in the window only.
func (l *notifications) executors(v *view, list executing.List, m messages, now time.Time) step {
	var all step
	known, open := map[string]bool{}, map[string]bool{}
	for _, one := range asksOf(v.executors) {
		known[one.Health.Ask.ID] = true
	}
	for _, one := range asksOf(list) {
		ask := *one.Health.Ask
		open[ask.ID] = true
		if known[ask.ID] || !v.settings.Notify.Questions || quiet(v.settings.Notify, now) {
			continue
		}
		all.add(l.showNote(Note{
			ID: askNotePrefix + ask.ID, Title: fill(m.SSHAsks, "who", plain.Line(one.Executor.Name, maxWho)), Body: askText(ask, m),
			Open: m.Open, Actions: []NoteAction{{Key: openKey, Label: m.Open}}, Urgent: true, Sound: soundsFor(v.settings.Notify),
		}))
	}
	for id := range known {
		if !open[id] {
			all.add(l.drop(askNotePrefix + id))
		}
	}
	return all
}
