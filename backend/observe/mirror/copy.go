package mirror

import (
	"cmp"
	"errors"
	"io/fs"
	"strings"

	"beckon/backend/agent/claude/sessionfile"
	"beckon/backend/beckon"
	"beckon/backend/observe"
	"beckon/backend/transcript"
)

// copied is how much of a session's past is copied, in bytes. What is older is in
// the session's own file.
const copied = 64 << 20

// Copy makes what was said in a session the transcript of a run, to stay when the
// session's own file has gone, and returns the model that spoke last and the first
// that a person said. Where that fails nothing is left of it.
func (m *Mirrors) Copy(runID string, s observe.Session) (model, prompt string, err error) {
	raw, err := (&observe.Pages{Look: copied}).Next(s)
	if err == nil && len(raw) == 0 {
		err = fs.ErrNotExist
	}
	if err != nil {
		return "", "", err
	}
	log, err := transcript.Open(m.Dir, runID)
	if err != nil {
		return "", "", err
	}
	c := copying{log: log}
	for _, line := range sessionfile.InOrder(raw) {
		c.add(line)
	}
	if err = errors.Join(c.flush(), log.Sync(), log.Close()); err != nil {
		logged(transcript.Remove(m.Dir, runID), runID)
	}
	return c.model, c.prompt, err
}

// copying appends lines to a log, those of one second together: the log has a time
// for each that it takes at once.
type copying struct {
	log   *transcript.Log
	at    int64
	lines [][]byte
	err   error

	model  string // that spoke last
	prompt string // the first that a person said
}

func (c *copying) add(raw []byte) {
	out := sessionfile.Stdout(raw, "")
	if out == nil {
		return
	}
	at := c.at
	if line, err := sessionfile.Decode(raw); err == nil {
		at = cmp.Or(line.At, at)
		c.note(line)
	}
	if at/1000 != c.at/1000 {
		c.err = c.flush()
		c.at = at
	}
	c.lines = append(c.lines, out)
}

func (c *copying) note(line sessionfile.Line) {
	if line.Model != "" && !strings.HasPrefix(line.Model, "<") { // the CLI's own words have <synthetic>
		c.model = sessionfile.Label(line.Model)
	}
	if c.prompt == "" && line.SaidByPerson() {
		c.prompt = sessionfile.Label(line.Text)
	}
}

func (c *copying) flush() error {
	if len(c.lines) == 0 || c.err != nil {
		return c.err
	}
	_, err := c.log.Append(cmp.Or(c.at, beckon.Now()), c.lines)
	c.lines = nil
	return err
}
