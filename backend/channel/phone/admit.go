package phone

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/channel/phone/door"
	"beckon/backend/loopback"
	"beckon/backend/store/away"
)

const (
	// cookieName is one that browsers take from this origin only, over HTTPS, for
	// all of its paths.
	cookieName = "__Host-beckon"
	// keyHeader carries what the page keeps for its origin, port included: the
	// cookie reaches servers on other ports of the name as well.
	keyHeader  = "Beckon-Key"
	cookieLife = 365 * 24 * time.Hour
	secretSize = 32
	// mostCookies of the name are looked at.
	mostCookies = 4
	// idleLife is how long a phone stays paired that is not there.
	idleLife   = 30 * 24 * time.Hour
	sweepEvery = time.Hour
	// sawEvery is how often it is written down that a phone is there.
	sawEvery = time.Minute
)

// handle does what a phone asks for, of which the row is given.
type handle func(r *http.Request, d away.Device) result

// need is what a phone must be for a route.
type need int

const (
	paired    need = iota
	confirmed      // at the desk
)

// admit lets phones through that are known, as often as they may ask, and reads their
// bodies.
func (s *Server) admit(n need, o loopback.Options, next handle) http.Handler {
	return s.known(loopback.Body(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.reply(w, s.act(n, next, r))
	}), o))
}

// act does what a phone asks for under its row as it is at that moment. It is over
// before anybody at the desk who takes the right from the phone goes on; the phone's
// network has no part in that.
func (s *Server) act(n need, next handle, r *http.Request) result {
	id := idOf(r.Context())
	v := s.visitors.of(id)
	v.acting.RLock()
	defer v.acting.RUnlock()
	d, err := s.Book.Device(r.Context(), id)
	switch {
	case errors.Is(err, beckon.ErrNotFound):
		return unauthorized
	case err != nil:
		return failed(err)
	case n == confirmed && !d.Confirmed:
		return refused(http.StatusForbidden, "unconfirmed", "Confirm this phone on your computer first.")
	default:
		return next(r, d)
	}
}

// known lets phones through that are paired, as often as they may ask.
func (s *Server) known(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d, err := s.deviceOf(r)
		if err == nil && !hasKey(r, d) {
			err = beckon.ErrNotFound
		}
		switch {
		case errors.Is(err, beckon.ErrNotFound) && !s.strangers.takeToken(s.now()):
			s.reply(w, tooMany)
		case errors.Is(err, beckon.ErrNotFound):
			s.reply(w, unauthorized)
		case err != nil:
			s.reply(w, failed(err))
		case !s.visitors.of(d.ID).asks.takeToken(s.now()), !door.Known(r.Context()):
			s.reply(w, tooMany)
		default:
			s.saw(r, d)
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), idKey{}, d.ID)))
		}
	})
}

type idKey struct{}

// idOf returns the id of the phone that known let through.
func idOf(ctx context.Context) string { return ctx.Value(idKey{}).(string) }

// hasKey reports whether a request has the key of the phone too.
func hasKey(r *http.Request, d away.Device) bool {
	hash, ok := hashOf(r.Header.Get(keyHeader))
	return ok && subtle.ConstantTimeCompare(hash, d.Key) == 1
}

// deviceOf returns the phone that a request's cookie is of, or beckon.ErrNotFound. One
// that stayed away for too long is removed. The cookie alone lets nobody do anything.
func (s *Server) deviceOf(r *http.Request) (away.Device, error) {
	for n, c := range r.CookiesNamed(cookieName) {
		hash, ok := hashOf(c.Value)
		if !ok || n >= mostCookies {
			continue
		}
		d, err := s.Book.BySecret(r.Context(), hash)
		if errors.Is(err, beckon.ErrNotFound) {
			continue
		}
		if err == nil && s.now().UnixMilli()-d.Seen > idleLife.Milliseconds() {
			return away.Device{}, errors.Join(s.Remove(r.Context(), d.ID), beckon.ErrNotFound)
		}
		return d, err
	}
	return away.Device{}, beckon.ErrNotFound
}

// hashOf returns the hash of a secret as it is shown; false for what is none.
func hashOf(value string) (hash []byte, ok bool) {
	secret, err := base64.RawURLEncoding.Strict().DecodeString(value)
	sum := sha256.Sum256(secret)
	return sum[:], err == nil && len(secret) == secretSize
}

// newSecret returns a secret as a phone shows it, and the hash that its row has.
func newSecret() (value string, hash []byte) {
	secret := make([]byte, secretSize)
	_, _ = rand.Read(secret) // it never fails
	sum := sha256.Sum256(secret)
	return base64.RawURLEncoding.EncodeToString(secret), sum[:]
}

func setCookie(w http.ResponseWriter, value string, life time.Duration) {
	http.SetCookie(w, &http.Cookie{
		Name: cookieName, Value: value, Path: "/", MaxAge: int(life / time.Second), Secure: true, HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
}

// saw notes that a phone is there, and from where.
func (s *Server) saw(r *http.Request, d away.Device) {
	s.there(r.Context(), d)
	network, ok := networkOf(r.RemoteAddr)
	if r.TLS != nil && ok && s.visitors.of(d.ID).cameFrom(network, s.now()) {
		s.Changed()
	}
}

// there writes down now and then that a phone is there.
func (s *Server) there(ctx context.Context, d away.Device) {
	if s.now().UnixMilli()-d.Seen < sawEvery.Milliseconds() {
		return
	}
	if err := s.Book.Saw(ctx, d.ID); err != nil && ctx.Err() == nil && !errors.Is(err, beckon.ErrNotFound) {
		slog.Error("when a phone was last there is not written down", "err", err)
	}
}

// sweepIdle removes phones that stayed away for too long, until ctx ends.
func (s *Server) sweepIdle(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		if err := s.removeIdle(ctx); err != nil && ctx.Err() == nil {
			slog.Error("phones that stay away are not forgotten", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (s *Server) removeIdle(ctx context.Context) error {
	idle, err := s.Book.Idle(ctx, s.now().Add(-idleLife).UnixMilli())
	errs := []error{err}
	for _, d := range idle {
		if err := s.Remove(ctx, d.ID); !errors.Is(err, beckon.ErrNotFound) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
