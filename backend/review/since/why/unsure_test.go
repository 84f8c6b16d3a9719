package why

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/store/parts"
	"beckon/backend/transcript"
)

// Lines of Claude Code for a file.

func edit(id, path, before, after string) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":%q,"name":"Edit","input":{"file_path":%q,"old_string":%q,"new_string":%q}}]},"uuid":"u"}`, id, path, before, after)
}

func edited(id, path, original string) string {
	return fmt.Sprintf(`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":"done"}]},"uuid":"u","tool_use_result":{"filePath":%q,"originalFile":%q,"structuredPatch":[]}}`, id, path, original)
}

// shell is a command and its result, which has a detail.
func shell(id, command, detail string) []string {
	return []string{
		fmt.Sprintf(`{"type":"assistant","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":%q,"name":"Bash","input":{"command":%q}}]},"uuid":"u"}`, id, command),
		fmt.Sprintf(`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":"done"}]},"uuid":"u","tool_use_result":%s}`, id, detail),
	}
}

const noDetail = `{"stdout":"","stderr":""}`

// only fails unless the answer has one reason, by the calls given.
func (b *bench) only(a Answer, sure Sure, ids ...string) {
	b.Helper()
	var got []string
	for _, r := range a.Reasons {
		for _, c := range r.Calls {
			got = append(got, c.ID)
		}
	}
	if len(a.Reasons) != 1 || a.Reasons[0].Sure != sure || strings.Join(got, " ") != strings.Join(ids, " ") {
		b.Errorf("it says %+v, and is %s %q", a, sure, ids)
	}
}

func TestEditsOfAnotherRepositoryAreNotOfItsFileOfTheSameName(t *testing.T) {
	t.Parallel()
	for name, named := range map[string]string{"absolute": "CARD/a.txt", "relative": "a.txt"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, map[string]string{"a.txt": "v: 1\nx\n"})
			card := filepath.ToSlash(filepath.Join(filepath.Dir(b.task.Worktree), "main"))
			path := strings.Replace(named, "CARD", card, 1)
			// The work that is asked about is in a further repository of the card.
			n := names{own: b.task.Worktree, part: true, folder: card, others: []string{card}, paths: []string{"a.txt"}}
			if is, perhaps := n.match(path); is || perhaps {
				t.Errorf("%s in another repository: is %v, perhaps %v", path, is, perhaps)
			}
			if is, _ := n.match(filepath.ToSlash(b.task.Worktree) + "/a.txt"); !is {
				t.Error("the file itself is not found")
			}
			n.begins("/elsewhere", true)
			if is, _ := n.match("/elsewhere/a.txt"); is {
				t.Error("a log's folder stands for a further repository")
			}
		})
	}

	b := newBench(t, map[string]string{"a.txt": "v: 1\nx\n"})
	part := filepath.ToSlash(filepath.Join(filepath.Dir(b.task.Worktree), "part"))
	b.finder.Parts = func(context.Context, string) ([]parts.Row, error) {
		return []parts.Row{{ID: b.task.ID + "/part", TaskID: b.task.ID, Name: "part", Worktree: part}}, nil
	}
	b.say(claudeInit, edit("other", part+"/a.txt", "v: 1", "v: 2"), edited("other", part+"/a.txt", "v: 1\n"))
	b.say(shell("sed", "sed -i s/1/2/ a.txt", noDetail)...)
	b.say(claudeResult)
	b.write("a.txt", "v: 2\nx\n")
	b.only(b.why("a.txt", ""), Within, "sed")
}

func TestWorkOnAnotherMachineIsFoundByTheFolderOfItsLog(t *testing.T) {
	t.Parallel()
	n := names{own: "/w", paths: []string{"a.txt"}}
	here := n
	n.begins("/far/w", true)
	here.begins("/far/w", false)
	if is, _ := n.match("/far/w/a.txt"); !is {
		t.Error("the folder of a run on another machine is not the worktree")
	}
	if is, perhaps := here.match("/far/w/a.txt"); is || !perhaps {
		t.Error("another folder of this computer is the worktree")
	}
}

