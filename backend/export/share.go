package export

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/mask"
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
	patchesMost = 500_000   // what changed
	namesMost   = 300_000   // the names of the files that changed
)

// What one entry has room for, in bytes.
const (
	textMost     = 24 << 10
	inputMost    = 4 << 10
	resultMost   = 8 << 10
	diffMost     = 16 << 10
	answerMost   = 2 << 10
	answersMost  = 8        // earlier answers to a question
	entryMost    = 96 << 10 // as HTML
	pictureMost  = 64 << 10
	picturesMost = 768 << 10 // all of them
	picturesTry  = 20        // pictures of an entry that are looked at: each takes its whole line
)

// Changed is what a task, or one of its runs, changed.
type Changed struct {
	Files   []beckon.FileDiff
	Omitted int // files beyond those
	// Unknown says that what the run changed was not recorded.
	Unknown bool
	// Elsewhere is in how many further repositories it is not known what changed.
	Elsewhere int
	// Mixed says that what others changed may be in it.
	Mixed bool
}

// sharer collects a page. It is a writer of each run's entries in turn.
type sharer struct {
	x    *Exporter
	task beckon.Task
	runs []*sharedRun
	reel reel
	// What is left out: parts of entries, in bytes, and pictures.
	cut, pictures int
	more          bool // the transcript had cut more already, nobody knows how much
	pictured      int  // bytes of pictures that are there
	log           *transcript.Log
	places        places
	asked         map[string]string // where questions are on the page, by their ids
}

// sharedRun is a run with its time.
type sharedRun struct {
	beckon.Run
	time      *timeline.Reader
	questions []beckon.Question // the oldest first
	stated    int               // how many of those stand on the page, or were left to an entry that does
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
				asked[q.ToolUseID] = s.settled(q)
			}
		}
		slices.SortStableFunc(run.questions, func(a, b beckon.Question) int { return cmp.Compare(a.Asked, b.Asked) })
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
		return (&sharedWriter{s, run}).end()
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
func (w *sharedWriter) room() int    { return textMost }

func (w *sharedWriter) end() error {
	w.state(math.MaxInt64)
	return nil
}

func (w *sharedWriter) entry(e exported) error {
	w.run.time.Add(e.Entry)
	id := anchor(w.run.Number, e.Pos, e.Part)
	if e.Asked != nil && w.asked[e.Asked.id] == "" {
		w.asked[e.Asked.id] = id
	} else {
		e.Asked = nil // it stands before
	}
	if e.At > 0 && e.Parent == "" {
		w.state(e.At)
	}
	html, left := w.drawn(w.called(e))
	html = join(form("<div id=\"%s\">\n", id), html, w.leftHere(left, e.more), w.shown(e.Entry), "</div>\n")
	w.reel.add(chunk{run: w.run.Number, parent: e.Parent, html: html, id: id, keep: stands(e)})
	return nil
}

// leftHere says how much of an entry is left out, and counts it.
func (s *sharer) leftHere(left int, more bool) markup {
	s.cut += left
	s.more = s.more || left > 0 && more
	return some("<p class=\"left\">%s more of this is left out.</p>\n", atLeast(left, more, "More than "))
}

// atLeast says how many bytes, with words before them where it may be more; nothing for none.
func atLeast(bytes int, more bool, words string) string {
	if bytes > 0 && more {
		return words + size(bytes)
	}
	return size(bytes)
}

// drawn is an entry as HTML that has a bound, and how many bytes of it are left out.
func (s *sharer) drawn(e exported) (html markup, left int) {
	short, left := lean(e)
	html = entry(short, nil)
	if len(html) > entryMost { // marks that become many
		var more int
		short, more = brief(short)
		left += more
		if html = entry(short, nil); short.Tool == nil && short.Turn == nil {
			html = preformatted(short.Text)
		}
	}
	return html, left
}

// lateMost is how much later than a question the entry of its call may be, in milliseconds.
const lateMost = 10_000

// state puts questions that were asked before a time, and that no entry asked, in their places: the
// agents that speak ACP ask beside their transcripts.
func (w *sharedWriter) state(before int64) {
	for ; w.run.stated < len(w.run.questions); w.run.stated++ {
		q := w.run.questions[w.run.stated]
		at := q.Asked
		if q.ToolUseID != "" && w.asked[q.ID] == "" {
			at += lateMost
		}
		if before <= at {
			return
		}
		if w.asked[q.ID] != "" {
			continue
		}
		text := w.places.called(mask.Text(textOf(q)))
		e, left := lean(exported{Entry: beckon.Entry{Text: text}, Asked: w.settled(q)})
		if cut := len(e.Text) - textMost/4; cut > 0 {
			e.Text, left = plain.Cut(e.Text, textMost/4), left+cut
		}
		id := fmt.Sprintf("q%d-%d", w.run.Number, w.run.stated)
		w.asked[q.ID] = id
		html := form("<div id=\"%s\">\n<section class=\"question asked\"><p class=\"plain\">%s</p>%s</section>\n%s</div>\n", id, e.Text, answers(e.Asked), w.leftHere(left, false))
		w.reel.add(chunk{run: w.run.Number, html: html, id: id, keep: true})
	}
}

