package export

// This file keeps what a page has room for of what was said: the beginning, the end, and between
// them what the rest is understood by.

// chunk is an entry as HTML, which stands alone.
type chunk struct {
	run    int
	parent string // the call of the sub-agent that said it
	html   markup
	id     string
	keep   bool
	gap    int // how many are left out here; such a chunk has nothing else
}

// size is what it has of a page, with what may be put around it.
func (c chunk) size() int { return len(c.html) + 160 }

// chunkMost is how large a chunk may be that is kept between the two ends, in bytes.
const chunkMost = 4 << 10

// reel takes chunks in their order.
type reel struct {
	first, between, last            []chunk
	firstMost, betweenMost, endMost int
	lastSize                        int
	left                            int // how many are left out
}

func newReel() reel { return reel{firstMost: startMost, betweenMost: betweenMost, endMost: endMost} }

func (r *reel) add(c chunk) {
	if len(r.last) == 0 && c.size() <= r.firstMost {
		r.firstMost -= c.size()
		r.first = append(r.first, c)
		return
	}
	r.last = append(r.last, c)
	r.lastSize += c.size()
	for r.lastSize > r.endMost {
		r.drop()
	}
}

// drop takes the oldest of the last ones away, or keeps it between the two ends.
func (r *reel) drop() {
	c := r.last[0]
	r.last[0] = chunk{}
	r.last = r.last[1:]
	r.lastSize -= c.size()
	if c.keep && c.size() <= min(chunkMost, r.betweenMost) {
		r.betweenMost -= c.size()
		r.between = append(r.between, c)
		return
	}
	r.left++
	if n := len(r.between); n > 0 && r.between[n-1].gap > 0 {
		r.between[n-1].gap++
		return
	}
	r.between = append(r.between, chunk{run: c.run, gap: 1})
}

// joined is all that is kept, sub-agents' parts nested where they were said, and the ids in it.
func (r *reel) joined() (m markup, there map[string]bool) {
	there = map[string]bool{}
	parts := make([]markup, 0, len(r.first)+len(r.between)+len(r.last))
	parent := ""
	for _, list := range [][]chunk{r.first, r.between, r.last} {
		for _, c := range list {
			if c.parent != parent {
				parts = append(parts, nested(parent, c.parent))
				parent = c.parent
			}
			if c.gap > 0 {
				parts = append(parts, form("<p class=\"left\">%s left out here.</p>\n", counted(c.gap, "entry is", "entries are")))
				continue
			}
			if c.id != "" {
				there[c.id] = true
			}
			parts = append(parts, c.html)
		}
	}
	return join(append(parts, nested(parent, ""))...), there
}
