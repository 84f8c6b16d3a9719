package sessionfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/sessionfile"
	"beckon/backend/beckon"
	"beckon/backend/transcript"
)

// recorded returns the lines of a file that the CLI wrote; package observe has
// them.
func recorded(t *testing.T, name string) [][]byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "observe", "testdata", name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSpace(text), []byte("\n"))
}

// TestNoLineThatMattersIsSkipped: the first bytes of a line promise no less than
// the whole line has.
func TestNoLineThatMattersIsSkipped(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../observe/testdata/*.jsonl")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	skipped := 0
	for _, file := range files {
		for _, raw := range recorded(t, strings.TrimSuffix(filepath.Base(file), ".jsonl")) {
			line, err := sessionfile.Decode(raw)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			kind := sessionfile.KindOf(raw)
			if kind != line.Kind {
				t.Errorf("%s: by its first bytes %v, whole %v: %.200s", file, kind, line.Kind, raw)
			}
			if kind == sessionfile.Skipped {
				skipped++
			}
		}
	}
	if skipped < 50 {
		t.Errorf("only %d lines are skipped", skipped)
	}
	for raw, want := range map[string]sessionfile.Kind{
		``:                                      sessionfile.Spoken,
		`{`:                                     sessionfile.Spoken,
		`[1]`:                                   sessionfile.Spoken,
		`{"type":"user"}`:                       sessionfile.Given,
		`{"type":"assistant","message":{}}`:     sessionfile.Spoken,
		`{"attachment":{"type":"user"}}`:        sessionfile.Skipped,
		`{"a\"b":1,"type":"mode"}`:              sessionfile.Spoken,
		`{"x":null,"y":true,"type":"mode"}`:     sessionfile.Skipped,
		`{"type":`:                              sessionfile.Spoken,
		`{"uuid":"` + strings.Repeat("x", 4096): sessionfile.Spoken,
	} {
		if got := sessionfile.KindOf([]byte(raw)); got != want {
			t.Errorf("%.40q is %v, want %v", raw, got, want)
		}
	}
}

// FuzzLines: nothing that a file can have stops the program.
func FuzzLines(f *testing.F) {
	f.Add([]byte(`{"parentUuid":null,"isSidechain":false,"message":{"content":[{"type":"tool_use","id":"a","name":"Bash","input":{}}]},"type":"assistant"}`))
	f.Add([]byte(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"a","content":"x"}]},"toolUseResult":{"answers":{"a":1}}}`))
	f.Fuzz(func(_ *testing.T, raw []byte) {
		_, _ = sessionfile.Decode(raw)
		_, _ = sessionfile.DecodePresence(raw)
		sessionfile.KindOf(raw)
		sessionfile.Stdout(raw, "")
	})
}

// TestAPresenceFileIsBelievedOnlyWhereItCanBe: what it says becomes paths.
func TestAPresenceFileIsBelievedOnlyWhereItCanBe(t *testing.T) {
	t.Parallel()
	const id = "50a30b48-fbd4-448f-abd9-53c870c8742d"
	for raw, want := range map[string]bool{
		`{"pid":1,"sessionId":"` + id + `","cwd":"/a"}`:          true,
		`{"pid":1,"sessionId":"` + id + `","cwd":"a"}`:           false,
		`{"pid":1,"sessionId":"` + id + `","cwd":"/a\u0000b"}`:   false,
		`{"pid":0,"sessionId":"` + id + `","cwd":"/a"}`:          false,
		`{"pid":1,"sessionId":"../../../etc/passwd","cwd":"/a"}`: false,
		`{"pid":1,"sessionId":"","cwd":"/a"}`:                    false,
		``:                                                       false, `{`: false, `null`: false, `[]`: false,
	} {
		_, err := sessionfile.DecodePresence([]byte(raw))
		if got := err == nil; got != want {
			t.Errorf("%s: %v", raw, err)
		}
	}
	p, err := sessionfile.DecodePresence([]byte(`{"pid":1,"sessionId":"` + id + `","cwd":"/a","name":"\u202ea\nb` +
		strings.Repeat("x", 1000) + `"}`))
	if err != nil || !strings.HasPrefix(p.Name, "a b") || len(p.Name) > 200 {
		t.Errorf("the name is %q, %v", p.Name, err)
	}
	if _, err := sessionfile.DecodePresence([]byte(`{"pid":1}`)); !errors.Is(err, sessionfile.ErrPresence) {
		t.Errorf("%v", err)
	}
}

func TestAFolderIsNamedAsTheCLINamesIt(t *testing.T) {
	t.Parallel()
	for cwd, want := range map[string]string{
		"/home/dev/my_app.v2":            "-home-dev-my-app-v2",
		"/home/dev/été":                  "-home-dev--t-",
		"/a/\U0001F600":                  "-a---",
		"/" + strings.Repeat("long", 80): "-" + strings.Repeat("long", 49) + "lon",
	} {
		if got := sessionfile.Folder(cwd); got != want {
			t.Errorf("%s is in %s, want %s", cwd, got, want)
		}
	}
}

// TestATranscriptIsFoldedFromASessionFile as from stdout.
func TestATranscriptIsFoldedFromASessionFile(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"answered": "user please do; text Let me ask.; question AskUserQuestion done; text Noted.",
		"bash":     "user please do; tool Bash done; text Noted.",
		"declined": "user please do; text Let me ask.; question AskUserQuestion failed; notice interrupted",
		"write":    "user please do; tool Write done; text Noted.",
		"agent":    "user please do; tool Agent done; text Noted.",
	} {
		if got := folded(t, recorded(t, name), ""); got != want {
			t.Errorf("%s: %s\nwant %s", name, got, want)
		}
	}
}

// TestLinesThatNameEachOtherAreAllThereOnce, whatever they name.
func TestLinesThatNameEachOtherAreAllThereOnce(t *testing.T) {
	t.Parallel()
	line := func(id, parent string) []byte { return fmt.Appendf(nil, `{"uuid":%q,"parentUuid":%q}`, id, parent) }
	lines := [][]byte{
		line("c", "b"), line("b", "a"), line("x", "y"), line("y", "x"), line("s", "s"), []byte("{"),
		line("a", ""), line("z", "gone"),
	}
	var got []string
	for _, raw := range sessionfile.InOrder(lines) {
		got = append(got, strings.TrimPrefix(string(raw[:min(len(raw), 10)]), `{"uuid":"`))
	}
	if strings.Join(got, "") != "abcyxs{z" {
		t.Errorf("the order is %q", got)
	}
}

// TestASubAgentsLinesHangUnderTheirCall.
func TestASubAgentsLinesHangUnderTheirCall(t *testing.T) {
	t.Parallel()
	const parent = "toolu_mock_000001"
	for i, raw := range recorded(t, "agent.sub") {
		out := sessionfile.Stdout(raw, parent)
		if out == nil {
			continue
		}
		m, err := claude.DecodeMessage(out)
		if err != nil || m.ParentToolUseID != parent || m.SessionID == "" || m.UUID == "" || m.Timestamp == "" {
			t.Errorf("line %d: %+v, %v", i, m, err)
		}
	}
}

// folded says what entries lines become.
func folded(t *testing.T, lines [][]byte, parent string) string {
	t.Helper()
	var fold transcript.Fold
	var order []string
	entries := map[string]beckon.Entry{}
	pos := int64(0)
	for _, raw := range sessionfile.InOrder(lines) {
		out := sessionfile.Stdout(raw, parent)
		if out == nil {
			continue
		}
		for _, e := range fold.Add(pos, 0, out) {
			if _, known := entries[e.ID]; !known {
				order = append(order, e.ID)
			}
			entries[e.ID] = e
		}
		pos++
	}
	var said []string
	for _, id := range order {
		e := entries[id]
		said = append(said, strings.TrimSpace(fmt.Sprint(e.Kind, " ", describe(e))))
	}
	return strings.Join(said, "; ")
}

func describe(e beckon.Entry) string {
	switch {
	case e.Tool != nil && e.Tool.Failed:
		return e.Tool.Name + " failed"
	case e.Tool != nil && e.Tool.Done:
		return e.Tool.Name + " done"
	case e.Tool != nil:
		return e.Tool.Name
	case e.Kind == beckon.NoticeEntry:
		return e.Notice
	default:
		return e.Text
	}
}

// TestARefusalOfASubAgentsCallIsOne: its result is worded for the sub-agent.
func TestARefusalOfASubAgentsCallIsOne(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]sessionfile.Outcome{
		"Permission for this tool use was denied. The tool use was rejected.":             sessionfile.Refused,
		"The user doesn't want to proceed with this tool use. The tool use was rejected.": sessionfile.Refused,
		"Permission to use Bash with command touch x has been denied.":                    sessionfile.Done,
	} {
		line, err := sessionfile.Decode(fmt.Appendf(nil,
			`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"b1","is_error":true,"content":%q}]}}`, text))
		if err != nil || len(line.Results) != 1 || line.Results[0].Outcome != want {
			t.Errorf("%q: %+v, %v; want %v", text, line.Results, err, want)
		}
	}
}
