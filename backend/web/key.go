package web

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

const (
	tokenParam = "token"
	// linkLife is how long a link opens Beckon where nobody used it.
	linkLife = 24 * time.Hour
	// sessionLife is how long a cookie is good for after its latest use. It
	// dies with the program in any case.
	sessionLife = 30 * 24 * time.Hour
)

// ring holds the hashes of secrets that are good for a while, so that the
// secrets themselves are nowhere but with whom they were given to.
type ring struct {
	life time.Duration

	mu   sync.Mutex
	keys []key
}

type key struct {
	hash  [sha256.Size]byte
	until time.Time
}

// mint returns a new secret: 256 random bits, fit for a URL or a cookie.
func (r *ring) mint() string {
	bits := make([]byte, 32)
	_, _ = rand.Read(bits) // never fails
	secret := base64.RawURLEncoding.EncodeToString(bits)
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	r.keys = slices.DeleteFunc(r.keys, func(k key) bool { return now.After(k.until) })
	r.keys = append(r.keys, key{sha256.Sum256([]byte(secret)), now.Add(r.life)})
	return secret
}

// renew tells whether secret is good, and if so for another life.
func (r *ring) renew(secret string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := r.find(secret)
	if i < 0 {
		return false
	}
	r.keys[i].until = time.Now().Add(r.life)
	return true
}

// spend tells whether secret is good, and if so makes it worthless.
func (r *ring) spend(secret string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := r.find(secret)
	if i < 0 {
		return false
	}
	r.keys = slices.Delete(r.keys, i, i+1)
	return true
}

// find takes the same time whatever is wrong with secret; mu is held.
func (r *ring) find(secret string) int {
	hash, now, found := sha256.Sum256([]byte(secret)), time.Now(), -1
	for i, k := range r.keys {
		if subtle.ConstantTimeCompare(k.hash[:], hash[:]) == 1 && now.Before(k.until) {
			found = i
		}
	}
	return found
}

// swap gives a cookie for a link's token and sends the browser on to a URL
// without it.
func (s *Server) swap(w http.ResponseWriter, r *http.Request) {
	if !s.links.spend(r.URL.Query().Get(tokenParam)) {
		writePage(w, http.StatusUnauthorized, usedPage)
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: s.cookieName(), Value: s.sessions.mint(), Path: "/",
		HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func (s *Server) known(r *http.Request) bool {
	cookie, err := r.Cookie(s.cookieName())
	return err == nil && s.sessions.renew(cookie.Value)
}

// cookieName has the port in it: browsers share the cookies of a host among
// all its ports, and a second Beckon must not push the first one's out.
func (s *Server) cookieName() string {
	_, port, _ := net.SplitHostPort(s.Addr())
	return "beckon-" + port
}
