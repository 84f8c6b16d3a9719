package real

import (
	"slices"
	"testing"

	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// The default model and sonnet, as the API is asked for them; the default as Beckon shows
// it, and how many tokens sonnet holds.
var (
	opus, opusShown, sonnet = "claude-opus-4-8", "claude-opus-4-8[1m]", "claude-sonnet-5"
	sonnetHolds             = int64(200_000)
)

func init() {
	if fixture.NewestCLI() {
		opus, opusShown, sonnet, sonnetHolds = "claude-opus-5-5", "claude-opus-5-5", "claude-sonnet-5-5", 1_000_000
	}
}

// models returns the models of the requests of turns, in order.
func models(t *testing.T, s *fixture.Fixture) (models []string) {
	t.Helper()
	for _, r := range requests(t, s) {
		models = append(models, r.Model)
	}
	return models
}

// TestAModelThatIsChosenInATurnIsTheNextTurns, or with the newest CLI that of the rest of
// the turn: while the turn waits for an answer, and after it, Beckon shows the model that the
// API is asked with.
func TestAModelThatIsChosenInATurnIsTheNextTurns(t *testing.T) {
	t.Parallel()
	rest, restShown, chosen := opus, opusShown, "sonnet"
	if fixture.NewestCLI() {
		rest, restShown, chosen = sonnet, sonnet, ""
	}
	for _, tool := range []string{"AskUserQuestion", "mcp__beckon__ask_user"} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			ask := func(text string) fixture.Turn {
				return fixture.Turn{"tool": tool, "input": fixture.Questions(fixture.Question(text, "Which", "A", "B"))}
			}
			s := fixture.New(t, ask("Which one?"), ask("Which other?"), fixture.Turn{"text": "One."}, ask("Which then?"), fixture.Turn{"text": "Two."})
			task := chat(t, s)
			shown := func(when, model, next string) {
				t.Helper()
				runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID)
				if run := runs[0]; len(runs) != 1 || run.Model != model || run.NextModel != next {
					t.Errorf("%s Beckon shows %q, then %q; want %q, then %q", when, run.Model, run.NextModel, model, next)
				}
			}
			asked := func(when string, want ...string) {
				t.Helper()
				if got := models(t, s); !slices.Equal(got, want) {
					t.Errorf("%s the API was asked with %q, want %q", when, got, want)
				}
			}

			post(s, task.ID, "one", beckon.Queue)
			q := s.Asked(task.ID, "Which one?")
			client.Must[any](s.Program, "SwitchModel", task.ID, "sonnet")
			shown("after the choice", restShown, chosen)
			s.Answer(q, "A")
			q = s.Asked(task.ID, "Which other?")
			shown("after the answer", restShown, chosen)
			asked("after the answer", opus, rest)
			s.Answer(q, "B")
			idle(t, s, task.ID, 1)
			asked("in the turn of the choice", opus, rest, rest)
			shown("after the turn", sonnet, "")

			post(s, task.ID, "two", beckon.Queue)
			q = s.Asked(task.ID, "Which then?")
			shown("in the next turn", sonnet, "")
			s.Answer(q, "A")
			idle(t, s, task.ID, 2)
			asked("at the end", opus, rest, rest, sonnet, sonnet)
			shown("at the end", sonnet, "")
		})
	}
}
