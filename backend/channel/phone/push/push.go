// Package push tells phones by Web Push that something waits: one message for each
// phone and question, which a newer one replaces. The push service, which the maker
// of the phone's browser runs, learns that a message came, when, and how long it is
// kept; what it says is encrypted for the phone (RFC 8291), and all are of one
// length. A subscription is a stranger's word: nothing is sent to what is not on the
// Internet. The package does not know which questions there are, nor who may see
// them.
package push

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
	"beckon/backend/channel"
	"beckon/backend/channel/egress"
	"beckon/backend/store/away"

	"github.com/SherClockHolmes/webpush-go"
)

// patience is how long a push service may take.
const patience = 10 * time.Second

// recordSize is how long every message is once it is encrypted, in bytes. Services
// take 4,096, but that of Firefox on Android passes on no more than about 3,000.
const recordSize = 3000

// contact is whom push services are to write to about what Beckon sends, as RFC 8292
// has it. Nobody runs Beckon for others, so there is nobody; Apple wants an address
// all the same.
const contact = "nobody@example.com"

// Config is what the sender needs of the program.
type Config struct {
	Devices away.Devices
	Keys    *KeyBook
	// Client makes the requests; nil: one that reaches the Internet alone.
	Client *http.Client
}

// Sender sends to phones. It implements channel.Group, and its methods may be called
// from any goroutine.
type Sender struct{ Config }

// New returns a sender.
func New(c Config) *Sender {
	if c.Client == nil {
		c.Client = egress.Client(egress.Public, patience)
	}
	return &Sender{c}
}

// Receivers implements channel.Group: the phones that somebody at the desk confirmed
// and whose browser takes messages.
func (s *Sender) Receivers(ctx context.Context) ([]channel.Receiver, error) {
	all, err := s.Devices.All(ctx)
	receivers := []channel.Receiver{}
	for _, d := range all {
		if listens(d) {
			receivers = append(receivers, channel.Receiver{ID: d.ID, Language: d.Language, Elsewhere: d.Rights.Elsewhere})
		}
	}
	return receivers, err
}

func listens(d away.Device) bool { return d.Confirmed && d.Push != "" }

// Ready implements channel.Group: it makes the keys, the first time.
func (s *Sender) Ready(ctx context.Context) error {
	_, err := s.Key(ctx)
	return err
}

// Key returns the public key, with which a phone's browser subscribes.
func (s *Sender) Key(ctx context.Context) (string, error) {
	k, err := s.Keys.Keys(ctx)
	return k.Public, err
}

// Again implements channel.Sender: a message is tried until it is taken or its
// question is settled, for the computer may be without a network for days.
func (s *Sender) Again(failed int) (after time.Duration, again bool) {
	return min(5*time.Second<<min(failed, 10), 5*time.Minute), true
}

// Send implements channel.Sender.
func (s *Sender) Send(ctx context.Context, to channel.Recipient, l channel.Letter) error {
	d, err := s.Devices.Device(ctx, to.ID)
	if errors.Is(err, beckon.ErrNotFound) || err == nil && !listens(d) {
		return channel.ErrGone
	}
	if err != nil {
		return &channel.Failure{Trouble: remote.Refused, Detail: err.Error()}
	}
	subscribed, err := parse([]byte(d.Push))
	if err != nil {
		return s.gone(ctx, d)
	}
	k, err := s.Keys.Keys(ctx)
	if err != nil {
		return &channel.Failure{Trouble: remote.Keyless}
	}
	answer, err := webpush.SendNotificationWithContext(ctx, payload(l), &subscribed, &webpush.Options{
		HTTPClient: s.Client, RecordSize: recordSize, Subscriber: contact, VAPIDPublicKey: k.Public, VAPIDPrivateKey: k.Private,
		Topic: topicOf(l), TTL: int(keptFor(l, time.Now()) / time.Second), Urgency: urgencyOf(l),
	})
	if err != nil {
		return failureOf(err)
	}
	defer answer.Body.Close()
	_, _ = io.CopyN(io.Discard, answer.Body, 4<<10) // what it says is of no use
	return s.judge(ctx, d, answer)
}

// judge says what the answer of a service means.
func (s *Sender) judge(ctx context.Context, d away.Device, answer *http.Response) error {
	status := answer.StatusCode
	f := &channel.Failure{Trouble: remote.Refused, Detail: "HTTP " + strconv.Itoa(status), After: egress.RetryAfter(answer.Header, time.Now())}
	switch {
	case status/100 == 2:
		return nil
	case status == http.StatusNotFound, status == http.StatusGone:
		return s.gone(ctx, d)
	case status == http.StatusTooManyRequests, status == http.StatusRequestTimeout, status/100 == 5:
		return f
	default:
		f.Final = true // it would be the same another time
		return f
	}
}

// gone forgets a subscription that holds no more, unless the phone has another by
// now, to which the message then goes.
func (s *Sender) gone(ctx context.Context, d away.Device) error {
	was, err := s.Devices.Unsubscribe(ctx, d.ID, d.Push)
	switch {
	case err != nil:
		return &channel.Failure{Trouble: remote.Refused, Detail: err.Error()}
	case !was:
		return &channel.Failure{Trouble: remote.Refused, Detail: "the phone subscribed again"}
	default:
		return channel.ErrGone
	}
}

// failureOf says why there was no answer, without the address: who knows it can send
// there.
func failureOf(err error) error {
	var failed *url.Error
	if !errors.As(err, &failed) {
		return &channel.Failure{Trouble: remote.Refused, Detail: "the message could not be encrypted", Final: true}
	}
	detail, forbidden := egress.Explain(err)
	if forbidden {
		return &channel.Failure{Trouble: remote.Forbidden, Detail: detail, Final: true}
	}
	return &channel.Failure{Trouble: remote.Unreachable, Detail: detail}
}
