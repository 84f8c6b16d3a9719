package program

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"

	"beckon/backend/agent/claude/cli"
	"beckon/backend/api"
	"beckon/backend/beckon"
	"beckon/backend/channel/phone/door"
	"beckon/backend/demo"
	"beckon/backend/desktop"
	"beckon/backend/desktop/openin"
	"beckon/backend/web"
)

// Serve runs Beckon for a browser, until it gets a signal to end.
func Serve(o Options, stdout io.Writer) error {
	return serve(o, claudeFinder(o.Claude), beckon.About{}, stdout)
}

func serve(o Options, find func() (cli.Options, error), about beckon.About, stdout io.Writer) error {
	ctx, stop := desktop.UntilSignal()
	defer stop()
	if o.Guest {
		ctx = demo.UntilClosed(ctx, os.Stdin)
	}
	about.Version = o.Build.Version
	if o.Public != "" {
		var err error
		if o.certificate, err = door.LoadCertificate(o.CertFile, o.KeyFile); err != nil {
			return err
		}
	}
	inBrowser := func(what string) error {
		return fmt.Errorf("%s in the window only: %w", what, beckon.ErrUnavailable)
	}
	shell := &api.Shell{
		About:        func() beckon.About { return about },
		ChooseFolder: func() (string, error) { return "", inBrowser("folders are chosen") },
		OpenURL:      func(string) error { return inBrowser("pages are opened by Beckon") },
		ShowFolder:   func(string) error { return inBrowser("folders are shown") },
		Programs:     openin.Machine{},
		Events:       func() []beckon.PageCall { return []beckon.PageCall{} },
		Quit:         func(beckon.QuitChoice) error { return inBrowser("Beckon is quit") },
	}
	p, err := open(context.WithoutCancel(ctx), o, find, shell)
	if err != nil {
		return err
	}
	sleep, err := p.keepAwake(o, shell)
	if err != nil {
		return errors.Join(err, p.close())
	}
	defer sleep()
	server, err := web.New(web.Config{Methods: api.Methods(p.api), Feed: p.feed, Assets: o.Build.Page, Log: slog.Default()})
	if err == nil {
		err = server.Listen(o.Addr)
	}
	if err != nil {
		return errors.Join(err, p.close())
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve() }()
	err = tellLinks(ctx, stdout, server, p.tools.URL(), ended)
	closing, cancel := context.WithTimeout(context.Background(), closeIn)
	defer cancel()
	return errors.Join(err, server.Close(closing), p.close())
}

// tellLinks prints a link, and another at each request: a link works once and
// not for long, sessions expire, and a start for a new one would end the
// agents. It returns when ctx ends or the server does.
func tellLinks(ctx context.Context, stdout io.Writer, server *web.Server, mcp string, ended <-chan error) error {
	requests := make(chan os.Signal, 1)
	desktop.OnLinkRequest(requests)
	defer signal.Stop(requests)
	for out, url := json.NewEncoder(stdout), server.URL(); ; url = server.NewURL() {
		if err := out.Encode(map[string]string{"url": url, "mcp": mcp}); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case err := <-ended:
			return err
		case <-requests:
		}
	}
}
