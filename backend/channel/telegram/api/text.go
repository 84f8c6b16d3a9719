package api

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"beckon/backend/plain"

	"github.com/go-telegram/bot/models"
	"github.com/rivo/uniseg"
)

// This file composes the texts of Telegram messages: plain words, and beside
// them which part is bold, code or a link.
//
// Nothing in the words is markup, so that an agent's text cannot become any.
// What is hidden is left out, what is too long is cut between two characters and
// says so, and all is counted in the UTF-16 units that the service counts in. The
// package does not know what a message is about.

// Max is how long a message may be, in units.
const Max = 4096

// maxEntities is how many the service minds.
const maxEntities = 100

// maxCluster is how long a character may be to be kept together: one that bears
// a tower of marks is cut.
const maxCluster = 64

// Text is what a message says and how it looks.
type Text struct {
	Plain    string
	Entities []models.MessageEntity
}

// Units counts s as the service does.
func Units(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// Builder composes a Text. Each method takes at most so many units as are
// given, and as there is room for.
type Builder struct {
	limit    int
	units    int
	words    strings.Builder
	entities []models.MessageEntity
}

// NewText returns a builder of a text of at most limit units.
func NewText(limit int) *Builder { return &Builder{limit: limit} }

// Room is how many units there is room for.
func (b *Builder) Room() int { return b.limit - b.units }

// Say adds words of Beckon's own, in which a command may be pressed.
func (b *Builder) Say(s string) { b.add(s, b.Room(), models.MessageEntity{}) }

// Plain adds words as they are.
func (b *Builder) Plain(s string, most int) { b.add(Inert(s), most, models.MessageEntity{}) }

// Bold adds words in bold.
func (b *Builder) Bold(s string, most int) {
	b.add(Inert(s), most, models.MessageEntity{Type: models.MessageEntityTypeBold})
}

// Italic adds words in italics.
func (b *Builder) Italic(s string, most int) {
	b.add(Inert(s), most, models.MessageEntity{Type: models.MessageEntityTypeItalic})
}

// Code adds a word in which nothing is pressed.
func (b *Builder) Code(s string, most int) {
	b.add(Visible(s), most, models.MessageEntity{Type: models.MessageEntityTypeCode})
}

// Link adds words that lead to a web address.
func (b *Builder) Link(s, address string, most int) {
	b.add(Inert(s), most, models.MessageEntity{Type: models.MessageEntityTypeTextLink, URL: address})
}

// Pre adds a block of code in a language and returns how many of its lines are
// left out; lines is how many it may have.
func (b *Builder) Pre(language, s string, most, lines int) int {
	kept, left := Lines(Visible(s), min(most, b.Room()), lines)
	b.add(kept, b.Room(), models.MessageEntity{Type: models.MessageEntityTypePre, Language: language})
	return left
}

// Prose adds a text of several lines. One that is cut ends with what more says
// of the lines left out, or in the middle of a line with an ellipsis.
func (b *Builder) Prose(s string, most int, more func(lines int) string) {
	s, most = Inert(s), min(most, b.Room())
	if Units(s) > most {
		note := "\n" + more(1+strings.Count(s, "\n"))
		kept, left := Lines(s, most-Units(note), 1<<30)
		if left == 0 || Units(kept) < most/2 {
			kept = Cut(s, most)
		} else {
			kept += "\n" + more(left)
		}
		s = kept
	}
	b.add(s, most, models.MessageEntity{})
}

// add appends s in a style; the zero entity is none.
func (b *Builder) add(s string, most int, style models.MessageEntity) {
	if b.units == 0 {
		s = strings.TrimLeftFunc(s, unicode.IsSpace)
	}
	s = Cut(s, min(most, b.Room()))
	if s == "" {
		return
	}
	n := Units(s)
	if style.Type != "" && len(b.entities) < maxEntities {
		style.Offset, style.Length = b.units, n
		b.entities = append(b.entities, style)
	}
	b.words.WriteString(s)
	b.units += n
}

// Text returns what was composed. The service would trim it; entities that
// reached into what is trimmed end before.
func (b *Builder) Text() Text {
	t := Text{Plain: strings.TrimRightFunc(b.words.String(), unicode.IsSpace)}
	end := Units(t.Plain)
	for _, e := range b.entities {
		if e.Length = min(e.Length, end-e.Offset); e.Length > 0 {
			t.Entities = append(t.Entities, e)
		}
	}
	return t
}

// command is a slash and a word that the app would make a button which sends it.
var command = regexp.MustCompile(`(^|[^\w/<>])/([a-zA-Z0-9_]{1,64})`)

// Inert returns s with nothing hidden in it, and without anything to press:
// a word that looks like a command gets a joiner of no width after its slash.
// What goes on with a slash is a path, which the app leaves alone.
func Inert(s string) string {
	s = Visible(s)
	if !strings.Contains(s, "/") {
		return s
	}
	var out strings.Builder
	last := 0
	for _, at := range command.FindAllStringSubmatchIndex(s, -1) {
		if end := at[1]; end < len(s) && s[end] == '/' {
			continue
		}
		out.WriteString(s[last:at[4]])
		out.WriteString("\u2060")
		last = at[4]
	}
	return out.String() + s[last:]
}

// Visible returns s without what is hidden, lines and tabs left as they are.
func Visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && plain.Hidden(r) {
			return -1
		}
		return r
	}, s)
}

