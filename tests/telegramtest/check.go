package telegramtest

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The service's limits, in UTF-16 units but for the callback data's bytes.
const (
	maxText     = 4096
	maxCaption  = 1024
	maxData     = 64
	maxEntities = 100
	maxButtons  = 100
	maxInRow    = 8
	maxLabel    = 100
)

// Entity is how a part of a text looks.
type Entity struct {
	Type     string `json:"type"`
	Offset   int    `json:"offset"`
	Length   int    `json:"length"`
	URL      string `json:"url"`
	Language string `json:"language"`
}

// Button is one of an inline keyboard.
type Button struct {
	Text string `json:"text"`
	Data string `json:"callback_data"`
	URL  string `json:"url"`
}

// markup is what may be below a message.
type markup struct {
	Inline      [][]Button `json:"inline_keyboard"`
	ForceReply  bool       `json:"force_reply"`
	Placeholder string     `json:"input_field_placeholder"`
	Selective   bool       `json:"selective"`
}

// checkText holds a text to what a client must keep to. A text whose ends the
// service would trim is refused, for its entities would then be elsewhere.
func (s *Server) checkText(text string, most int) *failure {
	switch n := len(utf16.Encode([]rune(text))); {
	case !utf8.ValidString(text):
		return s.misuse("strings must be encoded in UTF-8")
	case strings.TrimSpace(text) == "":
		return s.misuse("message text is empty")
	case strings.TrimSpace(text) != text:
		return s.misuse("the text would be trimmed: %.40q … %.40q", text, text[max(0, len(text)-20):])
	case n > most:
		return s.misuse("message is too long: %d units", n)
	}
	return nil
}

func (s *Server) checkEntities(text, given string) ([]Entity, *failure) {
	var all []Entity
	if given == "" {
		return nil, nil
	}
	if err := json.Unmarshal([]byte(given), &all); err != nil {
		return nil, s.misuse("can't parse entities: %v", err)
	}
	if len(all) > maxEntities {
		return nil, s.misuse("%d entities", len(all))
	}
	units := utf16.Encode([]rune(text))
	for n, e := range all {
		if why := badEntity(units, e); why != "" {
			return nil, s.misuse("entity %+v: %s", e, why)
		}
		for _, other := range all[:n] {
			if !mayMeet(e, other) {
				return nil, s.misuse("entities %+v and %+v overlap", other, e)
			}
		}
	}
	return all, nil
}

var entityTypes = []string{"bold", "italic", "underline", "strikethrough", "spoiler", "blockquote", "expandable_blockquote", "code", "pre", "text_link"}

func badEntity(units []uint16, e Entity) string {
	end := e.Offset + e.Length
	switch {
	case !slices.Contains(entityTypes, e.Type):
		return "a type that cannot be sent"
	case e.Offset < 0 || e.Length <= 0 || end > len(units):
		return "beyond the text"
	case splits(units, e.Offset) || splits(units, end):
		return "it splits a character"
	case e.Type == "text_link" && !isWebAddress(e.URL):
		return "a link to nowhere"
	case e.Type != "text_link" && e.URL != "" || e.Type != "pre" && e.Language != "":
		return "a field of another type"
	}
	return ""
}

// splits reports whether at is between the halves of a surrogate pair.
func splits(units []uint16, at int) bool {
	return at > 0 && at < len(units) && utf16.IsSurrogate(rune(units[at])) && units[at] >= 0xDC00 && units[at-1] >= 0xD800 && units[at-1] < 0xDC00
}

func isWebAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}

// mayMeet reports whether two entities are apart, or one in the other where
// neither is code.
func mayMeet(a, b Entity) bool {
	if a.Offset > b.Offset || a.Offset == b.Offset && a.Length < b.Length {
		a, b = b, a
	}
	isCode := func(e Entity) bool { return e.Type == "code" || e.Type == "pre" }
	apart := a.Offset+a.Length <= b.Offset
	within := b.Offset+b.Length <= a.Offset+a.Length
	return apart || within && !isCode(a) && !isCode(b) && a.Type != b.Type
}

func (s *Server) checkMarkup(given string) (markup, *failure) {
	var m markup
	if given == "" {
		return m, nil
	}
	dec := json.NewDecoder(strings.NewReader(given))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&m); err != nil {
		return m, s.misuse("can't parse reply keyboard markup JSON object: %v", err)
	}
	buttons := 0
	for _, row := range m.Inline {
		if len(row) == 0 || len(row) > maxInRow {
			return m, s.misuse("a row of %d buttons", len(row))
		}
		buttons += len(row)
		for _, b := range row {
			if why := badButton(b); why != "" {
				return m, s.misuse("button %+v: %s", b, why)
			}
		}
	}
	if buttons > maxButtons || buttons > 0 && m.ForceReply {
		return m, s.misuse("%d buttons, force_reply %v", buttons, m.ForceReply)
	}
	if buttons == 0 {
		m.Inline = nil // as none, so that edits compare
	}
	if len(utf16.Encode([]rune(m.Placeholder))) > 64 {
		return m, s.misuse("the placeholder is too long")
	}
	return m, nil
}

func badButton(b Button) string {
	switch {
	case !utf8.ValidString(b.Text) || strings.TrimSpace(b.Text) == "" || len(utf16.Encode([]rune(b.Text))) > maxLabel:
		return "its text is empty or too long"
	case (b.Data == "") == (b.URL == ""):
		return "exactly one thing happens at a press"
	case len(b.Data) > maxData:
		return "BUTTON_DATA_INVALID"
	case b.URL != "" && !isWebAddress(b.URL):
		return "a link to nowhere"
	}
	return ""
}
