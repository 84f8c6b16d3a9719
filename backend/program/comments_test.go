package program

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/store"
	"beckon/backend/store/reviewed"
	"beckon/tests/runnertest"
)

// commentOn keeps a comment on a line of words.txt as a draft.
func (d *desktopOf) commentOn(taskID string, line int, quote, text string) reviewing.Comment {
	d.T.Helper()
	c, err := d.SaveComment(reviewing.CommentEdit{TaskID: taskID, Text: text, Lines: reviewing.CommentLines{
		Path: "words.txt", Side: reviewing.After, First: line, Last: line, Quote: quote,
	}})
	if err != nil {
		d.T.Fatal(err)
	}
	return c
}

// sendComments sends all drafts of a task, which are so many.
func (d *desktopOf) sendComments(taskID string, many int) {
	d.T.Helper()
	if n, err := d.SendComments(taskID); n != many || err != nil {
		d.T.Fatalf("%d comments were sent, want %d: %v", n, many, err)
	}
}

// commentsOf returns a task's comments.
func (d *desktopOf) commentsOf(taskID string) []reviewing.Comment {
	d.T.Helper()
	list, err := d.API.Comments(taskID)
	if err != nil {
		d.T.Fatal(err)
	}
	return list
}

// untilComments waits until a task's comments are as they should be.
func (d *desktopOf) untilComments(taskID, what string, as func([]reviewing.Comment) bool) []reviewing.Comment {
	d.T.Helper()
	var list []reviewing.Comment
	d.Until(what, func() bool {
		found, err := d.API.Comments(taskID)
		list = found
		return err == nil && as(found)
	})
	return list
}

// allIn reports whether comments are in a state.
func allIn(state reviewing.CommentState) func([]reviewing.Comment) bool {
	return func(list []reviewing.Comment) bool {
		for _, c := range list {
			if c.State != state {
				return false
			}
		}
		return len(list) > 0
	}
}

const changesWords = "write words.txt \"one\\nzwei\\nthree\\n\"\ntext Done.\n"

// TestClaudesAnswerIsShownAtTheComment: comments on work in Review resume the session
// with one message, and each gets the answer that names it.
func TestClaudesAnswerIsShownAtTheComment(t *testing.T) {
	t.Parallel()
	d := openWith(t, map[string]string{
		"work":   "match: Change\n" + changesWords,
		"review": "match: I reviewed\nresume: yes\nwrite heard.txt ${message}\nwrite words.txt \"new\\none\\ntwo\\nthree\\n\"\ntext On it.\ntext @answer\n-- answer --\nAll done.\n\n**C1**: Back to English.\n\nC2: It is needed.\n",
	})
	task := d.run(beckon.NewTask{Title: "Change the words"})
	d.Until("review", func() bool { return d.Tasks[task.ID].Status == beckon.Review })
	d.commentOn(task.ID, 2, "zwei", "In English.")
	d.commentOn(task.ID, 3, "three", "Is this needed?")
	d.sendComments(task.ID, 2)
	list := d.untilComments(task.ID, "answers", allIn(reviewing.CommentAnswered))
	if list[0].Answer != "Back to English." || list[1].Answer != "It is needed." || list[0].Answered < list[0].Sent {
		t.Errorf("the answers are %+v", list)
	}
	ranges, err := d.ChangeRanges(task.ID)
	if err != nil || len(ranges.Turns) != 2 || list[0].Turn != ranges.Turns[1].Number || list[1].Turn != 2 {
		t.Errorf("answered in turns %d and %d, of %+v, %v", list[0].Turn, list[1].Turn, ranges.Turns, err)
	}
	d.untilComments(task.ID, "the first one's line gone, the other's moved to line 4", func(list []reviewing.Comment) bool {
		return list[0].Outdated && !list[1].Outdated && list[1].First == 4
	})
	heard := d.said(task.ID, "heard.txt")
	if strings.Count(heard, "### C1: `words.txt`, line 2\n\n```txt\nzwei\n```\n\nIn English.") != 1 || !strings.Contains(heard, "Name each of these marks once: C1, C2.") {
		t.Errorf("the agent got %q", heard)
	}
	resolved, err := d.ResolveComment(list[0].ID, true)
	if err != nil || resolved.Resolved == 0 {
		t.Errorf("resolved: %+v, %v", resolved, err)
	}
	if reopened, err := d.ResolveComment(list[0].ID, false); err != nil || reopened.Resolved != 0 || reopened.State != reviewing.CommentAnswered {
		t.Errorf("opened again: %+v, %v", reopened, err)
	}
	if _, err := d.SendComments(task.ID); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("what was sent is sent again: %v", err)
	}
}

