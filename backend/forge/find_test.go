package forge_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/starting"

	"github.com/google/go-cmp/cmp"
)

// onServer has the server say what the test wants at paths of its API.
func onServer(answers map[string]string) {
	serve(func(s *served) {
		s.Answers = map[string]json.RawMessage{}
		for path, text := range answers {
			s.Answers[path] = json.RawMessage(text)
		}
	})
}

const (
	pullIssue = `{"number":412,"html_url":"https://github.com/ada/kestrel/pull/412","title":"Report missing shards","body":"Why","state":"open",
		"created_at":"2026-11-26T10:00:00Z","user":{"login":"tomas"},"pull_request":{}}`
	pull = `{"head":{"ref":"missing-shards","repo":{"full_name":"Ada/Kestrel"},"user":{"login":"ada"}},"base":{"ref":"main"},"additions":118,"deletions":22}`
	// fork is a pull request whose repository was deleted.
	fork    = `{"head":{"ref":"missing-shards","repo":null,"user":{"login":"tomas"}},"base":{"ref":"main"},"additions":1,"deletions":0}`
	threads = `{"data":{"repository":{"pullRequest":{"reviewThreads":{"nodes":[
		{"isResolved":true,"path":"a.go","line":1,"comments":{"nodes":[{"body":"done","author":{"login":"lena"}}]}},
		{"isResolved":false,"path":"b.go","line":null,"originalLine":7,"comments":{"nodes":[{"body":"Why twice?","author":{"login":"lena"}},{"body":"Indeed","author":null}]}}]}}}}}`
	issue = `{"number":388,"html_url":"https://github.com/ada/kestrel/issues/388","title":"Slow shard","body":"It fails","state":"closed",
		"created_at":"2026-11-20T10:00:00Z","user":{"login":"lena"}}`
)

func TestAPullRequestIsFoundWithItsBranchAndWhatIsOpenInIt(t *testing.T) {
	f := begin(t, github)
	onServer(map[string]string{"repos/ada/kestrel/issues/412": pullIssue, "repos/ada/kestrel/pulls/412": pull, "threads": threads})
	for _, typed := range []string{"#412", " 412 ", "https://github.com/ada/kestrel/pull/412/files#r1"} {
		got, err := f.forge.Find(t.Context(), f.project.ID, typed)
		if err != nil {
			t.Fatalf("%q: %v", typed, err)
		}
		want := starting.Item{
			Kind: starting.Pull, Number: 412, URL: "https://github.com/ada/kestrel/pull/412", Title: "Report missing shards", Body: "Why",
			Author: "tomas", At: 1795687200000, Open: true, Branch: "missing-shards", Base: "main", Added: 118, Removed: 22, Tool: "gh", Labels: []string{},
			Comments: []starting.ItemComment{{Author: "lena", File: "b.go", Line: 7, Text: "Why twice?"}, {File: "b.go", Line: 7, Text: "Indeed"}},
			Start: starting.Start{
				Kind: starting.Pull, Branch: "missing-shards", Base: "main", Remote: "origin", Ref: "refs/heads/missing-shards",
				Number: 412, URL: "https://github.com/ada/kestrel/pull/412",
			},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", typed, diff)
		}
	}
}

