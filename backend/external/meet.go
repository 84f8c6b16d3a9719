package external

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"

	"beckon/backend/toolserver"
)

// meeting is a request to a Beckon that has proved to be one.
type meeting struct {
	token toolserver.Token
	lines *json.Decoder // what follows the token
	body  io.ReadCloser
}

// meet proves to the endpoint that this program may speak to it, sends what it
// has to say, and goes on only where the other side proves that it is Beckon.
// The request lasts as long as the meeting.
func meet(ctx context.Context, e toolserver.Endpoint, url string, says any) (*meeting, error) {
	text, err := json.Marshal(says)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(text))
	if err != nil {
		return nil, errAbsent // what the file says is no address
	}
	req.Header.Set("Content-Type", "application/json")
	header, nonce := e.Authorization()
	req.Header.Set("Authorization", header)
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return nil, errAbsent // it died and left its file
	}
	m := &meeting{lines: json.NewDecoder(res.Body), body: res.Body}
	if res.StatusCode == http.StatusOK {
		err = m.lines.Decode(&m.token)
	}
	if res.StatusCode != http.StatusOK || err != nil || !e.Verify(m.token, nonce) {
		res.Body.Close()
		return nil, errAbsent // another program has its port
	}
	return m, nil
}
