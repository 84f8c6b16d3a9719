package web

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"slices"
	"sync"
	"time"
)

// linkLife is how long a link that nobody used opens Beckon.
const linkLife = 10 * time.Minute

// digest stands for a secret, which is kept nowhere but with its owner.
type digest [sha256.Size]byte

func digestOf(secret string) digest { return sha256.Sum256([]byte(secret)) }

// is takes the same time whatever the difference.
func (d digest) is(other digest) bool { return subtle.ConstantTimeCompare(d[:], other[:]) == 1 }

// newSecret returns 256 random bits, fit for a URL, a cookie and a header.
func newSecret() string {
	bits := make([]byte, 32)
	_, _ = rand.Read(bits) // never fails
	return base64.RawURLEncoding.EncodeToString(bits)
}

// wall is the time by the wall clock: the monotonic one stands still while a
// laptop sleeps, and what expires must expire meanwhile.
func wall() time.Time { return time.Now().Round(0) }

// tokenStore holds the one-time tokens of links.
type tokenStore struct {
	mu     sync.Mutex
	tokens []linkToken
}

type linkToken struct {
	digest digest
	until  time.Time
}

// issue returns a new token.
func (s *tokenStore) issue() string {
	secret := newSecret()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	s.tokens = append(s.tokens, linkToken{digestOf(secret), wall().Add(linkLife)})
	return secret
}

// redeem reports whether the token is valid, and if so invalidates it.
func (s *tokenStore) redeem(secret string) bool {
	want, found := digestOf(secret), -1
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	for i, t := range s.tokens {
		if t.digest.is(want) {
			found = i
		}
	}
	if found >= 0 {
		s.tokens = slices.Delete(s.tokens, found, found+1)
	}
	return found >= 0
}

// sweep drops what expired; mu is held.
func (s *tokenStore) sweep() {
	now := wall()
	s.tokens = slices.DeleteFunc(s.tokens, func(t linkToken) bool { return !now.Before(t.until) })
}
