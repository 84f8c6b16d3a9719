package acpagent

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// has reports whether there is a file of that name in its home.
func (a *agent) has(file string) bool {
	_, err := os.Stat(filepath.Join(a.home, file))
	return err == nil
}

// model is the one that a session has.
func (a *agent) model(session string) string {
	if name, err := os.ReadFile(filepath.Join(a.home, session+".model")); err == nil {
		return string(name)
	}
	return "fast"
}

func (a *agent) keepModel(session, name string) {
	if err := os.WriteFile(filepath.Join(a.home, session+".model"), []byte(name), 0o600); err != nil {
		panic(err)
	}
}

// options are all that can be chosen of a session.
func (a *agent) options(session string) []any {
	if a.has("older") || a.has("modelless") {
		return []any{}
	}
	return []any{
		map[string]any{"type": "boolean", "id": "loud", "name": "Loud", "currentValue": true},
		map[string]any{
			"type": "select", "id": "which", "category": "model", "name": "Model", "currentValue": a.model(session),
			"options": []any{
				map[string]any{"group": "all", "name": "All", "options": []any{
					map[string]any{"value": "fast", "name": "Fast one"}, map[string]any{"value": "deep", "name": "Deep one"},
				}},
			},
		},
	}
}

// opened answers the request that opens a session.
func (a *agent) opened(m message, result map[string]any, session string) {
	if quiet := m.Method == "session/load" && a.has("silent"); !quiet {
		result["configOptions"] = a.options(session)
	}
	if a.has("older") {
		result["models"] = map[string]any{"currentModelId": a.model(session), "availableModels": []any{
			map[string]any{"modelId": "fast", "name": "Fast one"}, map[string]any{"modelId": "deep", "name": "Deep one"},
		}}
	}
	a.answer(m, result)
}

// answer sends the result of a request, as the schema has it.
func (a *agent) answer(m message, result map[string]any) {
	raw, err := json.Marshal(result)
	if err != nil {
		panic(err)
	}
	a.check(fits(schemas().results, m.Method, raw))
	a.send(message{ID: m.ID, Result: result})
}

// option sets an option of a session: there is one that has words.
func (a *agent) option(m message) {
	var p struct {
		Session string `json:"sessionId"`
		Option  string `json:"configId"`
		Value   string `json:"value"`
	}
	_ = json.Unmarshal(m.Params, &p)
	if p.Option != "which" || p.Value != "fast" && p.Value != "deep" {
		a.send(message{ID: m.ID, Error: &rpcError{-32602, "no " + p.Option + " " + p.Value}})
		return
	}
	a.keepModel(p.Session, p.Value)
	a.answer(m, map[string]any{"configOptions": a.options(p.Session)})
}

// olderModel sets the model of a session as the older protocol does.
func (a *agent) olderModel(m message) {
	var p struct {
		Session string `json:"sessionId"`
		Model   string `json:"modelId"`
	}
	_ = json.Unmarshal(m.Params, &p)
	a.keepModel(p.Session, p.Model)
	a.answer(m, map[string]any{})
}
