package export

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/transcript"
)

// hostileName grows most when it is written: each of its characters becomes a code or a name.
var hostileName = strings.Repeat("\u034f\"", 60)

// TestSharedPageHasRoomForHostileNames: names, a full band and a full list of contents never make
// it too large, and what is not named is counted.
func TestSharedPageHasRoomForHostileNames(t *testing.T) {
	t.Parallel()
	var lines []string
	for i := range 600 {
		lines = append(lines, string(transcript.MessageLine(fmt.Sprint("m", i), hostileName)),
			fmt.Sprintf(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"x"}}]}}`, i),
			says(strings.Repeat("<\"&' words ", 1000)),
			fmt.Sprintf(`{"type":"result","uuid":"r%d","total_cost_usd":0.5,"duration_ms":5000}`, i))
	}
	x, run := desk(t, lines...)
	for i := range 500 {
		q := beckon.Question{
			ID: fmt.Sprint("q", i), TaskID: run.TaskID, RunID: run.ID, Kind: beckon.Ask, Policy: beckon.Wait, Settlement: beckon.Open,
			Asked: run.Started + int64(i), Items: []beckon.QuestionItem{{Text: hostileName, Options: []beckon.Option{}}},
		}
		if err := x.Store.AddQuestion(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	var files []beckon.FileDiff
	for i := range 1000 {
		files = append(files, beckon.FileDiff{Path: fmt.Sprint(i, hostileName), OldPath: hostileName, Change: beckon.FileRenamed, Patch: "@@ -1 +1 @@\n-a\n+b\n"})
	}
	x.Changed = changing(files...)
	_, text := shared(t, x, run.TaskID, "") // it checks the size
	for _, want := range []string{"files are not named here", "files. Each place says so", " more</li>", `<rect class="wait now"`} {
		if !strings.Contains(text, want) {
			t.Errorf("it has no %s", want)
		}
	}
	contents := text[strings.Index(text, "<nav"):strings.Index(text, "</nav>")]
	if len(contents) > contentsMost+1000 {
		t.Errorf("the contents have %d bytes", len(contents))
	}
}

// TestARowOfTheBandHasABound: pieces lose their titles first, and a piece inside of an earlier one is drawn.
func TestARowOfTheBandHasABound(t *testing.T) {
	t.Parallel()
	full := row{}
	for i := range 100_000 {
		full.add("wait", "", hostileName, float64(i%700), 0, float64(i), 10)
	}
	if all := join(full.m...); len(all) > rowMost || !strings.Contains(string(all), `rx="1"></rect>`) || !strings.Contains(string(all), "<title>") {
		t.Errorf("%d bytes", len(all))
	}
	r := row{}
	for _, at := range [][2]float64{{100, 50}, {100.5, 20}, {120, 10}, {120.2, 90}} {
		r.add("wait", "", fmt.Sprint(at), at[0], 0, at[1], 10)
	}
	drawn := string(join(r.m...))
	if strings.Count(drawn, "<rect") != 3 || strings.Contains(drawn, "[100.5 20]") {
		t.Error(drawn)
	}
}

// TestAnswersAndNamesStayInTheLargestEntry: what is cut of them is counted.
func TestAnswersAndNamesStayInTheLargestEntry(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("\u034f", 40_000)
	a := &asked{Settlement: beckon.Answered, given: given{Answer: "SQLite " + long, By: beckon.ByUser}}
	for i := range 30 {
		a.Earlier = append(a.Earlier, given{Answer: fmt.Sprint("before ", i, long), By: beckon.ByUser})
	}
	s := &sharer{}
	e := exported{Entry: beckon.Entry{Kind: beckon.QuestionEntry, Tool: &beckon.ToolCall{Name: "Ask", Failed: true, Input: long, Result: long, Diff: long}}, Asked: a}
	html, left := s.drawn(e)
	for _, want := range []string{"<b>Ask</b>", "<em>failed</em>", "Answered in Beckon", "<b>SQLite ", "before 29", "29 earlier answers are left out here"} {
		if !strings.Contains(string(html), want) {
			t.Errorf("it has no %q", want)
		}
	}
	if len(html) > entryMost || left < 3*len(long)-inputMost-resultMost-diffMost || len(a.Earlier) != 30 {
		t.Errorf("%d bytes, %d are left out", len(html), left)
	}
	for i := range a.Earlier { // what has room as it is loses no more than it must
		a.Earlier[i].Answer = fmt.Sprint("before ", i, strings.Repeat("a", 40_000))
	}
	a.Answer = "SQLite"
	html, left = s.drawn(exported{Entry: beckon.Entry{Kind: beckon.QuestionEntry, Tool: &beckon.ToolCall{Name: "Ask"}}, Asked: a})
	if !strings.Contains(string(html), "22 earlier answers are left out here") || left < answersMost*(40_000-answerMost) {
		t.Errorf("%d bytes, %d are left out", len(html), left)
	}
	html, left = s.drawn(exported{Entry: beckon.Entry{Kind: beckon.TurnEntry, Turn: &beckon.TurnEnd{Number: 7, Failed: true, Reason: long}}})
	if len(html) > entryMost || left == 0 || !strings.Contains(string(html), "End of turn 7") {
		t.Errorf("a turn has %d bytes, %d are left out", len(html), left)
	}
}

// TestATextIsCutBeforeItIsMasked: with what comes behind the cut, so that no secret is cut there.
func TestATextIsCutBeforeItIsMasked(t *testing.T) {
	t.Parallel()
	words := strings.Repeat("word ", textMost)
	for _, long := range []int{20, edgeMost} { // the second one is cut, too
		text := words[:textMost-30] + " postgres://me:" + strings.Repeat("Q7", long) + "@host " + words
		e := exported{Entry: beckon.Entry{Text: text}}.within(textMost)
		if len(e.Text) > textMost || strings.Contains(e.Text, "Q7") || e.left < len(words)-100 {
			t.Errorf("%d bytes, %d are left out: %q", len(e.Text), e.left, e.Text[len(e.Text)-60:])
		}
	}
	target := exported{Entry: beckon.Entry{Tool: &beckon.ToolCall{Target: "psql postgres://admin:Super…", Input: `{"command":"psql postgres://admin:Super`}}}.within(0)
	if strings.Contains(target.Tool.Target+target.Tool.Input, "Super") || !target.more {
		t.Errorf("%+v", target.Tool)
	}
}

