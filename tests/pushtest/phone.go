package pushtest

import (
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"time"

	"beckon/tests/timeout"
)

// Message is what a phone was sent.
type Message struct {
	ID, Key, Kind, Title, Text string
	Close                      bool

	// Size is that of the whole before it was encrypted, and Body after.
	Size, Body int
	TTL        time.Duration
	Topic      string
	Urgency    string
}

// Answer is what the service says to a message.
type Answer struct {
	Status     int
	RetryAfter string
	Location   string
}

// Phone is the browser of a phone that is subscribed.
type Phone struct {
	server      *Server
	path        string
	private     *ecdh.PrivateKey
	auth        []byte
	application string // whose messages it takes, by their public key

	took    chan Message
	refused chan Message
	answers []Answer // the first is the next; none: all is taken; guarded by server.mu
}

// Phone subscribes a phone to what the holder of a public key sends.
func (s *Server) Phone(application string) *Phone {
	private, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		s.t.Fatal(err)
	}
	auth, id := make([]byte, 16), make([]byte, 9)
	_, _ = rand.Read(auth) // it never fails
	_, _ = rand.Read(id)
	p := &Phone{
		server: s, path: "/send/" + base64.RawURLEncoding.EncodeToString(id), private: private, auth: auth, application: application,
		took: make(chan Message, 100), refused: make(chan Message, 100),
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.phones[p.path] = p
	return p
}

// Endpoint is where the phone is sent messages.
func (p *Phone) Endpoint() string { return origin + p.path }

// Subscription is what the phone's browser says of it.
func (p *Phone) Subscription() []byte {
	text, err := json.Marshal(map[string]any{
		"endpoint": p.Endpoint(), "expirationTime": nil,
		"keys": map[string]string{
			"p256dh": base64.RawURLEncoding.EncodeToString(p.private.PublicKey().Bytes()), "auth": base64.RawURLEncoding.EncodeToString(p.auth),
		},
	})
	if err != nil {
		p.server.t.Fatal(err)
	}
	return text
}

// Answers has the service answer the next messages so; those after them it takes.
func (p *Phone) Answers(all ...Answer) {
	p.server.mu.Lock()
	defer p.server.mu.Unlock()
	p.answers = all
}

// answer says what the script says to a message.
func (p *Phone) answer(w http.ResponseWriter, m Message) {
	p.server.mu.Lock()
	a := Answer{Status: http.StatusCreated}
	if len(p.answers) > 0 {
		a, p.answers = p.answers[0], p.answers[1:]
	}
	p.server.mu.Unlock()
	if a.RetryAfter != "" {
		w.Header().Set("Retry-After", a.RetryAfter)
	}
	if a.Location != "" {
		w.Header().Set("Location", a.Location)
	}
	to := p.refused
	if a.Status/100 == 2 {
		to = p.took
	}
	to <- m
	w.WriteHeader(a.Status)
}

// patience is how long a test waits for a message.
var patience = timeout.For(30 * time.Second)

// Wait waits for the next message that the service took.
func (p *Phone) Wait() Message {
	p.server.t.Helper()
	return p.next(p.took)
}

// WaitRefused waits for the next message that it did not take.
func (p *Phone) WaitRefused() Message {
	p.server.t.Helper()
	return p.next(p.refused)
}

func (p *Phone) next(of chan Message) Message {
	p.server.t.Helper()
	select {
	case m := <-of:
		return m
	case <-time.After(patience):
		p.server.t.Fatal("the phone is sent nothing")
		return Message{}
	}
}

// Idle fails the test where a message came that nobody waited for.
func (p *Phone) Idle() {
	p.server.t.Helper()
	select {
	case m := <-p.took:
		p.server.t.Errorf("the phone was sent %+v", m)
	case m := <-p.refused:
		p.server.t.Errorf("the phone was to be sent %+v", m)
	default:
	}
}
