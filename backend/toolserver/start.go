package toolserver

import (
	"encoding/json"
	"net/http"
)

// startPath is where programs ask for a card of a template.
const startPath = "/start"

// StartCall asks for a card of a template.
type StartCall struct {
	Name    string `json:"name"`
	Project string `json:"project"` // its key; empty where only one project has the template
}

// StartResult is what became of a StartCall: the key of the card, or why there is none.
type StartResult struct {
	Key   string `json:"key"`
	Error string `json:"error"`
}

// serveStart makes a card of a template, and says which.
func (s *Server) serveStart(w http.ResponseWriter, r *http.Request) {
	var call StartCall
	if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
		refuse(w, http.StatusBadRequest, "invalid", "a start is {\"name\",\"project\"}")
		return
	}
	// It never calls the tools, so that it gets a token which opens nothing.
	if s.prove(w, r, "start") != nil {
		return // gone already, and nothing was made
	}
	t, err := s.desk.OnStart(r.Context(), call)
	result := StartResult{Key: t.Key}
	if err != nil {
		result = StartResult{Error: err.Error()}
	}
	_ = json.NewEncoder(w).Encode(result) // to a program that may be gone
}
