package why

import (
	"strings"
	"unicode"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// align returns for each line of b which line of a it is, -1 for one that is new. The pairs
// rise in both. Lines that differ are never paired. Lines that occur once in each are paired
// first: what is written again says more than where a bracket was.
func align(a, b []string) []int {
	pairs := make([]int, len(b))
	for i := range pairs {
		pairs[i] = -1
	}
	alignWithin(pairs, a, b, 0, 0)
	return pairs
}

// alignWithin pairs the lines of a and b, which begin at these places of the whole.
func alignWithin(pairs []int, a, b []string, fromA, fromB int) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		pairs[fromB] = fromA
		a, b, fromA, fromB = a[1:], b[1:], fromA+1, fromB+1
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		pairs[fromB+len(b)-1] = fromA + len(a) - 1
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) == 0 || len(b) == 0 {
		return
	}
	found := anchors(a, b, telling)
	if len(found) == 0 {
		found = anchors(a, b, func(string) bool { return true })
	}
	if len(found) > 0 {
		lastA, lastB := 0, 0
		for _, at := range found {
			alignWithin(pairs, a[lastA:at[0]], b[lastB:at[1]], fromA+lastA, fromB+lastB)
			pairs[fromB+at[1]] = fromA + at[0]
			lastA, lastB = at[0]+1, at[1]+1
		}
		alignWithin(pairs, a[lastA:], b[lastB:], fromA+lastA, fromB+lastB)
		return
	}
	same := 0
	pair := func(untilA, untilB int) {
		for b := same; b < untilB; b++ {
			pairs[fromB+b] = fromA + untilA - (untilB - b)
		}
	}
	for _, d := range lcs.DiffLines(a, b) {
		pair(d.Start, d.ReplStart)
		same = d.ReplEnd
	}
	pair(len(a), len(b))
}

// telling reports whether a line says more than brackets and space do.
func telling(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// anchors returns the longest rising list of lines that count and occur once in a and once in
// b, as their places in both.
func anchors(a, b []string, counts func(string) bool) [][2]int {
	type where struct{ a, b, inA, inB int }
	lines := map[string]*where{}
	for i, text := range a {
		if w := lines[text]; w != nil {
			w.inA++
		} else {
			lines[text] = &where{a: i, inA: 1}
		}
	}
	for i, text := range b {
		if w := lines[text]; w != nil {
			w.b, w.inB = i, w.inB+1
		}
	}
	// Patience: each pile's top is the least end of a list that has its length.
	var once, tops []int // places in b
	before := map[int]int{}
	ofB := map[int]int{}
	for i, text := range b {
		if w := lines[text]; w != nil && w.inA == 1 && w.inB == 1 && counts(text) {
			once, ofB[i] = append(once, i), w.a
		}
	}
	for _, i := range once {
		low, high := 0, len(tops)
		for low < high {
			if mid := (low + high) / 2; ofB[tops[mid]] < ofB[i] {
				low = mid + 1
			} else {
				high = mid
			}
		}
		before[i] = -1
		if low > 0 {
			before[i] = tops[low-1]
		}
		if low == len(tops) {
			tops = append(tops, i)
		} else {
			tops[low] = i
		}
	}
	if len(tops) == 0 {
		return nil
	}
	found := make([][2]int, len(tops))
	for n, i := len(tops)-1, tops[len(tops)-1]; n >= 0; n-- {
		found[n] = [2]int{ofB[i], i}
		i = before[i]
	}
	return found
}
