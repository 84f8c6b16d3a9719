package driver

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"reflect"
	"slices"
	"sync"

	"beckon/backend/agent/acp"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/disk"
)

// offer is what an agent offered of models.
type offer struct {
	Models []beckon.Model `json:"models"`
	// Option is the id of the session's option that sets them, empty where an older request
	// does.
	Option string `json:"option"`
}

func (o offer) has(model string) bool {
	return slices.ContainsFunc(o.Models, func(m beckon.Model) bool { return m.Value == model })
}

// offers are the offers of the kinds, each of its newest session. They are kept in a file,
// whose loss costs nothing that the next session does not bring back.
type offers struct {
	mu    sync.Mutex
	known map[string]offer // nil before the file was read
}

// of returns what a kind offered.
func (o *offers) of(file, kind string) offer {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.read(file)
	return o.known[kind]
}

// keep keeps what a kind offers.
func (o *offers) keep(file, kind string, is offer) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.read(file); reflect.DeepEqual(o.known[kind], is) {
		return
	}
	o.known[kind] = is
	if file == "" {
		return
	}
	raw, err := json.Marshal(o.known)
	if err == nil {
		err = disk.Replace(file, raw)
	}
	logged("keep the models of agents", err)
}

// read reads the file once. The caller holds mu.
func (o *offers) read(file string) {
	if o.known != nil {
		return
	}
	if file == "" {
		o.known = map[string]offer{}
		return
	}
	raw, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(raw, &o.known)
	}
	if err == nil && o.known != nil {
		return
	}
	o.known = map[string]offer{}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		slog.Warn("the models of agents are not known until they open a session", "err", err)
	}
}

// learnModels notes the models that the agent offers in the session that it opened. One that
// says nothing of them when it goes on with a session has those that it had.
func (s *session) learnModels(opened acp.Opened) {
	current, option := opened.Model()
	is := offer{Models: opened.Offers(), Option: option}
	if silent := current == "" && len(is.Models) == 0; silent && s.launch.Session != "" {
		is = s.knows()
	} else {
		s.keep(is)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.models, s.own = is, current
}

// SetModel implements agent.Session. The protocol does not say whether the running turn goes
// on with the model; "" is the one that the session had when it was opened.
func (s *session) SetModel(ctx context.Context, model string) (bool, error) {
	if model != "" {
		return false, s.useModel(ctx, model)
	}
	s.mu.Lock()
	own := s.own
	s.mu.Unlock()
	return false, s.useModel(ctx, own)
}

// useModel has the session go on with a model, "" for the one that it has. It never takes
// another one instead: what the agent does not offer is refused.
func (s *session) useModel(ctx context.Context, model string) error {
	s.mu.Lock()
	id, models := s.id, s.models
	current, _ := s.says.Model()
	s.mu.Unlock()
	switch {
	case model == "" || model == current:
		return nil
	case !models.has(model):
		return s.noModel(model)
	case models.Option == "":
		if err := s.call(ctx, acp.SetModel, map[string]any{"sessionId": id, "modelId": model}, nil); err != nil {
			return err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.says.Models.Current = model
		return nil
	}
	var after acp.Opened
	params := map[string]any{"sessionId": id, "configId": models.Option, "value": model}
	if err := s.call(ctx, acp.SetOption, params, &after); err != nil {
		return err
	}
	s.optionsAre(after.Options)
	if now, option := after.Model(); option != "" && now != model {
		return s.noModel(model)
	}
	return nil
}

// noModel is why a session does not begin with a model that its agent does not have.
func (s *session) noModel(model string) error {
	return reason.Of(reason.AgentNoModel, "agent", s.kind.Label, "model", model).Err(beckon.ErrUnavailable)
}

// optionsAre notes what the agent says of all its options.
func (s *session) optionsAre(options []acp.Option) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(options) > 0 {
		s.says.Options = options
	}
}

// modelName returns the model that the session has.
func (s *session) modelName() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, _ := s.says.Model()
	return name
}
