package web

import (
	"context"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"github.com/coder/websocket"

	"beckon/backend/beckon"
	"beckon/backend/loopback"
)

const (
	// writeTimeout is how long a page may leave a frame unread before it is
	// dropped; it then connects again.
	writeTimeout = 10 * time.Second
	// pingEvery finds out about peers that are gone without a word, such as a
	// tunnel's far end.
	pingEvery = time.Minute
	// longestWord is that of the largest number.
	longestWord = 20
)

var clientID = regexp.MustCompile(`^[a-z0-9]{8,64}$`)

// events sends a client its frames until either side goes. The client is
// attached before the handshake ends, so once its socket is open, it may
// watch, and misses nothing.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("client")
	if !clientID.MatchString(id) {
		loopback.WriteError(w, http.StatusBadRequest, "invalid", "client must be 8 to 64 small letters and digits")
		return
	}
	s.sockets.Add(1)
	defer s.sockets.Done()
	ctx, release := s.sessions.attach(r.Context(), sessionOf(r.Context()))
	defer release()
	ctx, cancel := context.WithCancel(ctx)
	ready := make(chan *websocket.Conn, 1)
	detach := s.feed.Attach(id, s.sink(ctx, cancel, ready))
	defer func() {
		cancel() // before detach, which waits for a write at work
		detach()
	}()
	// The wire is memory: compressing makes a frame 2.5 times as dear.
	protocol, _ := protocolOf(r)
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		CompressionMode: websocket.CompressionDisabled, Subprotocols: []string{protocol},
	})
	if err != nil {
		return // Accept has replied
	}
	defer func() { _ = conn.CloseNow() }()
	ready <- conn
	s.sockets.Go(func() {
		defer cancel()
		s.hear(ctx, conn, id)
	})
	watchPeer(ctx, conn)
}

// hear takes a client's word for the frames that it has taken: the number of the latest, as text,
// which is all that a client may say. It returns when the peer is gone or says something else. The
// library's CloseRead would wait ten seconds for a goodbye from a peer that talks.
func (s *Server) hear(ctx context.Context, conn *websocket.Conn, id string) {
	conn.SetReadLimit(longestWord)
	for {
		kind, word, err := conn.Read(ctx)
		if err != nil || kind != websocket.MessageText {
			return
		}
		seq, err := strconv.ParseInt(string(word), 10, 64)
		if err != nil || seq < 0 {
			return
		}
		s.feed.Taken(id, seq)
	}
}

// watchPeer returns when the peer is gone or ctx ends.
func watchPeer(ctx context.Context, conn *websocket.Conn) {
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if ping(ctx, conn) != nil {
				return
			}
		}
	}
}

func ping(ctx context.Context, conn *websocket.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	return conn.Ping(ctx)
}

// sink returns what writes a client's frames to its connection, once that is
// ready, and gives the connection up where that does not work.
func (s *Server) sink(ctx context.Context, giveUp func(), ready <-chan *websocket.Conn) func(beckon.Frame) {
	var conn *websocket.Conn
	return func(f beckon.Frame) {
		if conn == nil {
			select {
			case conn = <-ready:
			case <-ctx.Done():
				return
			}
		}
		if s.write(ctx, conn, f) != nil {
			giveUp()
		}
	}
}

func (s *Server) write(ctx context.Context, conn *websocket.Conn, f beckon.Frame) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	var message io.WriteCloser // of several pieces
	return s.encode(f, func(piece []byte, last bool) (err error) {
		if message == nil && last {
			return conn.Write(ctx, websocket.MessageText, piece)
		}
		if message == nil {
			if message, err = conn.Writer(ctx, websocket.MessageText); err != nil {
				return err
			}
		}
		if _, err = message.Write(piece); err != nil || !last {
			return err
		}
		return message.Close()
	})
}
