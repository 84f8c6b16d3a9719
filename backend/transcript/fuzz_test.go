package transcript

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/fold"
)

// addSeeds seeds a fuzz target with a line of each recording.
func addSeeds(f *testing.F) {
	seen := map[string]bool{}
	for _, lines := range recordings(f) {
		for _, line := range lines {
			if head := string(line[:min(len(line), 60)]); !seen[head] && len(line) < 4096 {
				seen[head] = true
				f.Add(line)
			}
		}
	}
	f.Add(MessageLine("u", "text"))
	f.Add(NoticeLine("auto_refused", "acceptEdits"))
	f.Add([]byte("\xff\x00 not JSON"))
}

// FuzzFold feeds the fold lines of any kind, each twice: the second time as if
// lines were left out.
func FuzzFold(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		var f Fold
		for i, line := range bytes.Split(raw, []byte{'\n'}) {
			for _, pos := range []int64{int64(i), int64(2 * i)} {
				for _, e := range f.Add(pos, at, line) {
					checkEntry(t, "fuzz", e)
				}
			}
			fold.Activity(claude.NewLine(line))
		}
	})
}

// FuzzLive feeds the live text lines of any kind.
func FuzzLive(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		var live Live
		for line := range bytes.SplitSeq(raw, []byte{'\n'}) {
			if now, changed := feed(&live, line); !changed && now.Text != "" || !utf8.ValidString(now.Text) {
				t.Errorf("%+v, %t", now, changed)
			}
		}
	})
}
