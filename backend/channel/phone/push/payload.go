package push

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"time"

	"beckon/backend/channel"
	"beckon/backend/plain"

	"github.com/SherClockHolmes/webpush-go"
)

// message is what the phone's page gets. Without a text it has less than 500 bytes.
type message struct {
	ID    string `json:"id"` // of the question
	Key   string `json:"key"`
	Kind  string `json:"kind"`
	Title string `json:"title,omitempty"`
	Text  string `json:"text,omitempty"`
	// Close says that the question is settled: what was shown of it is over.
	Close bool `json:"close,omitempty"`
}

// What a message has at most, in bytes: whole, as recordSize leaves room for it, and
// its title.
const (
	mostPayload = 2700
	mostTitle   = 200
)

// payload is a letter as the phone's page gets it.
func payload(l channel.Letter) []byte {
	m := message{ID: l.Question, Key: l.Task, Kind: l.Kind, Title: plain.Line(l.Title, mostTitle), Close: closes(l)}
	if !m.Close {
		m.Text = l.Text
	}
	text := encode(m)
	for len(text) > mostPayload && m.Text != "" {
		// A byte of a text may take six.
		m.Text = plain.Cut(m.Text, max(len(m.Text)-max((len(text)-mostPayload)/6, 1), len("…")))
		if m.Text == "…" {
			m.Text = ""
		}
		text = encode(m)
	}
	return text
}

func encode(m message) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(m); err != nil {
		panic(err) // strings always have a form
	}
	return bytes.TrimSpace(out.Bytes())
}

// closes reports whether a letter takes back what another asked.
func closes(l channel.Letter) bool { return l.Event != channel.Asked }

// topicOf names the question to the push service, which keeps the newest message of
// it alone. It tells nothing of the question.
func topicOf(l channel.Letter) string {
	sum := sha256.Sum256([]byte(l.Question))
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

func urgencyOf(l channel.Letter) webpush.Urgency {
	if closes(l) {
		return webpush.UrgencyNormal
	}
	return webpush.UrgencyHigh
}

// How long push services keep messages for phones that are away.
const (
	keptOtherwise = 24 * time.Hour
	keptAtMost    = 28 * 24 * time.Hour // no service keeps them longer
)

// keptFor is how long a message is worth delivering: a question as long as it waits.
func keptFor(l channel.Letter, now time.Time) time.Duration {
	if closes(l) || l.Deadline == 0 {
		return keptOtherwise
	}
	return min(max(0, time.UnixMilli(l.Deadline).Sub(now)), keptAtMost)
}
