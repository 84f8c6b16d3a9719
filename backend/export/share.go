package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/plain"
	"beckon/backend/transcript"
	"beckon/backend/transcript/timeline"
)

// This file writes a task's session, or one run of it, as one page of a few megabytes: the time
// of it as a band, what was said with long outputs cut, what was asked and answered, and what
// changed. What has no room is counted, and said at its place and at the top.

// What a shared page has room for, in bytes. Its parts are less than pageMost together; the rest
// is for its head, its band and its list of contents, which have bounds of their own.
const (
	pageMost    = 5_000_000
	startMost   = 700_000   // what was said first
	endMost     = 2_100_000 // what was said last
	betweenMost = 400_000   // messages, questions and ends of turns between the two
	filesMost   = 800_000   // what changed
)

// What one entry has room for, in bytes.
const (
	textMost     = 24 << 10
	inputMost    = 4 << 10
	resultMost   = 8 << 10
	diffMost     = 16 << 10
	entryMost    = 96 << 10 // as HTML
	pictureMost  = 64 << 10
	picturesMost = 768 << 10 // all of them
)

// Changed is what a task, or one of its runs, changed.
type Changed struct {
	Files   []beckon.FileDiff
	Omitted int // files beyond those
	// Unknown says that what the run changed was not recorded.
	Unknown bool
}

// sharer collects a page. It is a writer of each run's entries in turn.
type sharer struct {
	x    *Exporter
	task beckon.Task
	runs []*sharedRun
	reel reel
	// What is left out: parts of entries, in bytes, and pictures.
	cut, pictures int
	pictured      int // bytes of pictures that are there
	log           *transcript.Log
	places        *strings.Replacer // of this computer, by what they are called on the page
	asked         map[string]string // where questions are on the page, by their calls
}

// sharedRun is a run with its time.
type sharedRun struct {
	beckon.Run
	time      *timeline.Reader
	questions []beckon.Question
}

// Share writes a task's session, or where runID is not empty that run of it, as one page to a new
// file, and returns its path. The page has 5 MB at most, runs nothing and fetches nothing.
func (x *Exporter) Share(ctx context.Context, taskID, runID string) (path string, err error) {
	task, err := x.Store.Task(ctx, taskID)
	if err != nil {
		return "", err
	}
	runs, err := x.Store.Runs(ctx, taskID)
	if err != nil {
		return "", err
	}
	s := &sharer{x: x, task: task, reel: newReel(), places: placesOf(task), asked: map[string]string{}}
	for _, run := range runs {
		if runID == "" || run.ID == runID {
			s.runs = append(s.runs, &sharedRun{Run: run, time: timeline.NewReader(run.Started)})
		}
	}
	if len(s.runs) == 0 {
		return "", fmt.Errorf("there is no run to share: %w", beckon.ErrNotFound)
	}
	if err := s.read(ctx); err != nil {
		return "", err
	}
	changed, err := x.Changed(ctx, taskID, runID)
	if err != nil {
		return "", err
	}
	page, err := s.page(changed)
	if err != nil {
		return "", err
	}
	name := task.Key
	if runID != "" {
		name = fmt.Sprintf("%s-run-%d", task.Key, s.runs[0].Number)
	}
	f, err := x.create(name+"-shared", ".html")
	if err != nil {
		return "", err
	}
	_, err = io.WriteString(f, string(page))
	return f.Name(), written(f, err)
}

// read reads what the runs said and asked.
func (s *sharer) read(ctx context.Context) error {
	all, err := s.x.Store.Questions(ctx, s.task.ID)
	if err != nil {
		return err
	}
	for _, run := range s.runs {
		asked := map[string]*asked{}
		for _, q := range all {
			if q.RunID != run.ID || q.Reason.Is(reason.NotAsked) {
				continue
			}
			run.questions = append(run.questions, q)
			if q.ToolUseID != "" {
				asked[q.ToolUseID] = settled(q)
			}
		}
		if err := s.readRun(ctx, run, asked); err != nil {
			return err
		}
	}
	return nil
}

func (s *sharer) readRun(ctx context.Context, run *sharedRun, asked map[string]*asked) error {
	s.reel.add(chunk{run: run.Number, html: runHead(run.Run), keep: true})
	log, err := transcript.OpenRead(s.x.Logs, run.ID)
	if errors.Is(err, fs.ErrNotExist) {
		s.reel.add(chunk{run: run.Number, html: "<p class=\"notice\">The agent of this run said nothing.</p>\n", keep: true})
		return nil
	}
	if err != nil {
		return err
	}
	defer log.Close()
	s.log = log
	return write(ctx, &sharedWriter{s, run}, log, run.ID, asked)
}

// sharedWriter takes the entries of one run.
type sharedWriter struct {
	*sharer
	run *sharedRun
}

func (w *sharedWriter) begin() error { return nil }
func (w *sharedWriter) end() error   { return nil }

