package phone

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/remote"
	"beckon/backend/channel/phone/view"
	"beckon/tests/loopbacktest"
)

// routes are all that a phone may ask, each as "METHOD /path body".
var routes = []string{
	"GET /api/me ", "GET /api/inbox ", "GET /api/question/q ", `POST /api/question/q/answer {"answer":{"items":[{"labels":["Blue"]}]}}`,
	`POST /api/question/q/hold {"held":true}`, "POST /api/task/task/stop {}", `POST /api/task/task/message {"id":"m1","text":"Go on"}`,
	"GET /api/push ", `POST /api/push {"endpoint":"https://push.example"}`, "DELETE /api/push ", "GET /api/events ", "POST /api/forget {}",
}

func (c *client) route(route string) reply {
	c.w.t.Helper()
	method, rest, _ := strings.Cut(route, " ")
	path, body, _ := strings.Cut(rest, " ")
	if path == "/api/events" {
		res, err := c.http.Do(c.request(method, path, body))
		if err != nil {
			c.w.t.Fatal(err)
		}
		defer res.Body.Close()
		return reply{status: res.StatusCode}
	}
	return c.do(c.request(method, path, body))
}

func TestAPhoneMayDoOnlyWhatTheDeskAllows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		who  func(*world) *client
		want string // a status a route
	}{
		"nobody":      {(*world).stranger, "401 401 401 401 401 401 401 401 401 401 401 401"},
		"unconfirmed": {func(w *world) *client { return w.pairs("Pixel 9") }, "200 403 403 403 403 403 403 403 403 403 200 204"},
		"without rights": {
			func(w *world) *client { return w.phone("Pixel 9", remote.Rights{}) }, "200 200 200 403 403 403 403 200 204 204 200 204",
		},
		"questions": {
			func(w *world) *client { return w.phone("Pixel 9", remote.Rights{Questions: true}) }, "200 200 200 204 204 403 403 200 204 204 200 204",
		},
		"other rights": {
			func(w *world) *client {
				return w.phone("Pixel 9", remote.Rights{Plans: true, Commands: true, Elsewhere: true, Lines: true})
			}, "200 200 200 403 403 403 403 200 204 204 200 204",
		},
		"all rights": {func(w *world) *client { return w.phone("Pixel 9", everything) }, "200 200 200 204 204 204 204 200 204 204 200 204"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := start(t, pushes)
			w.desk.ask(colour("q"))
			who, got := c.who(w), []string{}
			for _, route := range routes {
				got = append(got, fmt.Sprint(who.route(route).status))
			}
			if got := strings.Join(got, " "); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if done := w.desk.log(); strings.Contains(c.want, "403 403 403 403") && len(done) > 0 {
				t.Errorf("it did %q", done)
			}
			if who.cookie != "" {
				if after := who.get("/api/me"); after.status != http.StatusUnauthorized {
					t.Errorf("a phone that forgot itself: %d", after.status)
				}
			}
		})
	}
}