func TestAPullRequestFromElsewhereGetsABranchOfItsOwn(t *testing.T) {
	f := begin(t, github)
	onServer(map[string]string{"repos/ada/kestrel/issues/412": pullIssue, "repos/ada/kestrel/pulls/412": fork, "threads": threads})
	got, err := f.forge.Find(t.Context(), f.project.ID, "#412")
	if err != nil || got.Fork != "tomas" || got.Start.Branch != "tomas/missing-shards" || got.Start.Ref != "refs/pull/412/head" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestAnIssueIsFound(t *testing.T) {
	f := begin(t, github)
	onServer(map[string]string{"repos/ada/kestrel/issues/388": issue})
	got, err := f.forge.Find(t.Context(), f.project.ID, "https://github.com/ada/kestrel/issues/388")
	if err != nil || got.Kind != starting.Issue || got.Title != "Slow shard" || got.Open || got.Start.Number != 388 || got.Start.Branch != "" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestWhatGitLabCountsApartIsFound(t *testing.T) {
	f := begin(t, gitlab)
	const at = "projects/group%2Fsub%2Fkestrel/"
	onServer(map[string]string{
		at + "issues/3": `{"iid":3,"web_url":"https://gitlab.com/group/sub/kestrel/-/issues/3","title":"An issue","state":"opened","author":{"username":"lena"}}`,
		at + "merge_requests/3": `{"iid":3,"web_url":"https://gitlab.com/group/sub/kestrel/-/merge_requests/3","title":"A request","state":"opened",
			"source_branch":"topic","target_branch":"main","source_project_id":8,"target_project_id":7,"author":{"username":"tomas"}}`,
		at + "merge_requests/3/discussions?per_page=100": `[{"notes":[{"body":"Rename it","resolvable":true,"resolved":false,"author":{"username":"lena"},
			"position":{"new_path":"a.go","new_line":4}},{"body":"approved","resolvable":false}]}]`,
	})
	got, err := f.forge.Find(t.Context(), f.project.ID, "!3")
	if err != nil || got.Kind != starting.Pull || got.Start.Branch != "tomas/topic" || got.Start.Ref != "refs/merge-requests/3/head" ||
		len(got.Comments) != 1 || got.Comments[0] != (starting.ItemComment{Author: "lena", File: "a.go", Line: 4, Text: "Rename it"}) {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err = f.forge.Find(t.Context(), f.project.ID, "#3"); err != nil || got.Kind != starting.Issue || got.Title != "An issue" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestWhatIsNotThereOrNotTheProjectsIsSaid(t *testing.T) {
	f := begin(t, github)
	onServer(map[string]string{"repos/ada/kestrel/issues/388": issue})
	for typed, want := range map[string]problem.Kind{
		"#7": problem.NotOnForge,
		"https://github.com/ada/kestrel/pull/388": problem.NotOnForge, // it is an issue
		"https://github.com/eve/kestrel/pull/1":   problem.OtherRepo,
		"https://evil.example/ada/kestrel/pull/1": problem.OtherRepo,
	} {
		_, err := f.forge.Find(t.Context(), f.project.ID, typed)
		if kind, _ := problem.From(err); kind != want {
			t.Errorf("%q: %v, want %s", typed, err, want)
		}
	}
	f.withoutPrograms()
	_, err := f.forge.Find(t.Context(), f.project.ID, "#7")
	if kind, values := problem.From(err); kind != problem.NoForge || values["server"] != "github.com" {
		t.Errorf("without a program that asks: %v", err)
	}
}

func TestTheBranchOfAPullRequestIsFetchedAndPushedBackToIt(t *testing.T) {
	f := begin(t, github)
	bare := filepath.Join(f.folder, "bare.git")
	f.git("push", "--quiet", bare, "main:refs/heads/missing-shards", "main:refs/heads/develop")
	f.task.Branch = ""
	f.task.Start = starting.Start{
		Kind: starting.Pull, Branch: "missing-shards", Base: "develop", Remote: "origin", Ref: "refs/heads/missing-shards", Number: 412,
		URL: "https://github.com/ada/kestrel/pull/412",
	}
	f.task.Base = "develop"
	commit, err := f.forge.Bring(t.Context(), f.task, f.project)
	if err != nil || commit != f.git("rev-parse", "main") || f.git("rev-parse", "develop") != commit {
		t.Fatalf("got %s, %v", commit, err)
	}
	row, there, err := f.store.Pulls.Of(t.Context(), f.task.ID)
	if err != nil || !there || row.Number != 412 || row.Commit != commit || row.Branch != "missing-shards" || row.Base != "develop" {
		t.Errorf("kept is %+v, %t, %v", row, there, err)
	}
}

func TestWhatCannotBeFetchedIsSaidAndChangesNothing(t *testing.T) {
	f := begin(t, github)
	f.task.Start = starting.Start{Kind: starting.Branch, Branch: "gone", Remote: "origin", Ref: "refs/heads/gone"}
	_, err := f.forge.Bring(t.Context(), f.task, f.project)
	if kind, values := problem.From(err); kind != problem.FetchFailed || values["remote"] != "origin" {
		t.Errorf("got %v", err)
	}
}
