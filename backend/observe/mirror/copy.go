package mirror

import (
	"errors"
	"io/fs"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/claude/sessionfile"
	"beckon/backend/observe"
	"beckon/backend/transcript"
)

// copied is how much of a session's past is copied, in bytes. What is older is in
// the session's own file.
const copied = 64 << 20

// Past is what a session's file says of the session as a whole.
type Past struct {
	Model  string // that spoke last
	Prompt string // the first that a person said
}

// Copy makes what was said in a session the transcript of a run, to stay when the
// session's own file has gone. Where that fails nothing is left of it.
func Copy(dir, runID string, s observe.Session) (past Past, err error) {
	raw, err := (&observe.Pages{Look: copied}).Next(s)
	if err == nil && len(raw) == 0 {
		err = fs.ErrNotExist
	}
	if err != nil {
		return past, err
	}
	log, err := transcript.Open(dir, runID)
	if err != nil {
		return past, err
	}
	c := copying{log: log}
	for _, line := range sessionfile.InOrder(raw) {
		past.note(line)
		c.add(line)
	}
	if err = errors.Join(c.flush(), log.Sync(), log.Close()); err != nil {
		logged(transcript.Remove(dir, runID), runID)
	}
	return past, err
}

func (p *Past) note(raw []byte) {
	if sessionfile.KindOf(raw) == sessionfile.Skipped {
		return
	}
	line, err := sessionfile.Decode(raw)
	if err != nil {
		return
	}
	if line.Model != "" && !strings.HasPrefix(line.Model, "<") { // the CLI's own words have <synthetic>
		p.Model = sessionfile.Label(line.Model)
	}
	if p.Prompt == "" && line.Prompt && !line.Interrupted() && !line.Command() {
		p.Prompt = sessionfile.Label(line.Text)
	}
}

// copying appends lines to a log, those of one second together: the log has a time
// for each that it takes at once.
type copying struct {
	log   *transcript.Log
	at    int64
	lines [][]byte
	err   error
}

func (c *copying) add(raw []byte) {
	out := sessionfile.Stdout(raw, "")
	if out == nil {
		return
	}
	at := c.at
	if line, err := sessionfile.Decode(raw); err == nil && line.At > 0 {
		at = line.At
	}
	if at/1000 != c.at/1000 {
		c.err = c.flush()
		c.at = at
	}
	c.lines = append(c.lines, out)
}

func (c *copying) flush() error {
	if len(c.lines) == 0 || c.err != nil {
		return c.err
	}
	at := c.at
	if at == 0 {
		at = beckon.Now()
	}
	_, err := c.log.Append(at, c.lines)
	c.lines = nil
	return err
}
