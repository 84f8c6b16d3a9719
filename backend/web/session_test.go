package web

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// signedIn is a session and what a browser sends for it.
type signedIn struct {
	s       *sessions
	cookies []*http.Cookie
	key     string
}

func newSignedIn() signedIn {
	s := &sessions{idle: idleLife, total: totalLife}
	cookie, key := s.open()
	return signedIn{s, []*http.Cookie{{Value: cookie}}, key}
}

func (i signedIn) use() *session { return i.s.use(i.cookies, i.key) }

func TestAnUnusedLinkExpiresInTenMinutes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &tokenStore{}
		early, late := s.issue(), s.issue()
		time.Sleep(9 * time.Minute)
		if !s.redeem(early) {
			t.Error("a link is worthless before its time")
		}
		time.Sleep(2 * time.Minute)
		if s.redeem(late) {
			t.Error("a link works after its time")
		}
		s.issue()
		if len(s.tokens) != 1 {
			t.Errorf("%d tokens are kept, 1 is valid", len(s.tokens))
		}
	})
}

func TestASessionThatNobodyUsesExpires(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		i := newSignedIn()
		for range 5 {
			time.Sleep(idleLife - time.Minute)
			if i.use() == nil {
				t.Fatal("a session that is used expired as if it was not")
			}
		}
		// What only the cookie can do is no use.
		time.Sleep(idleLife - time.Minute)
		if i.s.find(i.cookies) == nil {
			t.Fatal("the session expired early")
		}
		time.Sleep(2 * time.Minute)
		if i.use() != nil || i.s.find(i.cookies) != nil {
			t.Error("an idle session still works")
		}
		i.s.open()
		if len(i.s.list) != 1 {
			t.Errorf("%d sessions are kept, 1 is valid", len(i.s.list))
		}
	})
}

func TestAnOpenPageKeepsItsSession(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		i := newSignedIn()
		_, one := i.s.attach(t.Context(), i.use())
		_, two := i.s.attach(t.Context(), i.use())
		time.Sleep(3 * idleLife)
		one()
		time.Sleep(2 * idleLife)
		if i.use() == nil {
			t.Fatal("the session of an open page expired")
		}
		two()
		time.Sleep(idleLife + time.Minute)
		if i.use() != nil {
			t.Error("the session of a page that was closed goes on forever")
		}
	})
}

func TestASessionEndsInTheEndWithItsPages(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		i := newSignedIn()
		began := time.Now()
		ctx, release := i.s.attach(t.Context(), i.use())
		defer release()
		<-ctx.Done()
		if lasted := time.Since(began); lasted != totalLife {
			t.Errorf("the page was cut off after %v, want %v", lasted, totalLife)
		}
		if i.use() != nil {
			t.Error("the session goes on after its time")
		}
	})
}