func (w *sharedWriter) entry(e exported) error {
	w.run.time.Add(e.Entry)
	lean, left := lean(w.called(e))
	html := entry(lean, nil)
	if len(html) > entryMost { // marks that become many
		whole := textOfEntry(lean)
		kept := plain.Cut(whole, entryMost/16)
		html = preformatted(kept)
		left += len(whole) - len(kept)
	}
	w.cut += left
	id := anchor(w.run.Number, e.Pos, e.Part)
	if e.Asked != nil {
		w.asked[e.ID] = id
	}
	html = join(form("<div id=\"%s\">\n", id), html, some("<p class=\"left\">%s more of this is left out.</p>\n", size(left)), w.shown(e.Entry), "</div>\n")
	w.reel.add(chunk{run: w.run.Number, parent: e.Parent, html: html, id: id, keep: stands(e)})
	return nil
}

// placesOf calls the folders of this computer what others understand: those of the task's worktree
// are relative to it, and the user's is ~.
func placesOf(task beckon.Task) *strings.Replacer {
	var pairs []string
	if len(task.Worktree) > 1 {
		pairs = append(pairs, task.Worktree+string(filepath.Separator), "", task.Worktree, ".")
	}
	if home, err := os.UserHomeDir(); err == nil && len(home) > 1 {
		pairs = append(pairs, home, "~")
	}
	return strings.NewReplacer(pairs...)
}

// called is an entry with folders as the page calls them.
func (s *sharer) called(e exported) exported {
	e.Text = s.places.Replace(e.Text)
	if e.Tool != nil {
		t := *e.Tool
		for _, text := range []*string{&t.Target, &t.Input, &t.Diff, &t.Result} {
			*text = s.places.Replace(*text)
		}
		e.Tool = &t
	}
	return e
}

// stands reports whether an entry is one that others are understood by.
func stands(e exported) bool {
	return e.Parent == "" && (e.Kind == beckon.UserEntry || e.Kind == beckon.QuestionEntry || e.Kind == beckon.TurnEntry || e.Asked != nil)
}

// lean is an entry with its long parts cut, and how many bytes that left out.
func lean(e exported) (short exported, left int) {
	cut := func(text *string, most int) {
		if len(*text) > most {
			kept := plain.Cut(*text, most)
			left += len(*text) - len(kept)
			*text = kept
		}
	}
	cut(&e.Text, textMost)
	if e.Turn != nil {
		t := *e.Turn
		cut(&t.Reason, textMost)
		e.Turn = &t
	}
	if e.Tool != nil {
		t := *e.Tool
		cut(&t.Input, inputMost)
		cut(&t.Diff, diffMost)
		cut(&t.Result, resultMost)
		left, t.Cut = left+t.Cut, 0
		e.Tool = &t
	}
	return e, left
}

// textOfEntry is what an entry shows, without its form.
func textOfEntry(e exported) string {
	if e.Tool == nil {
		return e.Text
	}
	return e.Tool.Target + "\n" + e.Tool.Input + e.Tool.Diff + e.Tool.Result
}

// shown are an entry's pictures, those that are small as long as there is room.
func (w *sharedWriter) shown(e beckon.Entry) (m markup) {
	for _, p := range e.Pictures {
		if p.Size <= pictureMost && w.pictured+p.Size <= picturesMost {
			if url, err := transcript.ReadPicture(w.log, p.Pos, p.Index); err == nil && len(url) <= 2*pictureMost {
				w.pictured += len(url)
				m += shown([]string{url})
				continue
			}
		}
		w.pictures++
		m += form("<p class=\"left\">A picture of %s is left out.</p>\n", size(p.Size))
	}
	return m
}

// page puts the page together.
func (s *sharer) page(changed Changed) (markup, error) {
	said, there := s.reel.joined()
	files, listed := changes(changed)
	page := join(s.head(), s.leftOut(listed), s.band(there), s.contents(there), "<main>\n", said, files, "</main>\n", foot)
	if len(page) > pageMost {
		return "", fmt.Errorf("the page has %d bytes, more than the %d that it may have", len(page), pageMost)
	}
	return page, nil
}

// leftOut says at the top of a page what is not in it.
func (s *sharer) leftOut(files filesLeft) markup {
	var parts []string
	for _, p := range []struct {
		n         int
		one, many string
	}{
		{s.reel.left, "1 entry", "%d entries"},
		{s.pictures, "1 picture", "%d pictures"},
		{files.patches, "the lines of 1 file", "the lines of %d files"},
		{files.names, "1 file", "%d files"},
	} {
		if p.n == 1 {
			parts = append(parts, p.one)
		} else if p.n > 1 {
			parts = append(parts, fmt.Sprintf(p.many, p.n))
		}
	}
	if s.cut > 0 {
		parts = append(parts, size(s.cut)+" of long texts and outputs")
	}
	if len(parts) == 0 {
		return ""
	}
	return form("<p class=\"left\" role=\"note\">Left out, for a page of 5 MB at most: %s. Each place says so.</p>\n", strings.Join(parts, ", "))
}

// size says how many bytes; nothing for none.
func size(bytes int) string {
	switch {
	case bytes <= 0:
		return ""
	case bytes < 1000:
		return fmt.Sprintf("%d bytes", bytes)
	case bytes < 1_000_000:
		return fmt.Sprintf("%d KB", (bytes+500)/1000)
	default:
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	}
}

// anchor is the id of an entry on the page.
func anchor(run int, pos int64, part int) string { return fmt.Sprintf("e%d-%d-%d", run, pos, part) }
