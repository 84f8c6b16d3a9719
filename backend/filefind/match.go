package filefind

import (
	"cmp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/junegunn/fzf/src/algo"
	"github.com/junegunn/fzf/src/util"
)

// files are the names to choose from.
type files struct {
	names  []string
	folded []string // lower case, without accents
}

// candidates is how many names are rated with care. Rating all of 100,000 takes
// ten times as long as a key stroke may.
const candidates = 1000

// fit is how well a name seems to have what was typed; less is better.
type fit int16

// A name fits by what it has, and the shorter the better.
const (
	inBase  fit = iota * lengths // as it is, in the last part of the path
	inPath                       // as it is
	inOrder                      // its letters, with others between them
	unfit
	lengths = 512 // longer names are all alike
)

// scoring has matches rated as of paths: what is in the last part counts
// more.
var scoring = sync.OnceFunc(func() { algo.Init("path") })

func newFiles(names []string) *files {
	f := &files{names: names, folded: make([]string, len(names))}
	for i, name := range names {
		f.folded[i] = fold(name)
	}
	return f
}

func fold(name string) string {
	return string(algo.NormalizeRunes([]rune(strings.ToLower(name))))
}

// find returns the best matches. A capital letter in what was typed says that
// case and accents matter.
func (f *files) find(typed string, limit int) []string {
	cased := strings.ContainsFunc(typed, unicode.IsUpper)
	searched := f.names
	if !cased {
		searched, typed = f.folded, fold(typed)
	}
	best := f.rate(likely(searched, typed), typed, cased)
	names := []string{}
	for _, m := range best[:min(len(best), limit)] {
		names = append(names, m.name)
	}
	return names
}

// match is a file and how well it fits.
type match struct {
	name  string
	score int
}

// rate orders the names at those places: the best match first, of equal ones
// the shorter.
func (f *files) rate(places []int, typed string, cased bool) []match {
	scoring()
	slab := util.MakeSlab(100<<10, 2<<10) // the sizes that fzf takes
	matches := make([]match, 0, len(places))
	for _, i := range places {
		name := util.ToChars([]byte(f.names[i]))
		result, _ := algo.FuzzyMatchV2(cased, !cased, true, &name, []rune(typed), false, slab)
		if result.Start >= 0 {
			matches = append(matches, match{f.names[i], result.Score})
		}
	}
	slices.SortFunc(matches, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(len(a.name), len(b.name)), strings.Compare(a.name, b.name))
	})
	return matches
}

// likely returns the places of the names that fit best, at most as many as are
// candidates.
func likely(names []string, typed string) []int {
	fits := fitAll(names, typed)
	var counts [unfit]int
	for _, f := range fits {
		if f < unfit {
			counts[f]++
		}
	}
	last, sum := fit(0), counts[0]
	for last < unfit-1 && sum < candidates {
		last++
		sum += counts[last]
	}
	room := candidates - (sum - counts[last]) // for those that fit no better than the last
	places := make([]int, 0, candidates)
	for i, f := range fits {
		if f == last {
			room--
		}
		if f < last || f == last && room >= 0 {
			places = append(places, i)
		}
	}
	return places
}

// fitAll looks at all names, on all cores.
func fitAll(names []string, typed string) []fit {
	fits := make([]fit, len(names))
	workers := min(runtime.GOMAXPROCS(0), 8)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w * len(names) / workers; i < (w+1)*len(names)/workers; i++ {
				fits[i] = fitOf(names[i], typed)
			}
		})
	}
	wg.Wait()
	return fits
}

func fitOf(name, typed string) fit {
	length := fit(min(len(name), lengths-1))
	at := strings.LastIndex(name, typed)
	switch {
	case at < 0 && !hasInOrder(name, typed):
		return unfit
	case at < 0:
		return inOrder + length
	case strings.IndexByte(name[at+len(typed):max(at+len(typed), len(name)-1)], '/') < 0:
		return inBase + length
	default:
		return inPath + length
	}
}

// hasInOrder reports whether the bytes of typed stand in name in their order.
func hasInOrder(name, typed string) bool {
	for i := range len(typed) {
		at := strings.IndexByte(name, typed[i])
		if at < 0 {
			return false
		}
		name = name[at+1:]
	}
	return true
}
