package acp

import (
	"encoding/json"

	"beckon/backend/beckon"
	"beckon/backend/plain"
)

// The categories of options that Beckon sets.
const (
	modelOption = "model"
	modeOption  = "mode"
)

// mostModels is how many models of an agent are kept, and mostName how long a name is.
const (
	mostModels = 500
	mostName   = 200
)

// Opened is what an agent says of a session that it opens. It has its modes and models as
// options; an older agent has them beside those, and no options.
type Opened struct {
	ID    string `json:"sessionId"`
	Modes struct {
		Current string `json:"currentModeId"`
	} `json:"modes"`
	Models struct {
		Current   string   `json:"currentModelId"`
		Available []Choice `json:"availableModels"`
	} `json:"models"`
	Options []Option `json:"configOptions"`
}

// Option is what can be chosen of a session.
type Option struct {
	ID       string          `json:"id"`
	Category string          `json:"category"`
	Current  json.RawMessage `json:"currentValue"` // a word, or true or false
	Choices  []Choice        `json:"options"`
}

// Choice is one value of an option, or a group of them.
type Choice struct {
	Value       string   `json:"value"`
	ModelID     string   `json:"modelId"` // the value, of an older agent
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Choices     []Choice `json:"options"` // of a group
}

func (o Opened) option(category string) (found Option, current string) {
	for _, option := range o.Options {
		if option.Category == category {
			Decode(option.Current, &current)
			return option, current
		}
	}
	return found, ""
}

// Mode returns the mode that the session has, and the option that sets it. Both are empty
// where there is none.
func (o Opened) Mode() (current, option string) {
	if found, current := o.option(modeOption); found.ID != "" {
		return current, found.ID
	}
	return o.Modes.Current, ""
}

// Model returns the model that the session has, and the option that sets it. Both are empty
// where there is none.
func (o Opened) Model() (current, option string) {
	if found, current := o.option(modelOption); found.ID != "" {
		return current, found.ID
	}
	return o.Models.Current, ""
}

// Offers are the models that the session can have.
func (o Opened) Offers() []beckon.Model {
	if found, _ := o.option(modelOption); found.ID != "" {
		return offers(nil, found.Choices)
	}
	return offers(nil, o.Models.Available)
}

// offers adds those of the choices that a task can name.
func offers(list []beckon.Model, choices []Choice) []beckon.Model {
	for _, c := range choices {
		value := c.Value + c.ModelID
		if value != "" && beckon.SoundModel(value) && len(list) < mostModels {
			list = append(list, beckon.Model{
				Value: value, Resolved: value, Name: plain.Line(c.Name, mostName),
				Description: plain.Line(c.Description, mostName), Efforts: []string{},
			})
		}
		list = offers(list, c.Choices)
	}
	return list
}
