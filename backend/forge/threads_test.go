package forge_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"

	"github.com/google/go-cmp/cmp"
)

// request keeps that the task has an open request.
func (f *fixture) request(host reviewing.PullHost, server, repo, url string) {
	f.Helper()
	err := f.store.Pulls.Save(f.Context(), reviewing.PullRequest{
		TaskID: f.task.ID, Host: host, Server: server, Repo: repo, Remote: "origin", Branch: "beckon/kes-1", Base: "main",
		Number: 412, URL: url, State: reviewing.PullOpen,
	})
	if err != nil {
		f.Fatal(err)
	}
}

func (f *fixture) onGitHub() {
	f.request(reviewing.GitHub, "github.com", "ada/kestrel", "https://github.com/ada/kestrel/pull/412")
}

func (f *fixture) onGitLab() {
	f.request(reviewing.GitLab, "gitlab.com", "group/sub/kestrel", "https://gitlab.com/group/sub/kestrel/-/merge_requests/412")
}

func threadsPage(next string, nodes ...string) string {
	return fmt.Sprintf(`{"data":{"repository":{"pullRequest":{"reviewThreads":{"pageInfo":{"hasNextPage":%t,"endCursor":%q},"nodes":[%s]}}}}}`,
		next != "", next, strings.Join(nodes, ","))
}

const lena = `"author":{"login":"lena"},"createdAt":"2026-11-26T10:00:00Z"`