// TestSharedPageSaysWhereItMayLeaveOutMore than it counts.
func TestSharedPageSaysWhereItMayLeaveOutMore(t *testing.T) {
	t.Parallel()
	x, run := desk(t, fmt.Sprintf(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"%s"}}]}}`, strings.Repeat("x", 100_000)))
	x.Changed = changing()
	_, text := shared(t, x, run.TaskID, "")
	for _, want := range []string{"More than 29 KB more of this", ": more than 29 KB of long texts"} {
		if !strings.Contains(text, want) {
			t.Errorf("it has no %q", want)
		}
	}
}

// TestFewPicturesOfAnEntryAreTried: each takes its whole line.
func TestFewPicturesOfAnEntryAreTried(t *testing.T) {
	t.Parallel()
	image := func(data string) string {
		return `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + base64.StdEncoding.EncodeToString([]byte(data)) + `"}}`
	}
	all := strings.Repeat(image("none")+",", picturesTry) + image("\x89PNG\r\n\x1a\nrest")
	x, run := desk(t, conversation[2], `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":[`+all+`]}]}}`)
	x.Changed = changing()
	_, text := shared(t, x, run.TaskID, "")
	if strings.Contains(text, "<img") || !strings.Contains(text, "Left out: 21 pictures of ") {
		t.Error("a picture beyond the first ones was tried, or is not counted")
	}
}

// stopping is a writer whose user stops at the first entry.
type stopping struct {
	cancel  func()
	entries int
}

func (w *stopping) begin() error         { return nil }
func (w *stopping) room() int            { return 0 }
func (w *stopping) entry(exported) error { w.cancel(); w.entries++; return nil }
func (w *stopping) end() error           { return nil }

