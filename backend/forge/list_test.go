package forge_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/starting"
)

func TestOpenIssuesAreListedWithoutRequests(t *testing.T) {
	f := begin(t, github)
	onServer(map[string]string{"repos/ada/kestrel/issues?state=open&per_page=50&page=1": `[` + pullIssue + `,
		{"number":388,"html_url":"https://evil.example/388","title":"Slow shard","body":"It fails","state":"open","labels":[{"name":"bug"}],"user":{"login":"lena"}}]`})
	list, more, err := f.forge.OpenIssues(t.Context(), f.project.ID)
	if err != nil || more || len(list) != 1 || list[0].Title != "Slow shard" || list[0].Labels[0] != "bug" || list[0].Tool != "gh" ||
		list[0].Start != (starting.Start{Kind: starting.Issue, Number: 388, URL: list[0].URL}) || strings.Contains(list[0].URL, "evil") {
		t.Errorf("got %+v, %t, %v", list, more, err)
	}
}

func TestManyIssuesAreListedPageByPage(t *testing.T) {
	f := begin(t, github)
	answers := map[string]string{}
	for page := range 11 {
		var items []string
		for n := range 50 {
			items = append(items, fmt.Sprintf(`{"number":%d,"title":"t","state":"open"}`, page*50+n+1))
		}
		answers[fmt.Sprintf("repos/ada/kestrel/issues?state=open&per_page=50&page=%d", page+1)] = "[" + strings.Join(items, ",") + "]"
	}
	onServer(answers)
	list, more, err := f.forge.OpenIssues(t.Context(), f.project.ID)
	if err != nil || !more || len(list) != 500 {
		t.Errorf("got %d, %t, %v", len(list), more, err)
	}
	delete(answers, "repos/ada/kestrel/issues?state=open&per_page=50&page=3")
	onServer(answers)
	if list, _, err := f.forge.OpenIssues(t.Context(), f.project.ID); err == nil || len(list) != 0 {
		t.Errorf("half a list was returned: %d, %v", len(list), err)
	}
}

func TestOpenIssuesAndRequestsOfGitLabAreListed(t *testing.T) {
	f := begin(t, gitlab)
	const at = "projects/group%2Fsub%2Fkestrel/"
	onServer(map[string]string{
		at + "issues?state=opened&per_page=50&page=1": `[{"iid":3,"web_url":"https://gitlab.com/group/sub/kestrel/-/issues/3","title":"An issue","state":"opened","labels":["bug"]}]`,
		at + "merge_requests?state=opened&per_page=50&page=1": `[{"iid":4,"title":"A request","state":"opened","source_branch":"topic","target_branch":"main",
			"source_project_id":7,"target_project_id":7}]`,
	})
	list, _, err := f.forge.OpenIssues(t.Context(), f.project.ID)
	if err != nil || len(list) != 1 || list[0].Title != "An issue" || list[0].Labels[0] != "bug" || list[0].Tool != "glab" || list[0].Start.Number != 3 {
		t.Errorf("got %+v, %v", list, err)
	}
	pulls, err := f.forge.OpenPulls(t.Context(), f.project.ID)
	if err != nil || len(pulls) != 1 || pulls[0].Kind != starting.Pull || pulls[0].Start.Branch != "topic" {
		t.Errorf("got %+v, %v", pulls, err)
	}
}

func TestOpenRequestsAreListedWithTheirBranches(t *testing.T) {
	f := begin(t, github)
	var issue, branches map[string]any
	for text, into := range map[string]*map[string]any{pullIssue: &issue, fork: &branches} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	for name, value := range branches {
		issue[name] = value
	}
	text, _ := json.Marshal([]any{issue})
	onServer(map[string]string{"repos/ada/kestrel/pulls?state=open&per_page=50&page=1": string(text)})
	list, err := f.forge.OpenPulls(t.Context(), f.project.ID)
	if err != nil || len(list) != 1 || list[0].Start.Branch != "tomas/missing-shards" || list[0].Start.Ref != "refs/pull/412/head" || list[0].Title != "Report missing shards" {
		t.Errorf("got %+v, %v", list, err)
	}
}

func TestThePlaceOfAProjectIsNamedWithoutAsking(t *testing.T) {
	f := begin(t, github)
	if server, tool := f.forge.Place(t.Context(), f.project.ID); server != "github.com" || tool != "gh" || len(calls()) != 0 {
		t.Errorf("got %q, %q, calls %q", server, tool, calls())
	}
	f.withoutPrograms()
	if server, tool := f.forge.Place(t.Context(), f.project.ID); server+tool != "" {
		t.Errorf("without a program: %q, %q", server, tool)
	}
	if _, _, err := f.forge.OpenIssues(t.Context(), f.project.ID); kindIs(err) != problem.NoForge {
		t.Errorf("got %v", err)
	}
}

func kindIs(err error) problem.Kind {
	kind, _ := problem.From(err)
	return kind
}