func TestEachKindOfQuestionTakesItsRight(t *testing.T) {
	t.Parallel()
	w := start(t)
	permission := beckon.Question{ID: "permission", TaskID: "task", Kind: beckon.Permission, Permission: &beckon.PermissionRequest{Tool: "Bash", Command: "rm -r build", Destructive: true, Diff: "diff", Input: "input"}}
	plan := beckon.Question{ID: "plan", TaskID: "task", Kind: beckon.Plan, Plan: "# Do it\nnow"}
	elsewhere := colour("elsewhere")
	elsewhere.TaskID = ""
	for _, q := range []beckon.Question{permission, plan, elsewhere} {
		w.desk.ask(q)
	}
	allow, all := map[string]any{"verdict": "allow"}, everything
	all.Questions = false
	for _, c := range []struct {
		rights remote.Rights
		id     string
		body   any
		status int
		code   string
	}{
		{remote.Rights{Questions: true, Plans: true, Steer: true}, "permission", map[string]any{"answer": allow, "sure": true}, 403, "rights"},
		{remote.Rights{Questions: true, Plans: true, Steer: true}, "permission", map[string]any{"answer": map[string]any{"verdict": "deny"}}, 403, "rights"},
		{everything, "permission", map[string]any{"answer": allow}, 428, "sure"},
		{everything, "permission", map[string]any{"answer": map[string]any{"verdict": "allowAlways"}}, 428, "sure"},
		{everything, "permission", map[string]any{"answer": map[string]any{"verdict": "allowAlways", "project": true}, "sure": true}, 403, "rights"},
		{everything, "permission", map[string]any{"answer": allow, "sure": true}, 204, ""},
		{remote.Rights{Questions: true, Commands: true}, "plan", map[string]any{"answer": allow}, 403, "rights"},
		{everything, "plan", map[string]any{"answer": map[string]any{"verdict": "allow", "mode": "auto"}}, 403, "rights"},
		{everything, "plan", map[string]any{"answer": map[string]any{"verdict": "allow", "mode": "bypassPermissions"}}, 403, "rights"},
		{remote.Rights{Plans: true}, "plan", map[string]any{"answer": map[string]any{"verdict": "allow", "mode": "acceptEdits"}}, 204, ""},
		{remote.Rights{Questions: true, Plans: true, Commands: true}, "elsewhere", map[string]any{"answer": map[string]any{"items": []any{}}}, 404, "not_found"},
		{all, "elsewhere", map[string]any{"answer": map[string]any{"items": []any{}}}, 403, "rights"},
		{everything, "elsewhere", map[string]any{"answer": map[string]any{"items": []any{}, "standing": true}}, 403, "rights"},
		{everything, "elsewhere", "no answer", 400, "invalid"},
		{everything, "nothing", map[string]any{"answer": allow}, 404, "not_found"},
		{everything, strings.Repeat("x", 300), map[string]any{"answer": allow}, 404, "not_found"},
	} {
		who := w.phone(beckon.NewID()[:20], c.rights)
		res := who.post("/api/question/"+c.id+"/answer", c.body)
		if res.status != c.status || res.code() != c.code {
			t.Errorf("%s with %+v: %d %s, want %d %s", c.id, c.rights, res.status, res.body, c.status, c.code)
		}
	}
}

