// Package door is how phones come to Beckon: by which name, through which port of this
// machine, with which certificate, and how many at once. It does not know who they are.
package door

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"

	"golang.org/x/net/idna"
)

// maxName is how long a name of the internet may be.
const maxName = 253

// ParseOrigin returns the address that a person gave for their tunnel, as browsers write
// its origin: https://name or https://name:port. Anything else is problem.BadOrigin.
func ParseOrigin(text string) (string, error) {
	u, err := url.Parse(strings.TrimSuffix(strings.TrimSpace(text), "/"))
	if err != nil || u.Scheme != "https" || u.User != nil || u.Opaque != "" || u.Path != "" ||
		u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || strings.Contains(text, "#") {
		return "", badOrigin(text)
	}
	name, err := hostName(u.Hostname())
	if err != nil {
		return "", badOrigin(text)
	}
	port := u.Port()
	if port == "" {
		if strings.HasSuffix(u.Host, ":") {
			return "", badOrigin(text)
		}
		return "https://" + name, nil
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil || number == 0 {
		return "", badOrigin(text)
	}
	if number == 443 { // which browsers leave out
		return "https://" + name, nil
	}
	return "https://" + net.JoinHostPort(strings.Trim(name, "[]"), strconv.FormatUint(number, 10)), nil
}

func badOrigin(text string) error {
	return problem.New(problem.BadOrigin, beckon.Invalid("%.300q is not of the form https://name, with or without a port", text))
}

// hostName is a name or an address as browsers write it.
func hostName(given string) (string, error) {
	if ip, err := netip.ParseAddr(given); err == nil && ip.Zone() == "" {
		if ip.Is6() {
			return "[" + ip.String() + "]", nil
		}
		return ip.String(), nil
	}
	name, err := idna.Lookup.ToASCII(given)
	if err != nil {
		return "", err
	}
	if again, err := idna.Lookup.ToASCII(name); err != nil || again != name {
		return "", fmt.Errorf("%q is no name", given) // it was no text
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	if name == "" || len(name) > maxName || last == "" || name[0] == '.' || strings.Contains(name, "..") || strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x") {
		// A browser takes one that ends in a number for an address, and writes it otherwise.
		return "", fmt.Errorf("%q is no name", given)
	}
	return name, nil
}