// TestACommentThatIsNotNamedSaysSo: the turn is over, and it has no answer.
func TestACommentThatIsNotNamedSaysSo(t *testing.T) {
	t.Parallel()
	d := openWith(t, map[string]string{"work": "match: Change\n" + changesWords, "review": "match: I reviewed\ntext C2: Yes.\n", "later": "match: And\ntext C1: That one too.\n"})
	task := d.run(beckon.NewTask{Title: "Change the words"})
	d.Until("review", func() bool { return d.Tasks[task.ID].Status == beckon.Review })
	d.commentOn(task.ID, 2, "zwei", "In English.")
	d.commentOn(task.ID, 3, "three", "Needed?")
	d.sendComments(task.ID, 2)
	d.untilComments(task.ID, "one answer", func(list []reviewing.Comment) bool {
		return list[0].State == reviewing.CommentUnanswered && list[1].State == reviewing.CommentAnswered
	})
	d.Until("review again", func() bool { return d.Seen.Runs[task.ID].Number == 2 && d.Tasks[task.ID].Status == beckon.Review })
	if _, err := d.SendBack(task.ID, "And C1?"); err != nil {
		t.Fatal(err)
	}
	list := d.untilComments(task.ID, "the later answer", allIn(reviewing.CommentAnswered))
	if list[0].Answer != "That one too." {
		t.Errorf("the later answer is %+v", list[0])
	}
}

// TestCommentsLeaveAQuestionOpen: they wait for the turn's end, and end in a turn of
// their own.
func TestCommentsLeaveAQuestionOpen(t *testing.T) {
	t.Parallel()
	d := start(t, changesWords+"ask Which? | A | B\ntext ${answer} it is.\nturn\ntext C1: Done.\n")
	task := d.run(beckon.NewTask{Title: "Ask"})
	q := d.Question("Which?")
	d.commentOn(task.ID, 2, "zwei", "In English.")
	d.sendComments(task.ID, 1)
	if open, err := d.Questions(task.ID); err != nil || len(open) != 1 || open[0].Settlement != beckon.Open {
		t.Fatalf("the question is %+v, %v", open, err)
	}
	if err := d.AnswerQuestion(q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"A"}}}}); err != nil {
		t.Fatal(err)
	}
	list := d.untilComments(task.ID, "the answer", allIn(reviewing.CommentAnswered))
	if list[0].Turn != 2 {
		t.Errorf("the answer came in turn %d, want a turn of its own", list[0].Turn)
	}
}

// TestCommentsThatBeckonDiedWithAreSentOnce: Beckon dies when the message is written
// and before any agent has it.
func TestCommentsThatBeckonDiedWithAreSentOnce(t *testing.T) {
	t.Parallel()
	scripts := map[string]string{"work": "match: Change\n" + changesWords, "review": "match: I reviewed\nwrite heard.txt ${message}\ntext C1: Done.\n"}
	d := openWith(t, scripts)
	task := d.run(beckon.NewTask{Title: "Change the words"})
	d.Until("review", func() bool { return d.Tasks[task.ID].Status == beckon.Review })
	c := d.commentOn(task.ID, 2, "zwei", "In English.")
	d.commentOn(task.ID, 3, "three", "A draft.")
	dir, find := d.data, d.find
	if err := d.close(); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	m := beckon.Message{ID: "7b0f3a52-51b7-4d86-93d3-7f5d0a3b9c11", TaskID: task.ID, Text: "I reviewed: C1"}
	if err := errors.Join(s.AddMessage(reviewed.WithComments(t.Context(), []string{c.ID}), &m), s.Close()); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, dir, find)
	list := again.commentsOf(task.ID)
	if list[0].State != reviewing.CommentSent || list[1].State != reviewing.CommentDraft {
		t.Fatalf("after the death they are %+v", list)
	}
	if _, err := again.MoveTask(task.ID, beckon.Running, 0); err != nil {
		t.Fatal(err)
	}
	again.untilComments(task.ID, "the answer", func(list []reviewing.Comment) bool {
		return list[0].State == reviewing.CommentAnswered && list[1].State == reviewing.CommentDraft
	})
	if heard := again.said(task.ID, "heard.txt"); strings.Count(heard, "I reviewed") != 1 {
		t.Errorf("the agent got %q", heard)
	}
}