func TestOpenDiscussionsAreReadOnAllPagesWithTheirLines(t *testing.T) {
	f := begin(t, github)
	f.onGitHub()
	onServer(map[string]string{
		"threads": threadsPage("next",
			`{"id":"T1","isResolved":true,"path":"a","line":1,"comments":{"nodes":[{"body":"done",`+lena+`}]}}`,
			`{"id":"T2","path":"a","diffSide":"RIGHT","startLine":2,"line":3,"comments":{"nodes":[
				{"url":"https://github.com/ada/kestrel/pull/412#r2","body":"Why twice?","diffHunk":"@@ -1,2 +1,3 @@\n one\n-gone\n+two\n+three",`+lena+`},
				{"body":"Indeed","author":null}]}}`),
		"threads --raw-field=after=next": threadsPage("",
			`{"id":"T3","path":"b","diffSide":"LEFT","line":null,"originalLine":7,"comments":{"nodes":[
				{"url":"https://evil.example/r3","body":"Keep it","diffHunk":"@@ -7 +7 @@\n-seven\n+SEVEN",`+lena+`}]}}`,
			`{"id":"T4","path":"c","line":null,"comments":{"nodes":[{"body":"The whole file",`+lena+`}]}}`),
	})
	got, err := f.forge.Threads(t.Context(), f.task.ID)
	if err != nil {
		t.Fatal(err)
	}
	const at = 1795687200000
	want := []reviewing.Thread{
		{
			ID: "T2", URL: "https://github.com/ada/kestrel/pull/412#r2",
			CommentLines: reviewing.CommentLines{Path: "a", Side: reviewing.After, First: 2, Last: 3, Quote: "two\nthree"},
			Said:         []reviewing.ThreadEntry{{Author: "lena", At: at, Text: "Why twice?"}, {At: time.Time{}.UnixMilli(), Text: "Indeed"}},
		},
		{
			ID: "T3", CommentLines: reviewing.CommentLines{Path: "b", Side: reviewing.Before, First: 7, Last: 7, Quote: "seven"},
			Said: []reviewing.ThreadEntry{{Author: "lena", At: at, Text: "Keep it"}},
		},
		{ID: "T4", CommentLines: reviewing.CommentLines{Path: "c", Side: reviewing.After}, Said: []reviewing.ThreadEntry{{Author: "lena", At: at, Text: "The whole file"}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	before := len(calls())
	if again, err := f.forge.Threads(t.Context(), f.task.ID); err != nil || len(again) != 3 || len(calls()) != before {
		t.Errorf("asked again at once: %d calls more, %v", len(calls())-before, err)
	}
	serve(func(s *served) { s.Answers["resolve --raw-field=thread=T2"] = json.RawMessage(`{"data":{}}`) })
	if err := f.forge.ResolveThread(t.Context(), f.task.ID, "T2"); err != nil {
		t.Fatal(err)
	}
	if _, err := f.forge.Threads(t.Context(), f.task.ID); err != nil || len(calls()) != before+3 {
		t.Errorf("after one was closed there are %d calls more, %v", len(calls())-before, err)
	}
}

func TestDiscussionsOnGitLabQuoteTheirCommit(t *testing.T) {
	f := begin(t, gitlab)
	f.onGitLab()
	head, base := f.tip(), f.git("rev-parse", "main")
	const at = "projects/group%2Fsub%2Fkestrel/merge_requests/412/discussions"
	onServer(map[string]string{
		at + "?per_page=100": fmt.Sprintf(`[
			{"id":"D1","notes":[{"id":71,"body":"Rename it","resolvable":true,"author":{"username":"lena"},"created_at":"2026-11-26T10:00:00Z",
				"position":{"head_sha":%q,"base_sha":%q,"new_path":"a","new_line":1}},{"id":72,"body":"pushed 1 commit","resolvable":false}]},
			{"id":"D2","notes":[{"id":73,"body":"Why?","resolvable":true,"author":{"username":"lena"},
				"position":{"head_sha":%q,"base_sha":%q,"old_path":"a","new_path":"a","old_line":1,"new_line":null}}]},
			{"id":"D3","notes":[{"id":74,"body":"In all","resolvable":true,"author":{"username":"lena"}}]},
			{"id":"D4","notes":[{"id":75,"body":"Option","resolvable":true,"position":{"head_sha":"--output=x","new_path":"a","new_line":1}}]},
			{"id":"D5","notes":[{"id":76,"body":"Done","resolvable":true,"resolved":true}]}]`, head, base, head, base),
		"PUT " + at + "/D1?resolved=true": `{}`,
	})
	got, err := f.forge.Threads(t.Context(), f.task.ID)
	if err != nil || len(got) != 4 {
		t.Fatalf("got %+v, %v", got, err)
	}
	lines := []reviewing.CommentLines{
		{Path: "a", Side: reviewing.After, First: 1, Last: 1, Quote: "two"},
		{Path: "a", Side: reviewing.Before, First: 1, Last: 1, Quote: "one"},
		{Side: reviewing.After},
		{Path: "a", Side: reviewing.After, First: 1, Last: 1},
	}
	for i, want := range lines {
		if diff := cmp.Diff(want, got[i].CommentLines); diff != "" {
			t.Errorf("%s: %s", got[i].ID, diff)
		}
	}
	if got[0].URL != "https://gitlab.com/group/sub/kestrel/-/merge_requests/412#note_71" || len(got[0].Said) != 1 {
		t.Errorf("got %+v", got[0])
	}
	if err := f.forge.ResolveThread(t.Context(), f.task.ID, "D1"); err != nil {
		t.Error(err)
	}
}

// mine is a discussion that a comment of the test's words began.
func mine(path string, line int, author string, resolved bool) string {
	return fmt.Sprintf(`{"id":"T9","isResolved":%t,"path":%q,"diffSide":"RIGHT","line":%d,"comments":{"nodes":[
		{"url":"https://github.com/ada/kestrel/pull/412#r9","body":"Why $(twice)?","author":{"login":%q}}]}}`, resolved, path, line, author)
}

// head has the server compare the branch with main.
func (f *fixture) head() string {
	return fmt.Sprintf(`{"head":{"ref":"beckon/kes-1","sha":%q},"base":{"ref":"main","sha":%q}}`, f.tip(), f.git("rev-parse", "main"))
}

func TestACommentIsPostedAtItsLinesOnce(t *testing.T) {
	f := begin(t, github)
	f.onGitHub()
	const pulls, page = "repos/ada/kestrel/pulls/412", "https://github.com/ada/kestrel/pull/412#r9"
	onServer(map[string]string{"user": `{"login":"ada"}`, pulls: f.head(), "threads": threadsPage(""), "POST " + pulls + "/comments": fmt.Sprintf(`{"html_url":%q}`, page)})
	commit, lines, err := f.forge.Head(t.Context(), f.task.ID, reviewing.Before, "a")
	if err != nil || commit != f.tip() || len(lines) != 1 || lines[0] != "one" {
		t.Fatalf("the base has %q of %s, %v", lines, commit, err)
	}
	at := reviewing.Placed{Commit: commit, Path: "a", Side: reviewing.After, First: 1, Last: 2}
	got, err := f.forge.Post(t.Context(), f.task.ID, at, "Why $(twice)?")
	if err != nil || got != page {
		t.Fatalf("got %q, %v", got, err)
	}
	var sent map[string]any
	if err := json.Unmarshal(load().Posted[pulls+"/comments"], &sent); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"body": "Why $(twice)?", "commit_id": commit, "path": "a", "side": "RIGHT", "line": 2.0, "start_line": 1.0, "start_side": "RIGHT",
	}
	if diff := cmp.Diff(want, sent); diff != "" {
		t.Error(diff)
	}

	// The program may break after the server took it: the next try finds it.
	serve(func(s *served) {
		s.Posted = nil
		s.Answers["threads"] = json.RawMessage(threadsPage("", mine("a", 2, "ada", false)))
	})
	if got, err = f.forge.Post(t.Context(), f.task.ID, at, "Why $(twice)?"); err != nil || got != page || load().Posted != nil {
		t.Errorf("a second time: %q, %v, sent %v", got, err, load().Posted)
	}

	// What is another's, closed, moved or in another file is no earlier try.
	serve(func(s *served) {
		s.Answers["threads"] = json.RawMessage(threadsPage("", mine("a", 2, "lena", false), mine("a", 2, "ada", true), mine("b", 2, "ada", false),
			strings.Replace(mine("a", 2, "ada", false), `"line"`, `"originalLine"`, 1)))
	})
	if _, err = f.forge.Post(t.Context(), f.task.ID, at, "Why $(twice)?"); err != nil || load().Posted == nil {
		t.Errorf("beside those of others: sent %v, %v", load().Posted, err)
	}

	serve(func(s *served) {
		delete(s.Answers, "POST "+pulls+"/comments")
		s.Refuses = "pull_request_review_thread.line must be part of the diff"
	})
	_, err = f.forge.Post(t.Context(), f.task.ID, at, "Another")
	if kind, data := problem.From(err); kind != problem.NotInDiff || data["where"] != "a:2" {
		t.Errorf("a line that is not in the diff: %v", err)
	}
	serve(func(s *served) { s.Refuses = "user_id can only have one pending review per pull request" })
	_, err = f.forge.Post(t.Context(), f.task.ID, at, "Another")
	if kind, data := problem.From(err); kind != problem.ForgeFailed || !strings.Contains(data["detail"], "one pending review") {
		t.Errorf("refused for something else: %v", err)
	}
	at.Commit = f.git("rev-parse", "main")
	_, err = f.forge.Post(t.Context(), f.task.ID, at, "Another")
	if kind, _ := problem.From(err); kind != problem.NotPushed {
		t.Errorf("lines of an older commit: %v", err)
	}
}

func TestACommentOnGitLabNamesALineByBothItsNumbers(t *testing.T) {
	f := begin(t, gitlab)
	f.onGitLab()
	f.git("switch", "--quiet", "main")
	f.commit("long", "1\n2\n3\n4\n5\n")
	f.git("switch", "--quiet", "--create", "other")
	f.git("mv", "long", "renamed")
	f.commit("renamed", "0\n1\n2\nthree\n4\n5\n")
	const at = "projects/group%2Fsub%2Fkestrel/merge_requests/412"
	head, base := f.git("rev-parse", "other"), f.git("rev-parse", "main")
	onServer(map[string]string{
		at: fmt.Sprintf(`{"diff_refs":{"head_sha":%q,"base_sha":%q,"start_sha":%q}}`, head, base, base), at + "/discussions?per_page=100": `[]`, "user": `{"username":"ada"}`,
		"POST " + at + "/discussions": `{"id":"D","notes":[{"id":7}]}`,
	})
	for _, c := range []struct {
		side     reviewing.CommentSide
		path     string
		line     int
		old, new any
	}{
		{reviewing.After, "renamed", 3, 2.0, 3.0},   // both have it, a line further down
		{reviewing.After, "renamed", 4, nil, 4.0},   // only the branch has it
		{reviewing.After, "renamed", 6, 5.0, 6.0},   // behind all
		{reviewing.Before, "long", 3, 3.0, nil},     // only the base has it
		{reviewing.Before, "long", 1, 1.0, 2.0},     // both
		{reviewing.After, "elsewhere", 2, 2.0, 2.0}, // unchanged
	} {
		page, err := f.forge.Post(t.Context(), f.task.ID, reviewing.Placed{Commit: head, Path: c.path, Side: c.side, First: c.line, Last: c.line}, "Why?")
		if err != nil || page != "https://gitlab.com/group/sub/kestrel/-/merge_requests/412#note_7" {
			t.Fatalf("%+v: %q, %v", c, page, err)
		}
		var sent struct{ Position map[string]any }
		if err := json.Unmarshal(load().Posted[at+"/discussions"], &sent); err != nil {
			t.Fatal(err)
		}
		p := sent.Position
		if p["old_line"] != c.old || p["new_line"] != c.new || p["head_sha"] != head {
			t.Errorf("%+v: sent %v", c, p)
		}
		if c.path != "elsewhere" && (p["old_path"] != "long" || p["new_path"] != "renamed") {
			t.Errorf("%+v: sent %v", c, p)
		}
	}
}

func TestFailedChecksAndTheirLogs(t *testing.T) {
	f := begin(t, github)
	f.onGitHub()
	commit := "repos/ada/kestrel/commits/" + f.tip() + "/"
	onServer(map[string]string{
		"repos/ada/kestrel/pulls/412": f.head(),
		commit + "check-runs?filter=latest&per_page=50&page=1": `{"check_runs":[
			{"id":1,"name":"lint","conclusion":"success"},{"id":2,"name":"slow","conclusion":null},
			{"id":3,"name":"build\u202e","conclusion":"failure","details_url":"https://github.com/ada/kestrel/actions/runs/9/job/3","app":{"slug":"github-actions"}},
			{"id":4,"name":"scan","conclusion":"timed_out","details_url":"javascript:alert(1)","output":{"title":"Took","summary":"too long"},"app":{"slug":"other"}}]}`,
		commit + "status?per_page=100": `{"statuses":[{"context":"ci/old","state":"error","description":"It broke","target_url":"https://ci.example/1"},{"context":"fine","state":"success"}]}`,
		"repos/ada/kestrel/actions/jobs/3/logs": `"2026-11-26T10:00:00.1Z \u001b[31mok\u001b[0m\n2026-11-26T10:00:01.1Z token=ghp_0123456789abcdef0123456789abcdef0123\n` +
			`2026-11-26T10:00:02.1Z ##[error]Process completed with exit code 1.\n2026-11-26T10:00:03.1Z Cleaning up\n"`,
	})
	got, err := f.forge.FailedChecks(t.Context(), f.task.ID)
	want := []reviewing.FailedCheck{
		{ID: "3", Name: "build", URL: "https://github.com/ada/kestrel/actions/runs/9/job/3"},
		{Name: "scan", Says: "Took too long"},
		{Name: "ci/old", Says: "It broke", URL: "https://ci.example/1"},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Fatal(err, diff)
	}
	log, err := f.forge.CheckLog(t.Context(), f.task.ID, got[0])
	if want := "ok\ntoken=[masked]\n##[error]Process completed with exit code 1."; err != nil || log != want {
		t.Errorf("the log is %q, %v", log, err)
	}
	for _, id := range []string{"", "4", "../../secrets", "--input=x"} {
		_, err := f.forge.CheckLog(t.Context(), f.task.ID, reviewing.FailedCheck{ID: id, Name: "scan"})
		if kind, _ := problem.From(err); kind != problem.NoCheckLog {
			t.Errorf("the log of %q: %v", id, err)
		}
	}
}

func TestFailedJobsOnGitLabAndALongLog(t *testing.T) {
	f := begin(t, gitlab)
	f.onGitLab()
	long, err := json.Marshal(strings.Repeat("section_start:1:x\r\x1b[0Kbuilding\r\n", 200_000) + "ERROR: Job failed: exit code 1\n")
	if err != nil {
		t.Fatal(err)
	}
	onServer(map[string]string{
		"projects/group%2Fsub%2Fkestrel/merge_requests/412": `{"head_pipeline":{"id":5,"project_id":7}}`,
		"projects/7/pipelines/5/jobs?scope[]=failed&per_page=100": `[{"id":8,"name":"test","failure_reason":"script_failure","web_url":"https://gitlab.com/group/sub/kestrel/-/jobs/8"},
			{"id":9,"name":"may fail","allow_failure":true}]`,
		"projects/7/jobs/8/trace": string(long),
	})
	got, err := f.forge.FailedChecks(t.Context(), f.task.ID)
	if err != nil || len(got) != 1 || got[0] != (reviewing.FailedCheck{ID: "7/8", Name: "test", Says: "script failure", URL: "https://gitlab.com/group/sub/kestrel/-/jobs/8"}) {
		t.Fatalf("got %+v, %v", got, err)
	}
	log, err := f.forge.CheckLog(t.Context(), f.task.ID, got[0])
	if err != nil || len(log) > reviewing.CheckMaxLog+10 || !strings.HasSuffix(log, "building\nERROR: Job failed: exit code 1") || strings.ContainsAny(log, "\r\x1b") {
		t.Errorf("%d bytes that end in %q, %v", len(log), log[max(0, len(log)-80):], err)
	}
}

func TestATaskWithoutARequestHasNoDiscussions(t *testing.T) {
	f := begin(t, github)
	_, err := f.forge.Threads(t.Context(), f.task.ID)
	if err == nil || !strings.Contains(err.Error(), "has no pull request") || !strings.HasSuffix(err.Error(), beckon.ErrNotFound.Error()) {
		t.Errorf("got %v", err)
	}
	f.onGitHub()
	f.withoutPrograms()
	_, err = f.forge.Threads(t.Context(), f.task.ID)
	if kind, _ := problem.From(err); kind != problem.NoForge {
		t.Errorf("without gh: %v", err)
	}
}
