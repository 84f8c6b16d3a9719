// Package webhook tells an address of the user's choice by POST that something
// waits: as JSON that is signed, or as ntfy, Slack and Discord want it. It tells and
// takes no answers. It follows no redirects, and connects neither to addresses that
// only one link reaches, where clouds keep secrets, nor without TLS to anything
// beyond the user's own network.
package webhook

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/remote"
	"beckon/backend/channel"
	"beckon/backend/channel/egress"
)

// patience is how long a receiver may take.
const patience = 5 * time.Second

// ofTheMessage are the statuses of a receiver that does not want this very message, whenever
// it comes.
var ofTheMessage = []int{
	http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity,
}

// mostURL is how long an address may be, in bytes.
const mostURL = 2048

// Sender sends to addresses. It implements channel.HookSender.
type Sender struct{ client *http.Client }

// New returns a sender.
func New() *Sender {
	return &Sender{egress.Client(egress.Own, patience)}
}

// Again implements channel.Sender.
func (s *Sender) Again(failed int) (after time.Duration, again bool) {
	pauses := []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute}
	if failed >= len(pauses) {
		return 0, false
	}
	return pauses[failed], true
}

// Check implements channel.HookSender.
func (s *Sender) Check(a remote.Address) (host string, err error) {
	u, err := url.Parse(a.URL)
	if len(a.URL) > mostURL {
		return "", problem.New(problem.LongAddress, beckon.Invalid("the address has more than %d characters; nothing was changed", mostURL), "most", strconv.Itoa(mostURL))
	}
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.Fragment != "" {
		return "", problem.New(problem.BadAddress, beckon.Invalid("this is no address of the form https://host/path; nothing was changed"))
	}
	if _, known := bodies[a.Shape]; !known {
		return "", beckon.Invalid("there is no form %q", a.Shape)
	}
	return u.Host, nil
}

// Send implements channel.Sender.
func (s *Sender) Send(ctx context.Context, to channel.Recipient, l channel.Letter) error {
	address, err := to.Secret(channel.HookURL)
	if err != nil {
		return err
	}
	key, err := to.Secret(channel.HookKey)
	if err != nil {
		return err
	}
	body, header, tells := bodies[to.Shape](l)
	if !tells {
		return nil
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return &channel.Failure{Trouble: remote.Forbidden, Detail: "the address is not understood"}
	}
	for name, value := range header {
		r.Header.Set(name, value)
	}
	r.Header.Set("User-Agent", "Beckon")
	r.Header.Set("Beckon-Signature", sign(key, time.Now(), body))
	return s.post(r)
}

func (s *Sender) post(r *http.Request) error {
	answer, err := s.client.Do(r)
	if err != nil {
		return failureOf(err)
	}
	defer answer.Body.Close()
	_, _ = io.CopyN(io.Discard, answer.Body, 4<<10) // what it says is of no use
	if answer.StatusCode/100 == 2 {
		return nil
	}
	return &channel.Failure{
		Trouble: remote.Refused, Detail: "HTTP " + strconv.Itoa(answer.StatusCode),
		After: egress.RetryAfter(answer.Header, time.Now()), Final: slices.Contains(ofTheMessage, answer.StatusCode),
	}
}

// failureOf says what went wrong, without the address: that may be a secret.
func failureOf(err error) error {
	detail, forbidden := egress.Explain(err)
	if forbidden {
		return &channel.Failure{Trouble: remote.Forbidden, Detail: detail}
	}
	return &channel.Failure{Trouble: remote.Unreachable, Detail: detail}
}
