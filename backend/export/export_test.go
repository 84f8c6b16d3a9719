package export

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/mask"
	"beckon/backend/store"
	"beckon/backend/store/checkpoints"
	"beckon/backend/store/decisions"
	"beckon/backend/transcript"
	"beckon/tests/timeout"
)

// desk is an exporter with one run, whose log holds the lines.
func desk(t *testing.T, lines ...string) (*Exporter, beckon.Run) {
	t.Helper()
	ctx, dir := t.Context(), t.TempDir()
	s, err := store.Open(context.WithoutCancel(ctx), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	p := beckon.Project{Key: "KES", Name: "Kestrel", Dir: dir, Color: 1, Mode: beckon.ModeAuto, Policy: beckon.Wait}
	err = s.AddProject(ctx, &p)
	task := beckon.Task{ProjectID: p.ID, Title: "Mend <b>it</b>", Status: beckon.Backlog}
	err = errors.Join(err, s.CreateTask(ctx, &task))
	run := beckon.Run{TaskID: task.ID, Kind: beckon.ChatRun}
	if err := errors.Join(err, s.AddRun(ctx, &run)); err != nil {
		t.Fatal(err)
	}
	x := &Exporter{Store: s, Logs: filepath.Join(dir, "transcripts"), Folders: []string{"", filepath.Join(dir, "none"), t.TempDir()}}
	log, err := transcript.Open(x.Logs, run.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	raw := make([][]byte, len(lines))
	for i, line := range lines {
		raw[i] = []byte(line)
	}
	if _, err := log.Append(1_795_000_000_000, raw); err != nil {
		t.Fatal(err)
	}
	return x, run
}

func export(t *testing.T, x *Exporter, run beckon.Run, format beckon.ExportFormat) (path, text string) {
	t.Helper()
	path, err := x.Run(t.Context(), run.ID, format)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, string(raw)
}

func says(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string cannot fail
	}
	return fmt.Sprintf(`{"type":"assistant","message":{"content":[{"type":"text","text":%s}]}}`, quoted)
}

const key = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz"

var conversation = []string{
	string(transcript.MessageLine("u", "Look <script>alert(1)</script>")),
	says("# Title\n\n**bold** <img src=x onerror=alert(1)> [web](https://example.com) [js](javascript:alert(1)) [file](file:///etc/passwd) ![spy](https://example.com/p.png) <javascript:alert(1)>\n\n```go\nfunc f() {}\n```"),
	`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"echo ` + key + `"}}]}}`,
	`{"type":"assistant","parent_tool_use_id":"agent","message":{"content":[{"type":"text","text":"inner"}]}}`,
	`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"done ` + key + `</pre><script>"},` +
		`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n\x1a\nrest")) + `"}}]}]}}`,
	`{"type":"result","uuid":"r","is_error":true,"result":"stopped"}`,
}

func TestExportedPageRunsAndFetchesNothing(t *testing.T) {
	t.Parallel()
	x, run := desk(t, conversation...)
	_, text := export(t, x, run, beckon.ExportHTML)
	for _, never := range []string{"<script", "onerror=alert(1)>", `href="javascript:`, `href="file:`, `src="http`, "<b>it", key, "<link", "@import", "url("} {
		if strings.Contains(text, never) {
			t.Errorf("it has %s", never)
		}
	}
	for _, want := range []string{
		"default-src 'none'", "&lt;script&gt;", "<strong>bold</strong>", `<a href="https://example.com">web</a>`, "func f() {}",
		`<img src="data:image/png;base64,`, `<details class="agent"`, "inner", "echo " + mask.Hidden, "done " + mask.Hidden, "stopped", "KES-1 · run 1",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it has no %s:\n%s", want, text)
		}
	}
	if n := strings.Count(text, "done "+mask.Hidden); n != 1 {
		t.Errorf("the result is there %d times", n)
	}
}

func TestExportedEntriesAreJSON(t *testing.T) {
	t.Parallel()
	x, run := desk(t, conversation...)
	_, text := export(t, x, run, beckon.ExportJSON)
	var got struct {
		Task, Title string
		Run         beckon.Run
		Entries     []beckon.Entry
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if got.Task != "KES-1" || got.Run.ID != run.ID || len(got.Entries) != 5 || strings.Contains(text, key) {
		t.Errorf("%+v", got)
	}
}

func TestFileThatIsThereIsNeverWrittenTo(t *testing.T) {
	t.Parallel()
	x, run := desk(t, conversation...)
	dir := x.Folders[2]
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.Symlink(victim, filepath.Join(dir, "KES-1-run-1-2.html")); err != nil {
		t.Skip(err)
	}
	for _, want := range []string{"KES-1-run-1.html", "KES-1-run-1-3.html", "KES-1-run-1-4.html"} {
		path, _ := export(t, x, run, beckon.ExportHTML)
		if path != filepath.Join(dir, want) {
			t.Errorf("%s, want %s", path, want)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
			t.Errorf("%v, %v", info.Mode(), err)
		}
	}
	if _, err := os.Stat(victim); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the link was followed: %v", err)
	}
}