// Two phones, or a phone and the desk, answer at once: the answers are one.
func TestOfManyAnswersOneWinsAndTheOthersReadWhose(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.desk.ask(colour("q"))
	phones := []*client{w.phone("Pixel 9", everything), w.phone("iPhone", everything), w.phone("Tablet", everything)}
	var wait sync.WaitGroup
	replies := make([]reply, len(phones))
	for n, who := range phones {
		wait.Go(func() {
			replies[n] = who.post("/api/question/q/answer", map[string]any{"answer": map[string]any{"items": []any{map[string]any{"labels": []string{"Blue"}}}}})
		})
	}
	wait.Wait()
	won := 0
	for n, res := range replies {
		if res.status == http.StatusNoContent {
			won++
			continue
		}
		var late struct {
			Code, Message string
			Settled       view.Answered
		}
		if err := json.Unmarshal([]byte(res.body), &late); err != nil || res.status != http.StatusConflict || late.Code != "conflict" ||
			late.Settled.ByName == "" || late.Settled.Answer != "Blue" || late.Settled.Mine || late.Settled.Title != "Which colour?" {
			t.Errorf("phone %d: %d %s", n, res.status, res.body)
		}
	}
	if done := w.desk.log(); won != 1 || len(done) != 1 {
		t.Errorf("%d won, and %q was done", won, done)
	}
	for _, who := range phones {
		var inbox view.Inbox
		if err := json.Unmarshal([]byte(who.get("/api/inbox").body), &inbox); err != nil || len(inbox.Waiting) != 0 || len(inbox.Answered) != 1 {
			t.Errorf("%+v, %v", inbox, err)
		}
	}
	if d, err := w.Book.Device(t.Context(), phones[0].id); err != nil || won == 1 && replies[0].status == http.StatusNoContent && d.Last == 0 {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestAMessageThatIsSentTwiceIsWrittenOnce(t *testing.T) {
	t.Parallel()
	w := start(t)
	who := w.phone("Pixel 9", everything)
	for _, c := range []struct {
		body   any
		status int
	}{
		{map[string]string{"id": "m1", "text": "Go on"}, 204},
		{map[string]string{"id": "m1", "text": "Go on"}, 204},
		{map[string]string{"text": "Go on"}, 400},
		{map[string]string{"id": "m2", "text": " \n"}, 400},
		{map[string]string{"id": strings.Repeat("m", 65), "text": "x"}, 400},
	} {
		if res := who.post("/api/task/task/message", c.body); res.status != c.status {
			t.Errorf("%v: %d %s", c.body, res.status, res.body)
		}
	}
	if res := who.post("/api/task/none/stop", map[string]any{}); res.status != http.StatusNotFound {
		t.Errorf("a task that is not there: %d", res.status)
	}
	if got := w.desk.log(); len(got) != 1 || got[0] != "message task Go on" {
		t.Errorf("%q", got)
	}
}

func TestAPhoneIsRevokedAtOnceAlsoWhileItsPageIsOpen(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.desk.ask(colour("q"))
	gone, stays := w.phone("Pixel 9", everything), w.phone("iPhone", everything)
	page, other := gone.events(), stays.events()
	page.until("inbox", "Which colour?")
	other.until("inbox", "Which colour?")
	if err := w.Remove(t.Context(), gone.id); err != nil {
		t.Fatal(err)
	}
	for _, route := range routes {
		if res := gone.route(route); res.status != http.StatusUnauthorized {
			t.Errorf("%s: %d after it was removed", route, res.status)
		}
	}
	page.until("gone", "{}")
	if name, _ := page.next(); name != "" {
		t.Errorf("the stream goes on with %s", name)
	}
	w.desk.ask(colour("q2"))
	w.OnEvent(beckon.Event{Question: &beckon.Question{ID: "q2"}})
	other.until("inbox", "q2")
	if len(w.desk.log()) != 0 {
		t.Errorf("it did %q", w.desk.log())
	}
}

// A request that never comes to its end does not keep the desk from taking rights.
func TestASlowBodyDoesNotHoldUpTheDesk(t *testing.T) {
	t.Parallel()
	w := start(t)
	who := w.phone("Pixel 9", everything)
	conn := w.dial()
	fmt.Fprintf(conn, "POST /api/question/q/answer HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nCookie: %s=%s\r\nBeckon-Key: %s\r\nContent-Length: 100\r\n\r\n{",
		strings.TrimPrefix(tunnel, "https://"), cookieName, who.cookie, who.key)
	removed := make(chan error, 1)
	go func() { removed <- w.Remove(t.Context(), who.id) }()
	select {
	case err := <-removed:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(9 * time.Second): // before the body is given up
		t.Error("a phone cannot be removed while it sends")
	}
}

// Nor does a phone that reads nothing of what it asked for.
func TestASlowReaderDoesNotHoldUpTheDesk(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.desk.read = make(chan struct{}, 1)
	w.desk.ask(beckon.Question{ID: "q", TaskID: "task", Kind: beckon.Plan, Plan: strings.Repeat("long ", 4<<20)})
	who := w.phone("Pixel 9", everything)
	conn := w.dial()
	_ = conn.(*net.TCPConn).SetReadBuffer(1 << 10)
	fmt.Fprintf(conn, "GET /api/question/q HTTP/1.1\r\nHost: %s\r\nCookie: %s=%s\r\nBeckon-Key: %s\r\n\r\n", strings.TrimPrefix(tunnel, "https://"), cookieName, who.cookie, who.key)
	<-w.desk.read
	began := time.Now()
	if err := w.Remove(t.Context(), who.id); err != nil || time.Since(began) > replyIn/2 {
		t.Errorf("%v, after %v", err, time.Since(began))
	}
}

func TestAPageHearsOfItsRightsAndOfWhatWaits(t *testing.T) {
	t.Parallel()
	w := start(t)
	elsewhere := colour("outside")
	elsewhere.TaskID = ""
	w.desk.ask(elsewhere)
	who := w.pairs("Pixel 9")
	page := who.events()
	if me := page.until("me", "Pixel 9"); strings.Contains(me, "studio-pc") || !strings.Contains(me, `"confirmed":false`) {
		t.Errorf("before it is confirmed it reads %s", me)
	}
	if err := w.Confirm(t.Context(), who.id); err != nil {
		t.Fatal(err)
	}
	page.until("me", `"host":"studio-pc"`)
	if inbox := page.until("inbox", `"waiting":[]`); !strings.Contains(inbox, `"host":"studio-pc"`) || strings.Contains(inbox, `"now":0`) {
		t.Errorf("the first inbox is %s", inbox)
	}
	if err := w.Allow(t.Context(), who.id, remote.Rights{Elsewhere: true}); err != nil {
		t.Fatal(err)
	}
	page.until("me", `"elsewhere":true`)
	page.until("inbox", "outside")
	w.desk.ask(colour("q"))
	w.OnEvent(beckon.Event{Question: &beckon.Question{ID: "q"}})
	page.until("inbox", `"id":"q"`)
}

func TestSwitchedOffNothingIsServedAndPagesEnd(t *testing.T) {
	t.Parallel()
	w := start(t)
	who := w.phone("Pixel 9", everything)
	page := who.events()
	page.until("inbox", "")
	addr, _ := w.Listens()
	w.Stop()
	for {
		if name, _ := page.next(); name == "" {
			break
		}
	}
	if got, public := w.Listens(); got != "" || public != "" {
		t.Errorf("it listens on %q, %q", got, public)
	}
	if _, err := who.http.Get("http://" + addr + "/api/me"); err == nil {
		t.Error("it is served")
	}
	if err := w.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if again, _ := w.Listens(); again != addr {
		t.Errorf("it listens on %s, and on %s after that: the tunnel leads nowhere", addr, again)
	}
	if res := who.get("/api/me"); res.status != http.StatusOK {
		t.Errorf("a phone is not known any more: %d", res.status)
	}
}

func TestPhonesSurviveARestart(t *testing.T) {
	t.Parallel()
	w := start(t)
	who := w.phone("Pixel 9", remote.Rights{Plans: true})
	w.Stop()
	w.build()
	if err := w.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	var me Me
	if res := who.get("/api/me"); json.Unmarshal([]byte(res.body), &me) != nil || me.Name != "Pixel 9" || !me.Confirmed || me.Rights != (remote.Rights{Plans: true}) {
		t.Errorf("%d %s", res.status, res.body)
	}
}

func TestItIsWrittenDownNowAndThenThatAPhoneIsThere(t *testing.T) {
	t.Parallel()
	w := start(t)
	who := w.phone("Pixel 9", everything)
	seen := func() int64 {
		d, err := w.Book.Device(t.Context(), who.id)
		if err != nil {
			t.Fatal(err)
		}
		return d.Seen
	}
	paired := seen()
	who.get("/api/me")
	if seen() != paired {
		t.Error("each request is written down")
	}
	w.clock.Store((2 * time.Minute).Milliseconds())
	who.get("/api/me")
	if seen() == paired {
		t.Error("a phone that comes is taken for one that stays away")
	}
}

func TestAPhoneThatStaysAwayIsForgotten(t *testing.T) {
	t.Parallel()
	w := start(t)
	who, swept := w.phone("Pixel 9", everything), w.phone("iPhone", everything)
	w.clock.Store((29 * 24 * time.Hour).Milliseconds())
	if res := who.get("/api/me"); res.status != http.StatusOK {
		t.Errorf("after 29 days: %d", res.status)
	}
	w.clock.Store((31 * 24 * time.Hour).Milliseconds())
	if res := who.get("/api/me"); res.status != http.StatusUnauthorized {
		t.Errorf("after 31 days: %d", res.status)
	}
	if err := w.removeIdle(t.Context()); err != nil {
		t.Error(err)
	}
	if all, err := w.Book.All(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
	if res := swept.get("/api/me"); res.status != http.StatusUnauthorized {
		t.Errorf("the other one: %d", res.status)
	}
}

func TestWhatIsRefusedIsCountedOnce(t *testing.T) {
	t.Parallel()
	w := start(t, pushes)
	w.desk.ask(colour("q"))
	who, waits := w.phone("Pixel 9", remote.Rights{}), w.pairs("iPhone")
	pair := func(code string) *http.Request {
		return w.stranger().request(http.MethodPost, "/api/pair", fmt.Sprintf(`{"code":%q,"name":"x"}`, code))
	}
	used, _, err := w.Codes.Issue()
	if err != nil {
		t.Fatal(err)
	}
	if res := w.stranger().do(pair(used)); res.status != http.StatusOK {
		t.Fatalf("%d %s", res.status, res.body)
	}
	edited := func(r *http.Request, edit func(*http.Request)) *http.Request {
		edit(r)
		return r
	}
	byThePort := func(r *http.Request) {
		r.Host = r.URL.Host
		if r.Method == http.MethodGet {
			r.Header.Del("Origin") // as of who goes to a page
		}
	}
	stop := func(c *client) *http.Request { return c.request(http.MethodPost, "/api/task/t/stop", "{}") }
	for name, c := range map[string]struct {
		ask    *http.Request
		status int
		counts int64
	}{
		"the page, opened by nobody":  {w.stranger().request(http.MethodGet, "/", ""), 401, 0},
		"a file of the page":          {w.stranger().request(http.MethodGet, "/sw.js", ""), 200, 0},
		"a phone that may see it":     {who.request(http.MethodGet, "/api/me", ""), 200, 0},
		"what is not there":           {who.request(http.MethodGet, "/api/none", ""), 404, 0},
		"what is not understood":      {who.request(http.MethodPost, "/api/push", "no"), 400, 0},
		"the inbox, for nobody":       {w.stranger().request(http.MethodGet, "/api/inbox", ""), 401, 1},
		"the stream, for nobody":      {w.stranger().request(http.MethodGet, "/api/events", ""), 401, 1},
		"to be forgotten, for nobody": {w.stranger().request(http.MethodPost, "/api/forget", "{}"), 401, 1},
		"a cookie without its key":    {edited(who.request(http.MethodGet, "/api/me", ""), func(r *http.Request) { r.Header.Del(keyHeader) }), 401, 1},
		"a wrong code":                {pair("WRONGONE"), 403, 1},
		"a code that was used":        {pair(used), 403, 1},
		"a phone that waits":          {waits.request(http.MethodGet, "/api/inbox", ""), 403, 1},
		"more than the phone may":     {stop(who), 403, 1},
		// As by nginx without its Host line; docs/PHONE.md says so.
		"the page by the port's name": {edited(w.stranger().request(http.MethodGet, "/", ""), byThePort), 401, 0},
		"a phone by the port's name":  {edited(stop(who), byThePort), 403, 1},
		"a wrong host":                {edited(stop(who), func(r *http.Request) { r.Host = "evil.test" }), 421, 1},
		"a forwarded host":            {edited(stop(who), func(r *http.Request) { r.Header.Set("X-Forwarded-Host", r.Host); r.Host = "evil.test" }), 421, 1},
		"another site":                {edited(stop(who), func(r *http.Request) { r.Header.Set("Origin", "https://evil.test") }), 403, 1},
		"a form of another site":      {edited(stop(who), func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }), 415, 1},
		"a long body":                 {who.request(http.MethodPost, "/api/push", strings.Repeat("x", mostSubscription+1)), 413, 1},
		"a deep body":                 {who.request(http.MethodPost, "/api/push", strings.Repeat("[", 1000)), 400, 1},
	} {
		before := w.refused.Load()
		if res := w.stranger().do(c.ask); res.status != c.status || w.refused.Load()-before != c.counts {
			t.Errorf("%s: %d counted of %d, want %d of %d", name, w.refused.Load()-before, res.status, c.counts, c.status)
		}
	}
}

// Nobody finds the secret of a phone in what Beckon keeps, or says.
func TestASecretIsKeptNowhereInClear(t *testing.T) {
	var said bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&said, &slog.HandlerOptions{Level: slog.LevelDebug})))
	t.Cleanup(func() { slog.SetDefault(before) })
	w := start(t)
	w.desk.ask(colour("q"))
	who := w.phone("Pixel 9", everything)
	for _, route := range routes {
		who.route(route)
	}
	w.Stop()
	slog.SetDefault(before)
	secrets := [][]byte{[]byte(who.cookie), []byte(who.key)}
	for _, shown := range []string{who.cookie, who.key} {
		raw, err := base64.RawURLEncoding.DecodeString(shown)
		if err != nil || len(raw) != secretSize {
			t.Fatalf("%q, %v", shown, err)
		}
		secrets = append(secrets, raw)
	}
	read := 0
	err := filepath.WalkDir(w.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		read++
		for _, secret := range secrets {
			if bytes.Contains(text, secret) {
				t.Errorf("%s has a secret", path)
			}
		}
		return err
	})
	if err != nil || read == 0 {
		t.Errorf("%d files, %v", read, err)
	}
	if strings.Contains(said.String(), who.cookie) || strings.Contains(said.String(), who.key) {
		t.Errorf("the log has it: %s", said.String())
	}
}

