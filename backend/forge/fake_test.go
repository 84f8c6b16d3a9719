package forge_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// The programs gh and glab in these tests are the test itself under another name. They
// know exactly the calls that Forge makes: any other fails.

// served is what the server of the tests has; it is a file in the folder that the
// variable names. Forge asks while a test changes it: a program writes it only where
// the test waits for the call.
type served struct {
	Requests []servedRequest
	// Answers are what the server says at paths of its API, and to the query of threads.
	Answers map[string]json.RawMessage
	// Refuses is why the server does not take what is posted.
	Refuses string
	// Posted is what was sent to paths of its API, the last one of each.
	Posted map[string]json.RawMessage
	// Mode makes the programs misbehave.
	Mode string
}

type servedRequest struct {
	Number                          int
	State, Head, Base, Title, Body  string
	Draft                           bool
	Status, Conclusion, OldStatuses string
}

const (
	folderVariable = "FORGE_TEST_FOLDER"
	victimVariable = "FORGE_TEST_VICTIM" // is killed as Mode says
)

func serverFile() string { return filepath.Join(os.Getenv(folderVariable), "server.json") }

func load() (s served) {
	text, err := os.ReadFile(serverFile())
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil && !os.IsNotExist(err) {
		panic(err)
	}
	return s
}

func (s served) save() {
	text, err := json.Marshal(s)
	if err == nil {
		err = os.WriteFile(serverFile()+".new", text, 0o600)
	}
	if err == nil {
		err = os.Rename(serverFile()+".new", serverFile())
	}
	if err != nil {
		panic(err)
	}
}

func callsFile() string { return filepath.Join(os.Getenv(folderVariable), "calls") }

// called notes a call of a program, in a file of its own that only grows.
func called(name string, args []string) error {
	f, err := os.OpenFile(callsFile(), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "%q\n", append([]string{name}, args...))
	return errors.Join(err, f.Close())
}

// calls are the calls of the programs so far.
func calls() []string {
	text, err := os.ReadFile(callsFile())
	if err != nil && !os.IsNotExist(err) {
		panic(err)
	}
	return slices.Collect(strings.Lines(string(text)))
}

func TestMain(m *testing.M) {
	name := filepath.Base(os.Args[0])
	switch {
	case name == "gh" || name == "glab":
		os.Exit(play(name, os.Args[1:]))
	case os.Getenv(victimVariable) == "me":
		os.Exit(victim())
	}
	os.Exit(m.Run())
}

// killed ends the process that the test wants dead at this step.
func killed(s served, step string) {
	if s.Mode != step {
		return
	}
	s.Mode = ""
	s.save()
	victim, err := os.FindProcess(os.Getppid())
	if err == nil {
		err = victim.Kill()
	}
	if err != nil {
		panic(err)
	}
	time.Sleep(time.Second) // it dies, and nobody reads what follows
	os.Exit(1)
}

