package why

import (
	"context"
	"errors"
	"io/fs"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/transcript"
)

// This file reads the tool calls of a run from its log.

// The most that is read.
const (
	mostLine = 16 << 20  // bytes of a line
	mostLogs = 256 << 20 // bytes of all logs of a task, the newest first
)

// call is a tool call of a run.
type call struct {
	agent.FileCall
	run    int   // which of the task's
	turn   int   // counts within the run, from 1
	pos    int64 // of its line, within the run
	at     int64
	number int // counts the task's calls that edit a file, from 1
	// ofFile is whether it edits the file, perhaps whether it may be that file.
	ofFile, perhaps bool
	// astray is whether it edits a file that is gone, which may have been this one in between.
	astray bool
}

// event is the place of a call, of its result or of a turn's end in a log.
type event struct {
	kind eventKind
	call int   // of the log's
	pos  int64 // of the line
}

type eventKind int

const (
	called eventKind = iota
	returned
	turnEnded
	skipped // a line that was too long to read
)

// runLog is what a log says of a run, as far as one file is concerned.
type runLog struct {
	calls  []call
	events []event
	lost   bool // nothing is known of what it did
	late   bool // it did more since it was measured
}

// logEnds returns how many lines the logs of runs have.
func logEnds(dir string, runs []beckon.Run) (map[string]int64, error) {
	all := map[string]int64{}
	for _, r := range runs {
		log, err := transcript.OpenRead(dir, r.ID)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all[r.ID] = log.Whole()
		if err := log.Close(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// readLog reads a run's log, which may be growing, up to a line; what calls it has behind that are
// late. Of calls that edit other files it keeps only that they were. A run of which there is no log
// had no turn, or is lost.
func readLog(ctx context.Context, dir string, run int, of beckon.Run, end int64, n names, left *int64) (l runLog, err error) {
	log, err := transcript.OpenRead(dir, of.ID)
	if errors.Is(err, fs.ErrNotExist) {
		return runLog{lost: true}, nil
	}
	if err != nil {
		return l, err
	}
	defer log.Close()
	if *left -= log.Size(); *left < 0 {
		return runLog{lost: true}, nil
	}
	open, turn := map[string]int{}, 1
	for line, err := range log.View().Read(0, log.Whole()) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return l, err
		}
		var said agent.FileLine
		if len(line.Raw) <= mostLine {
			said = transcript.Files(line.Raw)
		}
		if line.Number >= end {
			l.late = l.late || len(said.Calls) > 0 || len(line.Raw) > mostLine
			continue
		}
		if len(line.Raw) > mostLine {
			l.events = append(l.events, event{skipped, 0, line.Number})
		}
		n.begins(said.Folder, of.Executor != "")
		for _, c := range said.Calls {
			l.add(call{FileCall: c, run: run, turn: turn, pos: line.Number, at: line.At}, open, n)
		}
		if transcript.EndsTurn(line.Raw) {
			l.events = append(l.events, event{turnEnded, 0, line.Number})
			turn++
		}
	}
	return l, nil
}

// add takes in a call, what is new of one, or its result.
func (l *runLog) add(c call, open map[string]int, n names) {
	at, known := open[c.ID]
	if known && l.calls[at].Ends {
		if !c.Begins {
			return // its first result was its end
		}
		known = false // the id is used again
	}
	switch {
	case !known && c.Ends:
		return // a result of which there is no call says nothing of files
	case !known:
		at = len(l.calls)
		open[c.ID] = at
		l.calls = append(l.calls, c)
		l.events = append(l.events, event{called, at, c.pos})
		if parent, ok := open[c.Parent]; ok && c.Parent != "" && !l.calls[parent].Stays {
			l.calls[parent].Effect = agent.NoEffect // what its sub-agent does is here
		}
	default:
		l.calls[at].know(c.FileCall)
	}
	one := &l.calls[at]
	one.ofFile, one.perhaps, one.astray = false, false, false
	if one.Effect == agent.EditsFile && one.Path != "" {
		one.ofFile, one.perhaps = n.match(one.Path)
		one.astray = !one.ofFile && !one.perhaps && n.astray(one.Path)
	}
	if !one.ofFile {
		one.Changes, one.Original = nil, nil
	}
	if c.Ends {
		l.events = append(l.events, event{returned, at, c.pos})
	}
}

// know takes in what a later line says of a call.
func (c *call) know(later agent.FileCall) {
	if later.Effect != agent.NoEffect {
		c.Effect = later.Effect
	}
	if later.Verb != "" && later.Verb != beckon.Using {
		c.Verb = later.Verb
	}
	if later.Does != "" {
		c.Does = later.Does
	}
	if later.Path != "" {
		c.Path = later.Path
	}
	if len(later.Changes) > 0 {
		c.Changes = later.Changes
	}
	if later.Original != nil {
		c.Original = later.Original
	}
	c.Ends, c.Stays = c.Ends || later.Ends, c.Stays || later.Stays
	c.Undone, c.Unsure = c.Undone || later.Undone, c.Unsure || later.Unsure
}
