package loopback

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// Secret is what two processes of one user know from a file that only the user can read,
// and prove to each other. It is never sent: a process that listens at an address may be
// another program, or another user's, once the Beckon that wrote the file was killed.
//
// One side sends a nonce, and the other answers with what only the secret can make of it.
type Secret string

// NewSecret returns 256 random bits.
func NewSecret() Secret {
	bits := make([]byte, 32)
	rand.Read(bits) // never fails: it ends the program instead
	return Secret(base64.RawURLEncoding.EncodeToString(bits))
}

// Prove returns the proof of a side that it knows the secret, for a nonce and
// what is said with it. The side's name keeps either proof from being of use to
// the other.
func (s Secret) Prove(side string, said ...string) string {
	h := hmac.New(sha256.New, []byte(s))
	h.Write([]byte(strings.Join(append([]string{side}, said...), "\n")))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// Proves reports whether the proof is the one of that side. Nothing proves an
// empty secret.
func (s Secret) Proves(proof, side string, said ...string) bool {
	return s != "" && hmac.Equal([]byte(proof), []byte(s.Prove(side, said...)))
}
