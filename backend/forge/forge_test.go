package forge_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/forge"
	"beckon/backend/store"
	"beckon/tests/timeout"
)

// sshScript stands in for ssh: it serves the bare repository, or breaks as the file
// "ssh" in its folder says.
const sshScript = `#!/bin/sh
mode=$(cat "$FORGE_TEST_FOLDER/ssh" 2>/dev/null)
case "$mode" in
offline) echo "ssh: Could not resolve hostname github.com" >&2; exit 255 ;;
kill) rm "$FORGE_TEST_FOLDER/ssh"; kill -9 "$FORGE_TEST_PID"; sleep 1; exit 1 ;;
esac
for last; do :; done
case "$last" in
git-receive-pack*) git receive-pack "$FORGE_TEST_FOLDER/bare.git" ;;
git-upload-pack*) git upload-pack "$FORGE_TEST_FOLDER/bare.git" ;;
*) exit 9 ;;
esac
status=$?
[ "$mode" = "kill after" ] && rm "$FORGE_TEST_FOLDER/ssh" && kill -9 "$FORGE_TEST_PID" && sleep 1
exit $status
`

type fixture struct {
	*testing.T
	folder, dir, remote string
	task                beckon.Task
	project             beckon.Project
	store               *store.Store
	forge               *forge.Forge

	mu     sync.Mutex
	events []reviewing.PullRequest
}

// begin makes a trusted project with a branch of one commit, whose remote is served by
// a bare repository, and has gh and glab be found.
func begin(t *testing.T, remote string) *fixture {
	t.Helper()
	f := &fixture{T: t, folder: t.TempDir(), remote: remote}
	f.dir = filepath.Join(f.folder, "kestrel")
	bin := filepath.Join(f.folder, "bin")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{f.dir, bin, filepath.Join(f.folder, "quiet")} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"gh", "glab"} {
		if err := os.Symlink(self, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(bin, "fakessh"), []byte(sshScript), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv(folderVariable, f.folder)
	t.Setenv("HOME", f.folder)
	f.git("init", "--quiet", "--bare", "--initial-branch=main", filepath.Join(f.folder, "bare.git"))
	f.git("init", "--quiet", "--initial-branch=main", ".")
	for _, c := range [][2]string{{"user.name", "Ada"}, {"user.email", "ada@example.com"}, {"core.sshCommand", "fakessh"}, {"remote.origin.url", remote}} {
		f.git("config", c[0], c[1])
	}
	f.commit("a", "one")
	f.git("push", "--quiet", filepath.Join(f.folder, "bare.git"), "main")
	f.git("switch", "--quiet", "--create", "beckon/kes-1")
	f.commit("a", "two")
	f.open(t.Context())
	f.project = beckon.Project{Name: "kestrel", Key: "KES", Dir: f.dir, Git: true, Base: "main", Trusted: true, Mode: beckon.ModeAuto, Policy: beckon.Wait}
	if err := f.store.AddProject(t.Context(), &f.project); err != nil {
		t.Fatal(err)
	}
	f.task = beckon.Task{ProjectID: f.project.ID, Title: "Catch overlaps", Branch: "beckon/kes-1", Base: "main", Status: beckon.Review}
	if err := f.store.CreateTask(t.Context(), &f.task); err != nil {
		t.Fatal(err)
	}
	return f
}

// open opens the store and a Forge on it.
func (f *fixture) open(ctx context.Context) {
	f.Helper()
	s, err := store.Open(ctx, filepath.Join(f.folder, "data"))
	if err != nil {
		f.Fatal(err)
	}
	f.store = s
	f.forge = forge.New(config(s, f.folder, func(e beckon.Event) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.events = append(f.events, *e.Pull)
	}))
	f.Cleanup(func() {
		f.forge.Close()
		_ = s.Close() // a test may have closed it
	})
}

