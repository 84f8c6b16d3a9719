package loopback

import "testing"

func TestOnlyTheSecretProves(t *testing.T) {
	t.Parallel()
	s := NewSecret()
	proof := s.Prove("server", "nonce", "token")
	if !s.Proves(proof, "server", "nonce", "token") {
		t.Error("the right proof is refused")
	}
	for name, ok := range map[string]bool{
		"another secret": NewSecret().Proves(proof, "server", "nonce", "token"),
		"another side":   s.Proves(proof, "client", "nonce", "token"),
		"another nonce":  s.Proves(proof, "server", "once", "token"),
		"another token":  s.Proves(proof, "server", "nonce", "taken"),
		"no proof":       s.Proves("", "server", "nonce", "token"),
		"no secret":      Secret("").Proves(Secret("").Prove("server"), "server"),
	} {
		if ok {
			t.Errorf("%s is taken for a proof", name)
		}
	}
}
