package dialog

import (
	"regexp"
	"strings"
)

const (
	planAsks     = "Claudehaswrittenupaplanandisreadytoexecute.Wouldyouliketoproceed?"
	planTells    = "TellClaudewhattochange"
	planTellsEnd = "shift+tabtoapprovewiththisfeedback"
)

// planFoot names the file of the plan.
var planFoot = regexp.MustCompile(`^ctrl\+gtoedit[^❯]{1,200}\.md$`)

// fence is the line that begins a block of code; its language is not drawn.
var fence = regexp.MustCompile("(?m)^\\s*```.*$")

// matchPlan reads the dialog in which a plan waits for leave. The large one
// shows the whole plan, drawn as markdown; the small one shows nothing of it, and
// a session has no more than one of either.
func matchPlan(plan string, s Screen) (view, error) {
	for _, block := range s.blocks() {
		head, v, ok := splitRows(block)
		if !ok {
			continue
		}
		text := joined(head)
		if v.foot == "" && text == "Exitplanmode?Claudewantstoexitplanmode" && len(v.rows) == 2 {
			return v, nil
		}
		shown, asks := strings.CutSuffix(text, planAsks)
		if asks && planFoot.MatchString(v.foot) && plan != "" && showsPlan(plan, shown) {
			v.takeWords()
			return v, nil
		}
	}
	return view{}, s.differs()
}

func showsPlan(plan, shown string) bool {
	want := letters(fence.ReplaceAllString(plan, ""))
	return want != "" && letters(shown) == letters("Ready to code? Here is Claude's plan:")+want
}

// takeWords makes the last row the one for words, where it is.
func (v *view) takeWords() {
	last := v.rows[len(v.rows)-1]
	words, ok := strings.CutSuffix(squeeze(last.words), planTellsEnd)
	if !ok {
		return
	}
	v.rows = v.rows[:len(v.rows)-1]
	if v.other = &last; words != planTells {
		v.typed = words
	}
}
