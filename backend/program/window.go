package program

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"beckon/backend/agent/claude/cli"
	"beckon/backend/api"
	"beckon/backend/assets"
	"beckon/backend/beckon"
	"beckon/backend/desktop"
	"beckon/backend/desktop/instance"
	"beckon/backend/desktop/openin"
	"beckon/backend/desktop/status"
	"beckon/backend/desktop/system"
	"beckon/backend/language"
	"beckon/backend/store/datadir"
)

// startIn is how long a window may take from its data folder's lock to its
// socket.
const startIn = 2 * time.Second

// Window runs Beckon in its window. Where the data folder has one already,
// that one shows what this one was asked to.
func Window(o Options) error { return window(o, claudeFinder(o.Claude), beckon.About{}) }

func window(o Options, find func() (cli.Options, error), about beckon.About) error {
	if !desktop.HasDisplay() {
		return errors.New("there is no display to show a window on; beckon serve shows Beckon in a browser")
	}
	if instance.HandOver(context.Background(), o.Data, o.Show) {
		return nil
	}
	if desktop.Windowless {
		return desktop.ExecWindow()
	}
	w := &desktop.Window{
		Assets: assets.Plain{FS: o.Build.Page}, Secure: assets.SecurityHeaders, Enums: api.Enums(), FormatError: api.FormatError,
		Dir: o.Data, Hidden: o.Hidden,
	}
	about.Version, about.Window = o.Build.Version, true
	sh := &api.Shell{
		About: func() beckon.About { return about }, ChooseFolder: w.ChooseFolder, OpenURL: w.OpenURL, ShowFolder: desktop.ShowFolder,
		Programs: openin.This(), Events: w.Events, Quit: w.Quit,
	}
	p, err := open(context.Background(), o, find, sh)
	if errors.Is(err, datadir.ErrInUse) && handOverLater(o) {
		return nil // the other one was still on its way
	}
	if err != nil {
		return errors.Join(err, showTrouble(o.Build.Messages, err))
	}
	return errors.Join(p.runWindow(o, w, sh), p.close())
}

// showTrouble shows why Beckon did not start, in the language of the system: the settings
// may be what cannot be read.
func showTrouble(messages fs.FS, why error) error {
	is := language.Choose("")
	said, err := ReadStartTexts(messages, is)
	if err != nil {
		return err
	}
	return desktop.ShowTrouble(is, said.DidNotStart, why.Error(), said.WebViewTexts)
}

// StartTexts are shown where the page is not.
type StartTexts struct {
	DidNotStart string
	Works       string // why this computer is kept awake
	desktop.WebViewTexts
}

// ReadStartTexts returns the texts in a language, of the page's messages.
func ReadStartTexts(messages fs.FS, of string) (said StartTexts, err error) {
	texts, err := language.Read(messages, "start")
	if err != nil {
		return said, err
	}
	err = json.Unmarshal(texts[of], &said)
	return said, err
}

// runWindow joins the window with the program and shows it until it closes.
func (p *program) runWindow(o Options, w *desktop.Window, sh *api.Shell) error {
	settings, err := p.store.Settings.Load(context.Background())
	if err != nil {
		return err
	}
	texts, err := ReadStartTexts(o.Build.Messages, language.Choose(settings.Language))
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
		if t, err := instance.ParseTarget(link, o.Data); err == nil {
			show(t)
		}
	}
	later, err := instance.Listen(o.Data, show)
	if err != nil {
		return err
	}
	around, err := p.showStatus(o.Build.Messages, w, sh)
	if err != nil {
		return errors.Join(err, later.Close())
	}
	defer around.Close()
	defer system.Start(system.Config{
		Window: w, Settings: settings, Feed: p.feed, Command: startCommand(o), ScreenLocked: p.board.ScreenLocked,
	})()
	sleep, err := p.keepAwake(o, sh)
	if err != nil {
		return errors.Join(err, later.Close())
	}
	defer sleep()
	detach := func() {}
	w.API, w.Theme, w.WebView, w.Working, w.InTerminals, w.StopAgents = o.Build.Bind(p.api), settings.Theme, texts.WebViewTexts, p.runner.Working, p.terminals.Busy, p.runner.StopAll
	w.Opened = func(ctx context.Context) {
		detach = p.feed.Attach("window", func(f beckon.Frame) { w.Emit("frame", f) })
		around.Notify(ctx)
	}
	w.Taken = func(seq int64) { p.feed.Taken("window", seq) }
	w.Closed = func() { detach() }
	if o.Show != (instance.Target{}) {
		show(o.Show)
	}
	return errors.Join(w.Run(), later.Close())
}

// startCommand starts this Beckon hidden; none in the demo, whose data is gone
// when it ends.
func startCommand(o Options) []string {
	self, err := desktop.Program()
	if err != nil || o.Demo {
		return nil
	}
	command := []string{self, "-hidden"}
	if o.Data != DataHome() {
		if dir, err := filepath.Abs(o.Data); err == nil {
			command = append(command, "-data", dir)
		}
	}
	if o.Claude != "" {
		command = append(command, "-claude", o.Claude)
	}
	return command
}

// showStatus shows the program in the tray and in notifications, from which the
// window can be found again.
func (p *program) showStatus(messages fs.FS, w *desktop.Window, sh *api.Shell) (*status.Status, error) {
	around, err := status.Open(status.Program{
		Messages: messages, State: func() (beckon.Frame, error) { return p.api.Attach("status") },
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
func handOverLater(o Options) bool {
	for end := time.Now().Add(startIn); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if instance.HandOver(context.Background(), o.Data, o.Show) {
			return true
		}
	}
	return false
}
