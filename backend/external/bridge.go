package external

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"beckon/backend/toolserver"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// errAbsent is what an agent reads whose call meets no Beckon, or outlives it.
var errAbsent = errors.New("Beckon is not running, so nobody can answer, and nothing is asked at the moment. Tell the user to start it (the command is: beckon) and ask again; or decide by your best judgment, and say in your final message what you assumed")

// greeting is how long Beckon may take to let a guest in.
const greeting = 10 * time.Second

// bridge holds the way to Beckon, and finds it anew after it closed.
type bridge struct {
	dataDir, workDir string
	notify           func(method string, params map[string]any)

	mu  sync.Mutex
	now *visit // nil before the first call
}

// visit is the time as the guest of one running Beckon.
type visit struct {
	ctx    context.Context // ends when Beckon closes, or the bridge
	cancel context.CancelFunc
	wire   *transport.StreamableHTTP
	ids    atomic.Int64
}

// visit returns the visit that lasts, or begins one.
func (b *bridge) visit(ctx context.Context) (*visit, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.now != nil && b.now.ctx.Err() == nil {
		return b.now, nil
	}
	door, err := find(b.dataDir)
	if err != nil {
		return nil, errAbsent
	}
	v := &visit{}
	v.ctx, v.cancel = context.WithCancel(context.Background())
	pass, err := v.enter(door, toolserver.Guest{Client: clientOf(ctx), Dir: b.workDir})
	if err == nil {
		err = v.greet(ctx, door.MCP, pass.Token, b.forward)
	}
	if err != nil {
		v.cancel()
		return nil, err
	}
	b.now = v
	return v, nil
}

// clientOf names who speaks to us, in its own words.
func clientOf(ctx context.Context) string {
	s, ok := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo)
	if !ok {
		return ""
	}
	info := s.GetClientInfo()
	return strings.TrimSpace(info.Name + " " + info.Version)
}

// enter proves at the door that it may come in, and goes on only where the
// other side proves that it is Beckon. The connection stays open for as long as
// the visit lasts, and ends it when Beckon closes it.
func (v *visit) enter(door toolserver.Door, g toolserver.Guest) (pass toolserver.Pass, err error) {
	body, err := json.Marshal(g)
	if err != nil {
		return pass, err
	}
	req, err := http.NewRequestWithContext(v.ctx, http.MethodPost, door.URL, bytes.NewReader(body))
	if err != nil {
		return pass, errAbsent // what the file says is no address
	}
	req.Header.Set("Content-Type", "application/json")
	header, nonce := door.Introduce()
	req.Header.Set("Authorization", header)
	slow := time.AfterFunc(greeting, v.cancel)
	defer slow.Stop()
	res, err := http.DefaultTransport.RoundTrip(req) //nolint:bodyclose // it is closed when the visit ends
	if err != nil {
		return pass, errAbsent // it died and left its file
	}
	lines := json.NewDecoder(res.Body)
	if res.StatusCode == http.StatusOK {
		err = lines.Decode(&pass)
	}
	if res.StatusCode != http.StatusOK || err != nil || !door.Vouches(pass, nonce) {
		res.Body.Close()
		return pass, errAbsent // another program has its port
	}
	go func() {
		defer v.cancel()
		defer res.Body.Close()
		_, _ = io.Copy(io.Discard, res.Body) // which never says more
	}()
	return pass, nil
}

// greet begins an MCP session under the guest's own token.
func (v *visit) greet(ctx context.Context, url, token string, forward func(mcp.JSONRPCNotification)) error {
	wire, err := transport.NewStreamableHTTP(url, transport.WithHTTPHeaders(map[string]string{"Authorization": "Bearer " + token}))
	if err != nil {
		return err
	}
	v.wire = wire
	wire.SetNotificationHandler(forward)
	ctx, cancel := context.WithTimeout(ctx, greeting)
	defer cancel()
	_, err = v.request(ctx, string(mcp.MethodInitialize), mcp.InitializeParams{
		ProtocolVersion: mcp.ProtocolVersion20251125,
		ClientInfo:      mcp.Implementation{Name: "beckon mcp", Version: "1"},
	})
	if err != nil {
		return fmt.Errorf("greet Beckon: %w", err)
	}
	wire.SetProtocolVersion(mcp.ProtocolVersion20251125)
	return v.tell(ctx, "notifications/initialized", nil)
}

func (v *visit) request(ctx context.Context, method string, params any) (*transport.JSONRPCResponse, error) {
	id := mcp.NewRequestId(v.ids.Add(1))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(v.ctx, cancel)()
	res, err := v.wire.SendRequest(ctx, transport.JSONRPCRequest{JSONRPC: mcp.JSONRPC_VERSION, ID: id, Method: method, Params: params})
	if err != nil && ctx.Err() != nil && v.ctx.Err() == nil {
		// A connection that breaks is no cancellation; this is.
		v.cancelled(id)
	}
	return res, err
}

func (v *visit) cancelled(id mcp.RequestId) {
	ctx, cancel := context.WithTimeout(v.ctx, greeting)
	defer cancel()
	_ = v.tell(ctx, string(mcp.MethodNotificationCancelled), map[string]any{"requestId": id.Value()})
}

func (v *visit) tell(ctx context.Context, method string, params map[string]any) error {
	return v.wire.SendNotification(ctx, mcp.JSONRPCNotification{
		JSONRPC: mcp.JSONRPC_VERSION,
		Notification: mcp.Notification{
			Method: method,
			Params: mcp.NotificationParams{AdditionalFields: params},
		},
	})
}

// call has Beckon carry out a tool's call. The error is that it could not be
// brought there.
func (v *visit) call(ctx context.Context, params mcp.CallToolParams) (*mcp.CallToolResult, error) {
	res, err := v.request(ctx, string(mcp.MethodToolsCall), params)
	if err != nil {
		return nil, err
	}
	if res.Error != nil {
		return mcp.NewToolResultError(res.Error.Message), nil
	}
	return mcp.ParseCallToolResult(&res.Result)
}

// settle waits a moment after a connection broke, in which the end of the
// visit shows if Beckon closed.
func (v *visit) settle(ctx context.Context) {
	select {
	case <-v.ctx.Done():
	case <-ctx.Done():
	case <-time.After(time.Second):
	}
}

// forward passes signs of life on; they carry the client's own token.
func (b *bridge) forward(n mcp.JSONRPCNotification) {
	if n.Method == "notifications/progress" {
		b.notify(n.Method, n.Params.AdditionalFields)
	}
}

// close ends the visit, and with it whatever is still asked.
func (b *bridge) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.now != nil {
		b.now.cancel()
	}
}