func TestPairingTakesTheCodeOfTheDesk(t *testing.T) {
	t.Parallel()
	w := start(t)
	try := func(code string) reply {
		return w.stranger().post("/api/pair", map[string]string{"code": code, "name": "Pixel 9"})
	}
	if res := try("00000000"); res.status != http.StatusForbidden || res.code() != string(problem.Code) {
		t.Errorf("without a code at the desk: %d %s", res.status, res.body)
	}
	code, _, err := w.Codes.Issue()
	if err != nil {
		t.Fatal(err)
	}
	res := try(strings.ToLower(code[:4]) + "-" + code[4:])
	if res.status != http.StatusOK || !strings.Contains(res.body, `"confirmed":false`) || strings.Contains(res.body, "studio-pc") {
		t.Errorf("the right code: %d %s", res.status, res.body)
	}
	cookie := res.header.Get("Set-Cookie")
	for _, part := range []string{"__Host-beckon=", "; Path=/", "; Max-Age=31536000", "; HttpOnly", "; Secure", "; SameSite=Strict"} {
		if !strings.Contains(cookie, part) || strings.Contains(cookie, "Domain") {
			t.Errorf("the cookie %q lacks %q", cookie, part)
		}
	}
	if res := try(code); res.status != http.StatusForbidden {
		t.Errorf("the same code again: %d", res.status)
	}
	if w.changes.Load() == 0 {
		t.Error("the desk does not hear of it")
	}
}

