package desk

import (
	"fmt"
	"slices"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
	"beckon/backend/channel"
	"beckon/backend/channel/phone/view"
	"beckon/tests/runnertest"
)

func TestMain(m *testing.M) { runnertest.Main(m) }

func TestEachQuestionIsShownAwayWithItsOwnTask(t *testing.T) {
	t.Parallel()
	d := runnertest.Start(t, "")
	questions, want := []beckon.Question{{ID: "elsewhere"}}, []string{"elsewhere  "}
	for n := range 3 {
		task, err := d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: fmt.Sprint("Task ", n), Brief: "x", Status: beckon.Backlog, Labels: []string{}})
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"a", "b"} {
			questions = append(questions, beckon.Question{ID: id + task.Key, TaskID: task.ID})
			want = append(want, fmt.Sprintf("%s%s %s %s", id, task.Key, task.Title, d.Project.Name))
		}
	}
	questions = append(questions, beckon.Question{ID: "of a card that was removed", TaskID: "gone"})
	away := Away{Store: d.Store}
	got, err := allOf(t.Context(), away, questions, func(q beckon.Question, of owner) string {
		return q.ID + " " + of.task.Title + " " + of.project.Name
	})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	if a, err := (Phones{away}).Asked(t.Context(), "none"); beckon.Code(err) != "not_found" {
		t.Errorf("a question that there is not: %+v, %v, by the %s", a, err, remote.Phone)
	}
	if a, err := (Telegram{away}).Asked(t.Context(), "none"); beckon.Code(err) != "not_found" {
		t.Errorf("a question that there is not: %+v, %v, by %s", a, err, remote.Telegram)
	}
}

// TestAnotherAgentIsNamedAway: a question of Codex's says so on phones and in Telegram.
func TestAnotherAgentIsNamedAway(t *testing.T) {
	t.Parallel()
	task := beckon.Task{ID: "t", Key: "KES-1", Agent: "codex"}
	q, of := beckon.Question{ID: "q", TaskID: "t"}, owner{task: task}
	if a := (Phones{}).asked(q, of); a.Agent != (view.Agent{Kind: "codex", Says: "Codex"}) {
		t.Errorf("a phone is shown %+v", a.Agent)
	}
	if a := (Phones{}).asked(q, owner{}); a.Agent != (view.Agent{Says: "Claude"}) {
		t.Errorf("of Claude a phone is shown %+v", a.Agent)
	}
	if a := (Telegram{Away{Hub: &channel.Hub{}}}).asked(q, of); a.Agent != "codex" {
		t.Errorf("a chat is shown %+v", a)
	}
}
