package desk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/remote"
	"beckon/backend/channel"
	"beckon/backend/channel/access"
	"beckon/backend/channel/phone"
	"beckon/backend/channel/phone/door"
	"beckon/backend/channel/phone/view"
	"beckon/backend/mask"
	"beckon/backend/store"
)

// lastEntries is how much of a transcript is looked at for what was said before a
// question.
const lastEntries = 60

// Page is what phones are served, and what pairs them.
type Page struct {
	*phone.Server
	access.Refusals
	codes access.Codes
	store *store.Store
	hub   *channel.Hub
}

// Serving is how phones are served.
type Serving struct {
	Push   Pushes
	Assets fs.FS // the built page of phones
	// Public is where phones reach Beckon without a tunnel; empty: nowhere.
	Public      string
	Certificate *door.Certificate
}

// Join adds the server of phones to the channels, and starts it where the user
// switched it on.
func (p *Page) Join(ctx context.Context, d Away, how Serving) error {
	p.store, p.hub = d.Store, d.Hub
	p.Server = phone.New(phone.Config{
		Book: d.Store.Devices, Codes: &p.codes, Desk: Phones{d}, Push: how.Push,
		Assets: how.Assets, View: view.View{Host: hostName(), Mask: mask.Text, Zone: time.Local},
		Origin: func() string { return d.Hub.To(remote.Phone) },
		Port:   d.Store.Settings.PhonePort, SavePort: d.Store.Settings.SavePhonePort,
		Public: how.Public, Certificate: how.Certificate, Changed: d.Hub.Changed, Refused: p.Add,
	})
	p.View.Home, _ = os.UserHomeDir() // without it folders are shown in full
	return d.Hub.Join(ctx, remote.Phone, p)
}

// hostName is what this computer is called, without its network.
func hostName() string {
	name, _ := os.Hostname() // one without a name is none
	short, _, _ := strings.Cut(name, ".")
	return short
}

// SetOrigin keeps the address that the user's tunnel or proxy gives Beckon. An empty
// one forgets it, and switches phones off.
func (p *Page) SetOrigin(ctx context.Context, origin string) (s remote.PhoneSetup, err error) {
	if strings.TrimSpace(origin) != "" {
		origin, err = door.ParseOrigin(origin)
	} else {
		origin = ""
	}
	if err == nil {
		err = p.move(ctx, origin)
	}
	if err != nil {
		return s, err
	}
	return p.Setup(ctx)
}

// move has phones come by another address.
func (p *Page) move(ctx context.Context, origin string) error {
	if origin == "" {
		p.Stop()
	}
	if err := p.hub.Name(ctx, remote.Phone, origin); err != nil {
		return err
	}
	if addr, _ := p.Listens(); addr == "" {
		return nil
	}
	return p.Start(ctx)
}

// Setup returns how phones reach Beckon.
func (p *Page) Setup(ctx context.Context) (remote.PhoneSetup, error) {
	port, err := p.ChosenPort(ctx)
	s := remote.PhoneSetup{Origin: p.hub.To(remote.Phone), Port: port}
	s.Addr, s.Public = p.Listens()
	return s, err
}

// pair makes a code that pairs the phone which opens the link.
func (p *Page) pair() (remote.Pairing, error) {
	if addr, _ := p.Listens(); addr == "" {
		return remote.Pairing{}, problem.New(problem.PhoneAway, fmt.Errorf("phones are switched off: %w", beckon.ErrUnavailable))
	}
	return pairingOf(&p.codes, p.hub.To(remote.Phone)+"/#pair=")
}

// devices returns the phones that are paired.
func (p *Page) devices(ctx context.Context) ([]remote.Device, error) {
	found, err := p.store.Devices.All(ctx)
	all := make([]remote.Device, 0, len(found))
	for _, d := range found {
		shown := d.Shown()
		shown.Apart = p.Apart(d.ID)
		all = append(all, shown)
	}
	return all, err
}

// Phones is what phones do at the desk.
type Phones struct{ Away }

// Asked returns a question with what people know it by.
func (d Phones) Asked(ctx context.Context, id string) (view.Asked, error) {
	return oneOf(ctx, d.Away, id, d.asked)
}

func (d Phones) asked(q beckon.Question, of owner) view.Asked {
	return view.Asked{
		Question: q, Key: of.task.Key, Title: of.task.Title, Project: view.Project{Name: of.project.Name, Color: of.project.Color},
		Agent:   view.Agent{Kind: of.task.Agent, Says: beckon.AgentSays(of.task.Agent)},
		Folders: []string{of.task.Worktree, of.project.Dir, d.session(q).Dir},
	}
}

// session returns the session elsewhere that asks; none for a task's agent.
func (d Phones) session(q beckon.Question) (s beckon.OutsideSession) {
	if q.TaskID != "" {
		return s
	}
	for _, s := range d.Sessions() {
		if s.RunID == q.RunID {
			return s
		}
	}
	return s
}

// Open returns what waits for an answer.
func (d Phones) Open(ctx context.Context) ([]view.Asked, error) {
	open, err := d.Store.OpenQuestions(ctx)
	if err != nil {
		return nil, err
	}
	blocks, err := d.blocking(ctx)
	if err != nil {
		return nil, err
	}
	asked, err := allOf(ctx, d.Away, open, d.asked)
	for i := range asked {
		asked[i].Blocks = blocks(asked[i].Question)
	}
	return asked, err
}

// blocking reports which questions keep queued tasks waiting.
func (d Phones) blocking(ctx context.Context) (func(beckon.Question) bool, error) {
	settings, err1 := d.Store.Settings.Load(ctx)
	slots, err2 := d.Slots(ctx)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	slots[""] = settings.Slots
	queued := map[string]bool{}
	for place := range slots {
		others := maps.Clone(slots)
		delete(others, place)
		_, waits, err := d.Store.NextQueued(ctx, slices.Collect(maps.Keys(others)))
		if err != nil {
			return nil, err
		}
		queued[place] = waits
	}
	runs, err := d.Store.LiveRuns(ctx)
	return beckon.Blocking(slots, queued, slices.Values(runs)), err
}

// Answered returns what was answered since a time, the newest first.
func (d Phones) Answered(ctx context.Context, since int64) ([]view.Asked, error) {
	answered, err := d.Store.AnsweredSince(ctx, since)
	if err != nil {
		return nil, err
	}
	return allOf(ctx, d.Away, answered, d.asked)
}

// Entries returns the newest entries of the transcript of who asks.
func (d Phones) Entries(ctx context.Context, q beckon.Question) ([]beckon.Entry, error) {
	of := q.TaskID
	if of == "" {
		if of = d.session(q).ID; of == "" {
			return []beckon.Entry{}, nil
		}
	}
	page, err := d.Transcript(ctx, of, "", lastEntries)
	return page.Entries, err
}

// Answer settles a question.
func (d Phones) Answer(ctx context.Context, id string, a beckon.Answer, by string) error {
	a.By, a.ByName = beckon.ByPhone, by
	return d.GiveAnswer(ctx, id, a)
}

// Hold stops a question's clock, or lets it go on.
func (d Phones) Hold(ctx context.Context, id string, held bool) error {
	return d.HoldClock(ctx, id, held)
}
