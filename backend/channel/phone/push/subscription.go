package push

import (
	"context"
	"crypto/ecdh"
	"encoding/base64"
	"encoding/json"
	"net/netip"
	"net/url"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/channel/egress"

	"github.com/SherClockHolmes/webpush-go"
)

// What a subscription may have at most, in bytes.
const (
	mostSubscription = 4 << 10
	mostEndpoint     = 2 << 10
)

// Subscribe has a phone sent messages as its browser says, in the place of what it
// said before. What a browser would not say is beckon.ErrInvalid.
func (s *Sender) Subscribe(ctx context.Context, deviceID string, subscription []byte) error {
	parsed, err := parse(subscription)
	if err != nil {
		return err
	}
	kept, err := json.Marshal(parsed)
	if err != nil {
		return err
	}
	if err := s.Devices.Subscribe(ctx, deviceID, string(kept)); err != nil {
		return err
	}
	return s.only(ctx, deviceID, parsed.Endpoint)
}

// only takes an address from other phones: a browser that was paired twice hears
// once.
func (s *Sender) only(ctx context.Context, deviceID, endpoint string) error {
	all, err := s.Devices.All(ctx)
	for _, d := range all {
		if d.ID == deviceID || d.Push == "" {
			continue
		}
		if other, broken := parse([]byte(d.Push)); broken == nil && other.Endpoint == endpoint {
			_, err = s.Devices.Unsubscribe(ctx, d.ID, d.Push)
		}
		if err != nil {
			return err
		}
	}
	return err
}

// Unsubscribe sends a phone nothing more.
func (s *Sender) Unsubscribe(ctx context.Context, deviceID string) error {
	return s.Devices.Subscribe(ctx, deviceID, "")
}

// parse reads a subscription, and refuses what a browser would not say.
func parse(text []byte) (s webpush.Subscription, err error) {
	if len(text) > mostSubscription {
		return s, beckon.Invalid("the subscription has more than %d bytes", mostSubscription)
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, beckon.Invalid("the subscription is not understood")
	}
	if err := checkEndpoint(s.Endpoint); err != nil {
		return s, err
	}
	public, err := decode(s.Keys.P256dh)
	if err == nil {
		_, err = ecdh.P256().NewPublicKey(public)
	}
	auth, wrong := decode(s.Keys.Auth)
	if err != nil || wrong != nil || len(auth) != 16 {
		return s, beckon.Invalid("the keys of the subscription are none")
	}
	return s, nil
}

// decode reads what browsers write without padding, and some libraries with it.
func decode(s string) ([]byte, error) {
	return base64.RawURLEncoding.DecodeString(strings.TrimRight(s, "="))
}

// checkEndpoint refuses an address that nothing is ever sent to. Where a name leads
// is looked at when it is dialled.
func checkEndpoint(endpoint string) error {
	u, err := url.Parse(endpoint)
	if err != nil || len(endpoint) > mostEndpoint || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Fragment != "" {
		return beckon.Invalid("the address of the subscription is none of a push service")
	}
	ip, err := netip.ParseAddr(u.Hostname())
	if err != nil {
		return nil //nolint:nilerr // it is a name
	}
	if err := egress.Public(ip, false); err != nil {
		return beckon.Invalid("the address of the subscription is not on the Internet")
	}
	return nil
}
