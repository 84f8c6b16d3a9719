package export

import (
	"fmt"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/transcript/timeline"
)

// This file draws the time of a page's runs as a picture whose parts lead to what they are of. It
// has no style of its own, which the page's policy would refuse, and no piece that is not seen:
// what another piece covers is not drawn.

// Where the band is, in units of the picture: its rows lie between left and right.
const (
	bandWide  = 828
	bandLeft  = 84
	bandHigh  = 126
	turnsTop  = 2
	callsTop  = 22
	waitsTop  = 40
	besideTop = 60
	costTop   = 74
	costHigh  = 26
	timesTop  = 120
	gapWide   = 4 // between two runs
	mostTimes = 6
)

// axis puts times in their places. Times between runs take no room.
type axis struct {
	runs  []*sharedRun
	ends  []int64
	scale float64 // units of the picture for a millisecond
	gap   float64
}

func newAxis(runs []*sharedRun) axis {
	a := axis{runs: runs}
	var all int64
	for _, run := range runs {
		end := run.Ended
		if end == 0 {
			end = beckon.Now()
		}
		end = max(end, run.Started+1)
		a.ends = append(a.ends, end)
		all += end - run.Started
	}
	const room = bandWide - bandLeft
	a.gap = min(gapWide, room/2/float64(len(runs)))
	a.scale = (room - a.gap*float64(len(runs)-1)) / float64(all)
	return a
}

// at is where a time of a run is.
func (a axis) at(run int, at int64) float64 {
	x := float64(bandLeft)
	for i := range run {
		x += float64(a.ends[i]-a.runs[i].Started)*a.scale + a.gap
	}
	return x + float64(min(max(at, a.runs[run].Started), a.ends[run])-a.runs[run].Started)*a.scale
}

// What a row of the band has room for, in bytes.
const (
	rowMost    = 130_000
	titlesMost = 40_000 // with pieces that say what they are
)

// row draws pieces in the order of their beginnings, none that another one covers.
type row struct {
	there    map[string]bool
	from, to float64 // where the last one is
	size     int     // bytes
	m        []markup
}

// add draws a piece that leads to an entry, where that is on the page. One that begins on the same
// spot as the last one, and ends no later, is drawn with that.
func (r *row) add(class, id, title string, x, y, wide, high float64) {
	wide = max(wide, 1.5)
	if len(r.m) > 0 && x < r.from+1 && x+wide < r.to+1 {
		return
	}
	says := form("<title>%s</title>", title)
	if r.size+len(says) > titlesMost {
		says = ""
	}
	piece := form("<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"1\">%s</rect>", class, units(x), units(y), units(wide), units(high), says)
	if r.there[id] {
		piece = form("<a href=\"#%s\" tabindex=\"-1\">%s</a>", id, piece)
	}
	if r.size += len(piece); r.size > rowMost {
		return
	}
	r.from, r.to = x, x+wide
	r.m = append(r.m, piece)
}

func units(n float64) markup { return markup(fmt.Sprintf("%.1f", n)) }

// band is the picture. The list of contents is for those who do not see it.
func (s *sharer) band(there map[string]bool) markup {
	a := newAxis(s.runs)
	times := make([]timeline.Run, len(s.runs))
	for i, run := range s.runs {
		times[i] = run.time.Run()
	}
	var names markup
	for _, n := range []struct {
		y    float64
		name string
	}{{turnsTop + 12, "Turns"}, {callsTop + 12, "Calls"}, {waitsTop + 9, "Waits for you"}, {besideTop + 7, "Sub-agents"}, {costTop + costHigh - 4, "Cost"}} {
		names += form("<text x=\"0\" y=\"%s\">%s</text>", units(n.y), n.name)
	}
	return join(form("<figure class=\"band\"><svg viewBox=\"0 0 %s %s\" aria-hidden=\"true\">\n", bandWide, bandHigh), names, "\n",
		s.turnsRow(a, times, there), "\n", s.callsRow(a, times, there), "\n", s.waitsRow(a, there), "\n", s.besideRow(a, times, there), "\n", a.clocks(), "\n</svg></figure>\n")
}

