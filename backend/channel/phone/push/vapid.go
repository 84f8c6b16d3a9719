package push

import (
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/secrets"
	"beckon/backend/store"
)

// This file keeps the keys by which push services know that messages to a phone
// are from where it subscribed (RFC 8292). They are made once: phones that subscribed
// with others would hear nothing more. The private one is a secret; the public one
// says that there is such a secret, also while it cannot be read.

// secret is the name under which the private key is kept.
const secret = "push.key"

// Keys are in base64 for URLs.
type Keys struct{ Private, Public string }

// KeyBook keeps the keys. Its methods may be called from any goroutine.
type KeyBook struct {
	secrets *secrets.Secrets
	table   store.Settings

	mu   sync.Mutex
	keys *Keys // nil until they were read
}

// NewKeyBook returns the book of a data folder.
func NewKeyBook(s *secrets.Secrets, t store.Settings) *KeyBook { return &KeyBook{secrets: s, table: t} }

// Keys returns the keys, which are made at the first call ever. A private key that
// cannot be read is an error, and never replaced.
func (b *KeyBook) Keys(ctx context.Context) (Keys, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.keys != nil {
		return *b.keys, nil
	}
	public, err := b.table.PushKey(ctx)
	if err != nil {
		return Keys{}, err
	}
	k := Keys{}
	if public == "" {
		k, err = b.create(ctx)
	} else {
		k, err = b.read(public)
	}
	if err == nil {
		b.keys = &k
	}
	return k, err
}

// read returns the keys of a public one.
func (b *KeyBook) read(public string) (Keys, error) {
	private, err := b.secrets.Get(secret)
	if err != nil {
		return Keys{}, err
	}
	raw, err := base64.RawURLEncoding.DecodeString(private)
	key, wrong := ecdh.P256().NewPrivateKey(raw)
	if errors.Join(err, wrong) != nil || encodeKey(key) != public {
		return Keys{}, fmt.Errorf("the key for notifications on phones is not the one that they know: %w", beckon.ErrUnavailable)
	}
	return Keys{private, public}, nil
}

// create makes a pair. The private key is kept first: a public one alone would say
// that there is another.
func (b *KeyBook) create(ctx context.Context) (Keys, error) {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return Keys{}, err
	}
	k := Keys{base64.RawURLEncoding.EncodeToString(key.Bytes()), encodeKey(key)}
	if err := b.secrets.Set(secret, k.Private); err != nil {
		return Keys{}, err
	}
	return k, b.table.SavePushKey(ctx, k.Public)
}

func encodeKey(key *ecdh.PrivateKey) string {
	return base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes())
}