func config(s *store.Store, folder string, publish func(beckon.Event)) forge.Config {
	return forge.Config{
		Rows: s.Pulls, Publish: publish, Task: s.Task, Project: s.Project, Dir: filepath.Join(folder, "quiet"), Pace: 10 * time.Millisecond,
		Messages: func(context.Context, string) (reviewing.MergeProposal, error) {
			return reviewing.MergeProposal{Squash: "KES-1: Catch overlaps\n\n- Compare ends\n- Say where"}, nil
		},
		Committed: func(ctx context.Context, taskID string, work func(beckon.Task, beckon.Project) error) error {
			t, err := s.Task(ctx, taskID)
			if err != nil {
				return err
			}
			p, err := s.Project(ctx, t.ProjectID)
			if err != nil {
				return err
			}
			return work(t, p)
		},
	}
}

func (f *fixture) git(args ...string) string {
	f.Helper()
	cmd := exec.CommandContext(f.Context(), "git", args...)
	cmd.Dir = f.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		f.Fatalf("git %q: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (f *fixture) commit(name, text string) {
	f.Helper()
	if err := os.WriteFile(filepath.Join(f.dir, name), []byte(text), 0o600); err != nil {
		f.Fatal(err)
	}
	f.git("add", name)
	f.git("commit", "--quiet", "-m", text)
}

// pushed is what the server has of the branch.
func (f *fixture) pushed() string {
	f.Helper()
	return f.git("--git-dir="+filepath.Join(f.folder, "bare.git"), "for-each-ref", "--format=%(objectname)", "refs/heads/beckon/kes-1")
}

func (f *fixture) tip() string { return f.git("rev-parse", "beckon/kes-1") }

var order = reviewing.PullOrder{Title: "Catch $(touch x) --overlaps", Body: "Why:\n\n- `it` counts twice\n"}

// until waits for an event that is as wanted.
func (f *fixture) until(what string, is func(reviewing.PullRequest) bool) {
	f.Helper()
	for deadline := time.Now().Add(timeout.For(20 * time.Second)); ; time.Sleep(5 * time.Millisecond) {
		f.mu.Lock()
		var last reviewing.PullRequest
		if len(f.events) > 0 {
			last = f.events[len(f.events)-1]
		}
		f.mu.Unlock()
		if is(last) {
			return
		}
		if time.Now().After(deadline) {
			f.Fatalf("no %s; it is %+v", what, last)
		}
	}
}

func serve(change func(*served)) {
	s := load()
	change(&s)
	s.save()
}

const github, gitlab = "git@github.com:ada/kestrel.git", "git@gitlab.com:group/sub/kestrel.git"

func TestAPullRequestIsOpenedAndFollowedUntilItIsMerged(t *testing.T) {
	f := begin(t, github)
	p, err := f.forge.Propose(t.Context(), f.task.ID)
	want := reviewing.PullProposal{
		Title: "Catch overlaps", Body: "- Compare ends\n- Say where", Branch: "beckon/kes-1", Base: "main", Remote: "origin",
		Server: "github.com", Host: reviewing.GitHub, Tool: "gh",
	}
	if err != nil || p != want {
		t.Fatalf("proposed %+v, %v", p, err)
	}
	if len(calls()) > 0 || f.pushed() != "" {
		t.Fatal("a proposal left the machine")
	}
	f.forge.Start()
	o := order
	o.Draft = true
	r, err := f.forge.Open(t.Context(), f.task.ID, o)
	if err != nil || r.Number != 412 || r.State != reviewing.PullDraft || r.URL != "https://github.com/ada/kestrel/pull/412" || r.Commit != f.tip() {
		t.Fatalf("opened %+v, %v", r, err)
	}
	if got := load().Requests[0]; got.Title != o.Title || got.Body != o.Body || !got.Draft || f.pushed() != f.tip() {
		t.Fatalf("the server has %+v at %s", got, f.pushed())
	}
	serve(func(s *served) {
		s.Requests[0].Draft, s.Requests[0].Status, s.Requests[0].Conclusion, s.Requests[0].OldStatuses = false, "COMPLETED", "SUCCESS", "PENDING"
	})
	f.until("checks", func(r reviewing.PullRequest) bool {
		return r.State == reviewing.PullOpen && r.Checks == reviewing.PullChecks{Passed: 1, Pending: 1}
	})
	serve(func(s *served) { s.Requests[0].Conclusion, s.Requests[0].OldStatuses = "TIMED_OUT", "SUCCESS" })
	f.until("failed check", func(r reviewing.PullRequest) bool { return r.Checks == reviewing.PullChecks{Passed: 1, Failed: 1} })
	serve(func(s *served) { s.Mode = "offline" })
	f.until("stale request", func(r reviewing.PullRequest) bool { return r.Stale && r.Checks.Failed == 1 && r.Seen > 0 })
	serve(func(s *served) { s.Mode, s.Requests[0].State = "", "MERGED" })
	if r, err := f.forge.Refresh(t.Context(), f.task.ID); err != nil || r.State != reviewing.PullMerged || r.Stale {
		t.Fatalf("refreshed to %+v, %v", r, err)
	}
	f.until("merged request", func(r reviewing.PullRequest) bool { return r.State == reviewing.PullMerged && r.Commit == f.tip() })
	kept, there, err := f.store.Pulls.Of(t.Context(), f.task.ID)
	if err != nil || !there || kept.State != reviewing.PullMerged || kept.Number != 412 {
		t.Fatalf("kept %+v, %v", kept, err)
	}
}

func TestAMergeRequestIsOpenedAndFollowed(t *testing.T) {
	f := begin(t, gitlab)
	o := order
	o.Draft = true
	r, err := f.forge.Open(t.Context(), f.task.ID, o)
	if err != nil || r.Number != 30 || r.State != reviewing.PullDraft || r.URL != "https://gitlab.com/group/sub/kestrel/-/merge_requests/30" {
		t.Fatalf("opened %+v, %v", r, err)
	}
	if got := load().Requests[0]; got.Title != "Draft: "+o.Title || got.Body != o.Body {
		t.Fatalf("the server has %+v", got)
	}
	for status, want := range map[string]reviewing.PullChecks{"success": {Passed: 1}, "failed": {Failed: 1}, "running": {Pending: 1}, "skipped": {}} {
		serve(func(s *served) { s.Requests[0].Status, s.Requests[0].Draft = status, false })
		if r, err := f.forge.Refresh(t.Context(), f.task.ID); err != nil || r.Checks != want || r.State != reviewing.PullOpen {
			t.Errorf("%s: %+v, %v", status, r, err)
		}
	}
	if again, err := f.forge.Open(t.Context(), f.task.ID, o); err != nil || again.Number != 30 || len(load().Requests) != 1 {
		t.Fatalf("a second time: %+v, %v", again, err)
	}
	serve(func(s *served) { s.Requests[0].State = "closed" })
	if r, err := f.forge.Refresh(t.Context(), f.task.ID); err != nil || r.State != reviewing.PullClosed {
		t.Fatalf("closed: %+v, %v", r, err)
	}
}

// TestAnAnswerThatComesLateChangesNothing: two may ask at a time, and the one that began
// first is answered last.
func TestAnAnswerThatComesLateChangesNothing(t *testing.T) {
	f := begin(t, github)
	if _, err := f.forge.Open(t.Context(), f.task.ID, order); err != nil {
		t.Fatal(err)
	}
	serve(func(s *served) { s.Mode = "late" })
	late := make(chan error, 1)
	go func() {
		r, err := f.forge.Refresh(t.Context(), f.task.ID)
		if err == nil && r.State != reviewing.PullMerged {
			err = fmt.Errorf("it returns %+v", r)
		}
		late <- err
	}()
	for deadline := time.Now().Add(timeout.For(20 * time.Second)); !there(filepath.Join(f.folder, "waits")); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("gh was not asked")
		}
	}
	serve(func(s *served) { s.Mode, s.Requests[0].State = "", "MERGED" })
	if r, err := f.forge.Refresh(t.Context(), f.task.ID); err != nil || r.State != reviewing.PullMerged {
		t.Fatalf("refreshed to %+v, %v", r, err)
	}
	if err := os.WriteFile(filepath.Join(f.folder, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := <-late; err != nil {
		t.Error(err)
	}
	if r, _, err := f.store.Pulls.Of(t.Context(), f.task.ID); err != nil || r.State != reviewing.PullMerged {
		t.Errorf("kept %+v, %v", r, err)
	}
}

// TestWhatIsAskedOfNobody: a server hears nothing of cards that are put away, and of
// requests that are over.
func TestWhatIsAskedOfNobody(t *testing.T) {
	f := begin(t, github)
	if _, err := f.forge.Open(t.Context(), f.task.ID, order); err != nil {
		t.Fatal(err)
	}
	if _, err := f.store.UpdateTask(t.Context(), f.task.ID, func(t *beckon.Task) error { return errors.Join(t.Move(beckon.Done), t.Move(beckon.Archived)) }); err != nil {
		t.Fatal(err)
	}
	before := len(calls())
	f.forge.Start()
	time.Sleep(200 * time.Millisecond) // twenty times the pace
	f.forge.Close()
	if after := calls(); len(after) != before {
		t.Errorf("%d calls, at last %q", len(after)-before, after[len(after)-1])
	}
}

// TestWhatStandsInTheWay: each refusal has a name, and leaves the server as it was.
func TestWhatStandsInTheWay(t *testing.T) {
	for name, c := range map[string]struct {
		remote string
		set    func(*fixture)
		want   problem.Kind
		says   string
		pushed bool
	}{
		"no remote":     {github, func(f *fixture) { f.git("remote", "remove", "origin") }, problem.NoRemote, "", false},
		"which remote":  {github, func(f *fixture) { f.git("remote", "rename", "origin", "one"); f.git("remote", "add", "two", github) }, problem.ManyRemotes, "", false},
		"not trusted":   {github, func(f *fixture) { f.project.Trusted = false; f.edit() }, problem.Untrusted, "", false},
		"other commits": {github, func(f *fixture) { f.elsewhere() }, problem.PushRejected, "", false},
		"unreachable":   {github, func(f *fixture) { f.ssh("offline") }, problem.PushFailed, "Could not resolve hostname", false},
		"signed out":    {github, func(*fixture) { serve(func(s *served) { s.Mode = "signed out" }) }, problem.ForgeLogin, "gh", true},
		"and of GitLab": {gitlab, func(*fixture) { serve(func(s *served) { s.Mode = "signed out" }) }, problem.ForgeLogin, "glab", true},
		"gh fails":      {github, func(*fixture) { serve(func(s *served) { s.Mode = "offline" }) }, problem.ForgeFailed, "check your internet connection [masked]", true},
	} {
		t.Run(name, func(t *testing.T) {
			f := begin(t, c.remote)
			c.set(f)
			before := f.pushed()
			_, err := f.forge.Open(t.Context(), f.task.ID, order)
			kind, values := problem.From(err)
			if kind != c.want || !strings.Contains(fmt.Sprint(values), c.says) {
				t.Fatalf("%v with %v: %v", kind, values, err)
			}
			if after := f.pushed(); c.pushed != (after == f.tip()) || !c.pushed && after != before {
				t.Errorf("the server has %q", after)
			}
			if len(load().Requests) > 0 {
				t.Error("a request was opened")
			}
		})
	}
}

func (f *fixture) edit() {
	f.Helper()
	if _, err := f.store.UpdateProject(f.Context(), f.project.ID, func(p *beckon.Project) error {
		p.Trusted = f.project.Trusted
		return nil
	}); err != nil {
		f.Fatal(err)
	}
}

func (f *fixture) ssh(mode string) {
	f.Helper()
	if err := os.WriteFile(filepath.Join(f.folder, "ssh"), []byte(mode), 0o600); err != nil {
		f.Fatal(err)
	}
}

// elsewhere has somebody else push a commit to the branch.
func (f *fixture) elsewhere() {
	f.Helper()
	other := f.git("commit-tree", "-p", "main", "-m", "of somebody else", "main^{tree}")
	f.git("push", "--quiet", "--force", filepath.Join(f.folder, "bare.git"), other+":refs/heads/beckon/kes-1")
}

// withoutPrograms has neither gh nor glab be found, this machine's included.
func (f *fixture) withoutPrograms() {
	f.Helper()
	bin := filepath.Join(f.folder, "without")
	if err := os.Mkdir(bin, 0o700); err != nil {
		f.Fatal(err)
	}
	for _, name := range []string{"git", "sh", "cat", "rm", "fakessh"} {
		path, err := exec.LookPath(name)
		if err == nil {
			err = os.Symlink(path, filepath.Join(bin, name))
		}
		if err != nil {
			f.Fatal(err)
		}
	}
	f.Setenv("PATH", bin)
}

func TestWithoutAProgramThePageThatOpensOneIsReturned(t *testing.T) {
	for remote, want := range map[string]string{
		github: "https://github.com/ada/kestrel/compare/main...beckon/kes-1?body=Why%3A%0A%0A-+%60it%60+counts+twice%0A&expand=1&title=Catch+%24%28touch+x%29+--overlaps",
		gitlab: "https://gitlab.com/group/sub/kestrel/-/merge_requests/new?merge_request%5Bdescription%5D=Why%3A%0A%0A-+%60it%60+counts+twice%0A&" +
			"merge_request%5Bsource_branch%5D=beckon%2Fkes-1&merge_request%5Btarget_branch%5D=main&merge_request%5Btitle%5D=Catch+%24%28touch+x%29+--overlaps",
		"git@code.example.com:ada/kestrel.git": "https://code.example.com/ada/kestrel",
	} {
		t.Run(remote, func(t *testing.T) {
			f := begin(t, remote)
			f.withoutPrograms()
			r, err := f.forge.Open(t.Context(), f.task.ID, order)
			if err != nil || r.URL != want || r.Number != 0 || r.State != reviewing.PullPushed || f.pushed() != f.tip() {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
}

// TestOnlyWhatBeckonPushedIsReplaced: a branch that was rewritten is asked about, and
// the commits of somebody else stay even then.
func TestOnlyWhatBeckonPushedIsReplaced(t *testing.T) {
	f := begin(t, github)
	if _, err := f.forge.Open(t.Context(), f.task.ID, order); err != nil {
		t.Fatal(err)
	}
	first := f.tip()
	f.git("commit", "--quiet", "--amend", "-m", "rewritten")
	p, err := f.forge.Propose(t.Context(), f.task.ID)
	if err != nil || !p.Rewritten {
		t.Fatalf("proposed %+v, %v", p, err)
	}
	_, err = f.forge.Open(t.Context(), f.task.ID, order)
	if kind, _ := problem.From(err); kind != problem.PushReplaces || f.pushed() != first {
		t.Fatalf("without a word it pushed: %v", err)
	}
	o := order
	o.Replace = true
	if _, err := f.forge.Open(t.Context(), f.task.ID, o); err != nil || f.pushed() != f.tip() {
		t.Fatalf("%v, the server has %s", err, f.pushed())
	}
	f.git("commit", "--quiet", "--amend", "-m", "rewritten again")
	f.elsewhere()
	theirs := f.pushed()
	_, err = f.forge.Open(t.Context(), f.task.ID, o)
	if kind, _ := problem.From(err); kind != problem.PushRejected || f.pushed() != theirs {
		t.Fatalf("%v, the server has %s and not %s", err, f.pushed(), theirs)
	}
}

// TestFilesInLFSAreOnTheServerBeforeTheBranch: a branch whose files are missing there is
// of no use to anybody.
func TestFilesInLFSAreOnTheServerBeforeTheBranch(t *testing.T) {
	f := begin(t, github)
	f.commit(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n")
	lfs := filepath.Join(f.folder, "bin", "git-lfs")
	if err := os.WriteFile(lfs, []byte("#!/bin/sh\necho 'no route to host' >&2\nexit 2\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := f.forge.Open(t.Context(), f.task.ID, order)
	if kind, values := problem.From(err); kind != problem.PushFailed || !strings.Contains(values["detail"], "no route to host") || f.pushed() != "" {
		t.Fatalf("the server has %q: %v", f.pushed(), err)
	}
	script := "#!/bin/sh\n[ \"$*\" = 'push origin " + f.tip() + "' ] && [ -z \"$(git --git-dir=" + filepath.Join(f.folder, "bare.git") + " branch --list 'beckon/*')\" ]\n"
	if err := os.WriteFile(lfs, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := f.forge.Open(t.Context(), f.task.ID, order); err != nil || f.pushed() != f.tip() {
		t.Fatalf("%v, the server has %s", err, f.pushed())
	}
}

// TestAFailureAfterItWasOpenedOpensNoSecond: gh may fail at its last step.
func TestAFailureAfterItWasOpenedOpensNoSecond(t *testing.T) {
	f := begin(t, github)
	serve(func(s *served) { s.Mode = "breaks after create" })
	r, err := f.forge.Open(t.Context(), f.task.ID, order)
	if err != nil || r.Number != 412 || len(load().Requests) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
}

// victim opens a pull request in a process of its own, which is killed meanwhile.
func victim() int {
	ctx, folder := context.Background(), os.Getenv(folderVariable)
	if err := os.Setenv("FORGE_TEST_PID", fmt.Sprint(os.Getpid())); err != nil {
		return 1
	}
	s, err := store.Open(ctx, filepath.Join(folder, "data"))
	if err != nil {
		return 1
	}
	tasks, err := s.Tasks(ctx)
	if err != nil || len(tasks) != 1 {
		return 1
	}
	if _, err := forge.New(config(s, folder, func(beckon.Event) {})).Open(ctx, tasks[0].ID, order); err != nil {
		return 1
	}
	return 0
}

// TestKilledAtAnyStepItIsRepeated: whatever was done when Beckon was killed, the next
// time there is one pull request, of the branch as it is, and the branch is the same.
func TestKilledAtAnyStepItIsRepeated(t *testing.T) {
	for _, step := range []string{"push", "pushed", "list", "before create", "after create"} {
		t.Run(step, func(t *testing.T) {
			f := begin(t, github)
			tip, base := f.tip(), f.git("rev-parse", "main")
			switch step {
			case "push":
				f.ssh("kill")
			case "pushed":
				f.ssh("kill after")
			default:
				serve(func(s *served) { s.Mode = step })
			}
			if err := f.store.Close(); err != nil {
				t.Fatal(err)
			}
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), timeout.For(30*time.Second))
			defer cancel()
			cmd := exec.CommandContext(ctx, self)
			cmd.Env = append(os.Environ(), victimVariable+"=me")
			err = cmd.Run()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != -1 {
				t.Fatalf("it was not killed: %v", err)
			}
			f.open(t.Context())
			r, err := f.forge.Open(t.Context(), f.task.ID, order)
			if err != nil || r.Number != 412 || r.Commit != tip {
				t.Fatalf("%+v, %v", r, err)
			}
			text, _ := json.Marshal(load().Requests)
			if len(load().Requests) != 1 || f.pushed() != tip || f.tip() != tip || f.git("rev-parse", "main") != base || f.git("status", "--porcelain") != "" {
				t.Errorf("the server has %s at %s", text, f.pushed())
			}
		})
	}
}

func TestWhatIsNoOrderIsRefused(t *testing.T) {
	f := begin(t, github)
	for _, o := range []reviewing.PullOrder{{}, {Title: " "}, {Title: "a\nb"}, {Title: strings.Repeat("a", 257)}, {Title: "a", Body: strings.Repeat("b", 61<<10)}} {
		if _, err := f.forge.Open(t.Context(), f.task.ID, o); !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%.20q was taken: %v", o.Title, err)
		}
	}
	if f.pushed() != "" {
		t.Error("it was pushed")
	}
}

// TestRequestsNameEachOther: in one line, however often that is asked, and what a person
// wrote stays.
func TestRequestsNameEachOther(t *testing.T) {
	for _, remote := range []string{"git@github.com:ada/kestrel.git", "git@gitlab.com:group/sub/kestrel.git"} {
		t.Run(remote, func(t *testing.T) {
			f := begin(t, remote)
			if _, err := f.forge.Open(t.Context(), f.task.ID, reviewing.PullOrder{Title: "Catch overlaps", Body: "Of ada."}); err != nil {
				t.Fatal(err)
			}
			for _, pages := range [][]string{{"https://x/1"}, {"https://x/1"}, {"https://x/1", "https://x/2"}} {
				err := f.forge.Describe(t.Context(), f.task.ID, func(was string) string { return reviewing.NameOthers(was, pages) })
				want := "Of ada.\n\nTogether with " + strings.Join(pages, ", ") + " <!-- beckon: together -->"
				if got := load().Requests[0].Body; err != nil || got != want {
					t.Fatalf("it says %q, %v; want %q", got, err, want)
				}
			}
		})
	}
}
