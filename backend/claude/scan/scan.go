// Package scan reads JSON as programs write it in one pass over its bytes, several
// times as fast as encoding/json, which passes over a nested value once for each
// of its levels.
//
// It accepts nothing that encoding/json refuses. What it is in doubt about makes
// it fail, and the caller decodes the text with encoding/json instead: a value
// of another type, invalid UTF-8, very deep nesting. It knows no message.
package scan

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// deepest is how many values may be inside each other.
const deepest = 100

// Scanner reads values one after the other. Once it has failed it returns zero
// values.
type Scanner struct {
	text   []byte
	at     int
	depth  int
	failed bool
}

// New returns a scanner of a text, which must not change meanwhile. What the
// scanner returns does not refer to it.
func New(text []byte) *Scanner { return &Scanner{text: text} }

// Done reports whether everything was read without a doubt.
func (s *Scanner) Done() bool {
	s.space()
	return !s.failed && s.at == len(s.text)
}

// fail leaves the text to encoding/json.
func (s *Scanner) fail() { s.failed, s.at = true, len(s.text) }

// Next returns the byte that the next value begins with, 0 at the end.
func (s *Scanner) Next() byte {
	s.space()
	if s.at == len(s.text) {
		return 0
	}
	return s.text[s.at]
}

// Object reads an object, or null, which has no members. field reads the value of
// each of the names that it has, by one call; others are passed over. A name that
// comes twice, or in capitals where it has none, is in doubt.
func (s *Scanner) Object(names []string, field func(name string)) {
	seen := 0
	s.members(func(key []byte) {
		for i, name := range names {
			if string(key) == name && seen&(1<<i) == 0 {
				seen |= 1 << i
				field(name)
				return
			}
			if strings.EqualFold(string(key), name) {
				s.fail()
			}
		}
		s.Skip()
	})
}

// members reads the members of an object; member reads the value of each.
func (s *Scanner) members(member func(key []byte)) {
	s.list('{', '}', func() {
		key := s.quoted()
		if bytes.IndexByte(key, '\\') >= 0 || s.Next() != ':' {
			s.fail()
			return
		}
		s.at++
		member(key)
	})
}

// Array reads an array, or null, which has no elements. element reads each, by one
// call.
func (s *Scanner) Array(element func()) { s.list('[', ']', element) }

// list reads what is between two brackets, divided by commas.
func (s *Scanner) list(open, end byte, item func()) {
	if s.null() {
		return
	}
	if s.Next() != open || s.depth == deepest {
		s.fail()
		return
	}
	s.depth++
	defer func() { s.depth-- }()
	s.at++
	if s.Next() == end {
		s.at++
		return
	}
	for !s.failed {
		item()
		switch next := s.Next(); {
		case s.failed:
		case next == ',':
			s.at++
		case next == end:
			s.at++
			return
		default:
			s.fail()
		}
	}
}

// String reads a string; null is an empty one.
func (s *Scanner) String() string {
	if s.null() {
		return ""
	}
	raw := s.quoted()
	if !utf8.Valid(raw) {
		s.fail()
		return ""
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw)
	}
	return string(unescape(raw))
}

// Bool reads a truth value; null is false.
func (s *Scanner) Bool() bool {
	switch string(s.literal()) {
	case "true":
		return true
	case "false", "null":
	default:
		s.fail()
	}
	return false
}

// Raw reads any value and returns it as it is written.
func (s *Scanner) Raw() json.RawMessage {
	s.space()
	from := s.at
	s.Skip()
	if s.failed {
		return nil
	}
	return bytes.Clone(s.text[from:s.at])
}

// Skip reads any value.
func (s *Scanner) Skip() {
	switch s.Next() {
	case '{':
		s.members(func([]byte) { s.Skip() })
	case '[':
		s.Array(s.Skip)
	case '"':
		s.quoted()
	default:
		if !json.Valid(s.literal()) {
			s.fail()
		}
	}
}

func (s *Scanner) space() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return
		}
	}
}

// null reads null, if that is next.
func (s *Scanner) null() bool {
	if s.Next() != 'n' {
		return false
	}
	if string(s.literal()) != "null" {
		s.fail()
	}
	return true
}

// literal reads what is no string, object or array, up to what ends it.
func (s *Scanner) literal() []byte {
	s.space()
	from := s.at
	for s.at < len(s.text) && !bytes.ContainsRune([]byte(" \t\r\n,:]}[{\""), rune(s.text[s.at])) {
		s.at++
	}
	return s.text[from:s.at]
}

// quoted reads a string and returns what is between its quotes.
func (s *Scanner) quoted() []byte {
	if s.Next() != '"' {
		s.fail()
		return nil
	}
	from := s.at + 1
	for i := from; i < len(s.text); i++ {
		switch b := s.text[i]; {
		case b == '"':
			s.at = i + 1
			return s.text[from:i]
		case b == '\\':
			size := escapeSize(s.text[i:])
			if size == 0 {
				s.fail()
				return nil
			}
			i += size - 1
		case b < ' ':
			s.fail()
			return nil
		}
	}
	s.fail()
	return nil
}

// escapeSize returns how long the escape is that a text begins with, 0 for what is
// none.
func escapeSize(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	switch text[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if _, ok := hex4(text); ok {
			return 6
		}
	}
	return 0
}

// hex4 returns the code unit of an escape \uXXXX.
func hex4(text []byte) (unit rune, ok bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	for _, b := range text[2:6] {
		switch {
		case '0' <= b && b <= '9':
			b -= '0'
		case 'a' <= b && b <= 'f':
			b -= 'a' - 10
		case 'A' <= b && b <= 'F':
			b -= 'A' - 10
		default:
			return 0, false
		}
		unit = unit<<4 | rune(b)
	}
	return unit, true
}

// unescape returns a string whose escapes are known to be sound. Half a pair of
// surrogates becomes U+FFFD, as with encoding/json.
func unescape(raw []byte) []byte {
	out := make([]byte, 0, len(raw))
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return append(out, raw...)
		}
		out = append(out, raw[:i]...)
		raw = raw[i:]
		unit, isUnit := hex4(raw)
		if !isUnit {
			out, raw = append(out, escaped(raw[1])), raw[2:]
			continue
		}
		raw = raw[6:]
		if utf16.IsSurrogate(unit) {
			low, _ := hex4(raw)
			if unit = utf16.DecodeRune(unit, low); unit != utf8.RuneError {
				raw = raw[6:]
			}
		}
		out = utf8.AppendRune(out, unit)
	}
}

// escaped is the byte that a backslash and a letter stand for.
func escaped(letter byte) byte {
	switch letter {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	default:
		return letter
	}
}
