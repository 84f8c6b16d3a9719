package program

import (
	"context"

	"beckon/backend/api"
	"beckon/backend/beckon"
	"beckon/backend/desktop/awake"
	"beckon/backend/language"
)

// keepAwake keeps this computer from idle sleep while agents work, where the user wants it,
// until it is ended. The demo has no say in that.
func (p *program) keepAwake(o Options, sh *api.Shell) (end func(), err error) {
	if o.Demo {
		tellAwake(sh, func() beckon.AwakeState { return beckon.AwakeUnavailable })
		return func() {}, nil
	}
	settings, err := p.store.Settings.Load(context.Background())
	if err != nil {
		return nil, err
	}
	said, err := ReadStartTexts(o.Build.Messages, language.Choose(settings.Language))
	if err != nil {
		return nil, err
	}
	if end, err = p.awake.Start(said.Works); err != nil {
		return nil, err
	}
	tellAwake(sh, p.awake.Now)
	return end, nil
}

// tellAwake has About say what is done about sleep.
func tellAwake(sh *api.Shell, now func() beckon.AwakeState) {
	about := sh.About
	sh.About = func() beckon.About {
		a := about()
		a.Awake = now()
		return a
	}
}

// sleeping is what follows the sleep of this computer.
func (p *program) sleeping() awake.Config {
	return awake.Config{
		Attach:  func(sink func(beckon.Frame)) func() { return p.feed.Attach("awake", sink) },
		State:   func() (beckon.Frame, error) { return p.api.Attach("awake") },
		Publish: p.feed.Publish,
	}
}