// TestWhoStopsAnExportWaitsForNoFurtherEntry: each may be a long one.
func TestWhoStopsAnExportWaitsForNoFurtherEntry(t *testing.T) {
	t.Parallel()
	x, run := desk(t, conversation...)
	log, err := transcript.OpenRead(x.Logs, run.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	ctx, cancel := context.WithCancel(t.Context())
	w := &stopping{cancel: cancel}
	if err := write(ctx, w, log, run.ID, nil); !errors.Is(err, context.Canceled) || w.entries != 1 {
		t.Errorf("%d entries, %v", w.entries, err)
	}
}

// TestFoldersAreCalledAsOthersKnowThem: where they are folders and no part of another name.
func TestFoldersAreCalledAsOthersKnowThem(t *testing.T) {
	t.Parallel()
	if filepath.Separator != '/' {
		t.Skip("paths have other marks")
	}
	list := places{{"/root/wt/KES-1", ".", ""}, {"/root", "~", "~/"}}
	for text, want := range map[string]string{
		"/root/wt/KES-1/a.go, /root/wt/KES-1 and /root/wt/KES-1.": "a.go, . and ..",
		"/root/wt/KES-10 /root/wt/KES-1.bak/x":                    "~/wt/KES-10 ~/wt/KES-1.bak/x",
		"/root/.ssh/id, /rooted /root-2 /mnt/root/x":              "~/.ssh/id, /rooted /root-2 /mnt/root/x",
		"-/root/x +/root/wt/KES-1/y -I/root/z file:///root/q":     "-~/x +y -I~/z file://~/q",
		`{"path":"/root"} /root/`:                                 `{"path":"~"} ~/`,
	} {
		if got := list.called(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// TestSharedPageNamesNoFolderOfThisComputer: in nothing that stands on it.
func TestSharedPageNamesNoFolderOfThisComputer(t *testing.T) {
	t.Parallel()
	home, err := os.UserHomeDir()
	if err != nil || len(home) < 2 {
		t.Skip("there is no home folder")
	}
	path := filepath.Join(home, "secretplace")
	x, run := desk(t, string(transcript.MessageLine("u", "Look at "+path)), fmt.Sprintf(`{"type":"result","uuid":"r","is_error":true,"result":"no %s"}`, filepath.ToSlash(path)))
	if _, err := x.Store.UpdateTask(t.Context(), run.TaskID, func(task *beckon.Task) error { task.Title = "Mend " + path; return nil }); err != nil {
		t.Fatal(err)
	}
	ask(t, x, run, "", "Use "+path+"?", "yes "+path)
	x.Changed = changing(beckon.FileDiff{Path: "a", Change: beckon.FileModified, Patch: "@@ -1 +1 @@\n-" + path + "\n+b\n"})
	_, text := shared(t, x, run.TaskID, "")
	if strings.Contains(text, path) || strings.Count(text, "secretplace") < 8 {
		t.Errorf("it names %s, or has it %d times alone", path, strings.Count(text, "secretplace"))
	}
}

// ask adds a question that was answered.
func ask(t *testing.T, x *Exporter, run beckon.Run, call, text, answer string) {
	t.Helper()
	q := beckon.Question{
		ID: beckon.NewID(), TaskID: run.TaskID, RunID: run.ID, ToolUseID: call, Kind: beckon.Ask, Policy: beckon.Wait, Settlement: beckon.Open,
		Asked: beckon.Now(), Items: []beckon.QuestionItem{{Text: text, Options: []beckon.Option{}}},
	}
	a := beckon.Answer{Items: []beckon.ItemAnswer{{Other: answer}}, By: beckon.ByUser, At: beckon.Now()}
	err := x.Store.AddQuestion(t.Context(), q)
	_, settled := x.Store.Settle(t.Context(), q.ID, beckon.Answered, &a, nil)
	if err := errors.Join(err, settled); err != nil {
		t.Fatal(err)
	}
}

// TestEachQuestionStandsOnTheSharedPageOnce: also one that no entry asked, and one whose result came
// late; and the contents lead to it.
func TestEachQuestionStandsOnTheSharedPageOnce(t *testing.T) {
	t.Parallel()
	lines := []string{
		string(transcript.MessageLine("u", "Begin")),
		`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"a1","name":"AskUserQuestion","input":{"questions":[{"question":"Which store?"}]}}]}}`,
	}
	for range 6 * spanEntries { // the result is far behind its call
		lines = append(lines, says("meanwhile"))
	}
	lines = append(lines, `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"a1","content":"SQLite"}]}}`)
	x, run := desk(t, lines...)
	x.Changed = changing()
	ask(t, x, run, "a1", "Which store?", "answer one")
	ask(t, x, run, "f7c9a0de-no-entry", "May I <run> it?", "answer two")
	ask(t, x, run, "", "Which form?", "answer three")
	_, text := shared(t, x, run.TaskID, "")
	for _, want := range []string{"answer one", "answer two", "answer three", `<p class="plain">May I &lt;run&gt; it?</p>`, `<a href="#e1-1-0">Waited`, `<div id="q1-1">`, `<a href="#q1-1">`, `<a href="#q1-2">`, "Turn without an end"} {
		if n := strings.Count(text, want); n == 0 || n > 1 && strings.HasPrefix(want, "answer") {
			t.Errorf("it has %q %d times", want, n)
		}
	}
	if _, html := export(t, x, run, beckon.ExportHTML); strings.Count(html, "answer one") != 1 {
		t.Error("the exported run has an answer twice, or not at all")
	}
	r := newReel()
	r.add(chunk{html: "<h2>Run 1</h2>"})
	if _, there := r.joined(); there[""] {
		t.Error("what has no id can be led to")
	}
	for _, never := range []string{`href="#"`, "Turn 0"} {
		if strings.Contains(text, never) {
			t.Errorf("it has %s", never)
		}
	}
}

// TestAQuestionWithoutAnEntryStandsWhereItWasAsked in time.
func TestAQuestionWithoutAnEntryStandsWhereItWasAsked(t *testing.T) {
	t.Parallel()
	s := &sharer{reel: newReel(), asked: map[string]string{}}
	w := &sharedWriter{s, &sharedRun{Run: beckon.Run{Number: 1}, questions: []beckon.Question{
		{ID: "q", ToolUseID: "none", Asked: 100_000, Message: "Now?"},
	}}}
	w.state(99_000)
	w.state(101_000)
	if len(s.reel.first) != 0 {
		t.Error("it stands before its entry can be known")
	}
	w.state(100_001 + lateMost)
	w.state(1 << 60)
	if len(s.reel.first) != 1 || s.asked["q"] != "q1-0" {
		t.Errorf("%+v", s.reel.first)
	}
}

// TestSharedPageSaysWhatItDoesNotKnowOfChanges in further repositories, and of others' hands.
func TestSharedPageSaysWhatItDoesNotKnowOfChanges(t *testing.T) {
	t.Parallel()
	s := &sharer{}
	file := []beckon.FileDiff{{Path: "lib/a.go", Change: beckon.FileAdded}}
	for _, c := range []struct {
		changed Changed
		has     []string
		not     string
	}{
		{Changed{Elsewhere: 1}, []string{"What changed in 1 further repository is not known"}, "No file changed"},
		{Changed{Files: file, Elsewhere: 2, Mixed: true}, []string{"lib/a.go", "2 further repositories", "Somebody else may"}, "No file changed"},
		{Changed{Files: file, Unknown: true}, []string{"lib/a.go", "no state of the files was recorded"}, "No file changed"},
		{Changed{}, []string{"No file changed."}, "not known"},
	} {
		m, _ := s.changes(c.changed)
		for _, want := range c.has {
			if !strings.Contains(string(m), want) || strings.Contains(string(m), c.not) {
				t.Errorf("%+v: %s", c.changed, m)
			}
		}
	}
}
