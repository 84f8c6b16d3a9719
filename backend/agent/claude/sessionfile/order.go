package sessionfile

import "beckon/backend/agent/lenient"

// InOrder returns lines in the order in which what they say happened: each after the
// one that it names as its parent. The CLI may write an answer before the prompt
// that it answers. Lines that name none stay where they are, and a parent that is
// not among the lines is not waited for.
func InOrder(lines [][]byte) [][]byte {
	parents, at := make([]string, len(lines)), map[string]int{}
	for i, raw := range lines {
		var in struct {
			UUID   string `json:"uuid"`
			Parent string `json:"parentUuid"`
		}
		if lenient.Unmarshal(raw, &in) != nil || in.UUID == "" {
			continue
		}
		at[in.UUID], parents[i] = i, in.Parent
	}
	done := make([]bool, len(lines))
	ordered := make([][]byte, 0, len(lines))
	for i := range lines {
		var chain []int // of ancestors that come later, the nearest first
		for j, ok := i, true; ok && !done[j]; j, ok = at[parents[j]] {
			done[j] = true // also ends a circle
			chain = append(chain, j)
		}
		for len(chain) > 0 {
			ordered = append(ordered, lines[chain[len(chain)-1]])
			chain = chain[:len(chain)-1]
		}
	}
	return ordered
}