func TestWhatTheAgentDoesWhileTheWorkIsReadIsNotKnown(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\ntwo\nthree\n"})
	b.finder.Since.Live = func(string) (beckon.RunKind, bool) { return beckon.TaskRun, true }
	b.begin()
	b.say(claudeInit, edit("e1", "WORK/a.txt", "two", "zwei"), edited("e1", "WORK/a.txt", "one\ntwo\nthree\n"))
	b.write("a.txt", "one\nzwei\nthree\n")
	b.only(b.why("a.txt", ""), ByCall, "e1")
	late := func(lines ...string) {
		b.finder.Since.Landmarks = func(context.Context, string) ([]beckon.Landmark, error) {
			b.say(lines...)
			return nil, nil
		}
	}
	late(edit("e2", "WORK/a.txt", "zwei", "deux"), edited("e2", "WORK/a.txt", "one\nzwei\nthree\n"))
	b.only(b.why("a.txt", ""), ByCall, "e1")
	// It was done before the work was read, and its line came later.
	late(edit("e3", "WORK/a.txt", "deux", "trois"))
	b.write("a.txt", "one\ntrois\nthree\n")
	if r := b.why("a.txt", "").Reasons; len(r) == 0 || r[0].Sure != Unknown || r[0].Added != 1 {
		t.Errorf("what came while the work was read is of %+v", r)
	}
}

func TestARunWithoutItsLogLeavesNothingKnown(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\ntwo\nthree\n"})
	idle := beckon.Run{ID: beckon.NewID(), TaskID: b.task.ID, Number: 2, Kind: beckon.TaskRun, Phase: beckon.Ended, Outcome: beckon.Failed, Started: 3, Ended: 4, Mode: beckon.ModeAuto}
	b.check(b.store.AddRun(b.ctx, &idle)) // it had no turn
	b.begin()
	b.say(claudeInit, claudeEdit, claudeEdited, claudeResult)
	b.write("a.txt", "one\nzwei\nthree\n")
	b.end()
	b.write("a.txt", "one\nzwei\nthree\nfour\n")
	if r := b.why("a.txt", "", 4, 4).Reasons; len(r) != 1 || r[0].Sure != Outside {
		t.Errorf("beside a run that had no turn line 4 is of %+v", r)
	}
	b.check(b.log.Close())
	if _, err := transcript.SetAside(b.finder.Logs, b.run.ID); err != nil {
		t.Fatal(err)
	}
	b.only(b.why("a.txt", ""), Unknown)
}

func TestWhatGoesOnInTheBackgroundMayHaveDoneIt(t *testing.T) {
	t.Parallel()
	begins := map[string][]string{
		"moved there by its timeout": shell("gen", "make gen", `{"stdout":"","stderr":"","backgroundTaskId":"x"}`),
		"an agent": {
			`{"type":"assistant","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"gen","name":"Agent","input":{"description":"d","prompt":"p","run_in_background":true}}]},"uuid":"u"}`,
			`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"gen","content":"launched"}]},"uuid":"u"}`,
		},
	}
	for name, lines := range begins {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, map[string]string{"a.txt": "one\n"})
			b.begin()
			b.say(claudeInit)
			b.say(lines...)
			b.say(claudeResult)
			b.end()
			b.begin()
			b.say(shell("ls", "ls", noDetail)...)
			b.say(claudeResult)
			b.write("a.txt", "one\ngenerated\n")
			b.end()
			b.only(b.why("a.txt", ""), OneOf, "ls", "gen")
		})
	}
}

func TestARewindGivesLinesBackToTheirCalls(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\ntwo\nthree\n"})
	turn := func(id, before, after string) {
		b.begin()
		b.say(claudeInit, edit(id, "WORK/a.txt", before, after), edited(id, "WORK/a.txt", "one\n"+before+"\nthree\n"), claudeResult)
		b.write("a.txt", "one\n"+after+"\nthree\n")
		b.end()
	}
	turn("e1", "two", "zwei")
	turn("e2", "zwei", "deux")
	b.write("a.txt", "one\nzwei\nthree\n")
	if r := b.why("a.txt", "").Reasons; len(r) != 1 || r[0].Sure != ByCall || r[0].Calls[0].ID != "e1" || r[0].Removed != 1 {
		t.Errorf("after the rewind it is of %+v", r)
	}
	b.write("a.txt", "one\nzwei\nthree\nfour\n")
	if r := b.why("a.txt", "", 2, 2).Reasons; len(r) == 0 || r[0].Sure != Unknown {
		t.Errorf("after going back in part line 2 is of %+v", r)
	}
	if r := b.why("a.txt", "", 4, 4).Reasons; len(r) != 1 || r[0].Sure != Outside {
		t.Errorf("after going back in part line 4 is of %+v", r)
	}
}