func TestGuessingACodeStopsAtFiveAndAtTenAnHour(t *testing.T) {
	t.Parallel()
	w := start(t)
	try := func(code string) string {
		return w.stranger().post("/api/pair", map[string]string{"code": code, "name": "x"}).code()
	}
	first, _, err := w.Codes.Issue()
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if got := try("WRONGONE"); got != "pairing" {
			t.Errorf("a wrong code: %s", got)
		}
	}
	if got := try(first); got != "pairing" {
		t.Errorf("the right code after five wrong ones: %s", got)
	}
	second, _, err := w.Codes.Issue()
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		try("WRONGONE")
	}
	if got := try(second); got != "pairingOff" {
		t.Errorf("the right code after ten wrong ones: %s", got)
	}
	if _, _, err := w.Codes.Issue(); err == nil {
		t.Error("a code is made although pairing is off")
	}
	if all, err := w.Book.All(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestABrowserIsOnePhoneAndNamesAreNotShared(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.pairs("iPhone")
	code, _, _ := w.Codes.Issue()
	second := w.stranger().post("/api/pair", map[string]string{"code": code, "name": " iPhone\u202e\n"})
	if !strings.Contains(second.body, `"name":"iPhone 2"`) {
		t.Errorf("another of that name: %s", second.body)
	}
	who := w.phone("Pixel 9", everything)
	code, _, _ = w.Codes.Issue()
	if res := who.post("/api/pair", map[string]string{"code": code}); res.status != http.StatusOK || !strings.Contains(res.body, `"name":"Phone"`) {
		t.Errorf("paired again: %d %s", res.status, res.body)
	}
	if res := who.get("/api/me"); res.status != http.StatusUnauthorized {
		t.Errorf("with the cookie of before: %d", res.status)
	}
}

func TestOnlyTheRightCookieIsAPhone(t *testing.T) {
	t.Parallel()
	w := start(t)
	who := w.phone("Pixel 9", everything)
	for name, cookie := range map[string]string{
		"none": "", "another name": "beckon=" + who.cookie, "the desk's": "beckon-12345=" + who.cookie, "without the prefix": "Host-beckon=" + who.cookie,
		"cut": cookieName + "=" + who.cookie[:42], "longer": cookieName + "=" + who.cookie + "A", "another": cookieName + "=" + strings.Repeat("A", 43),
		"blank": cookieName + "=", "upper case": cookieName + "=" + strings.ToUpper(who.cookie), "the id": cookieName + "=" + who.id,
		"many": strings.Repeat(cookieName+"="+strings.Repeat("A", 43)+"; ", mostCookies) + cookieName + "=" + who.cookie,
	} {
		r := who.request(http.MethodGet, "/api/me", "")
		r.Header.Set("Cookie", cookie)
		if res := who.do(r); res.status != http.StatusUnauthorized {
			t.Errorf("%s: %d", name, res.status)
		}
	}
	r := who.request(http.MethodGet, "/api/me", "")
	r.Header.Set("Cookie", cookieName+"="+strings.Repeat("A", 43)+"; "+cookieName+"="+who.cookie)
	if res := who.do(r); res.status != http.StatusOK {
		t.Errorf("behind one that is not: %d", res.status)
	}
}

// Browsers send the cookie to other ports of the name: to what an agent serves there.
func TestThePhonesCookieAloneDoesNothing(t *testing.T) {
	t.Parallel()
	w := start(t, pushes)
	w.desk.ask(colour("q"))
	who, other := w.phone("Pixel 9", everything), w.phone("iPhone", everything)
	for name, key := range map[string]string{"no key": "", "another's": other.key, "the cookie": who.cookie, "cut": who.key[:42], "longer": who.key + "A", "no secret": "x"} {
		thief := w.fresh(who)
		thief.key = key
		for _, route := range routes {
			if res := thief.route(route); res.status != http.StatusUnauthorized {
				t.Errorf("%s, %s: %d", name, route, res.status)
			}
		}
	}
	keyless := w.stranger()
	keyless.cookie, keyless.key = strings.Repeat("A", 43), who.key
	if res := keyless.get("/api/me"); res.status != http.StatusUnauthorized {
		t.Errorf("the key alone: %d", res.status)
	}
	if res := who.get("/api/me"); res.status != http.StatusOK || len(w.desk.log()) != 0 {
		t.Errorf("%d, %q", res.status, w.desk.log())
	}
}

func TestForeignPagesReachNothingOfPhones(t *testing.T) {
	t.Parallel()
	page := []string{"GET / ", "GET /sw.js ", "GET /assets/app-12345678.js "}
	for name, c := range map[string]struct {
		origin string
		routes []string
	}{"by the tunnel": {tunnel, append(page, routes...)}, "at this machine": {"", append(page, routes[0], routes[3], routes[9])}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := start(t, pushes)
			w.desk.ask(colour("q"))
			w.attack(loopbacktest.Server{URL: w.url(), Origin: c.origin}, c.routes...)
		})
	}
}