// settled is how a question was settled, with folders as the page calls them.
func (s *sharer) settled(q beckon.Question) *asked {
	a := settled(q)
	a.Answer = s.places.called(a.Answer)
	for i := range a.Earlier {
		a.Earlier[i].Answer = s.places.called(a.Earlier[i].Answer)
	}
	return a
}

// called is an entry with folders as the page calls them.
func (s *sharer) called(e exported) exported {
	e.Text = s.places.called(e.Text)
	if e.Tool != nil {
		t := *e.Tool
		for _, text := range []*string{&t.Target, &t.Input, &t.Diff, &t.Result} {
			*text = s.places.called(*text)
		}
		e.Tool = &t
	}
	if e.Turn != nil {
		t := *e.Turn
		t.Reason = s.places.called(t.Reason)
		e.Turn = &t
	}
	return e
}

// stands reports whether an entry is one that others are understood by.
func stands(e exported) bool {
	return e.Parent == "" && (e.Kind == beckon.UserEntry || e.Kind == beckon.QuestionEntry || e.Kind == beckon.TurnEntry || e.Asked != nil)
}

// lean is an entry with its long parts cut, and how many bytes that left out.
func lean(e exported) (short exported, left int) {
	left = e.left
	cut := func(text *string, most int) { left += shorten(text, most) }
	cut(&e.Text, textMost)
	if e.Turn != nil {
		t := *e.Turn
		cut(&t.Reason, textMost)
		e.Turn = &t
	}
	if e.Tool != nil {
		t := *e.Tool
		cut(&t.Name, labelMost)
		cut(&t.Target, inputMost)
		cut(&t.Input, inputMost)
		cut(&t.Diff, diffMost)
		cut(&t.Result, resultMost)
		left, t.Cut = left+t.Cut, 0
		e.Tool = &t
	}
	if e.Asked != nil {
		var more int
		e.Asked, more = e.Asked.within(answersMost, answerMost)
		left += more
	}
	return e, left
}

// shorten cuts a text to most bytes, and returns how many that left out.
func shorten(text *string, most int) (left int) {
	kept := plain.Cut(*text, most)
	left = len(*text) - len(kept)
	*text = kept
	return max(0, left)
}

// within is what was asked with so many earlier answers at most, the newest, and answers of most
// bytes; and how many bytes that left out of those that are there.
func (a asked) within(earlier, most int) (short *asked, left int) {
	left = shorten(&a.Answer, most)
	old := max(0, len(a.Earlier)-earlier)
	a.omitted += old
	a.Earlier = slices.Clone(a.Earlier[old:])
	for i := range a.Earlier {
		left += shorten(&a.Earlier[i].Answer, most)
	}
	return &a, left
}

// brief is an entry of which there is the beginning alone, whatever its marks become, with its
// name and answers; and how many bytes that left out.
func brief(e exported) (short exported, left int) {
	whole := textOfEntry(e)
	kept := plain.Cut(whole, entryMost/24)
	left = len(whole) - len(kept)
	e.Text = kept
	if e.Turn != nil {
		t := *e.Turn
		left += shorten(&t.Reason, entryMost/24)
		e.Turn = &t
	}
	if e.Tool != nil {
		e.Tool = &beckon.ToolCall{Name: e.Tool.Name, Orphan: e.Tool.Orphan, Failed: e.Tool.Failed, Input: kept}
	}
	if e.Asked != nil {
		var more int
		e.Asked, more = e.Asked.within(1, answerMost/2)
		left += more
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
	left, bytes := 0, 0
	for i, p := range e.Pictures {
		if i < picturesTry && p.Size <= pictureMost && w.pictured+p.Size <= picturesMost {
			if url, err := transcript.ReadPicture(w.log, p.Pos, p.Index); err == nil && len(url) <= 2*pictureMost {
				w.pictured += len(url)
				m += shown([]string{url})
				continue
			}
		}
		left++
		bytes += p.Size
	}
	w.pictures += left
	if left > 0 {
		m += form("<p class=\"left\">Left out: %s%s.</p>\n", counted(left, "picture", "pictures"), some(" of %s", size(bytes)))
	}
	return m
}

// page puts the page together.
func (s *sharer) page(changed Changed) (markup, error) {
	said, there := s.reel.joined()
	files, listed := s.changes(changed)
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
		parts = append(parts, atLeast(s.cut, s.more, "more than ")+" of long texts and outputs")
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