// Cut returns s with at most so many units, an ellipsis at its end where
// something is left out.
func Cut(s string, units int) string {
	if Units(s) <= units {
		return s
	}
	if units < 1 {
		return ""
	}
	return prefix(s, units-1) + "…"
}

// prefix returns the beginning of s, of at most so many units, and ends between
// two characters as people see them.
func prefix(s string, units int) string {
	end, state, rest := 0, -1, s
	for rest != "" {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		n := Units(cluster)
		if n > units {
			if n > maxCluster {
				end += runes(cluster, units)
			}
			break
		}
		units -= n
		end += len(cluster)
	}
	return s[:end]
}

// runes returns how many bytes of s are at most so many units.
func runes(s string, units int) int {
	for at, r := range s {
		if units--; r > 0xFFFF {
			units--
		}
		if units < 0 {
			return at
		}
	}
	return len(s)
}

// Lines returns whole lines of s, at most so many and of at most so many units,
// and how many are left out. A first line that is too long is cut.
func Lines(s string, units, most int) (kept string, left int) {
	s = strings.TrimRight(s, "\n")
	all := strings.Split(s, "\n")
	used, taken := 0, 0
	for taken < min(len(all), most) {
		n := Units(all[taken])
		if taken > 0 {
			n++ // the end of the line before
		}
		if used+n > units {
			break
		}
		used += n
		taken++
	}
	if taken == 0 && most > 0 {
		return Cut(all[0], units), len(all) - 1
	}
	return strings.Join(all[:taken], "\n"), len(all) - taken
}

// Label returns s fit for a button: one line, nothing hidden, at most so many
// characters of which people speak.
func Label(s string, most int) string {
	s = Line(s)
	if uniseg.GraphemeClusterCount(s) <= most && Units(s) <= 2*most {
		return s
	}
	end, state, rest := 0, -1, s
	for count := 1; count < most && rest != ""; count++ {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		end += len(cluster)
	}
	return prefix(s[:end], 2*most-1) + "…"
}

// Line returns s as one line with nothing hidden in it.
func Line(s string) string { return plain.Line(s, max(len(s), utf8.UTFMax)) }

// Append adds what another builder composed, if there is room for all of it.
func (b *Builder) Append(t Text) {
	if n := Units(t.Plain); n <= b.Room() {
		for _, e := range t.Entities {
			if len(b.entities) < maxEntities {
				e.Offset += b.units
				b.entities = append(b.entities, e)
			}
		}
		b.words.WriteString(t.Plain)
		b.units += n
	}
}
