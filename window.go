package main

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"beckon/backend/api"
	"beckon/backend/assets"
	"beckon/backend/beckon"
	"beckon/backend/claude/cli"
	"beckon/backend/desktop"
	"beckon/backend/desktop/instance"
	"beckon/backend/desktop/openin"
	"beckon/backend/desktop/status"
	"beckon/backend/desktop/system"
	"beckon/backend/language"
	"beckon/backend/store/datadir"
)

// messages are the page's that are shown outside the window.
//
//go:embed frontend/messages/*/status.json frontend/messages/*/start.json frontend/messages/*/channel.json
var messages embed.FS

// startIn is how long a window may take from its data folder's lock to its
// socket.
const startIn = 2 * time.Second

// window runs Beckon in its window. Where the data folder has one already,
// that one shows what this one was asked to.
func window(o options, find func() (cli.Options, error), about beckon.About) error {
	if !desktop.HasDisplay() {
		return errors.New("there is no display to show a window on; beckon serve shows Beckon in a browser")
	}
	if instance.HandOver(context.Background(), o.data, o.show) {
		return nil
	}
	if desktop.Windowless {
		return desktop.ExecWindow()
	}
	w := &desktop.Window{
		Assets: assets.Plain{FS: page()}, Secure: assets.SecurityHeaders, Enums: api.Enums(), FormatError: api.FormatError,
		Dir: o.data, Hidden: o.hidden,
	}
	about.Version, about.Window = version, true
	sh := &api.Shell{
		About: func() beckon.About { return about }, ChooseFolder: w.ChooseFolder, OpenURL: w.OpenURL, ShowFolder: desktop.ShowFolder,
		Programs: openin.This(), Events: w.Events, Quit: w.Quit,
	}
	p, err := open(context.Background(), o, find, sh)
	if errors.Is(err, datadir.ErrInUse) && handOverLater(o) {
		return nil // the other one was still on its way
	}
	if err != nil {
		return errors.Join(err, showTrouble(err))
	}
	return errors.Join(p.runWindow(o, w, sh), p.close())
}

// showTrouble shows why Beckon did not start, in the language of the system: the settings
// may be what cannot be read.
func showTrouble(why error) error {
	is := language.Of("")
	said, err := readStartTexts(is)
	if err != nil {
		return err
	}
	return desktop.ShowTrouble(is, said.DidNotStart, why.Error(), said.WebViewTexts)
}

// startTexts are shown where the page is not.
type startTexts struct {
	DidNotStart string
	desktop.WebViewTexts
}

func readStartTexts(of string) (said startTexts, err error) {
	files, err := fs.Sub(messages, "frontend/messages")
	if err != nil {
		panic(err) // the folder is compiled in
	}
	texts, err := language.Read(files, "start")
	if err != nil {
		return said, err
	}
	err = json.Unmarshal(texts[of], &said)
	return said, err
}

// runWindow joins the window with the program and shows it until it closes.
func (p *program) runWindow(o options, w *desktop.Window, sh *api.Shell) error {
	settings, err := p.store.Settings(context.Background())
	if err != nil {
		return err
	}
	texts, err := readStartTexts(language.Of(settings.Language))
	if err != nil {
		return err
	}
	show := func(t instance.Target) {
		if t.Folder != "" {
			w.OpenFolder(t.Folder)
			return
		}
		w.Show(t.Route)
	}
	w.Link = func(link string) {
		if t, err := instance.ParseTarget(link, o.data); err == nil {
			show(t)
		}
	}
	later, err := instance.Listen(o.data, show)
	if err != nil {
		return err
	}
	around, err := p.showStatus(w, sh)
	if err != nil {
		return errors.Join(err, later.Close())
	}
	defer around.Close()
	defer system.Start(system.Config{
		Window: w, Settings: settings, Feed: p.feed, Command: startCommand(o), ScreenLocked: p.board.ScreenLocked,
	})()
	detach := func() {}
	w.API, w.Theme, w.WebView, w.Working, w.StopAgents = p.app, settings.Theme, texts.WebViewTexts, p.runner.Working, p.runner.StopAll
	w.Opened = func(ctx context.Context) {
		detach = p.feed.Attach("window", func(f beckon.Frame) { w.Emit("frame", f) })
		around.Notify(ctx)
	}
	w.Closed = func() { detach() }
	if o.show != (instance.Target{}) {
		show(o.show)
	}
	return errors.Join(w.Run(), later.Close())
}

// startCommand starts this Beckon hidden; none in the demo, whose data is gone
// when it ends.
func startCommand(o options) []string {
	self, err := desktop.Program()
	if err != nil || o.demo {
		return nil
	}
	command := []string{self, "-hidden"}
	if o.data != dataHome() {
		if dir, err := filepath.Abs(o.data); err == nil {
			command = append(command, "-data", dir)
		}
	}
	if o.claude != "" {
		command = append(command, "-claude", o.claude)
	}
	return command
}

// showStatus shows the program in the tray and in notifications, from which the
// window can be found again.
func (p *program) showStatus(w *desktop.Window, sh *api.Shell) (*status.Status, error) {
	files, err := fs.Sub(messages, "frontend/messages")
	if err != nil {
		panic(err) // the folder is compiled in
	}
	around, err := status.Open(status.Program{
		Messages: files, State: func() (beckon.Frame, error) { return p.app.Attach("status") },
		Attach: func(sink func(beckon.Frame)) func() { return p.feed.Attach("status", sink) },
		Answer: p.answer, PauseAll: p.board.PauseAll,
		Show: w.Show, NewTask: w.NewTask, Quit: func() { _ = w.Quit(beckon.QuitAsk) }, // it never fails
		Seen: func(taskID string) bool { return w.Focused() && p.feed.Watched(taskID) },
	})
	if err != nil {
		return nil, err
	}
	about := sh.About
	sh.About = func() beckon.About {
		a := about()
		a.Tray, a.Notifications = around.TrayShown(), around.Notifies()
		return a
	}
	w.TrayShown = around.TrayShown
	return around, nil
}

// handOverLater hands over to a window that has taken the data folder and is
// about to listen.
func handOverLater(o options) bool {
	for end := time.Now().Add(startIn); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if instance.HandOver(context.Background(), o.data, o.show) {
			return true
		}
	}
	return false
}