func TestWhatCanNotBeExportedSaysWhy(t *testing.T) {
	t.Parallel()
	x, run := desk(t, conversation...)
	for _, c := range []struct {
		id     string
		format beckon.ExportFormat
		want   error
	}{{run.ID, "pdf", beckon.ErrInvalid}, {"none", beckon.ExportHTML, beckon.ErrNotFound}, {"../x", beckon.ExportJSON, beckon.ErrNotFound}} {
		if _, err := x.Run(t.Context(), c.id, c.format); !errors.Is(err, c.want) {
			t.Errorf("%s, %s: %v", c.id, c.format, err)
		}
	}
	x.Folders = []string{filepath.Join(t.TempDir(), "none")}
	if _, err := x.Run(t.Context(), run.ID, beckon.ExportHTML); !errors.Is(err, beckon.ErrUnavailable) {
		t.Error(err)
	}
}

func TestLongRunIsExportedInLittleMemory(t *testing.T) {
	lines := make([]string, 2000) // not parallel: it measures memory
	for i := range lines {
		lines[i] = says(strings.Repeat("some words of a long answer ", 700)) // 19 KB
	}
	x, run := desk(t, lines...)
	peak, stop, done := uint64(0), make(chan bool), make(chan bool)
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before := m.HeapInuse
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
				runtime.ReadMemStats(&m)
				peak = max(peak, m.HeapInuse)
			}
		}
	}()
	path, err := x.Run(t.Context(), run.ID, beckon.ExportJSON)
	close(stop)
	<-done
	info, statErr := os.Stat(path)
	if err := errors.Join(err, statErr); err != nil {
		t.Fatal(err)
	}
	if grown := int64(peak) - int64(before); grown > info.Size()/2 {
		t.Errorf("%d MB for a file of %d MB", grown>>20, info.Size()>>20)
	}
}

func TestDeepMarkdownIsNoTrap(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{">", "[", "![", "*", "_", "`", "- ", "<", "|", "&", "\\", "[a](", "~", "#", "1. "} {
		began := time.Now()
		rendered(strings.Repeat(unit, markdownMost/len(unit)))
		if took := time.Since(began); took > timeout.For(10*time.Second) {
			t.Errorf("%q took %s", unit, took)
		}
	}
}

