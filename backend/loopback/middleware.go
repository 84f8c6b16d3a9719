package loopback

import (
	"mime"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
)

// MaxBody is how many bytes a request's body may have where Options says
// nothing else.
const MaxBody = 1 << 20

// Options are what servers want differently.
type Options struct {
	MaxBody int64 // bytes; zero means MaxBody
	// BodyIn is how long a whole body may take; zero means ten seconds.
	BodyIn time.Duration
	// Origin is a public address by which the server is reached too, such as
	// https://studio-pc.tail1234.ts.net, through a tunnel that ends at loopback. It is
	// taken as a browser writes it, and no header that a tunnel adds changes it.
	Origin string
	// Public says that the server is reached by its Origin and by no name of loopback.
	Public bool
	// Linked lets other sites lead a person to the page "/", which is the same for
	// everybody. They learn nothing by it.
	Linked bool
	// Refused is called once for each request that is refused; nil: nobody counts them. It
	// must not block.
	Refused func()
}

func (o Options) maxBody() int64 {
	if o.MaxBody > 0 {
		return o.MaxBody
	}
	return MaxBody
}

func (o Options) bodyIn() time.Duration {
	if o.BodyIn > 0 {
		return o.BodyIn
	}
	return bodyTimeout
}

// refusal is a reply instead of a request's handling.
type refusal struct {
	status        int
	code, message string
}

// refuse replies with no. What is left of the body is not worth reading.
func (o Options) refuse(w http.ResponseWriter, no *refusal) {
	if o.Refused != nil && no != endedEarly {
		o.Refused()
	}
	w.Header().Set("Connection", "close")
	WriteError(w, no.status, no.code, no.message)
}

// Middleware lets a request through to next only when its Host is this very server,
// by its own address or by the public one of o,
// and nothing in it speaks of another site. Foreign hosts are 421, foreign
// origins and preflights 403, bodies that are not JSON 415. It never sends an
// Access-Control-Allow header, and every reply carries headers that keep other
// sites from embedding it.
//
// Reading the body fails with *http.MaxBytesError once it proves too long; Body
// makes a reply of that, and looks for bombs.
func Middleware(next http.Handler, o Options) http.Handler {
	second := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secure(w.Header())
		if r.ContentLength != 0 {
			// The server reads what a handler did not, however long that takes.
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(o.bodyIn())) // a recorder in a test has none
		}
		no := o.check(r)
		if no == nil && second.Check(r) != nil {
			no = &refusal{http.StatusForbidden, "forbidden", "this request comes from another site"}
		}
		if no != nil {
			o.refuse(w, no)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, o.maxBody())
		next.ServeHTTP(w, r)
	})
}

func secure(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

func (o Options) check(r *http.Request) *refusal {
	origin := o.originOf(r)
	switch {
	case origin == "":
		return &refusal{http.StatusMisdirectedRequest, "misdirected", "no such host here"}
	case !o.ownOrigin(r, origin):
		return &refusal{http.StatusForbidden, "forbidden", "this request comes from another site"}
	case r.Method == http.MethodOptions:
		return &refusal{http.StatusForbidden, "forbidden", "other sites may not call this server"}
	case hasBody(r) && !isJSON(r):
		return &refusal{http.StatusUnsupportedMediaType, "invalid", "the content type must be application/json"}
	}
	return nil
}

// originOf returns the origin of the server's pages by the name that the request has for
// it; empty for a name that is not the server's.
func (o Options) originOf(r *http.Request) string {
	switch {
	case o.Origin != "" && "https://"+r.Host == o.Origin:
		return o.Origin
	case !o.Public && slices.Contains(hosts(r), r.Host):
		return "http://" + r.Host
	default:
		return ""
	}
}

// hosts returns the names that this server goes by, as a browser writes them.
// They follow from the connection, so there is nothing to configure wrongly.
func hosts(r *http.Request) []string {
	addr, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if !ok || !addr.IP.IsLoopback() {
		return nil
	}
	_, port, _ := net.SplitHostPort(addr.String())
	names := []string{"127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port}
	if port == "80" { // which browsers leave out
		names = append(names, "127.0.0.1", "localhost", "[::1]")
	}
	return names
}

// ownOrigin reports whether the request comes from a page of this server, from
// the user's own hand, or from a program that is no browser.
func (o Options) ownOrigin(r *http.Request, own string) bool {
	for _, origin := range r.Header["Origin"] {
		if origin != own {
			return false
		}
	}
	for _, site := range r.Header["Sec-Fetch-Site"] {
		here := site == "same-origin" || site == "none"
		if !here && (!o.Linked || !followsLink(r)) {
			return false
		}
	}
	return true
}

// followsLink reports whether a person goes to the page, from wherever they were.
func followsLink(r *http.Request) bool {
	return r.Method == http.MethodGet && r.URL.Path == "/" && r.URL.RawQuery == "" &&
		r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}

func hasBody(r *http.Request) bool {
	return r.ContentLength != 0 || slices.Contains([]string{"POST", "PUT", "PATCH"}, r.Method)
}

// isJSON insists on what a page cannot send elsewhere without a preflight.
func isJSON(r *http.Request) bool {
	types := r.Header["Content-Type"]
	if len(types) != 1 {
		return false
	}
	kind, params, err := mime.ParseMediaType(types[0])
	if err != nil || kind != "application/json" {
		return false
	}
	charset := params["charset"]
	return charset == "" || strings.EqualFold(charset, "utf-8")
}
