package forge

import "testing"

// TestAddressesOfServers: an address comes with a repository and goes to programs, so
// that what is not plainly a server's is none.
func TestAddressesOfServers(t *testing.T) {
	t.Parallel()
	kestrel := Address{"github.com", "ada/kestrel"}
	for text, want := range map[string]Address{
		"https://github.com/ada/kestrel.git":              kestrel,
		"https://GitHub.com/ada/kestrel/":                 kestrel,
		"https://ada:secret@github.com/ada/kestrel.git":   kestrel,
		"git@github.com:ada/kestrel.git":                  kestrel,
		"github.com:ada/kestrel":                          kestrel,
		"ssh://git@github.com/ada/kestrel.git":            kestrel,
		"ssh://git@ssh.github.com:443/ada/kestrel.git":    kestrel,
		"https://gitlab.example.com:8443/group/sub/thing": {"gitlab.example.com", "group/sub/thing"},
		"git@gitlab.com:group/sub/thing.git":              {"gitlab.com", "group/sub/thing"},
		"/srv/git/kestrel.git":                            {},
		"../kestrel":                                      {},
		"file:///srv/git/kestrel.git":                     {},
		`C:\git\kestrel`:                                  {},
		"https://github.com/kestrel":                      {},
		"https://github.com/-x/kestrel":                   {},
		"https://github.com/ada/../../etc":                {},
		"https://github.com/ada/kestrel --web":            {},
		"https://-oProxyCommand=x/ada/kestrel":            {},
		"ext::sh -c touch% /tmp/x":                        {},
		"https://github.com/ada/kes\u202etrel":            {},
		"git@github.com:ada/$(touch x).git":               {},
		"https://[::1]/ada/kestrel":                       {},
		"":                                                {},
	} {
		if got := parse(text); got != want {
			t.Errorf("%q is %+v, not %+v", text, got, want)
		}
	}
}
