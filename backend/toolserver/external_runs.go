package toolserver

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"beckon/backend/loopback"
)

// externalPath is where a program that Beckon did not start begins a run.
const externalPath = "/external"

// maxClient is how long, in bytes, what a client says of itself may be.
const maxClient = 4 << 10

// Client is what a program outside Beckon says of itself. Nothing of it is
// checked: it is shown as what the program claims.
type Client struct {
	Name string `json:"client"` // its name and version
	Dir  string `json:"dir"`    // where it works
}

// Token is what a client gets: the bearer token of a run of its own. It is valid
// until either side closes the connection that brought it.
type Token struct {
	Value string `json:"token"`
	Proof string `json:"proof"` // that it comes from the Beckon that wrote the Endpoint
}

// Endpoint is where clients begin a run. The secret is never sent: when Beckon
// was killed, another program may listen on its port. Both sides prove instead
// that they know it, by what only they can make of the client's nonce.
type Endpoint struct {
	URL string `json:"url"` // clients POST a Client here
	MCP string `json:"mcp"` // where a Token is valid
	// Hook is where the hooks of sessions elsewhere POST a HookCall.
	Hook string `json:"hook"`
	// Start is where programs POST a StartCall.
	Start string `json:"start"`
	// Secret is random, another with each start.
	Secret loopback.Secret `json:"secret"`
}

// authScheme begins the header by which a client proves itself: NONCE.PROOF.
const authScheme = "Beckon-External "

// Authorization returns the Authorization header of a client, and the nonce that
// the Token must prove. What an impostor reads it cannot use: the Beckon that
// knew the secret is dead.
func (e Endpoint) Authorization() (header, nonce string) {
	nonce = rand.Text()
	return authScheme + nonce + "." + e.Secret.Prove("client", nonce), nonce
}

// Verify reports whether the token comes from the Beckon that wrote the Endpoint,
// in reply to the nonce.
func (e Endpoint) Verify(t Token, nonce string) bool {
	return t.Value != "" && e.Secret.Proves(t.Proof, "beckon", nonce, t.Value)
}

// authorized returns the nonce of a header that Authorization made with the same
// secret.
func (e Endpoint) authorized(header string) (nonce string, ok bool) {
	given, found := strings.CutPrefix(header, authScheme)
	nonce, proof, cut := strings.Cut(given, ".")
	return nonce, found && cut && e.Secret.Proves(proof, "client", nonce)
}

// token returns a Token that answers the nonce.
func (e Endpoint) token(value, nonce string) Token {
	return Token{Value: value, Proof: e.Secret.Prove("beckon", nonce, value)}
}

// Endpoint is where programs outside Beckon begin a run. It is for a file that
// only the user can read.
func (s *Server) Endpoint() Endpoint {
	return Endpoint{URL: s.base + externalPath, MCP: s.URL(), Hook: s.base + hookPath, Start: s.base + startPath, Secret: s.secret}
}

// authorizeClients lets only clients that know the secret through to next.
func (s *Server) authorizeClients(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, ok := s.Endpoint().authorized(r.Header.Get("Authorization")); !ok {
			unauthorized(w, "the proof is missing or wrong, or Beckon was started again")
			return
		}
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", "POST")
			refuse(w, http.StatusMethodNotAllowed, "method_not_allowed", "this is reached by POST")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// serveClient gives a client a run for as long as its connection is open, so that
// one that dies silently is noticed.
func (s *Server) serveClient(w http.ResponseWriter, r *http.Request) {
	var client Client
	if err := json.NewDecoder(r.Body).Decode(&client); err != nil || len(client.Name)+len(client.Dir) > maxClient {
		refuse(w, http.StatusBadRequest, "invalid", fmt.Sprintf("a client is {\"client\",\"dir\"} of at most %d bytes", maxClient))
		return
	}
	c, end, err := s.desk.BeginExternalRun(r.Context())
	if err != nil {
		refuse(w, http.StatusInternalServerError, "internal", "Beckon cannot begin an external run: "+err.Error())
		return
	}
	defer end()
	c.Origin = client.origin()
	token := s.Admit(c)
	defer s.Dismiss(token)
	if s.prove(w, r, token) != nil {
		return // gone already
	}
	select {
	case <-r.Context().Done():
	case <-s.ctx.Done():
	}
}

// prove writes the first line of a reply: a token, and that it is Beckon's.
func (s *Server) prove(w http.ResponseWriter, r *http.Request, token string) error {
	w.Header().Set("Content-Type", "application/json")
	nonce, _ := s.Endpoint().authorized(r.Header.Get("Authorization"))
	err := json.NewEncoder(w).Encode(s.Endpoint().token(token, nonce))
	return errors.Join(err, http.NewResponseController(w).Flush())
}

func (c Client) origin() string {
	parts := make([]string, 0, 2)
	for _, part := range []string{c.Name, c.Dir} {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " · ")
}
