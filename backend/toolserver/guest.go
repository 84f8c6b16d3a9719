package toolserver

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// guestPath is where a program that Beckon did not start is let in.
const guestPath = "/guest"

// maxGuest is how long, in bytes, what a guest says of itself may be.
const maxGuest = 4 << 10

// Guest is what a program outside Beckon says of itself. Nothing of it is
// checked: it is shown as what the program claims.
type Guest struct {
	Client string `json:"client"` // its name and version
	Dir    string `json:"dir"`    // where it works
}

// Pass is what a guest gets: the token of a run of its own. It is good until
// either side closes the connection that brought it.
type Pass struct {
	Token string `json:"token"`
}

// Door is where guests are let in, and the token that they show there, which
// opens nothing else.
type Door struct {
	URL   string `json:"url"`   // guests POST a Guest here
	MCP   string `json:"mcp"`   // where a Pass is good
	Token string `json:"token"` // random, new with each start
}

// Door tells how programs outside Beckon get in. It is for a file that only
// the user can read.
func (s *Server) Door() Door {
	return Door{URL: s.base + guestPath, MCP: s.URL(), Token: s.door}
}

// guests lets through to next whoever has the door's token.
func (s *Server) guests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Comparing hashes takes no time that tells how much of a guess was right.
		if sha256.Sum256([]byte(bearer(r))) != sha256.Sum256([]byte(s.door)) {
			unauthorized(w, "the token is missing or wrong, or Beckon was started anew")
			return
		}
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", "POST")
			refuse(w, http.StatusMethodNotAllowed, "method_not_allowed", "guests introduce themselves by POST")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// receive gives a guest a run, for as long as the connection stands: who dies
// without a word is noticed.
func (s *Server) receive(w http.ResponseWriter, r *http.Request) {
	var g Guest
	if err := json.NewDecoder(r.Body).Decode(&g); err != nil || len(g.Client)+len(g.Dir) > maxGuest {
		refuse(w, http.StatusBadRequest, "invalid", fmt.Sprintf("a guest is {\"client\",\"dir\"} of at most %d bytes", maxGuest))
		return
	}
	c, leave, err := s.desk.Welcome(r.Context())
	if err != nil {
		refuse(w, http.StatusInternalServerError, "internal", "Beckon has no room for a guest: "+err.Error())
		return
	}
	defer leave()
	c.Origin = g.origin()
	token := s.Admit(c)
	defer s.Dismiss(token)
	w.Header().Set("Content-Type", "application/json")
	if json.NewEncoder(w).Encode(Pass{token}) != nil || http.NewResponseController(w).Flush() != nil {
		return // gone already
	}
	select {
	case <-r.Context().Done():
	case <-s.ctx.Done():
	}
}

func (g Guest) origin() string {
	parts := make([]string, 0, 2)
	for _, part := range []string{g.Client, g.Dir} {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " · ")
}
