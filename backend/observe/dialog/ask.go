package dialog

import (
	"regexp"
	"slices"
	"strings"

	"beckon/backend/beckon"
)

// matchAsk reads a question's dialog, which has to be that of these items and
// nothing else: every word of it is expected, in its order, up to the last.
func matchAsk(items []beckon.QuestionItem, want []string, s Screen) (view, error) {
	for _, block := range s.blocks() {
		for page, item := range items {
			if v, ok := matchItem(items, page, item, block); ok {
				return v, nil
			}
		}
		if v, ok := matchReview(items, want, block); ok {
			return v, nil
		}
	}
	if text := squeeze(s.Text); strings.Contains(text, "Reviewyouranswers") && strings.Contains(text, "1.Submitanswers") {
		return view{}, refuse(Begun) // the answers in review are not the given ones
	}
	return view{}, s.differs()
}

// titles begin the dialogs, below a line across the pane.
var titles = []string{"←", "☐", "☒", "Bash command", "Create file", "Edit file", "Overwrite file", "Fetch", "Ready to code?", "Exit plan mode?"}

// differs says why what is on the screen is not the dialog that is looked for.
func (s Screen) differs() error {
	text := squeeze(s.Text)
	_, idle := s.prompt()
	if idle || !strings.Contains(text, "❯") && !strings.HasSuffix(text, "Esctocancel") {
		return refuse(NoDialog)
	}
	lines := s.lines()
	for i, line := range lines[:len(lines)-1] {
		if s.rule(line) && !s.Bold[i] && slices.ContainsFunc(titles, func(title string) bool {
			return strings.HasPrefix(strings.TrimSpace(lines[i+1]), title)
		}) {
			return refuse(OtherDialog)
		}
	}
	return refuse(TooSmall) // it begins above the screen
}

// matchItem reads the page of one question.
func matchItem(items []beckon.QuestionItem, page int, item beckon.QuestionItem, block []string) (v view, ok bool) {
	previews := hasPreviews(item)
	v = view{page: page, lines: len(block) + 1}
	if previews {
		block = leftOf(block)
	}
	r := &reader{rest: joined(block)}
	if item.Text == "" || !r.head(items) || !r.literal(item.Text) || !v.readOptions(r, item, previews) {
		return view{}, false
	}
	switch {
	case previews:
		ok = v.readPreviewEnd(r)
	case item.Multiple:
		ok = v.readMultipleEnd(r, len(item.Options)+1)
	default:
		ok = v.readSingleEnd(r, len(item.Options)+1)
	}
	// The footer has Tab where there are several questions.
	several := len(items) > 1
	last := !several || page == len(items)-1
	return v, ok && v.focus() != nil && footer.MatchString(v.foot) && strings.Contains(v.foot, "Tab") == several &&
		(v.submit == nil || v.submit.words == "Submit" == last)
}

func (v *view) readOptions(r *reader, item beckon.QuestionItem, previews bool) bool {
	for i, option := range item.Options {
		at, ok := r.row(i + 1)
		if ok && item.Multiple {
			at.ticked, ok = r.box()
		}
		if !ok || !r.literal(option.Label) || !previews && !r.literal(option.Description) {
			return false
		}
		at.words = option.Label
		v.rows = append(v.rows, at)
	}
	return len(v.rows) > 0
}

var (
	chatEnd     = `(❯?)([1-9])\.Chataboutthis(.*)$`
	singleEnd   = regexp.MustCompile(`^(.*?)` + chatEnd)
	multipleEnd = regexp.MustCompile(`^(.*?)(❯?)(Submit|Next)` + chatEnd)
	previewEnd  = regexp.MustCompile(`^(❯?)Chataboutthis(.*)$`)
)

// readSingleEnd reads what follows the options: the row for other words, Chat
// and the footer.
func (v *view) readSingleEnd(r *reader, number int) bool {
	at, ok := r.row(number)
	m := singleEnd.FindStringSubmatch(r.rest)
	if !ok || m == nil {
		return false
	}
	v.setOther(at, m[1], "Typesomething.")
	v.foot = m[4]
	return v.setChat(number+1, m[2], m[3])
}

func (v *view) readMultipleEnd(r *reader, number int) bool {
	at, ok := r.row(number)
	if !ok {
		return false
	}
	if at.ticked, ok = r.box(); !ok {
		return false
	}
	m := multipleEnd.FindStringSubmatch(r.rest)
	if m == nil {
		return false
	}
	v.setOther(at, m[1], "Typesomething")
	v.submit = &row{words: m[3], focused: m[2] != ""}
	v.foot = m[6]
	return v.setChat(number+1, m[4], m[5])
}

func (v *view) readPreviewEnd(r *reader) bool {
	m := previewEnd.FindStringSubmatch(r.rest)
	if m == nil {
		return false
	}
	v.chat = &row{focused: m[1] != ""}
	v.foot = m[2]
	return true
}

func (v *view) setOther(at row, text, empty string) {
	if text != empty {
		v.typed = text
	}
	v.other = &at
}

func (v *view) setChat(number int, mark, on string) bool {
	v.chat = &row{number: number, focused: mark != ""}
	return on == digit(number)
}

// head takes the line of headers above a question.
func (r *reader) head(items []beckon.QuestionItem) bool {
	tabs := r.literal("←")
	for _, item := range items {
		if !r.literal("☐") && !r.literal("☒") || !r.literal(item.Header) {
			return false
		}
	}
	return !tabs || r.literal("✔Submit→")
}

func hasPreviews(item beckon.QuestionItem) bool {
	for _, o := range item.Options {
		if o.Preview != "" && !item.Multiple {
			return true
		}
	}
	return false
}

var notesHint = regexp.MustCompile(`\s{2,}Notes:\s?press n to add notes\s*$`)

// leftOf leaves what is beside the preview of the row in focus.
func leftOf(block []string) []string {
	left := make([]string, len(block))
	for i, line := range block {
		if at := strings.IndexAny(line, "┌│├└"); at >= 0 {
			line = line[:at]
		}
		left[i] = notesHint.ReplaceAllString(line, "")
	}
	return left
}

// matchReview reads the page before an answer to several questions or of several
// labels is sent. It has to show the given answers.
func matchReview(items []beckon.QuestionItem, want []string, block []string) (view, bool) {
	r := &reader{rest: joined(block)}
	if len(want) != len(items) || !r.head(items) || !r.literal("Review your answers") {
		return view{}, false
	}
	for i, item := range items {
		if !r.literal("●") || !r.literal(item.Text) || !r.literal("→") || !r.literal(want[i]) {
			return view{}, false
		}
	}
	r.literal("Ready to submit your answers?") // 2.1.332 does not ask
	v := view{page: len(items), lines: len(block) + 1}
	for i, words := range []string{"Submit answers", "Cancel"} {
		at, ok := r.row(i + 1)
		if !ok || !r.literal(words) {
			return view{}, false
		}
		at.words = words
		v.rows = append(v.rows, at)
	}
	return v, r.rest == "" && v.focus() != nil
}
