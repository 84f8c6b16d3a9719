package export

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/spending"
	"beckon/backend/mask"
	"beckon/backend/plain"
	"beckon/backend/transcript/timeline"
)

// This file draws what is around a shared page's transcript: its head, its list of contents, and
// what changed.

const (
	// mostContents is how many places the list of contents has, and contentsMost how many bytes.
	mostContents = 400
	contentsMost = 200_000
	// mostFiles is how many changed files are named, and patchMost how many bytes of one are shown.
	mostFiles = 1000
	patchMost = 48 << 10
	// labelMost is the most that a name or the beginning of a text has on a line, in bytes.
	labelMost = 160
)

// label is a text as one short line, without its secrets.
func label(text string) string { return plain.Line(mask.Text(text), labelMost) }

// label is that with folders as the page calls them.
func (s *sharer) label(text string) string {
	return plain.Line(s.places.called(mask.Text(text)), labelMost)
}

func (s *sharer) head() markup {
	first, last := s.runs[0], s.runs[len(s.runs)-1]
	var spent beckon.Spent
	turns := 0
	for _, run := range s.runs {
		spent = spent.Add(run.Spent)
		turns += run.Turns
	}
	what := counted(len(s.runs), "run", "runs")
	if len(s.runs) == 1 {
		what = fmt.Sprintf("run %d", first.Number)
	}
	facts := s.task.Key + " · " + what + " · " + clock(first.Started)
	if last.Ended != 0 {
		facts += " – " + clock(last.Ended)
	}
	facts += " · " + counted(turns, "turn", "turns")
	title := s.label(s.task.Title)
	return join(opening(s.task.Key+" · "+title), form("<header>\n<p class=\"meta\">%s%s</p>\n<h1>%s</h1>\n</header>\n", facts, some(" · %s", taken(spent.Tokens, spent.CostUSD)), title))
}

// taken says tokens and cost; nothing where there were none.
func taken(tokens int64, usd float64) string {
	text := ""
	if tokens > 0 {
		text = spending.Tokens(tokens, "en")
	}
	if usd > 0 && text != "" {
		text += " · "
	}
	if usd > 0 {
		text += spending.Money(usd, "en")
	}
	return text
}

// counted says how many.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// runHead begins a run.
func runHead(run beckon.Run) markup {
	return form("<h2>Run %s</h2>\n<p class=\"meta\">%s%s%s%s</p>\n", run.Number, beckon.AgentSays(run.Agent), some(" · %s", label(run.Model)),
		some(" · %s", clock(run.Started)), some(" · %s", string(run.Outcome)))
}

// listed is a place in the list of contents.
type listed struct {
	at   int64
	id   string
	text string
	asks bool
}

// contents lists the turns and questions that are on the page: what the band shows, for those too
// who use no mouse.
func (s *sharer) contents(there map[string]bool) markup {
	var list []listed
	for _, run := range s.runs {
		for _, t := range run.time.Run().Turns {
			id := anchor(run.Number, t.Pos, t.Part)
			text := turnName(t) + ", " + short(t.From)
			if t.Text != "" {
				text += ": " + s.label(t.Text)
			}
			list = append(list, listed{t.From, id, text, false})
		}
		for _, q := range run.questions {
			list = append(list, listed{q.Asked, s.asked[q.ID], s.waited(q), true})
		}
	}
	list = slices.DeleteFunc(list, func(l listed) bool { return !there[l.id] })
	slices.SortStableFunc(list, func(a, b listed) int { return cmp.Compare(a.at, b.at) })
	if len(list) == 0 {
		return ""
	}
	var m markup
	for i, l := range list {
		one := form("<li%s><a href=\"#%s\">%s</a></li>\n", when(l.asks, " class=\"waits\"", ""), l.id, l.text)
		if i == mostContents || len(m)+len(one) > contentsMost {
			m += form("<li>%s more</li>\n", len(list)-i)
			break
		}
		m += one
	}
	return "<nav aria-label=\"Contents\"><details><summary>Contents</summary>\n<ul>\n" + m + "</ul></details></nav>\n"
}

// turnName says which turn of its run it is.
func turnName(t timeline.Turn) string {
	switch {
	case t.To == 0:
		return "Turn without an end"
	case t.Number == 0:
		return "Turn"
	default:
		return fmt.Sprintf("Turn %d", t.Number)
	}
}

// waited says how long a question waited and what it asked.
func (s *sharer) waited(q beckon.Question) string {
	is := "Waits"
	switch {
	case q.Settlement == beckon.Expired:
		is = "Nobody answered"
	case q.Settlement != beckon.Open && q.Settlement != beckon.Orphaned:
		is = "Waited"
	}
	if q.Settled > q.Asked {
		is += " " + spell(q.Settled-q.Asked)
	}
	return fmt.Sprintf("%s, %s: %s", is, short(q.Asked), s.label(textOf(q)))
}

