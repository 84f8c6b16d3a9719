package container

import (
	"context"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"beckon/backend/executor/tunnel"
	"beckon/backend/executor/worker"
)

const (
	// tunnelIn is how long the first tunnel may take.
	tunnelIn = time.Minute
	// tunnelPause is between two.
	tunnelPause = time.Second
)

// tunnel keeps a tunnel to the container until it rests, and waits for the first.
func (c *Container) tunnel(ctx context.Context) error {
	if c.stopTunnel != nil {
		return nil
	}
	live, stop := context.WithCancel(context.Background())
	c.stopTunnel = stop
	ready := make(chan struct{})
	go c.keepTunnel(live, sync.OnceFunc(func() { close(ready) }))
	select {
	case <-ready:
		return nil
	case <-time.After(tunnelIn):
		c.endTunnel()
		return worker.Unreachable("the way to Claude's API could not be opened in the container")
	case <-ctx.Done():
		c.endTunnel()
		return context.Cause(ctx)
	}
}

func (c *Container) keepTunnel(ctx context.Context, ready func()) {
	base := ""
	if slices.Contains(c.m.row.Variables, "ANTHROPIC_BASE_URL") {
		base = os.Getenv("ANTHROPIC_BASE_URL")
	}
	hosts := tunnel.Claude(base)
	for ctx.Err() == nil {
		link, err := c.Link(ctx, "tunnel")
		if err == nil {
			err = hosts.Serve(ctx, link, ready)
			_ = link.Close() // it is over
		}
		if ctx.Err() == nil {
			slog.Debug("the way to Claude's API ended", "err", err, "container", c.name)
		}
		select {
		case <-time.After(tunnelPause):
		case <-ctx.Done():
		}
	}
}

// endTunnel ends it. The caller holds opening.
func (c *Container) endTunnel() {
	if c.stopTunnel != nil {
		c.stopTunnel()
		c.stopTunnel = nil
	}
}
