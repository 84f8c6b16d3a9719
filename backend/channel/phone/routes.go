package phone

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"beckon/backend/assets"
	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/remote"
	"beckon/backend/loopback"
	"beckon/backend/store/away"
)

const (
	pageName = "index.html"
	// The limits of bodies, in bytes.
	mostBody         = 64 << 10
	mostAnswer       = 16 << 10
	mostSubscription = 4 << 10
	mostOfAStranger  = 1 << 10
	// strangerIn is how long the body may take of somebody who is not known.
	strangerIn = time.Second
	// maxID is how long an id of the page may be.
	maxID = 64
)

// Me is what a phone knows of itself.
type Me struct {
	Name      string        `json:"name"`
	Confirmed bool          `json:"confirmed"`
	Host      string        `json:"host"` // this computer's name, once the phone is confirmed
	Rights    remote.Rights `json:"rights"`
	Push      bool          `json:"push"`
}

func (s *Server) meOf(d away.Device) Me {
	me := Me{Name: d.Name, Confirmed: d.Confirmed, Rights: d.Rights, Push: d.Push != ""}
	if d.Confirmed {
		me.Host = s.View.Host
	}
	return me
}

// handler is every check in its order: where the request comes from, who asks, how
// often, what it carries, and what the phone may.
func (s *Server) handler(files assets.Files, o loopback.Options) http.Handler {
	mux, answers, subscriptions, strangers := http.NewServeMux(), o, o, o
	answers.MaxBody, subscriptions.MaxBody, strangers.MaxBody = mostAnswer, mostSubscription, mostOfAStranger
	strangers.BodyIn = strangerIn
	mux.Handle("POST /api/pair", s.counted(s.offered(loopback.Body(http.HandlerFunc(s.pair), strangers))))
	mux.Handle("POST /api/forget", s.known(loopback.Body(http.HandlerFunc(s.forget), o)))
	mux.Handle("GET /api/events", s.known(http.HandlerFunc(s.events)))
	mux.Handle("GET /api/me", s.admit(paired, o, func(_ *http.Request, d away.Device) result { return found(s.meOf(d)) }))
	mux.Handle("GET /api/inbox", s.admit(confirmed, o, s.inbox))
	mux.Handle("GET /api/question/{id}", s.admit(confirmed, o, s.card))
	mux.Handle("POST /api/question/{id}/answer", s.admit(confirmed, answers, s.answer))
	mux.Handle("POST /api/question/{id}/hold", s.admit(confirmed, o, s.hold))
	mux.Handle("POST /api/task/{id}/stop", s.admit(confirmed, o, s.stopTask))
	mux.Handle("POST /api/task/{id}/message", s.admit(confirmed, o, s.message))
	mux.Handle("GET /api/push", s.admit(confirmed, o, s.pushKey))
	mux.Handle("POST /api/push", s.admit(confirmed, subscriptions, s.subscribe))
	mux.Handle("DELETE /api/push", s.admit(confirmed, o, s.unsubscribed))
	mux.HandleFunc("/api/", s.notFound)
	mux.Handle("/", s.page(files))
	o.BodyIn = strangerIn // until somebody is known
	return loopback.Middleware(assets.SecurityHeaders(mux), o)
}

func (s *Server) notFound(w http.ResponseWriter, _ *http.Request) {
	s.reply(w, refused(http.StatusNotFound, "not_found", "There is nothing here."))
}

// counted bounds what everybody may ask.
func (s *Server) counted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.strangers.takeToken(s.now()) {
			s.reply(w, tooMany)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// offered lets nobody's body in while no code holds.
func (s *Server) offered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.Codes.Holds() {
			s.reply(w, s.noCode())
			return
		}
		next.ServeHTTP(w, r)
	})
}

// noCode says that a code does not hold, or that none can.
func (s *Server) noCode() result {
	if s.Codes.Off() {
		return refused(http.StatusForbidden, string(problem.PairingOff), "Too many wrong codes were tried, so pairing is off.")
	}
	return refused(http.StatusForbidden, string(problem.Code), "This code does not hold.")
}

