package executing

import (
	"strings"
	"testing"
)

func TestOnlyHostsAreHosts(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]bool{
		"farm": true, "ada@farm": true, "farm-01.example.com": true, "10.0.0.7": true, "a_b@c": true,
		"": false, "-oProxyCommand=x": false, "ada@-x": false, "-a@farm": false, "a b": false, "farm;id": false, "@farm": false, "ada@": false,
		"a@b@c": false, "ssh://farm": false, "farm\n": false, strings.Repeat("a", 256): false,
	} {
		if got := ValidHost(host); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
}
