package driver

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"beckon/backend/agent"
	"beckon/backend/agent/acp"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/tests/fixture"
)

// homeWith returns a home of the scripted agent, with a file that says how it is.
func homeWith(t *testing.T, file string) string {
	t.Helper()
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, file), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return home
}

// modelOf is the model with which the next turn begins.
func (r *running) modelOf() string {
	r.t.Helper()
	r.says("say hello")
	began := await[agent.TurnBegan](r)
	await[agent.TurnEnded](r)
	return began.Model
}

// TestASessionBeginsWithTheModelOfItsTask, which it has before it hears of its work.
func TestASessionBeginsWithTheModelOfItsTask(t *testing.T) {
	t.Parallel()
	for file, method := range map[string]string{"new": acp.SetOption, "older": acp.SetModel} {
		r := ready(t, agent.Launch{Model: "deep"}, homeWith(t, file))
		if set := r.sent(method); len(set) != 1 || len(r.sent(acp.Prompt)) != 0 {
			t.Errorf("%s: before the first message it is set %v", file, set)
		}
		if model := r.modelOf(); model != "deep" {
			t.Errorf("%s: the turn has the model %q", file, model)
		}
		if modes := r.sent(acp.SetMode); len(modes) != 1 {
			t.Errorf("%s: %d modes were set", file, len(modes))
		}
	}
	for file, method := range map[string]string{"new": acp.SetOption, "older": acp.SetModel} {
		r := ready(t, agent.Launch{}, homeWith(t, file))
		if model := r.modelOf(); model != "fast" || len(r.sent(method)) != 0 {
			t.Errorf("%s: without a model it has %q", file, model)
		}
	}
}

// TestAModelThatIsNotOfferedIsRefused: the session takes no other in silence.
func TestAModelThatIsNotOfferedIsRefused(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"new", "older", "modelless"} {
		r := started(t, agent.Launch{Model: "opus"}, homeWith(t, file))
		ctx, cancel := context.WithTimeout(t.Context(), fixture.Patience)
		_, err := r.Ready(ctx)
		cancel()
		if why := reason.From(err); why == nil || why.Code != reason.AgentNoModel || why.Args["model"] != "opus" {
			t.Errorf("%s: %v", file, err)
		}
		if n := len(r.sent(acp.SetOption)) + len(r.sent(acp.SetModel)); n > 0 {
			t.Errorf("%s: it was set all the same", file)
		}
	}
}

// TestTheModelOfASessionIsChanged while it is open, and back to the one that it began with.
func TestTheModelOfASessionIsChanged(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"new", "older"} {
		r := ready(t, agent.Launch{Model: "deep"}, homeWith(t, file))
		for _, c := range []struct{ choose, want string }{{"", "fast"}, {"deep", "deep"}} {
			if atOnce, err := r.SetModel(t.Context(), c.choose); err != nil || atOnce {
				t.Errorf("%s: %q: %t, %v", file, c.choose, atOnce, err)
			}
			if model := r.modelOf(); model != c.want {
				t.Errorf("%s: after %q it has %q", file, c.choose, model)
			}
		}
		if _, err := r.SetModel(t.Context(), "opus"); !reason.From(err).Is(reason.AgentNoModel) {
			t.Errorf("%s: a model that it does not have: %v", file, err)
		}
		if model := r.modelOf(); model != "deep" {
			t.Errorf("%s: after that it has %q", file, model)
		}
	}
}

// TestAModelThatTheAgentChangesIsNamed: the run says which one worked.
func TestAModelThatTheAgentChangesIsNamed(t *testing.T) {
	t.Parallel()
	r := ready(t, agent.Launch{}, "")
	r.says("model deep")
	await[agent.TurnEnded](r)
	if model := r.modelOf(); model != "deep" {
		t.Errorf("it has %q", model)
	}
}

// TestAnAgentThatSaysNothingOfModelsHasThoseItOffered, when it goes on with a session.
func TestAnAgentThatSaysNothingOfModelsHasThoseItOffered(t *testing.T) {
	t.Parallel()
	home, d := homeWith(t, "silent"), new(Driver)
	first := startedBy(t, d, agent.Launch{}, home)
	readied(t, first)
	first.says("say hello")
	session := await[agent.TurnBegan](first).Session
	await[agent.TurnEnded](first)
	first.leaves()
	next := startedBy(t, d, agent.Launch{Session: session, Model: "deep"}, home)
	readied(t, next)
	if model := next.modelOf(); model != "deep" || len(next.sent(acp.SetOption)) != 1 {
		t.Errorf("it goes on with %q", model)
	}
}

// TestTheModelsOfAnAgentAreKnownAfterARestart.
func TestTheModelsOfAnAgentAreKnownAfterARestart(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "models.json")
	values := func(d *Driver) (values []string) {
		for _, k := range d.Kinds() {
			for _, m := range k.Models {
				values = append(values, k.Name+" "+m.Value+" "+m.Name)
			}
			if k.Models == nil {
				t.Errorf("the models of %s are no list", k.Name)
			}
		}
		return values
	}
	d := &Driver{Models: file}
	if known := values(d); known != nil {
		t.Errorf("before any session: %q", known)
	}
	home := t.TempDir()
	readied(t, startedBy(t, d, agent.Launch{}, home))
	want := []string{"kimi fast Fast one", "kimi deep Deep one"}
	for _, d := range []*Driver{d, {Models: file}} {
		if known := values(d); !slices.Equal(known, want) {
			t.Errorf("it knows %q, want %q", known, want)
		}
	}
	if err := os.WriteFile(filepath.Join(home, "modelless"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	readied(t, startedBy(t, d, agent.Launch{}, home))
	if known := values(d); known != nil {
		t.Errorf("after a session without models: %q", known)
	}
	for _, broken := range []string{"null", "{", `[1]`} {
		if err := os.WriteFile(file, []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		d := &Driver{Models: file}
		d.offers.keep(file, "kimi", offer{Models: []beckon.Model{{Value: "fast", Name: "Fast"}}})
		if known := values(d); len(known) != 1 {
			t.Errorf("behind %q: %q", broken, known)
		}
	}
}
