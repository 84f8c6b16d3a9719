package askpass

import (
	"fmt"
	"strings"
	"testing"

	"beckon/backend/beckon/executing"

	"github.com/google/go-cmp/cmp"
)

const print43 = "SHA256:9tXw1n0cQy7u2mVbZk4LrPzE8sHfJ6gDqA3oWvN5iKc"

const newKey = "The authenticity of host '[build-04.lan]:2222 ([10.0.4.17]:2222)' can't be established.\n" +
	"ED25519 key fingerprint is " + print43 + ".\n" +
	"This key is not known by any other names.\n" +
	"Are you sure you want to continue connecting (yes/no/[fingerprint])? "

func TestWhatSSHAsksIsUnderstood(t *testing.T) {
	t.Parallel()
	ask := func(kind executing.AskKind) executing.Ask {
		return executing.Ask{Kind: kind, Known: []string{}, Words: []string{}}
	}
	key := ask(executing.AskHostKey)
	key.Host, key.Address, key.Key, key.Fingerprint = "[build-04.lan]:2222", "[10.0.4.17]:2222", "ED25519", print43
	hidden := key
	hidden.Address, hidden.Known = "", []string{"~/.ssh/known_hosts:41: farm"}
	file := ask(executing.AskPassphrase)
	file.File = "/home/ada/.ssh/id_ed25519"
	password := ask(executing.AskPassword)
	password.Host = "ada@farm"
	words := func(kind executing.AskKind, lines ...string) executing.Ask {
		a := ask(kind)
		a.Words = lines
		return a
	}
	for _, one := range []struct {
		hint, prompt string
		want         executing.Ask
	}{
		{"", newKey, key},
		{"", strings.NewReplacer("[10.0.4.17]:2222", noAddress, "This key is not known by any other names.\n",
			"This host key is known by the following other names/addresses:\n    ~/.ssh/known_hosts:41: farm\n").Replace(newKey), hidden},
		{"", "Enter passphrase for key '/home/ada/.ssh/id_ed25519': ", file},
		{"", "ada@farm's password: ", password},
		{"", "(ada@farm) Password: ", password},
		// A server's own words cannot look as if ssh wanted a passphrase.
		{"", "(ada@farm) Enter passphrase for key '/home/ada/.ssh/id_ed25519': ", words(executing.AskWords, "(ada@farm) Enter passphrase for key '/home/ada/.ssh/id_ed25519':")},
		{"", "(ada@farm) Verification code: ", words(executing.AskWords, "(ada@farm) Verification code:")},
		{"confirm", "Add key id (SHA256:x) to agent?", words(executing.AskConfirm, "Add key id (SHA256:x) to agent?")},
		{"none", "Confirm user presence for key ED25519-SK SHA256:x", words(executing.AskTouch, "Confirm user presence for key ED25519-SK SHA256:x")},
		// Half of such a question is none that Yes answers.
		{"", "The authenticity of host 'a (b)' can't be established.\nAre you sure?", words(executing.AskWords, "The authenticity of host 'a (b)' can't be established.", "Are you sure?")},
		{"", "", words(executing.AskWords)},
	} {
		got := Understand(one.hint, one.prompt)
		if got.Words == nil {
			t.Errorf("%q has no list of words", one.prompt)
		}
		if one.want.Words == nil {
			one.want.Words = []string{}
		}
		if diff := cmp.Diff(one.want, got); diff != "" {
			t.Errorf("%q: %s", one.prompt, diff)
		}
	}
}

func TestWhatIsAskedHidesNothingAndIsBounded(t *testing.T) {
	t.Parallel()
	evil := "\x1b[2J\u202e\x00\u200b"
	for _, prompt := range []string{
		strings.ReplaceAll(strings.ReplaceAll(newKey, "build-04", "bui"+evil+"ld"+strings.Repeat("x", promptMost)), "ED25519", "ED"+evil),
		"Enter passphrase for key '" + evil + strings.Repeat("x", promptMost) + "': ",
		"(ada@" + evil + strings.Repeat("x", promptMost) + ") Password: ",
		strings.Repeat(evil+strings.Repeat("word ", 100)+"\n", 30),
	} {
		shown := fmt.Sprintf("%+v", Understand("", prompt))
		if strings.ContainsAny(shown, "\x1b\u202e\x00\u200b") || len(shown) > (linesMost+5)*lineMost {
			t.Errorf("%.80q is shown as %d bytes, %.200q", prompt, len(shown), shown)
		}
	}
}

func TestYesToAKeyIsTheKeyThatWasSeen(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]string{
		newKey: print43,
		strings.Replace(newKey, "/[fingerprint]", "", 1): "yes", // OpenSSH before 8.0
		"Accept updated hostkeys? (yes/no): ":            "yes",
	} {
		if got := affirm(prompt); got != want {
			t.Errorf("%q is answered with %q", prompt, got)
		}
	}
}
