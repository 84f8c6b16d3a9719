package egress

import (
	"net/netip"
	"slices"
)

// metadata are addresses at which clouds tell machines their secrets, besides those
// that only one link reaches.
var metadata = []netip.Addr{
	netip.MustParseAddr("100.100.100.200"), netip.MustParseAddr("192.0.0.192"), netip.MustParseAddr("fd00:ec2::254"), netip.MustParseAddr("fd20:ce::254"),
}

// Own is the rule for an address that the user named: it may be in their own network,
// and without TLS only there.
func Own(ip netip.Addr, inClear bool) error {
	ip = ip.Unmap().WithZone("")
	switch {
	case ip.IsLinkLocalUnicast(), ip.IsMulticast(), ip.IsUnspecified(), slices.Contains(metadata, ip):
		return &Forbidden{ip.String(), "is no address that Beckon sends to"}
	case inClear && !ip.IsPrivate() && !ip.IsLoopback():
		return &Forbidden{ip.String(), "is beyond your own network, so that it takes https://"}
	}
	return nil
}

// inside are the networks that are not the Internet, besides those that netip names.
var inside = prefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
	"64:ff9b:1::/48", "100::/64", "2001::/32", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fec0::/10",
)

// translated is where a network without IPv4 has it: in the last four bytes.
var translated = netip.MustParsePrefix("64:ff9b::/96")

// Public is the rule for an address that a stranger named: it is on the Internet, and
// takes TLS.
func Public(ip netip.Addr, inClear bool) error {
	ip = ip.Unmap().WithZone("")
	if raw := ip.As16(); translated.Contains(ip) {
		ip = netip.AddrFrom4([4]byte(raw[12:]))
	}
	within := func(p netip.Prefix) bool { return p.Contains(ip) }
	if inClear || !ip.IsGlobalUnicast() || ip.IsPrivate() || slices.Contains(metadata, ip) || slices.ContainsFunc(inside, within) {
		return &Forbidden{ip.String(), "is no address of the Internet that Beckon sends to"}
	}
	return nil
}

func prefixes(all ...string) (parsed []netip.Prefix) {
	for _, p := range all {
		parsed = append(parsed, netip.MustParsePrefix(p))
	}
	return parsed
}
