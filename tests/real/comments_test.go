package real

import (
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// TestCommentsOnChangesAreAnsweredOneByOne: the session is resumed with all of them in
// one message, what the model says to each is shown at it, and what it changed for them
// is shown alone.
func TestCommentsOnChangesAreAnsweredOneByOne(t *testing.T) {
	t.Parallel()
	s := fixture.New(t,
		fixture.Turn{"tool": "Write", "input": map[string]any{"file_path": "a.txt", "content": "one\ntwo\n"}}, fixture.Turn{"text": "First try."},
		fixture.Turn{"text": "Two things.", "tool": "Bash", "input": map[string]any{"command": "printf 'zero\\none\\n2\\n' > a.txt", "description": "Write"}},
		fixture.Turn{"text": "All done.\n\n- **C1**: It stays, as the first number.\n- **C2**: Written as a digit."})
	task := s.Create(beckon.NewTask{Title: "Write a file", Mode: beckon.ModeAcceptEdits})
	task = s.InReview(task.ID)
	for line, text := range []string{"Why this one?", "As a digit."} {
		client.Must[reviewing.Comment](s.Program, "SaveComment", reviewing.CommentEdit{TaskID: task.ID, Text: text, Lines: reviewing.CommentLines{
			Path: "a.txt", Side: reviewing.After, First: line + 1, Last: line + 1, Quote: []string{"one", "two"}[line],
		}})
	}
	if n := client.Must[int](s.Program, "SendComments", task.ID); n != 2 {
		t.Fatalf("%d comments were sent", n)
	}
	var list []reviewing.Comment
	s.Until("the comments are answered", patience, func() bool {
		list = client.Must[[]reviewing.Comment](s.Program, "Comments", task.ID)
		return list[0].State == reviewing.CommentAnswered && list[1].State == reviewing.CommentAnswered
	})
	if list[0].Answer != "It stays, as the first number." || list[1].Answer != "Written as a digit." {
		t.Errorf("the answers are %q and %q", list[0].Answer, list[1].Answer)
	}
	s.InReview(task.ID)
	list = client.Must[[]reviewing.Comment](s.Program, "Comments", task.ID)
	if list[0].Outdated || list[0].First != 2 || !list[1].Outdated {
		t.Errorf("the first one's line moved to line 2, the other's is gone; they are %+v", list)
	}
	whole := client.Must[beckon.ReviewDiff](s.Program, "Review", task.ID, reviewing.View{})
	if len(whole.Files) != 1 || whole.Files[0].Patch != "@@ -0,0 +1,3 @@\n+zero\n+one\n+2\n" {
		t.Errorf("since the base it is %+v", whole.Files)
	}
	for _, since := range []string{reviewing.SinceTurn + "2", reviewing.SinceReview} {
		part := client.Must[beckon.ReviewDiff](s.Program, "Review", task.ID, reviewing.View{Since: since})
		if len(part.Files) != 1 || part.Files[0].Patch != "@@ -1,2 +1,3 @@\n+zero\n one\n-two\n+2\n" {
			t.Errorf("%s alone is %+v", since, part.Files)
		}
	}
	if turns := client.Must[reviewing.Ranges](s.Program, "ChangeRanges", task.ID).Turns; len(turns) != 2 || turns[0].Text != "Write a file" ||
		turns[0].State != reviewing.TurnRecorded || turns[1].State != reviewing.TurnRecorded || !strings.HasPrefix(turns[1].Text, "I reviewed your changes") {
		t.Errorf("the turns are %+v", turns)
	}
	s.Heard("Name each of these marks once: C1, C2.")
	if n := strings.Count(s.Told(), "I reviewed your changes and have 2 comments"); n == 0 {
		t.Error("the model did not get the message")
	}
	if runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID); len(runs) != 2 || runs[0].Session != runs[1].Session {
		t.Errorf("runs %+v; want two of one session", runs)
	}
}