// page sends the files of the page, which are the same for everybody.
func (s *Server) page(files assets.Files) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			s.notFound(w, r)
		case name == "" || name == pageName:
			s.front(w, r, files)
		case files.Has(name):
			files.Serve(w, r, name)
		default:
			s.notFound(w, r)
		}
	})
}

// front sends the page itself. A browser that is not paired reads by its status that it
// is not let in, and shows how it would be.
func (s *Server) front(w http.ResponseWriter, r *http.Request, files assets.Files) {
	if _, err := s.deviceOf(r); err != nil {
		files.ServeAs(w, pageName, http.StatusUnauthorized)
		return
	}
	files.Serve(w, r, pageName)
}

// read decodes a body that loopback.Body has read.
func read(r *http.Request, into any) error {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	return decode(text, into)
}

// decode is strict about the form of the text, and not about what is in it besides: a
// page may be older than Beckon.
func decode(text []byte, into any) error {
	if !utf8.Valid(text) {
		return beckon.Invalid("the request is no text")
	}
	if err := json.Unmarshal(text, into); err != nil {
		return beckon.Invalid("the request is not understood")
	}
	return nil
}

// pair makes a phone known that shows the code of the desk.
func (s *Server) pair(w http.ResponseWriter, r *http.Request) {
	var given struct{ Code, Name, Language string }
	if err := read(r, &given); err != nil {
		s.reply(w, failed(err))
		return
	}
	before, errBefore := s.deviceOf(r)
	value, secret := newSecret()
	key, keyHash := newSecret()
	added := away.Device{Name: given.Name, Language: languageOf(given.Language), Secret: secret, Key: keyHash}
	err := s.Codes.Redeem(given.Code, func() (err error) {
		added, err = s.add(r.Context(), added)
		return err
	})
	switch {
	case err != nil && s.Codes.Off(), errors.Is(err, beckon.ErrInvalid):
		s.reply(w, s.noCode())
	case err != nil:
		s.reply(w, failed(err))
	default:
		if errBefore == nil {
			_ = s.Remove(r.Context(), before.ID) // one browser is one device
		}
		setCookie(w, value, cookieLife)
		s.reply(w, found(struct {
			Me
			Key string `json:"key"`
		}{s.meOf(added), key}))
		s.Changed()
	}
}

// add keeps a phone by a name that no other has: answers say it.
func (s *Server) add(ctx context.Context, d away.Device) (away.Device, error) {
	all, err := s.Book.All(ctx)
	if err != nil {
		return d, err
	}
	taken := map[string]bool{}
	for _, one := range all {
		taken[one.Name] = true
	}
	d.ID, d.Name = beckon.NewID(), freeName(d.Name, taken)
	return s.Book.Add(ctx, d)
}

// forget unpairs the phone that asks for it.
func (s *Server) forget(w http.ResponseWriter, r *http.Request) {
	err := s.Remove(r.Context(), idOf(r.Context()))
	if errors.Is(err, beckon.ErrNotFound) {
		err = nil // somebody at the desk was faster
	}
	if err == nil {
		setCookie(w, "", -time.Second)
	}
	s.reply(w, done(err))
}

// pushKey says how the phone's browser subscribes.
func (s *Server) pushKey(r *http.Request, d away.Device) result {
	key, err := "", beckon.ErrNotFound
	if s.Push != nil {
		key, err = s.Push.Key(r.Context())
	}
	if err != nil {
		return failed(err)
	}
	return found(struct {
		Key string `json:"key"`
		On  bool   `json:"on"`
	}{key, d.Push != ""})
}

func (s *Server) subscribe(r *http.Request, d away.Device) result {
	text, err := io.ReadAll(r.Body)
	switch {
	case s.Push == nil:
		err = beckon.ErrNotFound
	case err == nil:
		err = s.Push.Subscribe(r.Context(), d.ID, text)
	}
	return s.changedPush(d, err)
}

func (s *Server) unsubscribed(r *http.Request, d away.Device) result {
	err := beckon.ErrNotFound
	if s.Push != nil {
		err = s.Push.Unsubscribe(r.Context(), d.ID)
	}
	return s.changedPush(d, err)
}

func (s *Server) changedPush(d away.Device, err error) result {
	if err == nil {
		s.visitors.of(d.ID).wake()
		s.Changed()
	}
	return done(err)
}
