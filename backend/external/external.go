// Package external is `beckon mcp`: it lends Beckon's tools over stdio to any
// MCP client on the machine, and carries each call to the Beckon that runs.
//
// It finds that Beckon through a file in the data folder, which only the user
// can read, and begins a run of its own. Beckon may come and
// go meanwhile: a call that finds none fails with words on what to do, and the
// next one looks again. The package knows how to reach Beckon, and nothing of
// what it does with a question.
package external

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log"
	"maps"
	"os"

	"beckon/backend/toolserver"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// parallel is how many calls may wait at once; mcp-go's most.
const parallel = 100

// Serve speaks MCP with one client until stdin ends or ctx does. dataDir is
// where the Beckon to carry calls to keeps its data; it need not run.
func Serve(ctx context.Context, dataDir string, stdin io.Reader, stdout, stderr io.Writer) error {
	wd, err := os.Getwd()
	if err != nil {
		return err
	}
	b := &bridge{dataDir: dataDir, workDir: wd}
	defer b.close()
	mcpServer := toolserver.Offer(b.carry, b.carry)
	b.notify = mcpServer.SendNotificationToAllClients
	s := server.NewStdioServer(mcpServer)
	server.WithWorkerPoolSize(parallel)(s)
	s.SetErrorLogger(log.New(stderr, "beckon mcp: ", 0))
	err = s.Listen(ctx, stdin, stdout)
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// carry brings a call to Beckon and its result back. Whatever goes wrong the
// agent reads as the tool's result, since it can act on it. A call
// whose connection broke is repeated once: a Beckon that still runs knows it by
// its number, and the question is still there.
func (b *bridge) carry(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	params := numbered(req.Params)
	for again := false; ; again = true {
		var result *mcp.CallToolResult
		c, err := b.connect(ctx)
		if err == nil {
			result, err = c.call(ctx, params)
		}
		switch {
		case err == nil:
			return result, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case again || c == nil:
			return mcp.NewToolResultError(err.Error()), nil
		}
		c.settle(ctx)
	}
}

// numbered gives a call of a client that does not number them a number of its
// own, so that a repetition is known as one.
func numbered(params mcp.CallToolParams) mcp.CallToolParams {
	fields := map[string]any{toolserver.ToolUseID: rand.Text()}
	var token mcp.ProgressToken
	if params.Meta != nil {
		token = params.Meta.ProgressToken
		maps.Copy(fields, params.Meta.AdditionalFields)
	}
	params.Meta = &mcp.Meta{ProgressToken: token, AdditionalFields: fields}
	return params
}
