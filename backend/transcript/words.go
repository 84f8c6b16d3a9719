package transcript

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/transcript/runlog"
)

// The most of one entry that is searched, in bytes: of what was said, and of
// what a tool was given or gave back.
const (
	saidSearched = 32 << 10
	toolSearched = 8 << 10
)

// Words is what is searched of an entry that was folded from one line alone
// (Alone).
func Words(e beckon.Entry) string {
	switch {
	case e.Tool != nil && e.Tool.Orphan:
		return runlog.Cut(e.Tool.Result, toolSearched)
	case e.Tool != nil:
		return runlog.Cut(values(e.Tool.Input), toolSearched)
	case e.Turn != nil:
		return e.Turn.Reason
	case e.Notice == "unknown":
		return ""
	default:
		return runlog.Cut(e.Text, saidSearched)
	}
}

// values joins the texts of a JSON value, without the names of its fields, up
// to where it ends or was cut.
func values(input string) string {
	var texts []string
	var inObject, isKey []bool // of the values that are open
	dec := json.NewDecoder(strings.NewReader(input))
	for {
		token, err := dec.Token()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				texts = append(texts, lastText(input, dec.InputOffset()))
			}
			return strings.Join(texts, "\n")
		}
		top := len(inObject) - 1
		if delim, ok := token.(json.Delim); ok && (delim == '}' || delim == ']') {
			inObject, isKey = inObject[:top], isKey[:top]
			continue
		}
		key := top >= 0 && isKey[top]
		if top >= 0 && inObject[top] {
			isKey[top] = !key
		}
		switch v := token.(type) {
		case json.Delim:
			inObject, isKey = append(inObject, v == '{'), append(isKey, v == '{')
		case string:
			if !key {
				texts = append(texts, v)
			}
		}
	}
}

// lastText is the beginning of a text that was cut, nearly as it was.
func lastText(input string, from int64) string {
	_, text, _ := strings.Cut(input[min(from, int64(len(input))):], `"`)
	return strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\"`, `"`, `\\`, `\`).Replace(text)
}

// landmarkMost is the most that a landmark has of words, in bytes.
const landmarkMost = 200

// Alone folds one line as if there were no others: a result is an orphan, and
// a turn has no number.
func Alone(line Line) []beckon.Entry {
	fold := Fold{next: -1}
	return fold.Add(line.Number, line.At, line.Raw)
}

// LandmarkOf reports whether an entry is worth jumping to, and by which words it
// is known there.
func LandmarkOf(e beckon.Entry) (beckon.Landmark, bool) {
	m := beckon.Landmark{RunID: e.RunID, Pos: e.Pos, Part: e.Part, Kind: e.Kind, At: e.At}
	switch {
	case e.Parent != "":
		return m, false
	case e.Kind == beckon.UserEntry:
		m.Text = runlog.OneLine(e.Text, landmarkMost)
	case e.Kind == beckon.QuestionEntry && e.Tool != nil:
		m.Text = e.Tool.Target
	case e.Kind == beckon.TurnEntry:
		m.Text = runlog.OneLine(e.Turn.Reason, landmarkMost)
	case e.Kind == beckon.QuestionEntry:
	case e.Notice == "api_error":
		m.Text = runlog.OneLine(e.Text, landmarkMost)
	default:
		return m, false
	}
	return m, true
}
