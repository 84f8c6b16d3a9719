package status

import (
	"cmp"
	"path"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/notify"
	"beckon/backend/plain"
)

// view is what is known of Beckon, and how it is said.
type view struct{ *notify.View }

func newView() view { return view{notify.NewView()} }

// who names the one that asks.
func (v view) who(q beckon.Question, m messages) string {
	if t, known := v.Tasks[q.TaskID]; known {
		return beckon.Asker(t.Key, t.Agent)
	}
	return cmp.Or(plain.Line(q.Origin, maxWho), m.AnAgent)
}

// maxWho bounds a name that the agent gives itself, in bytes.
const maxWho = 60

// askText says what ssh asks. It has no words of the other machine's.
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