// attack runs all attacks against routes.
func (w *world) attack(s loopbacktest.Server, routes ...string) {
	w.t.Helper()
	who := w.phone("Pixel 9", everything)
	s.Authorize = who.authorize
	s.MaxBody = mostAnswer
	for _, route := range routes {
		method, rest, _ := strings.Cut(route, " ")
		path, body, _ := strings.Cut(rest, " ")
		s.Routes, s.Body = []string{method + " " + path}, body
		switch path {
		case "/api/push":
			s.MaxBody = mostSubscription
		case "/api/forget":
			s.Authorize = func(r *http.Request) { w.phone(beckon.NewID(), everything).authorize(r) }
		}
		s.Attacks(w.t)
	}
}

func TestALongBodyIsRefused(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.desk.ask(colour("q"))
	who := w.phone("Pixel 9", everything)
	long := func(n int) string { return `{"held":true,"x":"` + strings.Repeat("x", n) + `"}` }
	for path, c := range map[string]struct{ fits, not int }{
		"/api/question/q/answer": {mostAnswer - 100, mostAnswer}, "/api/question/q/hold": {mostBody - 100, mostBody}, "/api/push": {mostSubscription - 100, mostSubscription},
	} {
		if res := who.do(who.request(http.MethodPost, path, long(c.fits))); res.status == http.StatusRequestEntityTooLarge {
			t.Errorf("%s: %d bytes: %d", path, c.fits, res.status)
		}
		if res := who.do(who.request(http.MethodPost, path, long(c.not))); res.status != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: %d bytes: %d", path, c.not, res.status)
		}
	}
}

