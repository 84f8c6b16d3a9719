package web

import (
	"context"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	// idleLife is how long a session outlives its latest use. An open page is
	// use: it may be looked at all day without a call.
	idleLife = 8 * time.Hour
	// totalLife ends a session however much it is used.
	totalLife = 7 * 24 * time.Hour

	tokenParam = "token"
	// keyHeader carries the session's key: to a script in the reply to the
	// link, and back with every call.
	keyHeader = "Beckon-Key"
	// keyProtocol begins the WebSocket subprotocol that carries the key, since
	// a page cannot add headers to a socket's request.
	keyProtocol = "beckon."
)

// session is one browser that opened a link. Its cookie is not enough to do
// anything: browsers send the cookies of 127.0.0.1 to every port, and so to
// every other server that the user or an agent runs there. The key belongs to
// the page's origin, which the port is part of.
type session struct {
	cookie, key  digest
	opened, used time.Time
	pages        int // its open sockets
}

// sessions holds the sessions that have not expired.
type sessions struct {
	idle, total time.Duration

	mu   sync.Mutex
	list []*session
}

// open begins a session and returns its two secrets.
func (s *sessions) open() (cookie, key string) {
	cookie, key = newSecret(), newSecret()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	now := wall()
	s.list = append(s.list, &session{cookie: digestOf(cookie), key: digestOf(key), opened: now, used: now})
	return cookie, key
}

// find returns the session that one of the cookies belongs to, or nil. Having
// only the cookie is no use of it, so it does not prolong the session.
func (s *sessions) find(cookies []*http.Cookie) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	var found *session
	for _, c := range cookies {
		want := digestOf(c.Value)
		for _, one := range s.list {
			if one.cookie.is(want) {
				found = one
			}
		}
	}
	return found
}

// use returns the session that has both one of the cookies and the key, and
// prolongs it; nil where there is none.
func (s *sessions) use(cookies []*http.Cookie, key string) *session {
	found := s.find(cookies)
	if found == nil || !found.key.is(digestOf(key)) {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	found.used = wall()
	return found
}

// attach keeps a session from becoming idle until release. The context ends when
// the session does.
func (s *sessions) attach(ctx context.Context, one *session) (_ context.Context, release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one.pages++
	ctx, cancel := context.WithCancel(ctx)
	stop := atWall(one.opened.Add(s.total), cancel)
	return ctx, func() {
		stop()
		cancel()
		s.mu.Lock()
		defer s.mu.Unlock()
		one.pages--
		one.used = wall()
	}
}

// atWall calls f at a time of the wall's clock, a minute late at most where the computer
// slept: timers stand still then. stop ends that.
func atWall(at time.Time, f func()) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for left := at.Sub(wall()); left > 0; left = at.Sub(wall()) {
			timer := time.NewTimer(min(left, time.Minute))
			select {
			case <-timer.C:
			case <-ctx.Done():
				timer.Stop()
				return
			}
		}
		f()
	}()
	return cancel
}

// sweep drops what expired; mu is held.
func (s *sessions) sweep() {
	now := wall()
	s.list = slices.DeleteFunc(s.list, func(one *session) bool {
		return !now.Before(one.opened.Add(s.total)) || one.pages == 0 && !now.Before(one.used.Add(s.idle))
	})
}

// exchange opens a session for a link's token, and sends the browser on to a
// URL without the token. The page takes the key from the fragment, which no
// browser sends anywhere; a script takes it from the header.
func (s *Server) exchange(w http.ResponseWriter, r *http.Request) {
	if !s.links.redeem(r.URL.Query().Get(tokenParam)) {
		writePage(w, http.StatusUnauthorized, usedPage)
		return
	}
	cookie, key := s.sessions.open()
	http.SetCookie(w, &http.Cookie{
		Name: s.cookieName(), Value: cookie, Path: "/",
		HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
	w.Header().Set(keyHeader, key)
	http.Redirect(w, r, "/#key="+key, http.StatusSeeOther)
}

// cookies are those of the request that may be Beckon's. There may be several
// of the name: a server on another port can set one for a longer path.
func (s *Server) cookies(r *http.Request) []*http.Cookie { return r.CookiesNamed(s.cookieName()) }

// cookieName has the port in it: browsers share the cookies of a host among
// all its ports, and a second Beckon must not push the first one's out.
func (s *Server) cookieName() string {
	_, port, _ := net.SplitHostPort(s.Addr())
	return "beckon-" + port
}

// protocolOf returns the subprotocol of a socket's request that carries a key,
// and the key; both are empty where there is none.
func protocolOf(r *http.Request) (protocol, key string) {
	for _, line := range r.Header.Values("Sec-WebSocket-Protocol") {
		for offer := range strings.SplitSeq(line, ",") {
			offer = strings.TrimSpace(offer)
			if key, ok := strings.CutPrefix(offer, keyProtocol); ok {
				return offer, key
			}
		}
	}
	return "", ""
}

type sessionKey struct{}

// sessionOf returns the session that admit let the request in by.
func sessionOf(ctx context.Context) *session { return ctx.Value(sessionKey{}).(*session) }
