package external

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"beckon/backend/loopback"
	"beckon/backend/toolserver"
)

func TestAProgramAsksForACardAndHearsItsKey(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	if err := Run(t.Context(), data, "nightly", io.Discard); !errors.Is(err, errNotRunning) {
		t.Errorf("without a Beckon: %v", err)
	}
	open(t, data)
	var out strings.Builder
	if err := Run(t.Context(), data, "KES/nightly", &out); err != nil || out.String() != "KES-7\n" {
		t.Errorf("printed %q, %v", out.String(), err)
	}
	out.Reset()
	if err := Run(t.Context(), data, "weekly", &out); err == nil || !strings.Contains(err.Error(), `"weekly"`) || out.String() != "" {
		t.Errorf("an unknown name: %q, %v", out.String(), err)
	}
}

// TestAnotherProgramAtBeckonsPortMakesNoCard: a script must not go on as if there were one.
func TestAnotherProgramAtBeckonsPortMakesNoCard(t *testing.T) {
	t.Parallel()
	impostor := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"token":"x","proof":"x"}`+"\n"+`{"key":"KES-7"}`+"\n")
	}))
	defer impostor.Close()
	data := t.TempDir()
	if _, err := Announce(data, toolserver.Endpoint{Start: impostor.URL, Secret: loopback.NewSecret()}); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := Run(t.Context(), data, "nightly", &out); !errors.Is(err, errNotRunning) || out.String() != "" {
		t.Errorf("printed %q, %v", out.String(), err)
	}
}
