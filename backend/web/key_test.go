package web

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestSecretsExpire(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := ring{life: time.Hour}
		unused, kept := r.mint(), r.mint()
		time.Sleep(50 * time.Minute)
		if !r.renew(kept) {
			t.Fatal("a cookie is worthless before its time")
		}
		time.Sleep(50 * time.Minute)
		if r.spend(unused) || r.renew(unused) {
			t.Error("a link works after its time")
		}
		if !r.renew(kept) {
			t.Error("a cookie that was used expired as if it was not")
		}
		time.Sleep(2 * time.Hour)
		r.mint()
		if len(r.keys) != 1 {
			t.Errorf("%d secrets are kept, 1 is good", len(r.keys))
		}
	})
}
