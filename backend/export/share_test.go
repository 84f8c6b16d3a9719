package export

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"beckon/backend/beckon"
	"beckon/backend/mask"
	"beckon/backend/store/decisions"
	"beckon/backend/transcript"
)

func shared(t *testing.T, x *Exporter, taskID, runID string) (path, text string) {
	t.Helper()
	path, err := x.Share(t.Context(), taskID, runID)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(raw) > pageMost || !utf8.Valid(raw) {
		t.Errorf("the page has %d bytes, valid: %t", len(raw), utf8.Valid(raw))
	}
	return path, string(raw)
}

// changing is what says what changed.
func changing(files ...beckon.FileDiff) func(context.Context, string, string) (Changed, error) {
	return func(context.Context, string, string) (Changed, error) { return Changed{Files: files}, nil }
}

// TestSharedPageRunsAndFetchesNothing: it has no script, no secret, nothing hidden, and a policy
// that allows its own style alone.
func TestSharedPageRunsAndFetchesNothing(t *testing.T) {
	t.Parallel()
	evil := "</pre></style><script>alert(1)</script> \x1b[31mred\x1b[0m safe\u202egnp.exe \x00 bad\xffbyte"
	split := "sk-ant-\u200bapi03-" + strings.Repeat("Ab1", 12)
	x, run := desk(t, append(conversation, says("## Deep\n\n"+evil), says(split), string(transcript.MessageLine("v", evil)))...)
	x.Changed = changing(beckon.FileDiff{
		Path: "</code><script>.env", Change: beckon.FileModified, Added: 2, Removed: 1,
		Patch: "@@ -1 +1,2 @@\n-password: \"old\"\n+API_TOKEN=" + key + "\n+db_password: hunter22abc\n+</pre><script>alert(1)</script>\n",
	})
	path, text := shared(t, x, run.TaskID, "")
	if filepath.Base(path) != "KES-1-shared.html" {
		t.Error(path)
	}
	for _, never := range []string{
		"<script", "onerror=alert(1)>", `href="javascript:`, `href="file:`, `src="http`, "<b>it", key, "Ab1Ab1", "hunter22abc",
		"<link", "@import", "url(", "\x1b", "\x00", "\u202e", "\u200b", "style=", "unsafe-inline",
	} {
		if strings.Contains(text, never) {
			t.Errorf("it has %q", never)
		}
	}
	for _, want := range []string{
		"default-src 'none'", "&lt;script&gt;", "<strong>bold</strong>", `<a href="https://example.com">web</a>`, "⟨U+202E⟩gnp", "⟨U+0000⟩",
		"bad\uFFFDbyte", `<img src="data:image/png;base64,`, "inner", "echo " + mask.Hidden, "stopped", "KES-1 · run 1", "<h4>Deep</h4>",
		`<nav aria-label="Contents">`, "<svg viewBox=", `<span class="add">+API_TOKEN=` + mask.Hidden, "+2 −1",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it has no %s", want)
		}
	}
	style := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindStringSubmatch(text)
	sum := sha256.Sum256([]byte(style[1]))
	if policy := "style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(text, policy) {
		t.Errorf("its policy does not know its style by %s", policy)
	}
}