// late answers only once the file "go" is there, and says by the file "waits" that it
// waits for it.
func late() {
	folder := os.Getenv(folderVariable)
	if err := os.WriteFile(filepath.Join(folder, "waits"), nil, 0o600); err != nil {
		panic(err)
	}
	for range 2000 {
		if there(filepath.Join(folder, "go")) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func there(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func play(name string, args []string) int {
	s := load()
	if err := called(name, args); err != nil {
		return fail(err.Error())
	}
	if wd, _ := os.Getwd(); filepath.Base(wd) != "quiet" {
		return fail("it runs in " + wd)
	}
	switch s.Mode {
	case "signed out":
		if name == "gh" {
			fmt.Fprintln(os.Stderr, "To get started with GitHub CLI, please run:  gh auth login")
			return 4
		}
		return fail("glab: 401 Unauthorized (HTTP 401)")
	case "offline":
		return fail("error connecting to api.github.com\ncheck your internet connection ghp_0123456789abcdef0123456789abcdef0123")
	}
	input, err := io.ReadAll(os.Stdin)
	if err != nil {
		return fail(err.Error())
	}
	if name == "gh" {
		return playGitHub(s, args, string(input))
	}
	return playGitLab(s, args, string(input))
}

func fail(said string) int {
	fmt.Fprintln(os.Stderr, said)
	return 1
}

func printed(v any) int {
	if err := json.NewEncoder(os.Stdout).Encode(v); err != nil {
		return fail(err.Error())
	}
	return 0
}

const (
	listFields = "--json=number,url,state,isDraft,isCrossRepository,baseRefName"
	viewFields = "--json=number,url,state,isDraft,statusCheckRollup"
)

func (r servedRequest) onGitHub() map[string]any {
	checks := []map[string]string{}
	if r.Status != "" {
		checks = append(checks, map[string]string{"__typename": "CheckRun", "status": r.Status, "conclusion": r.Conclusion})
	}
	if r.OldStatuses != "" {
		checks = append(checks, map[string]string{"__typename": "StatusContext", "state": r.OldStatuses})
	}
	return map[string]any{
		"number": r.Number, "url": fmt.Sprintf("https://github.com/ada/kestrel/pull/%d", r.Number), "state": r.State, "isDraft": r.Draft,
		"isCrossRepository": false, "baseRefName": r.Base, "statusCheckRollup": checks,
	}
}

// answered prints what the server says at a path, or fails as both programs do where there is
// nothing.
func answered(s served, path string) int {
	if answer, ok := s.Answers[path]; ok {
		var text string
		if json.Unmarshal(answer, &text) == nil { // no JSON, such as a log
			fmt.Print(text)
			return 0
		}
		fmt.Println(string(answer))
		return 0
	}
	return fail("gh: Not Found (HTTP 404)")
}

// posted keeps what is sent to a path, and prints what the server says to that; without an
// answer it refuses, as GitHub does with a line that is not in its diff.
func posted(s served, path, input string) int {
	answer, ok := s.Answers["POST "+path]
	if !ok {
		fmt.Printf(`{"message":"Validation Failed","errors":[{"message":%q}]}`, s.Refuses)
		return fail("gh: Validation Failed (HTTP 422)")
	}
	if s.Posted == nil {
		s.Posted = map[string]json.RawMessage{}
	}
	s.Posted[path] = json.RawMessage(input)
	s.save()
	killed(s, "after post")
	fmt.Println(string(answer))
	return 0
}

var posting = []string{"--method=POST", "--header=Content-Type: application/json", "--input=-"}

// described changes what a request says of itself, by the field that its server has for that.
func (s served) described(at, path, field, input string) int {
	var sent map[string]string
	if err := json.Unmarshal([]byte(input), &sent); err != nil || len(sent) != 1 {
		return fail("what is this: " + input)
	}
	for i := range s.Requests {
		if path == fmt.Sprintf("%s/%d", at, s.Requests[i].Number) {
			s.Requests[i].Body = sent[field]
			s.save()
			return printed(map[string]string{})
		}
	}
	return fail("gh: Not Found (HTTP 404)")
}

func playGitHub(s served, args []string, input string) int {
	const repo = "--repo=github.com/ada/kestrel"
	switch {
	case reflect.DeepEqual(args, []string{"pr", "list", repo, "--head=beckon/kes-1", "--state=open", "--limit=30", listFields}) && input == "":
		killed(s, "list")
		open := []map[string]any{{"number": 99, "isCrossRepository": true, "baseRefName": "main", "state": "OPEN"}}
		for _, r := range s.Requests {
			if r.Head == "beckon/kes-1" && r.State == "OPEN" {
				open = append(open, r.onGitHub())
			}
		}
		return printed(open)
	case len(args) >= 7 && reflect.DeepEqual(args[:5], []string{"pr", "create", repo, "--head=beckon/kes-1", "--base=main"}) && args[6] == "--body-file=-" &&
		strings.HasPrefix(args[5], "--title=") && (len(args) == 7 || len(args) == 8 && args[7] == "--draft"):
		killed(s, "before create")
		r := servedRequest{Number: 412 + len(s.Requests), State: "OPEN", Head: "beckon/kes-1", Base: "main", Title: strings.TrimPrefix(args[5], "--title="), Body: input, Draft: len(args) == 8}
		s.Requests = append(s.Requests, r)
		s.save()
		killed(s, "after create")
		if s.Mode == "breaks after create" {
			return fail("unexpected end of JSON input")
		}
		fmt.Println(r.onGitHub()["url"])
		return 0
	case len(args) == 6 && args[0] == "api" && args[2] == "--method=PATCH":
		return s.described("repos/ada/kestrel/pulls", args[5], "body", input)
	case len(args) == 3 && args[0] == "api" && args[1] == "--hostname=github.com" && input == "" && strings.HasPrefix(args[2], "repos/ada/kestrel/pulls/") && len(s.Answers) == 0:
		for _, r := range s.Requests {
			if args[2] == fmt.Sprintf("repos/ada/kestrel/pulls/%d", r.Number) {
				return printed(map[string]any{"body": r.Body})
			}
		}
		return fail("gh: Not Found (HTTP 404)")
	case len(args) == 3 && args[0] == "api" && args[1] == "--hostname=github.com" && input == "":
		return answered(s, args[2])
	case len(args) == 6 && args[0] == "api" && args[1] == "--hostname=github.com" && reflect.DeepEqual(args[2:5], posting):
		return posted(s, args[5], input)
	case len(args) >= 7 && reflect.DeepEqual(args[:3], []string{"api", "graphql", "--hostname=github.com"}) &&
		strings.Contains(args[3], "reviewThreads(first:100,after:$after)") &&
		reflect.DeepEqual(args[4:7], []string{"--raw-field=owner=ada", "--raw-field=name=kestrel", "--field=number=412"}):
		if len(args) == 8 {
			return answered(s, "threads "+args[7])
		}
		return answered(s, "threads")
	case len(args) == 5 && reflect.DeepEqual(args[:3], []string{"api", "graphql", "--hostname=github.com"}) && strings.HasPrefix(args[3], "--raw-field=query=mutation(") && strings.Contains(args[3], "resolveReviewThread"):
		return answered(s, "resolve "+args[4])
	case len(args) == 5 && args[0] == "pr" && args[1] == "view" && args[3] == repo && args[4] == viewFields && input == "":
		if s.Mode == "late" {
			late()
		}
		for _, r := range s.Requests {
			if fmt.Sprint(r.Number) == args[2] {
				return printed(r.onGitHub())
			}
		}
	}
	return fail(fmt.Sprintf("unknown call of gh: %q with %q", args, input))
}

func (r servedRequest) onGitLab() map[string]any {
	m := map[string]any{
		"iid": r.Number, "web_url": fmt.Sprintf("https://gitlab.com/group/sub/kestrel/-/merge_requests/%d", r.Number), "state": r.State,
		"draft": r.Draft, "description": r.Body, "source_project_id": 7, "target_project_id": 7,
	}
	if r.Status != "" {
		m["head_pipeline"] = map[string]string{"status": r.Status}
	}
	return m
}

func playGitLab(s served, args []string, input string) int {
	const path, host = "projects/group%2Fsub%2Fkestrel/merge_requests", "--hostname=gitlab.com"
	switch {
	case reflect.DeepEqual(args, []string{"api", host, path + "?source_branch=beckon%2Fkes-1&state=opened&target_branch=main"}) && input == "":
		open := []map[string]any{{"iid": 98, "state": "opened", "source_project_id": 8, "target_project_id": 7}}
		for _, r := range s.Requests {
			if r.State == "opened" {
				open = append(open, r.onGitLab())
			}
		}
		return printed(open)
	case reflect.DeepEqual(args, []string{"api", host, "--method=POST", "--header=Content-Type: application/json", "--input=-", path}):
		var sent map[string]string
		if err := json.Unmarshal([]byte(input), &sent); err != nil || sent["source_branch"] != "beckon/kes-1" || sent["target_branch"] != "main" || len(sent) != 4 {
			return fail("what is this: " + input)
		}
		r := servedRequest{Number: 30 + len(s.Requests), State: "opened", Title: sent["title"], Body: sent["description"], Draft: strings.HasPrefix(sent["title"], "Draft: ")}
		s.Requests = append(s.Requests, r)
		s.save()
		return printed(r.onGitLab())
	case len(args) == 6 && args[0] == "api" && args[1] == host && reflect.DeepEqual(args[2:5], posting):
		return posted(s, args[5], input)
	case len(args) == 6 && args[0] == "api" && args[1] == host && args[2] == "--method=PUT":
		return s.described(path, args[5], "description", input)
	case len(args) == 4 && args[0] == "api" && args[1] == host && args[2] == "--method=PUT":
		return answered(s, "PUT "+args[3])
	case len(args) == 3 && args[0] == "api" && args[1] == host && input == "":
		for _, r := range s.Requests {
			if args[2] == fmt.Sprintf("%s/%d", path, r.Number) {
				return printed(r.onGitLab())
			}
		}
		return answered(s, args[2])
	}
	return fail(fmt.Sprintf("unknown call of glab: %q with %q", args, input))
}