func TestThePageIsTheSameForEverybody(t *testing.T) {
	t.Parallel()
	w := start(t)
	known, stranger := w.phone("Pixel 9", everything), w.stranger()
	in, out := known.get("/"), stranger.get("/")
	if in.status != http.StatusOK || out.status != http.StatusUnauthorized || in.body != out.body || !strings.Contains(out.body, "<title>Phone") {
		t.Errorf("%d %q, %d %q", in.status, in.body, out.status, out.body)
	}
	for _, res := range []reply{in, out, stranger.get("/sw.js")} {
		if !strings.Contains(res.header.Get("Content-Security-Policy"), "default-src 'self'") || res.header.Get("X-Frame-Options") != "DENY" || strings.Contains(fmt.Sprint(res.header, res.body), "studio-pc") {
			t.Errorf("%v", res.header)
		}
	}
	for path, want := range map[string]int{
		"/sw.js": 200, "/assets/app-12345678.js": 200, "/index.html": 401, "/no.js": 404, "/inbox": 404, "/rpc/Stop": 404, "/rpc/OpenTerminal": 404, "/events": 404,
		"/api": 404, "/api/": 404, "/api/devices": 404, "/api/pair": 404, "/assets/": 404, "/.git/config": 404,
	} {
		if res := stranger.get(path); res.status != want {
			t.Errorf("%s: %d, want %d", path, res.status, want)
		}
	}
	if res := stranger.post("/", map[string]any{}); res.status != http.StatusNotFound {
		t.Errorf("a POST of the page: %d", res.status)
	}
}

