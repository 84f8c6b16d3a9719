package why

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git"
	"beckon/backend/review/since"
	"beckon/backend/store"
	"beckon/backend/store/reviewed"
	"beckon/backend/transcript"
	"beckon/tests/sample"
	"beckon/tests/timeout"
)

func TestMain(m *testing.M) { sample.AtHome(m) }

// bench is a task in a real repository, whose runs the test writes down.
type bench struct {
	*testing.T
	ctx    context.Context
	store  *store.Store
	finder *Finder
	task   beckon.Task
	run    beckon.Run
	log    *transcript.Log
	turn   reviewed.Turn
}

func newBench(t *testing.T, files map[string]string) *bench {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout.For(50*time.Second))
	t.Cleanup(cancel)
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{T: t, ctx: ctx}
	dir, logs := filepath.Join(root, "repo"), filepath.Join(root, "logs")
	sample.Empty(t, dir)
	for name, text := range files {
		b.check(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	b.git(dir, "add", "-A")
	b.git(dir, "commit", "-q", "--allow-empty", "-m", "first")
	s, err := store.Open(ctx, filepath.Join(root, "data"))
	b.check(err)
	b.store = s
	pool := &git.Pool{}
	p := beckon.Project{ID: beckon.NewID(), Name: "kestrel", Key: "KES", Dir: dir, Git: true, Base: "main", Mode: beckon.ModeAuto, Policy: beckon.Proceed, MergeWay: reviewing.MergeCommit}
	b.check(s.AddProject(ctx, &p))
	w, err := pool.Open(dir, false).AddWorktree(ctx, filepath.Join(root, "kes-1"), "beckon/kes-1", "main")
	b.check(err)
	b.task = beckon.Task{
		ID: beckon.NewID(), ProjectID: p.ID, Title: "Work", Status: beckon.Review, Mode: beckon.ModeAuto, Policy: beckon.Proceed,
		Worktree: w.Dir, Branch: w.Branch, Base: w.Base, BaseCommit: w.BaseCommit,
	}
	b.check(s.CreateTask(ctx, &b.task))
	b.run = beckon.Run{ID: beckon.NewID(), TaskID: b.task.ID, Number: 1, Kind: beckon.TaskRun, Phase: beckon.Ended, Outcome: beckon.Succeeded, Started: 1, Ended: 2, Mode: beckon.ModeAuto}
	b.check(s.AddRun(ctx, &b.run))
	b.log, err = transcript.Open(logs, b.run.ID)
	b.check(err)
	seen := since.New(since.Config{
		Kept: s.Turns, Task: s.Task, Project: s.Project, MarkViewed: s.Viewed.Mark,
		Repo:      func(p beckon.Project) *git.Repo { return pool.Open(p.Dir, p.Trusted) },
		Bring:     func(context.Context, string) error { return nil },
		Live:      func(string) (beckon.RunKind, bool) { return beckon.TaskRun, false },
		Landmarks: func(context.Context, string) ([]beckon.Landmark, error) { return nil, nil },
	})
	b.finder = &Finder{Since: seen, Rows: s.Decisions, Runs: s.Runs, Parts: s.Parts.Of, Logs: logs}
	t.Cleanup(func() {
		seen.Close()
		_ = b.log.Close()
		_ = s.Close()
	})
	return b
}

func (b *bench) check(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (b *bench) git(dir string, args ...string) string {
	b.Helper()
	return sample.Git(b.ctx, b, dir, args...)
}

// say writes lines of an agent, in which WORK stands for the worktree.
func (b *bench) say(lines ...string) {
	b.Helper()
	work, err := json.Marshal(filepath.ToSlash(b.task.Worktree))
	b.check(err)
	for _, text := range lines {
		text = strings.ReplaceAll(text, "WORK", strings.Trim(string(work), `"`))
		_, err := b.log.Append(time.Now().UnixMilli(), [][]byte{[]byte(text)})
		b.check(err)
	}
}

func (b *bench) write(name, text string) {
	b.Helper()
	b.check(os.WriteFile(filepath.Join(b.task.Worktree, name), []byte(text), 0o600))
}

// tree is what the worktree amounts to.
func (b *bench) tree() string {
	b.Helper()
	b.git(b.task.Worktree, "add", "-A")
	return b.git(b.task.Worktree, "write-tree")
}

func (b *bench) begin() {
	b.Helper()
	b.turn = reviewed.Turn{TaskID: b.task.ID, RunID: b.run.ID, Nth: b.turn.Nth + 1, Began: 1, Before: b.tree()}
	b.check(b.store.Turns.Begin(b.ctx, &b.turn))
}

func (b *bench) end() {
	b.Helper()
	b.turn.After, b.turn.Ended = b.tree(), 2
	b.check(b.store.Turns.Save(b.ctx, b.turn))
}

// why asks about the lines of a file, all that changed by default.
func (b *bench) why(path, since string, lines ...int) Answer {
	b.Helper()
	of := reviewing.ChangedLines{File: reviewing.File{Path: path, View: reviewing.View{Since: since}}}
	if len(lines) == 2 {
		of.First, of.Last = lines[0], lines[1]
	}
	a, err := b.finder.Why(b.ctx, b.task.ID, of)
	b.check(err)
	return a
}

// whyOld asks about a file that had another path before.
func (b *bench) whyOld(path, old string) Answer {
	b.Helper()
	a, err := b.finder.Why(b.ctx, b.task.ID, reviewing.ChangedLines{File: reviewing.File{Path: path, OldPath: old}})
	b.check(err)
	return a
}

// The lines of Claude Code, as it prints them.
const (
	claudeInit   = `{"type":"system","subtype":"init","cwd":"WORK","session_id":"s","uuid":"u0"}`
	claudeText   = `{"type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"I sort by start first."}]},"uuid":"u1"}`
	claudeEdit   = `{"type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"e1","name":"Edit","input":{"file_path":"WORK/a.txt","old_string":"two","new_string":"zwei"}}]},"uuid":"u2"}`
	claudeEdited = `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"e1","content":"done"}]},"uuid":"u3","tool_use_result":{"filePath":"WORK/a.txt","oldString":"two","newString":"zwei","originalFile":"one\ntwo\nthree\n","structuredPatch":[]}}`
	claudeBash   = `{"type":"assistant","message":{"id":"m2","role":"assistant","content":[{"type":"tool_use","id":"b1","name":"Bash","input":{"command":"echo vier >> a.txt"}}]},"uuid":"u4"}`
	claudeBashed = `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"b1","content":""}]},"uuid":"u5"}`
	claudeMore   = `{"type":"assistant","message":{"id":"m2","role":"assistant","content":[{"type":"tool_use","id":"b2","name":"Bash","input":{"command":"make"}}]},"uuid":"u6"}`
	claudeMade   = `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"b2","content":"","is_error":true}]},"uuid":"u7"}`
	claudeResult = `{"type":"result","subtype":"success","is_error":false,"uuid":"u8"}`
	claudeFailed = `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"e1","content":"no","is_error":true}]},"uuid":"u3"}`
)

func TestALineIsOfItsEditAndOfItsCommandAndOfNobody(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\ntwo\nthree\n"})
	b.begin()
	b.say(claudeInit, claudeText, claudeEdit, claudeEdited, claudeBash, claudeBashed, claudeResult)
	b.write("a.txt", "one\nzwei\nthree\nvier\n")
	b.end()
	b.write("a.txt", "one\nzwei\nthree\nvier\nfive\n")

	edit := b.why("a.txt", "", 2, 2).Reasons
	if len(edit) != 1 || edit[0].Sure != ByCall || edit[0].Added != 1 || len(edit[0].Calls) != 1 {
		t.Fatalf("line 2 is of %+v", edit)
	}
	if c := edit[0].Calls[0]; c.ID != "e1" || c.Number != 1 || c.Turn != 1 || c.Said != "I sort by start first." || c.Verb != beckon.Editing {
		t.Errorf("the call of line 2 is %+v", c)
	}
	command := b.why("a.txt", "", 4, 4).Reasons
	if len(command) != 1 || command[0].Sure != Within || command[0].Others || command[0].Calls[0].Does != "echo vier >> a.txt" {
		t.Errorf("line 4 is of %+v", command)
	}
	if by := b.why("a.txt", "", 5, 5).Reasons; len(by) != 1 || by[0].Sure != Outside || len(by[0].Calls) != 0 {
		t.Errorf("line 5 is of %+v", by)
	}
	if all := b.why("a.txt", ""); len(all.Reasons) != 3 || all.Reasons[0].Removed != 1 {
		t.Errorf("the file is of %+v", all.Reasons)
	}
	if of := b.why("a.txt", "turn-1", 2, 2).Reasons; len(of) != 1 || of[0].Sure != ByCall {
		t.Errorf("line 2 of the turn is of %+v", of)
	}
	if of := b.why("a.txt", "commit-abc"); of.State != NoTurn {
		t.Errorf("of a commit it says %+v", of)
	}
}

// TestATraceHasTheLinesOfEveryFile: who wrote each that the work added, and that all of it is in
// a commit once it is.
func TestATraceHasTheLinesOfEveryFile(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\ntwo\nthree\n", "gone.txt": "x\n"})
	b.begin()
	b.say(claudeInit, claudeText, claudeEdit)
	b.write("a.txt", "one\nzwei\nthree\n")
	b.say(claudeEdited, claudeBash)
	b.write("a.txt", "one\nzwei\nthree\nvier\n")
	b.say(claudeBashed, claudeResult)
	b.end()
	b.write("b.bin", "\x00\x01")
	b.write("hand.txt", "by hand\nby hand\n")
	b.check(os.Remove(filepath.Join(b.task.Worktree, "gone.txt")))
	if got, err := b.finder.Trace(b.ctx, b.task.ID); err != nil || got.Committed || len(got.Files) > 0 {
		t.Errorf("before it is committed it is %+v, %v", got, err)
	}
	b.git(b.task.Worktree, "add", "-A")
	b.git(b.task.Worktree, "commit", "-q", "-m", "work")
	got, err := b.finder.Trace(b.ctx, b.task.ID)
	b.check(err)
	said := []string{}
	for _, f := range got.Files {
		said = append(said, f.Path+f.Unknown)
		for _, s := range f.Stretches {
			said = append(said, fmt.Sprintf("%d-%d %s %d", s.First, s.Last, s.By, len(s.Runs)))
		}
	}
	want := []string{"a.txt", "2-2 agent 1", "4-4 agent 1", "b.bin" + string(NoText), "hand.txt", "1-2 unknown 0"}
	if !got.Committed || got.Left != 0 || got.Head != b.git(b.task.Worktree, "rev-parse", "HEAD") || !slices.Equal(said, want) {
		t.Errorf("it says %q of %+v", said, got)
	}
}

func TestOfTwoCommandsNoneIsNamedAlone(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\ntwo\nthree\n"})
	b.begin()
	b.say(claudeInit, claudeEdit, claudeFailed, claudeBash, claudeBashed, claudeMore, claudeMade, claudeResult)
	b.write("a.txt", "one\nzwei\nthree\n")
	b.end()
	r := b.why("a.txt", "").Reasons
	if len(r) != 1 || r[0].Sure != OneOf || len(r[0].Calls) != 2 || r[0].Calls[0].ID != "b2" {
		t.Errorf("two commands, and an edit that failed: %+v", r)
	}
}

func TestAgentsOfTheProtocolAreAttributedByTheirDiffs(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\ntwo\nthree\n"})
	b.begin()
	b.say(
		`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"In German."},"_meta":{"beckon":{"whole":true}}}}}`,
		`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c1","title":"Write","kind":"edit","status":"in_progress","locations":[{"path":"WORK/a.txt"}]}}}`,
		`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"completed","content":[{"type":"diff","path":"WORK/a.txt","oldText":"one\ntwo\nthree\n","newText":"one\nzwei\nthree\n"}]}}}`,
	)
	b.write("a.txt", "one\nzwei\nthree\n")
	b.end()
	r := b.why("a.txt", "").Reasons
	if len(r) != 1 || r[0].Sure != ByCall || r[0].Calls[0].ID != "c1" || r[0].Calls[0].Said != "In German." {
		t.Errorf("the file is of %+v", r)
	}
}

// TestFilesBeyondBoundsAreNotReplayed is of GUARDS R12: what agents write is bounded before it is read.
func TestFilesBeyondBoundsAreNotReplayed(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"large.txt": "one\n", "picture.bin": "a"})
	b.write("large.txt", strings.Repeat("a long line\n", mostText/8))
	b.write("picture.bin", "a\x00b")
	b.tree()
	if a := b.why("large.txt", ""); a.State != TooLarge {
		t.Errorf("a large file: %+v", a)
	}
	if a := b.why("picture.bin", ""); a.State != NoText {
		t.Errorf("a binary file: %+v", a)
	}
	if a := b.why("other.txt", ""); a.State != NoChange {
		t.Errorf("a file that did not change: %+v", a)
	}
	if _, err := b.finder.Why(b.ctx, b.task.ID, reviewing.ChangedLines{File: reviewing.File{Path: "../x"}}); err == nil {
		t.Error("a path out of the worktree is asked about")
	}
}

func TestPathsOfOtherFilesAreNotTheFile(t *testing.T) {
	t.Parallel()
	n := names{own: "/w", alias: `C:\w`, paths: []string{"src/a.go"}}
	for named, want := range map[string][2]bool{
		"/w/src/a.go": {true, false}, "src/a.go": {true, false}, "/w/./src/a.go": {true, false}, `C:\w\src\a.go`: {true, false},
		"/elsewhere/src/a.go": {false, true}, "/w/other/src/a.go": {false, false}, "/w/src/b.go": {false, false}, "/w2/a.go": {false, false},
		`/w/src\a.go`: {false, false},
	} {
		if is, perhaps := n.match(named); is != want[0] || perhaps != want[1] {
			t.Errorf("%s: is %v, perhaps %v", named, is, perhaps)
		}
	}
}
