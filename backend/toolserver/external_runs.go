package toolserver

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
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
	Proof string `json:"proof"` // that it comes from who wrote the Door
}

// Door is where guests are let in. The secret is never sent: when Beckon was
// killed, another program may listen on its port. Both sides prove instead
// that they know it, by what only they can make of the guest's nonce.
type Door struct {
	URL    string `json:"url"`    // guests POST a Guest here
	MCP    string `json:"mcp"`    // where a Pass is good
	Secret string `json:"secret"` // random, new with each start
}

// doorScheme is of the header by which a guest proves itself: NONCE.PROOF.
const doorScheme = "Beckon-Door "

// Introduce returns the Authorization header of a guest, and the nonce that
// the Pass must vouch for. What an impostor hears it cannot use: the Beckon
// that knew the secret is dead.
func (d Door) Introduce() (header, nonce string) {
	nonce = rand.Text()
	return doorScheme + nonce + "." + d.prove("guest", nonce), nonce
}

// Vouches reports whether the pass comes from the Beckon that wrote the Door,
// in reply to the nonce.
func (d Door) Vouches(p Pass, nonce string) bool {
	return p.Token != "" && hmac.Equal([]byte(p.Proof), []byte(d.prove("beckon", nonce, p.Token)))
}

// introduced returns the nonce of a header that Introduce made with the same
// secret.
func (d Door) introduced(header string) (nonce string, ok bool) {
	given, found := strings.CutPrefix(header, doorScheme)
	nonce, proof, cut := strings.Cut(given, ".")
	return nonce, found && cut && hmac.Equal([]byte(proof), []byte(d.prove("guest", nonce)))
}

// pass returns a pass that vouches for the nonce.
func (d Door) pass(token, nonce string) Pass {
	return Pass{Token: token, Proof: d.prove("beckon", nonce, token)}
}

// prove begins with who speaks, so that neither side's proof is of use to the
// other.
func (d Door) prove(words ...string) string {
	h := hmac.New(sha256.New, []byte(d.Secret))
	h.Write([]byte(strings.Join(words, "\n")))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// Door tells how programs outside Beckon get in. It is for a file that only
// the user can read.
func (s *Server) Door() Door {
	return Door{URL: s.base + guestPath, MCP: s.URL(), Secret: s.door}
}

// guests lets through to next whoever knows the door's secret.
func (s *Server) guests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, ok := s.Door().introduced(r.Header.Get("Authorization")); !ok {
			unauthorized(w, "the proof is missing or wrong, or Beckon was started again")
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
	nonce, _ := s.Door().introduced(r.Header.Get("Authorization"))
	if json.NewEncoder(w).Encode(s.Door().pass(token, nonce)) != nil || http.NewResponseController(w).Flush() != nil {
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
