package search

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"beckon/backend/beckon"
	"beckon/backend/store/textindex"
	"beckon/backend/transcript"
)

const (
	hitsMost  = 100 // of a page
	wordsMost = 16  // of a query; more say nothing more
)

// Search finds entries, newest first. A text without a word finds nothing.
func (x *Index) Search(ctx context.Context, q beckon.SearchQuery) (beckon.SearchPage, error) {
	page := beckon.SearchPage{Hits: []beckon.SearchHit{}, Elsewhere: []beckon.Question{}, Behind: x.pending()}
	if q.Limit < 1 || q.Limit > hitsMost {
		return page, fmt.Errorf("a page has 1 to %d hits, not %d: %w", hitsMost, q.Limit, beckon.ErrInvalid)
	}
	if q.Kind != "" && !slices.Contains(beckon.EntryKinds, q.Kind) {
		return page, fmt.Errorf("there are no entries of kind %q: %w", q.Kind, beckon.ErrInvalid)
	}
	before, err := parseCursor(q.Before)
	if err != nil {
		return page, err
	}
	if !isID(q.ProjectID) || !isID(q.TaskID) {
		return page, nil
	}
	words := wanted(q.Text)
	if page.Elsewhere, err = x.elsewhere(ctx, q, words); err != nil {
		return page, err
	}
	matches, err := x.words.Find(ctx, textindex.Query{
		Tokens: words, ProjectID: q.ProjectID, TaskID: q.TaskID, Kind: q.Kind,
		Before: before, Limit: q.Limit + 1,
	})
	if err != nil {
		return page, err
	}
	if len(matches) > q.Limit {
		matches = matches[:q.Limit]
		page.Before = strconv.FormatInt(matches[q.Limit-1].ID, 10)
	}
	logs := logCache{dir: x.logs, open: map[string]*transcript.Log{}}
	defer logs.close()
	for _, p := range distinct(matches) {
		hit := beckon.SearchHit{TaskID: p.TaskID, RunID: p.RunID, Pos: p.Pos, Part: p.Part, Kind: p.Kind, At: p.At}
		text, err := logs.text(p)
		if err != nil {
			return page, err
		}
		hit.Snippet, hit.Marks = snippet(text, words)
		page.Hits = append(page.Hits, hit)
	}
	return page, nil
}

// distinct leaves out places that are there already: an entry is found by what
// was asked of a tool and by what it gave back. Where the two are on different
// pages, it is on both.
func distinct(places []textindex.Place) []textindex.Place {
	type entry struct {
		run  string
		pos  int64
		part int
	}
	known := map[entry]bool{}
	return slices.DeleteFunc(places, func(p textindex.Place) bool {
		e := entry{p.RunID, p.Pos, p.Part}
		again := known[e]
		known[e] = true
		return again
	})
}

func parseCursor(before string) (int64, error) {
	if before == "" {
		return 0, nil
	}
	id, err := strconv.ParseInt(before, 10, 64)
	if err != nil || id < 1 {
		return 0, fmt.Errorf("%q is no place among hits: %w", before, beckon.ErrInvalid)
	}
	return id, nil
}

// isID reports whether a filter may name something: ids are a single word.
func isID(id string) bool {
	for t := range tokens(id) {
		return t.to-t.from == len(id)
	}
	return id == ""
}

// wanted are the words of a query, each once but the last, which is found by
// its beginning.
func wanted(text string) []string {
	var words []string
	for t := range tokens(text) {
		if len(words) == wordsMost {
			break
		}
		words = append(words, t.norm)
	}
	return words
}

// logCache holds the logs that a page of hits is folded from.
type logCache struct {
	dir  string
	open map[string]*transcript.Log
}

func (s logCache) close() {
	for _, log := range s.open {
		if log != nil {
			log.Close()
		}
	}
}

// text folds what a place says. Where the log is gone meanwhile that is
// nothing.
func (s logCache) text(p textindex.Place) (string, error) {
	log, known := s.open[p.RunID]
	if !known {
		var err error
		if log, err = transcript.OpenRead(s.dir, p.RunID); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		s.open[p.RunID] = log
	}
	if log == nil {
		return "", nil
	}
	for line, err := range log.View().ReadShort(new([]byte), p.Line, p.Line+1) {
		if err != nil {
			return "", err
		}
		for _, e := range transcript.Alone(line) {
			if e.Part == p.Own {
				return transcript.Words(e), nil
			}
		}
	}
	return "", nil
}

// A snippet begins up to snippetLead bytes before the first match, and has up
// to snippetMost.
const (
	snippetLead = 60
	snippetMost = 240
)

// snippet cuts out of a text what is around the first of the words, on one
// line, and tells where the words are in it, in UTF-16 units.
func snippet(text string, words []string) (string, []int) {
	var hits []token
	from, to := 0, min(len(text), snippetMost)
	for t := range tokens(text) {
		if len(hits) > 0 && t.from >= to {
			break
		}
		if !matches(t.norm, words) {
			continue
		}
		if len(hits) == 0 {
			from = wordBoundary(text, max(t.from-snippetLead, 0), t.from)
			to = min(len(text), max(from+snippetMost, t.to))
		}
		hits = append(hits, t)
	}
	to = boundary(text, to)
	marks := []int{}
	for _, t := range hits {
		if t.to <= to {
			marks = append(marks, units(text[from:t.from]), units(text[from:t.to]))
		}
	}
	return strings.Map(blank, strings.ToValidUTF8(text[from:to], "\uFFFD")), marks
}

func matches(word string, words []string) bool {
	last := len(words) - 1
	return last >= 0 && (slices.Contains(words, word) || strings.HasPrefix(word, words[last]))
}

// blank takes line ends for blanks, one for one, so that the marks stay right.
func blank(r rune) rune {
	if r == '\n' || r == '\r' || r == '\t' {
		return ' '
	}
	return r
}

// boundary is the first place from at where a character begins.
func boundary(text string, at int) int {
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	return at
}

// wordBoundary is the first place from at where a word begins, before most; in
// the middle of a word that is longer, one where a character does.
func wordBoundary(text string, at, most int) int {
	if i := strings.IndexAny(text[at:most], " \n\t"); at > 0 && i >= 0 {
		return at + i + 1
	}
	return boundary(text, at)
}

// units counts a text in UTF-16.
func units(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}
