package client

import (
	"context"
	"encoding/json"
	"sync"

	"beckon/backend/beckon"

	"github.com/coder/websocket"
)

// Follow attaches a client, which has 8 to 64 small letters and digits, and
// calls show with each of its frames, one at a time, until the test ends. It
// returns once the client is attached, so that it may watch.
func (p *Program) Follow(client string, show func(beckon.Frame)) {
	p.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	conn, res, err := websocket.Dial(ctx, p.Base+"/events?client="+client, &websocket.DialOptions{
		HTTPClient: p.client, Subprotocols: []string{"beckon." + p.key},
	})
	if err != nil {
		cancel()
		p.t.Fatalf("follow: %v, %v", res, err)
	}
	conn.SetReadLimit(-1)
	var reading sync.WaitGroup
	reading.Go(func() {
		for {
			_, text, err := conn.Read(ctx)
			if err != nil {
				return
			}
			var f beckon.Frame
			if err := json.Unmarshal(text, &f); err != nil {
				p.t.Errorf("frame %.200q: %v", text, err)
				return
			}
			show(f)
		}
	})
	p.t.Cleanup(func() {
		cancel()
		_ = conn.CloseNow()
		reading.Wait()
	})
}
