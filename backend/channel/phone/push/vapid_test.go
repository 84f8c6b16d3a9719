package push

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/secrets"
	"beckon/backend/store"
)

// TestTheKeysStayThoseThatPhonesKnow, whatever becomes of the private one: phones that
// subscribed would hear nothing more.
func TestTheKeysStayThoseThatPhonesKnow(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "none"))
	ctx, dir := t.Context(), t.TempDir()
	s, err := store.Open(context.WithoutCancel(ctx), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	kept := secrets.New(dir)
	made, err := NewKeyBook(kept, s.Settings).Keys(ctx)
	if err != nil || len(made.Public) != 87 || len(made.Private) != 43 {
		t.Fatalf("made %d and %d letters, %v", len(made.Public), len(made.Private), err)
	}
	if again, err := NewKeyBook(kept, s.Settings).Keys(ctx); err != nil || again != made {
		t.Errorf("then %s, not %s, %v", again.Public, made.Public, err)
	}
	file := filepath.Join(dir, "secrets.json")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	other, err := NewKeyBook(secrets.New(t.TempDir()), s.Settings).Keys(ctx)
	if err == nil {
		t.Errorf("where the private key cannot be read: %s", other.Public)
	}
	for _, damaged := range []string{"damaged", "AAAA", "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U"} {
		if err := kept.Set(secret, damaged); err != nil {
			t.Fatal(err)
		}
		if _, err := NewKeyBook(kept, s.Settings).Keys(ctx); !errors.Is(err, beckon.ErrUnavailable) {
			t.Errorf("%s: %v", damaged, err)
		}
	}
	if public, err := s.Settings.PushKey(ctx); err != nil || public != made.Public {
		t.Errorf("phones are to know %s, %v", public, err)
	}
}