func TestAFileThatWasRenamedTwiceIsNotOfTheSecondRename(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("same line of text\nother text here\n", 20)
	b := newBench(t, map[string]string{"a.txt": body + "two\n"})
	turn := func(work func(), lines ...string) {
		b.begin()
		b.say(claudeInit)
		b.say(lines...)
		b.say(claudeResult)
		work()
		b.end()
	}
	turn(func() { b.git(b.task.Worktree, "mv", "a.txt", "b.txt") }, shell("mv1", "git mv a.txt b.txt", noDetail)...)
	turn(func() { b.write("b.txt", body+"zwei\n") }, edit("e1", "WORK/b.txt", "two", "zwei"), edited("e1", "WORK/b.txt", body+"two\n"))
	turn(func() { b.git(b.task.Worktree, "mv", "b.txt", "c.txt") }, shell("mv2", "git mv b.txt c.txt", noDetail)...)
	b.only(b.whyOld("c.txt", "a.txt"), Unknown)
}

func TestALineThatIsTooLongLeavesTheRunUnknown(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\ntwo\nthree\n"})
	b.begin()
	b.say(claudeInit, claudeEdit, claudeEdited, claudeText[:len(claudeText)-1]+`,"x":"`+strings.Repeat("y", mostLine)+`"}`, claudeResult)
	b.write("a.txt", "one\nzwei\nthree\n")
	b.end()
	b.begin()
	b.say(claudeResult)
	b.write("a.txt", "one\nzwei\nthree\nfour\n")
	b.end()
	if r := b.why("a.txt", "", 2, 2).Reasons; len(r) != 1 || r[0].Sure != ByCall {
		t.Errorf("line 2 is of %+v", r)
	}
	if r := b.why("a.txt", "", 4, 4).Reasons; len(r) != 1 || r[0].Sure != Unknown {
		t.Errorf("line 4 is of %+v", r)
	}
}

func TestAFileThatIsRenamedTwiceInATurnIsNotOfTheRenames(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("same line of text\nother text here\n", 20)
	b := newBench(t, map[string]string{"a.txt": body + "two\n"})
	b.begin()
	b.say(claudeInit)
	b.say(shell("mv1", "git mv a.txt b.txt", noDetail)...)
	b.say(edit("e1", "WORK/b.txt", "two", "zwei"), edited("e1", "WORK/b.txt", body+"two\n"))
	b.say(shell("mv2", "git mv b.txt c.txt", noDetail)...)
	b.say(claudeResult)
	b.git(b.task.Worktree, "mv", "a.txt", "c.txt")
	b.write("c.txt", body+"zwei\n")
	b.end()
	b.only(b.whyOld("c.txt", "a.txt"), Unknown)
}