func TestPushIsOffWhereNobodySends(t *testing.T) {
	t.Parallel()
	w := start(t)
	who := w.phone("Pixel 9", everything)
	for _, route := range []string{"GET /api/push ", `POST /api/push {"endpoint":"x"}`, "DELETE /api/push "} {
		if res := who.route(route); res.status != http.StatusNotFound {
			t.Errorf("%s: %d", route, res.status)
		}
	}
	w = start(t, pushes)
	subs := w.Push.(*subscriptions)
	who = w.phone("Pixel 9", everything)
	if res := who.route("GET /api/push "); res.body != `{"key":"vapid","on":false}` {
		t.Errorf("%d %s", res.status, res.body)
	}
	if res := who.route(`POST /api/push {"nothing":1}`); res.status != http.StatusBadRequest {
		t.Errorf("what is no subscription: %d", res.status)
	}
	if res := who.route(`POST /api/push {"endpoint":"x"}`); res.status != http.StatusNoContent || len(subs.by) != 1 {
		t.Errorf("%d %s", res.status, res.body)
	}
	if res := who.get("/api/me"); !strings.Contains(res.body, `"push":true`) {
		t.Errorf("%s", res.body)
	}
	if err := w.Remove(t.Context(), who.id); err != nil || len(subs.by) != 0 {
		t.Errorf("a phone that was removed is sent messages: %v, %v", subs.by, err)
	}
}

func FuzzAnswersAreUnderstoodOrRefused(f *testing.F) {
	for _, seed := range []string{
		`{"answer":{"items":[{"labels":["Blue"],"other":"x"}],"verdict":"allow","by":"tray","byName":"x","at":7},"sure":true}`,
		`{"answer":null}`, `[]`, `{"answer":{"items":[{"labels":null}]}}`, `{"answer":{"items":7}}`, "{\"answer\":{\"text\":\"\xff\"}}", `{"answer":{}}{}`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		g, err := decodeAnswer(text)
		if err == nil && (g.Answer.By != "" || g.Answer.ByName != "" || g.Answer.At != 0) {
			t.Errorf("%q says who answers: %+v", text, g)
		}
		if err != nil && beckon.Code(err) != "invalid" {
			t.Errorf("%q: %v", text, err)
		}
	})
}