// TestCommentsOutliveTheAgentThatHadThem: it is killed in its turn, and the next run
// of the session answers them.
func TestCommentsOutliveTheAgentThatHadThem(t *testing.T) {
	t.Parallel()
	d := openWith(t, map[string]string{
		"work":   "match: Change\n" + changesWords,
		"review": "match: I reviewed\nresume: yes\nrun test -e killed || { touch killed; kill -9 $PPID; }\ntext C1: Done.\n",
		"later":  "match: Carry on\nresume: yes\ntext C1: Done.\n",
	})
	task := d.run(beckon.NewTask{Title: "Change the words"})
	d.Until("review", func() bool { return d.Tasks[task.ID].Status == beckon.Review })
	d.commentOn(task.ID, 2, "zwei", "In English.")
	d.sendComments(task.ID, 1)
	d.Until("the agent's death", func() bool {
		run := d.Seen.Runs[task.ID]
		return run.Number == 2 && run.Phase == beckon.Ended && run.Outcome != beckon.Succeeded
	})
	if list := d.commentsOf(task.ID); len(list) != 1 || list[0].State != reviewing.CommentSent || list[0].Text != "In English." {
		t.Fatalf("after its death they are %+v", list)
	}
	if _, err := d.MoveTask(task.ID, beckon.Running, 0); err != nil {
		t.Fatal(err)
	}
	list := d.untilComments(task.ID, "the answer", allIn(reviewing.CommentAnswered))
	if len(list) != 1 || list[0].Answer != "Done." {
		t.Errorf("the answers are %+v", list)
	}
}

// TestCommentsThatCannotBeSentAreDraftsStill: an archived task takes no message, and
// one that is taken back gives its comments back.
func TestCommentsThatCannotBeSentAreDraftsStill(t *testing.T) {
	t.Parallel()
	d := openWith(t, map[string]string{"work": "match: Change\n" + changesWords + "ask Which? | A | B\n"})
	task := d.run(beckon.NewTask{Title: "Change the words"})
	d.Question("Which?")
	d.commentOn(task.ID, 2, "zwei", "In English.")
	d.sendComments(task.ID, 1)
	if err := d.RemoveMessage(d.commentsOf(task.ID)[0].MessageID); err != nil {
		t.Fatal(err)
	}
	if list := d.commentsOf(task.ID); list[0].State != reviewing.CommentDraft {
		t.Errorf("the message is taken back, and the comment is %+v", list[0])
	}
	if err := d.Stop(task.ID); err != nil {
		t.Fatal(err)
	}
	d.Until("the end", func() bool { return d.Seen.Runs[task.ID].Phase == beckon.Ended })
	if _, err := d.MoveTask(task.ID, beckon.Archived, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := d.SendComments(task.ID); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("an archived task was sent comments: %v", err)
	}
	if list := d.commentsOf(task.ID); list[0].State != reviewing.CommentDraft {
		t.Errorf("it was not sent, and the comment is %+v", list[0])
	}
	if err := d.DeleteComment(d.commentsOf(task.ID)[0].ID); err != nil || len(d.commentsOf(task.ID)) != 0 {
		t.Errorf("the draft is still there: %v", err)
	}
}

// said returns what an agent wrote to a file of its worktree.
func (d *desktopOf) said(taskID, file string) string {
	d.T.Helper()
	dir, err := d.p.board.Worktree(d.T.Context(), taskID)
	if err != nil {
		d.T.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		d.T.Fatal(err)
	}
	return string(text)
}

// openWith opens Beckon with agents that play one of several scripts.
func openWith(t *testing.T, scripts map[string]string) *desktopOf {
	t.Helper()
	return startWith(t, runnertest.AgentsOf(t, scripts))
}