func TestColoursAreThoseOfTheWindow(t *testing.T) {
	t.Parallel()
	tokens, err := os.ReadFile("../../frontend/src/ui/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`--[a-z0-9-]+: #[0-9a-f]+;`).FindAllString(string(style), -1)
	if len(found) < 20 {
		t.Fatal(found)
	}
	for _, value := range found {
		if !strings.Contains(string(tokens), value) {
			t.Errorf("the window has no %s", value)
		}
	}
}

// TestNumbersAreATableOfACSVFile: a row for each fact with names in place of ids, and no text
// that a spreadsheet takes for a formula.
func TestNumbersAreATableOfACSVFile(t *testing.T) {
	t.Parallel()
	x, run := desk(t)
	ctx := t.Context()
	_, err := x.Store.UpdateTask(ctx, run.TaskID, func(task *beckon.Task) error {
		task.Title = `=HYPERLINK("https://example.org")`
		return nil
	})
	_, spent := x.Store.UpdateRun(ctx, run.ID, func(r *beckon.Run) error {
		r.Model, r.Spent.Tokens, r.Spent.CostUSD = "opus", 1200, 0.25
		return nil
	})
	path, rows, wrote := x.Numbers(ctx, 1, "")
	if err := errors.Join(err, spent, wrote); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := ",Kestrel,KES-1,\"'=HYPERLINK(\"\"https://example.org\"\")\",claude,opus,here,0.2500,1200,0,1,"
	if lines := strings.Split(strings.TrimSpace(string(text)), "\n"); rows != 1 || len(lines) != 2 || !strings.HasPrefix(lines[0], "day,project,task,") || !strings.Contains(lines[1], want) {
		t.Errorf("%d rows:\n%s", rows, text)
	}
	if _, rows, err := x.Numbers(ctx, 1, "another"); err != nil || rows != 0 {
		t.Errorf("another project has %d rows, %v", rows, err)
	}
}

// TestExportedDecisionsAreTextAndNothingElse: no formula, no markup and no secret, in each format.
func TestExportedDecisionsAreTextAndNothingElse(t *testing.T) {
	t.Parallel()
	x, run := desk(t)
	ctx := t.Context()
	secret := "sk-ant-api03-" + strings.Repeat("Ab1", 30)
	for _, text := range []string{"=cmd|'/c calc'!A1", "Use " + secret + "? <img src=x> | [web](https://example.com)", "one;=two\n+3 \u202eten\u200b www.example.com #7"} {
		q := beckon.Question{
			ID: beckon.NewID(), TaskID: run.TaskID, RunID: run.ID, Kind: beckon.Ask, Policy: beckon.Wait, Settlement: beckon.Open,
			Asked: beckon.Now(), Items: []beckon.QuestionItem{{Text: text, Options: []beckon.Option{}}},
		}
		a := beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"+1"}, Other: "token " + secret}}, By: beckon.ByTelegram, ByName: "@mira", At: beckon.Now()}
		_, err := x.Store.Decisions.One(ctx, q.ID)
		if !errors.Is(err, beckon.ErrNotFound) {
			t.Fatal(err)
		}
		if err := x.Store.AddQuestion(ctx, q); err != nil {
			t.Fatal(err)
		}
		if _, err := x.Store.Settle(ctx, q.ID, beckon.Answered, &a, nil); err != nil {
			t.Fatal(err)
		}
	}
	unasked := beckon.Question{
		ID: beckon.NewID(), TaskID: run.TaskID, RunID: run.ID, Kind: beckon.Ask, Policy: beckon.Proceed, Settlement: beckon.Expired,
		Asked: beckon.Now(), Settled: beckon.Now(), Reason: reason.Of(reason.NotAsked), Assumption: "sk-ant-\u200bapi03-" + strings.Repeat("Ab1", 30),
		Items: []beckon.QuestionItem{{Text: "\t=cmd", Options: []beckon.Option{}}},
	}
	if err := x.Store.AddQuestion(ctx, unasked); err != nil {
		t.Fatal(err)
	}
	other := checkpoints.Rewind{
		ID: beckon.NewID(), TaskID: run.TaskID, QuestionID: unasked.ID, Step: checkpoints.Moved,
		Answer: beckon.Answer{Items: []beckon.ItemAnswer{{Other: "=rather | " + secret}}},
	}
	if err := x.Store.Checkpoints.Begin(ctx, other); err != nil {
		t.Fatal(err)
	}
	for format, want := range map[string][]string{
		"csv":  {"when,project,task,", "ask,notAsked,\"\t'=cmd\",," + mask.Hidden + ",by the agent,0,'=rather | " + mask.Hidden, ",Kestrel,KES-1,ask,answered,'=cmd|'/c calc'!A1,\"'+1, token " + mask.Hidden, "@mira", "one;'=two\n'+3 ten www"},
		"md":   {" (chosen differently later: =rather \\| " + tableText(mask.Hidden) + ")", "| KES-1 | ask | Use " + tableText(mask.Hidden), `&lt;img src=x> \| \[web\](https\://example.com) |`, `one;=two +3 ten www\.example.com \#7 |`},
		"json": {`"task":"KES-1","kind":"ask","settlement":"answered","question":"=cmd|'/c calc'!A1"`},
	} {
		path, rows, err := x.Decisions(ctx, decisions.Filter{}, format)
		if err != nil || rows != 4 || filepath.Ext(path) != "."+format {
			t.Fatalf("%s: %s, %d rows, %v", format, path, rows, err)
		}
		text, err := os.ReadFile(path)
		if err != nil || strings.Contains(string(text), secret) {
			t.Errorf("%s has the secret, %v", format, err)
		}
		for _, part := range want {
			if !strings.Contains(string(text), part) {
				t.Errorf("%s lacks %q:\n%s", format, part, text)
			}
		}
		var all []map[string]any
		if err := json.Unmarshal(text, &all); format == "json" && (err != nil || len(all) != 4) {
			t.Errorf("%d in the JSON, %v", len(all), err)
		}
	}
	if _, _, err := x.Decisions(ctx, decisions.Filter{}, "html"); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("another format: %v", err)
	}
}