// TestSharedPageHasItsSizeWhateverComes: with the beginning, the end and what the rest is
// understood by, and it says what it leaves out.
func TestSharedPageHasItsSizeWhateverComes(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]func(i int) string{
		"long texts":  func(int) string { return says(strings.Repeat("<\"&' words of a long answer ", 2000)) },
		"a huge line": func(int) string { return says(strings.Repeat("x", 1<<20)) },
		"cells": func(int) string {
			return says(strings.Repeat("|a", 400) + "|\n" + strings.Repeat("|-", 400) + "|\n" + strings.Repeat(strings.Repeat("|", 400)+"\n", 30))
		},
		"many messages": func(i int) string { return string(transcript.MessageLine(fmt.Sprint(i), "go on")) },
		"agents": func(i int) string {
			return fmt.Sprintf(`{"type":"assistant","parent_tool_use_id":"agent%d","message":{"content":[{"type":"text","text":"x"}]}}`, i%2)
		},
		"calls": func(i int) string {
			return fmt.Sprintf(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"%s"}}]}}`, i, strings.Repeat("&", 9000))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := map[string]int{"many messages": 30_000, "agents": 30_000, "a huge line": 12}[name]
			if n == 0 {
				n = 400
			}
			lines := []string{says("The beginning of it.")}
			for i := range n {
				lines = append(lines, line(i))
			}
			x, run := desk(t, append(lines, says("The end of it."))...)
			var files []beckon.FileDiff
			for i := range 1300 {
				files = append(files, beckon.FileDiff{Path: fmt.Sprintf("%s/%d", strings.Repeat("<", 300), i), Change: beckon.FileModified, Added: 99, Patch: strings.Repeat("+<'\"&>\n", 9000*min(1, i%3))})
			}
			x.Changed = changing(files...)
			_, text := shared(t, x, run.TaskID, "")
			for _, want := range []string{"The beginning of it.", "The end of it.", "Left out, for a page of 5 MB", "300 files", "the lines of"} {
				if !strings.Contains(text, want) {
					t.Errorf("it has no %q", want)
				}
			}
			if opened, closed := strings.Count(text, "<details"), strings.Count(text, "</details>"); opened != closed {
				t.Errorf("%d details are opened, %d closed", opened, closed)
			}
		})
	}
}

// TestSharedPageSaysWhatWasAskedAndWaitedFor: and leads there from its band and its contents.
func TestSharedPageSaysWhatWasAskedAndWaitedFor(t *testing.T) {
	t.Parallel()
	x, run := desk(t, string(transcript.MessageLine("u", "Begin <it>")),
		`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"a1","name":"AskUserQuestion","input":{"questions":[{"question":"Which store?"}]}}]}}`,
		`{"type":"result","uuid":"r","total_cost_usd":0.31,"duration_ms":5000}`)
	x.Changed = func(context.Context, string, string) (Changed, error) { return Changed{Unknown: true}, nil }
	q := beckon.Question{
		ID: "q1", TaskID: run.TaskID, RunID: run.ID, ToolUseID: "a1", Kind: beckon.Ask, Policy: beckon.Wait, Settlement: beckon.Open,
		Asked: beckon.Now() - 134_000, Items: []beckon.QuestionItem{{Text: "Which store?", Options: []beckon.Option{{Label: "SQLite"}}}},
	}
	err := x.Store.AddQuestion(t.Context(), q)
	answer := beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"SQLite"}}}, By: beckon.ByUser, At: beckon.Now()}
	_, settled := x.Store.Settle(t.Context(), q.ID, beckon.Answered, &answer, nil)
	if err := errors.Join(err, settled); err != nil {
		t.Fatal(err)
	}
	path, text := shared(t, x, run.TaskID, run.ID)
	if filepath.Base(path) != "KES-1-run-1-shared.html" {
		t.Error(path)
	}
	for _, want := range []string{
		`class="question asked" open`, "after 2:14: <b>SQLite</b>", `<li class="waits"><a href="#e1-1-0">Waited 2:14, `, ": Which store?",
		`<a href="#e1-1-0" tabindex="-1"><rect class="wait"`, `<a href="#e1-0-0" tabindex="-1"><rect class="turn"`, "Turn 1, ", ": Begin &lt;it&gt;", "$0.31", "not known here",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it has no %s:\n%s", want, text[strings.Index(text, "<body>"):])
		}
	}
	if again, _ := shared(t, x, run.TaskID, run.ID); filepath.Base(again) != "KES-1-run-1-shared-2.html" {
		t.Error(again)
	}
	if _, err := x.Share(t.Context(), run.TaskID, "another"); !errors.Is(err, beckon.ErrNotFound) {
		t.Error(err)
	}
}

// TestColoredSecretsAreMaskedInEachFormat: as a terminal's search marks what it found.
func TestColoredSecretsAreMaskedInEachFormat(t *testing.T) {
	t.Parallel()
	const tail = "abcdefghijklmnopqrstuvwxyz0123456789"
	colored := "found: sk-\x1b[m\x1b[Kant-api03-" + tail + "\nghp\x1b[01;31m\x1b[K_\x1b[m" + tail +
		"\nAPI_KEY=\x1b[01;31m\x1b[Ksk-ant\x1b[m\x1b[K-api03-" + tail + "\nghp\\_" + tail + "\nsk-ant-api03-abcdefghijkl\u200b" + tail + tail + "\nghp\u200d_" + tail
	x, run := desk(t, string(transcript.MessageLine("u", colored)), says(colored))
	x.Changed = changing(beckon.FileDiff{Path: "a", Change: beckon.FileModified, Added: 6, Patch: "@@ -0,0 +1,6 @@\n+" + strings.ReplaceAll(colored, "\n", "\n+") + "\n"})
	q := beckon.Question{
		ID: "q1", TaskID: run.TaskID, RunID: run.ID, Kind: beckon.Ask, Policy: beckon.Wait, Settlement: beckon.Open, Asked: beckon.Now(),
		Items: []beckon.QuestionItem{{Text: colored, Options: []beckon.Option{}}},
	}
	answer := beckon.Answer{Items: []beckon.ItemAnswer{{Other: colored}}, By: beckon.ByUser, At: beckon.Now()}
	err := x.Store.AddQuestion(t.Context(), q)
	_, settled := x.Store.Settle(t.Context(), q.ID, beckon.Answered, &answer, nil)
	if err := errors.Join(err, settled); err != nil {
		t.Fatal(err)
	}
	_, page := shared(t, x, run.TaskID, "")
	_, html := export(t, x, run, beckon.ExportHTML)
	_, entries := export(t, x, run, beckon.ExportJSON)
	texts := map[string]string{"page": page, "html": html, "json": entries}
	for format := range decisionFormats {
		path, rows, err := x.Decisions(t.Context(), decisions.Filter{}, format)
		raw, read := os.ReadFile(path)
		if err := errors.Join(err, read); err != nil || rows != 1 {
			t.Fatal(rows, err)
		}
		texts["decisions."+format] = string(raw)
	}
	for format, text := range texts {
		if strings.Contains(text, "abcdefghijkl") || strings.Contains(text, "0123456789") || !strings.Contains(text, "found: ") {
			t.Errorf("%s has a secret, or nothing", format)
		}
	}
}

// TestALongPatchIsCutWhereItsEndsFall: and no secret is cut in two there.
func TestALongPatchIsCutWhereItsEndsFall(t *testing.T) {
	t.Parallel()
	for _, size := range []int{patchMost - 1, patchMost, patchMost + 1, patchMost + edgeMost - 1, patchMost + edgeMost, patchMost + edgeMost + 1} {
		for _, secret := range []string{"sk-ant-api03-" + strings.Repeat("Q7", 20), "postgres://me:" + strings.Repeat("Q7", 20) + "@host"} {
			for _, at := range []int{patchMost - 20, size - 20} {
				patch := strings.Repeat("+ word\n", size/7+20)
				patch = (patch[:at] + "\n" + secret + patch)[:size]
				if got := beginning(patch, true); len(got) > patchMost+len(mask.Hidden) || strings.Contains(got, "Q7") {
					t.Errorf("of %d bytes with a secret at %d it shows %d, %q", size, at, len(got), got[len(got)-60:])
				}
			}
		}
	}
}