// spell says how long something took.
func spell(ms int64) string {
	d := time.Duration(ms) * time.Millisecond
	switch {
	case d < time.Hour:
		return fmt.Sprintf("%d:%02d", int(d.Minutes()), int(d.Seconds())%60)
	default:
		return fmt.Sprintf("%d h %02d min", int(d.Hours()), int(d.Minutes())%60)
	}
}

// short is a time of the day.
func short(at int64) string { return time.UnixMilli(at).Format("15:04") }

// filesLeft counts what is left out of what changed.
type filesLeft struct{ patches, names int }

// changes shows what changed, as far as there is room.
func (s *sharer) changes(c Changed) (m markup, left filesLeft) {
	m = "<section aria-label=\"Changes\">\n<h2>Changes</h2>\n"
	if c.Unknown {
		m += "<p class=\"notice\">What changed is not known here: no state of the files was recorded for it.</p>\n"
	}
	if c.Elsewhere > 0 {
		m += form("<p class=\"notice\">What changed in %s is not known here.</p>\n", counted(c.Elsewhere, "further repository", "further repositories"))
	}
	if c.Mixed {
		m += "<p class=\"notice\">Somebody else may have changed files meanwhile; that would be in it.</p>\n"
	}
	if len(c.Files) == 0 {
		none := when(c.Unknown || c.Elsewhere > 0, "", "<p class=\"notice\">No file changed.</p>\n")
		return m + none + "</section>\n", left
	}
	added, removed := 0, 0
	for _, f := range c.Files {
		added, removed = added+f.Added, removed+f.Removed
	}
	left.names = c.Omitted
	parts := []markup{m, form("<p class=\"meta\">%s, +%s −%s</p>\n", counted(len(c.Files)+c.Omitted, "file", "files"), added, removed)}
	patches, names := patchesMost, namesMost
	for i, f := range c.Files {
		name := s.named(f)
		if i == mostFiles || len(name) > names {
			left.names += len(c.Files) - i
			break
		}
		names -= len(name)
		lines, whole := s.lines(f, name, patches)
		if !whole {
			left.patches++
		}
		if lines == "" {
			lines = form("<p class=\"file\">%s%s</p>\n", name, when(whole, "", " <span class=\"left\">its lines are left out</span>"))
		} else {
			patches -= len(lines) - len(name)
		}
		parts = append(parts, lines)
	}
	if left.names > 0 {
		parts = append(parts, form("<p class=\"left\">%s not named here.</p>\n", counted(left.names, "more file is", "more files are")))
	}
	return join(append(parts, "</section>\n")...), left
}

// named is a changed file without its lines.
func (s *sharer) named(f beckon.FileDiff) markup {
	name := s.label(f.Path)
	if f.OldPath != "" {
		name = s.label(f.OldPath) + " → " + name
	}
	return form("<b class=\"change\">%s</b> <code>%s</code> <span class=\"meta\">+%s −%s</span>%s", string(f.Change), name, f.Added, f.Removed,
		when(f.Binary, " <span class=\"meta\">binary</span>", ""))
}

// lines is a changed file with its lines, where it has some and these have room.
func (s *sharer) lines(f beckon.FileDiff, name markup, room int) (m markup, whole bool) {
	if f.Patch == "" && !f.Cut {
		return "", true
	}
	if room < min(len(f.Patch), patchMost) {
		return "", false
	}
	text, cut := s.places.called(beginning(f.Patch, f.Cut)), ""
	if len(f.Patch) > patchMost || f.Cut {
		cut = fmt.Sprintf("%d lines were added and %d removed in all", f.Added, f.Removed)
	}
	m = form("<details class=\"file\"><summary>%s</summary>\n<pre class=\"diff\">%s</pre>\n%s</details>\n", name, diff(text), some("<p class=\"left\">More lines are left out: %s.</p>\n", cut))
	if len(m)-len(name) > room {
		return "", false
	}
	return m, cut == ""
}

// edgeMost is how much is looked at behind the place where a long text is cut, in bytes: a secret
// may be cut there, and is not known by its half.
const edgeMost = 4 << 10

// beginning is the first part of a patch, without its secrets. cut says that git's was cut already.
func beginning(patch string, cut bool) string {
	if len(patch) <= patchMost {
		return ended(patch, cut)
	}
	shown := mask.Torn(patch[:min(len(patch), patchMost+edgeMost)])
	return strings.ToValidUTF8(shown[:min(len(shown), patchMost)], "")
}