// turnsRow draws the turns, and below them what each cost.
func (s *sharer) turnsRow(a axis, times []timeline.Run, there map[string]bool) markup {
	turns, costs, most := row{there: there}, row{there: there}, 0.0
	for _, run := range times {
		for _, t := range run.Turns {
			most = max(most, worth(t))
		}
	}
	for i, run := range times {
		for _, t := range run.Turns {
			end := t.To
			if end == 0 {
				end = a.ends[i]
			}
			x, id := a.at(i, t.From), anchor(s.runs[i].Number, t.Pos, t.Part)
			wide := a.at(i, end) - x
			title := fmt.Sprintf("%s, %s, %s", turnName(t), short(t.From), spell(end-t.From))
			if what := taken(t.Tokens, t.CostUSD); what != "" {
				title += ", " + what
			}
			turns.add(string(when(t.Failed, "turn bad", "turn")), id, title, x, turnsTop, wide-1, 16)
			if high := costHigh * worth(t) / max(most, 1e-9); high > 0 {
				costs.add("cost", id, title, x, costTop+costHigh-high, wide-1, high)
			}
		}
	}
	return join(append(turns.m, costs.m...)...)
}

// worth is what a turn's bar is as high as: its cost, or its tokens where no price is known.
func worth(t timeline.Turn) float64 {
	if t.CostUSD > 0 {
		return t.CostUSD
	}
	return float64(t.Tokens) / 1e9 // far below any cost
}

func (s *sharer) callsRow(a axis, times []timeline.Run, there map[string]bool) markup {
	calls := row{there: there}
	for i, run := range times {
		for _, c := range run.Calls {
			class, high := "call", 8.0
			if c.Verb == beckon.Editing || c.Verb == beckon.Executing {
				high = 14
			}
			if c.Failed {
				class = "call bad"
			}
			calls.add(class, anchor(s.runs[i].Number, c.Pos, c.Part), fmt.Sprintf("%s, %s", c.Verb, short(c.At)), a.at(i, c.At), callsTop+14-high, 1.5, high)
		}
	}
	return join(calls.m...)
}

// waits are how waits are drawn, by what became of the question.
var waits = map[beckon.Settlement]string{
	beckon.Open: "wait now", beckon.Orphaned: "wait now", beckon.Expired: "wait assumed", beckon.Answered: "wait", beckon.Withdrawn: "wait",
}

func (s *sharer) waitsRow(a axis, there map[string]bool) markup {
	drawn := row{there: there}
	for i, run := range s.runs {
		for _, q := range run.questions {
			class, end := waits[q.Settlement], q.Settled
			if end == 0 {
				end = a.ends[i]
			}
			x := a.at(i, q.Asked)
			drawn.add(class, s.asked[q.ID], s.waited(q), x, waitsTop, max(3, a.at(i, end)-x), 10)
		}
	}
	return join(drawn.m...)
}

func (s *sharer) besideRow(a axis, times []timeline.Run, there map[string]bool) markup {
	beside := row{there: there}
	for i, run := range times {
		for _, spell := range run.Beside {
			x := a.at(i, spell.From)
			beside.add("beside", anchor(s.runs[i].Number, spell.Pos, spell.Part), "A sub-agent, from "+short(spell.From), x, besideTop, a.at(i, spell.To)-x, 5)
		}
	}
	return join(beside.m...)
}

// clocks are times of the day below the rows.
func (a axis) clocks() (m markup) {
	last, layout := float64(bandLeft-64), "15:04"
	if len(a.ends) > 0 && a.ends[len(a.ends)-1]-a.runs[0].Started < mostTimes*60_000 {
		layout = "15:04:05"
	}
	for i, run := range a.runs {
		step := max(1, (a.ends[i]-run.Started)/mostTimes)
		for at := run.Started; at < a.ends[i]; at += step {
			if x := a.at(i, at); x > last+60 && x < bandWide-40 {
				m += form("<text x=\"%s\" y=\"%s\">%s</text>", units(x), timesTop, time.UnixMilli(at).Format(layout))
				last = x
			}
		}
	}
	return m
}
