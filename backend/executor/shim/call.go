package shim

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// request is a call.
type request struct {
	Version int             `json:"version"`
	Name    string          `json:"name"`
	Params  json.RawMessage `json:"params"`
}

// FailedCall is why a call failed, in the words of the program there.
type FailedCall string

func (e FailedCall) Error() string { return string(e) }

// Call has the program at the other end of a new link do something that is about no
// agent, and returns what that gives. A FailedCall came from there; any other error
// leaves open whether it was done. Where the program was removed, a second link is tried,
// which puts it there again.
func Call(ctx context.Context, dial Dial, name string, params, into any) error {
	text, err := json.Marshal(params)
	if err != nil {
		return err
	}
	q := request{Version, name, text}
	err = call(ctx, dial, q, into)
	if errors.Is(err, ErrMissing) {
		err = call(ctx, dial, q, into)
	}
	return err
}

// call is Call by one link.
func call(ctx context.Context, dial Dial, q request, into any) error {
	conn, err := dial(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	err = converse(conn, q, into)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

func converse(conn io.ReadWriter, q request, into any) error {
	_, unheard := conn.Write(jsonFrame(frameCall, 0, q))
	r := bufio.NewReader(conn)
	if err := skipGreeting(r); err != nil {
		return err // it says why nobody listened, too
	}
	if unheard != nil {
		return unheard
	}
	f, err := readFrame(r, make([]byte, greetingMost))
	switch {
	case err != nil:
		return fmt.Errorf("the link broke: %w", err)
	case f.Kind == frameGone:
		return FailedCall(fmt.Sprintf("%.2000s", f.Payload))
	case f.Kind != frameReply:
		return errMalformed
	}
	return json.Unmarshal(f.Payload, into)
}

// answer answers a call. The end of the link ends what it does.
func (h Here) answer(rest io.Reader, to io.Writer, text []byte) error {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	go func() {
		_, _ = io.Copy(io.Discard, rest)
		cancel(errors.New("the link broke"))
	}()
	var q request
	if json.Unmarshal(text, &q) != nil {
		return errMalformed
	}
	given, err := h.Serve(ctx, q.Name, q.Params)
	said := jsonFrame(frameReply, 0, given)
	if err != nil {
		said = goneFrame(err)
	}
	_, err = to.Write(said)
	return err
}