func TestPathsThatMayNameTheFileAreOnlyPerhapsIt(t *testing.T) {
	t.Parallel()
	work := t.TempDir()
	for _, dir := range []string{"src", "other"} {
		if err := os.Mkdir(filepath.Join(work, dir), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(work, dir, "\u00e4.go"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("src", filepath.Join(work, "link")); err != nil {
		t.Skip("no symbolic links:", err)
	}
	n := names{own: work, paths: []string{"src/\u00e4.go"}}
	for named, want := range map[string][2]bool{
		"src/\u00e4.go": {true, false}, "src/a\u0308.go": {false, true}, "SRC/\u00c4.go": {false, true},
		"link/\u00e4.go": {false, true}, "other/\u00e4.go": {false, false},
	} {
		if is, perhaps := n.match(filepath.ToSlash(work) + "/" + named); is != want[0] || perhaps != want[1] {
			t.Errorf("%s: is %v, perhaps %v", named, is, perhaps)
		}
	}
}

func TestAnEditThatMayBeOfAnotherFileLeavesOthers(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\ntwo\nthree\n"})
	b.begin()
	b.say(claudeInit, edit("e1", "/elsewhere/a.txt", "two", "zwei"), edited("e1", "/elsewhere/a.txt", "two\n"), claudeResult)
	b.write("a.txt", "one\nzwei\nthree\n")
	b.end()
	a := b.why("a.txt", "")
	if b.only(a, Within, "e1"); !a.Reasons[0].Others {
		t.Error("nobody else may have done it")
	}
}

func TestASecondResultOfACallIsNotAnotherEdit(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\ntwo\n"})
	update := func(kind, id, status, before, after string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":%q,"toolCallId":%q,"title":"Edit","kind":"edit","status":%q,"content":[{"type":"diff","path":"WORK/a.txt","oldText":%q,"newText":%q}]}}}`, kind, id, status, before, after)
	}
	b.begin()
	b.say(
		update("tool_call", "c1", "in_progress", "two", "two!"),
		update("tool_call_update", "c1", "completed", "two", "two!"),
		update("tool_call_update", "c1", "completed", "two", "two!"),
		update("tool_call", "c1", "in_progress", "one", "eins"),
		update("tool_call_update", "c1", "completed", "one", "eins"),
	)
	b.write("a.txt", "eins\ntwo!\n")
	b.end()
	if r := b.why("a.txt", "", 2, 2).Reasons; len(r) != 1 || r[0].Sure != ByCall || r[0].Calls[0].Number != 1 {
		t.Errorf("line 2 is of %+v", r)
	}
	if r := b.why("a.txt", "", 1, 1).Reasons; len(r) != 1 || r[0].Sure != ByCall || r[0].Calls[0].Number != 2 {
		t.Errorf("line 1 is of %+v", r)
	}
}

func TestALaterAnswerEndsTheEarlierOneOfTheTask(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	b.write("a.txt", "two\n")
	waits, first := make(chan struct{}), true
	runs := b.finder.Runs
	b.finder.Runs = func(ctx context.Context, id string) ([]beckon.Run, error) {
		if first {
			first = false
			close(waits)
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return runs(ctx, id)
	}
	failed := make(chan error, 1)
	go func() {
		_, err := b.finder.Why(b.ctx, b.task.ID, reviewing.ChangedLines{File: reviewing.File{Path: "a.txt"}})
		failed <- err
	}()
	<-waits
	b.only(b.why("a.txt", ""), Outside)
	if err := <-failed; !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("the earlier one says %v", err)
	}
}

func TestAFileOfAFurtherRepositoryIsOnlyOfItsOwnEdits(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "v: 1\nx: 1\n"})
	card := filepath.ToSlash(filepath.Join(filepath.Dir(b.task.Worktree), "main"))
	part := b.task
	part.ID = reviewing.PartID(b.task.ID, "part")
	b.finder.Since.Task = func(_ context.Context, id string) (beckon.Task, error) {
		if id == part.ID {
			return part, nil
		}
		own := b.task
		own.Worktree = filepath.FromSlash(card)
		return own, nil
	}
	b.say(strings.Replace(claudeInit, "WORK", card, 1))
	b.say(edit("absolute", card+"/a.txt", "v: 1", "v: 2"), edited("absolute", card+"/a.txt", "v: 1\nx: 1\n"))
	b.say(edit("relative", "a.txt", "v: 1", "v: 2"), edited("relative", "a.txt", "v: 1\nx: 1\n"))
	b.say(edit("own", "WORK/a.txt", "x: 1", "x: 2"), edited("own", "WORK/a.txt", "v: 1\nx: 1\n"), claudeResult)
	b.write("a.txt", "v: 2\nx: 2\n")
	b.task.ID = part.ID
	if r := b.why("a.txt", "", 1, 1).Reasons; len(r) != 1 || r[0].Sure != Outside {
		t.Errorf("line 1 is of %+v", r)
	}
	if r := b.why("a.txt", "", 2, 2).Reasons; len(r) != 1 || r[0].Sure != ByCall || r[0].Calls[0].ID != "own" {
		t.Errorf("line 2 is of %+v", r)
	}
}
