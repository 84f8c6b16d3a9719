package driver

import (
	"regexp"
	"strings"
)

// questionMost is how much of a message is shown as its question, in bytes.
const questionMost = 4 << 10

// politeness is how agents end what they have done, without a question.
var politeness = regexp.MustCompile(`(?i)\b(anything|something|what) else\b|\b(how|what) (does|do) (that|this|it|you) (look|think)|\bsound(s)? good\b`)

// questionIn returns the question that a message ends with, with the paragraphs before it
// that there is room for; "" for a message that ends otherwise. Its last sentence must end with
// a question mark behind which nothing follows but signs that close, outside of code and
// quotations, and must not be one of politeness. Where that is doubtful it is none: a turn
// that waits for nothing is worse than an answer that comes with the next message.
func questionIn(message string) string {
	message = strings.TrimSpace(message)
	bare := strings.TrimRight(message, "*_\"'”’»)] \t")
	if !strings.HasSuffix(bare, "?") && !strings.HasSuffix(bare, "？") || strings.Count(message, "```")%2 == 1 {
		return ""
	}
	last := strings.TrimSpace(bare[strings.LastIndexByte(bare, '\n')+1:])
	if strings.HasPrefix(last, ">") || strings.HasPrefix(last, "|") || politeness.MatchString(lastSentence(last)) {
		return ""
	}
	paragraphs := strings.Split(message, "\n\n")
	text := paragraphs[len(paragraphs)-1]
	for i := len(paragraphs) - 2; i >= 0 && len(text)+len(paragraphs[i]) < questionMost; i-- {
		text = paragraphs[i] + "\n\n" + text
	}
	return text
}

// sentence ends one sentence within a line.
var sentence = regexp.MustCompile(`[.!?:;]\s+`)

func lastSentence(line string) string {
	if ends := sentence.FindAllStringIndex(line, -1); len(ends) > 0 {
		return line[ends[len(ends)-1][1]:]
	}
	return line
}
