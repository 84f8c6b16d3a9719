// Package imports makes cards of lists that other tools keep: open issues of a project's
// server, tables, lists in Markdown, and the database of vibe-kanban. It reads only, within
// bounds, and says of each row that it does not take why.
//
// An import is one transaction and one step to take back: killed in its middle it made no card.
// What a card is, the board knows; how a server is asked, forge.
package imports

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/beckon/importing"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/starting"
	"beckon/backend/store/undolog"
)

// keptMost is how many texts, and how many lists that were found, are kept: a person has few
// windows.
const keptMost = 4

// Config is what an Importer works with.
type Config struct {
	Projects func(context.Context) ([]beckon.Project, error)
	// Tasks returns the tasks of a project, archived ones, too.
	Tasks func(ctx context.Context, projectID string) ([]beckon.Task, error)
	// Create puts cards on the board, all or none.
	Create func(context.Context, []beckon.NewTask) ([]beckon.Task, error)
	// Server names the server of a project and what asks it, both empty for none.
	Server func(ctx context.Context, projectID string) (server, tool string)
	// Issues returns the open issues of a project's server, and whether it has more.
	Issues func(ctx context.Context, projectID string) (list []starting.Item, more bool, err error)
	// Branches returns the branches of a project's repository.
	Branches func(context.Context, beckon.Project) ([]string, error)
	// Scratch is a folder for the copy of a database, which nothing else uses.
	Scratch string
	// Turn is held while cards are made, and by whatever takes changes back.
	Turn sync.Locker
}

// Importer finds what can become cards, and makes these. Its methods may be called from any
// goroutine.
type Importer struct {
	Config
	copying sync.Mutex // held while Scratch is used

	mu    sync.Mutex // guards what follows; nothing waits under it
	texts kept[*strings.Builder]
	found kept[list]
}

// Open returns one, after it removed the copy that a Beckon that was killed left.
func Open(c Config) *Importer {
	if err := os.RemoveAll(c.Scratch); err != nil {
		slog.Warn("remove what an import left", "err", err)
	}
	return &Importer{Config: c}
}

// kept are the newest few of something, by ids.
type kept[T any] struct {
	ids    []string
	values map[string]T
}

func (k *kept[T]) add(value T) (id string) {
	for len(k.ids) >= keptMost {
		k.remove(k.ids[0])
	}
	if k.values == nil {
		k.values = map[string]T{}
	}
	id = beckon.NewID()
	k.ids, k.values[id] = append(k.ids, id), value
	return id
}

func (k *kept[T]) remove(id string) {
	delete(k.values, id)
	k.ids = slices.DeleteFunc(k.ids, func(one string) bool { return one == id })
}

// Places returns which sources are here for a project. No server is asked.
func (i *Importer) Places(ctx context.Context, projectID string) importing.Places {
	p := importing.Places{Database: Database()}
	p.Server, p.Tool = i.Server(ctx, projectID)
	return p
}

// Bring takes a piece of a text, which goes on with the one that has the id; an empty id begins
// one. The id of the text is for a Query.
func (i *Importer) Bring(id, piece string) (string, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if id == "" {
		id = i.texts.add(&strings.Builder{})
	}
	text, there := i.texts.values[id]
	switch {
	case !there:
		return id, gone()
	case len(piece) > importing.MaxPiece:
		return id, beckon.Invalid("a piece has at most %d bytes", importing.MaxPiece)
	case text.Len()+len(piece) > importing.MaxText:
		i.texts.remove(id)
		return id, problem.New(problem.ImportSize, beckon.Invalid("a list has at most %d MB", importing.MaxText>>20), "most", strconv.Itoa(importing.MaxText>>20))
	}
	text.WriteString(piece)
	return id, nil
}

func gone() error {
	return problem.New(problem.ImportGone, fmt.Errorf("this list is not kept any more, so nothing was imported: read it again: %w", beckon.ErrNotFound))
}

// Find reads what a source has, and marks what is on the board already.
func (i *Importer) Find(ctx context.Context, q importing.Query) (importing.Found, error) {
	found := importing.Found{Columns: []importing.TableColumn{}}
	projects, err := i.Projects(ctx)
	if err != nil {
		return found, err
	}
	l, err := i.read(ctx, q, projects, &found)
	if err != nil {
		return found, err
	}
	if q.Source != importing.VibeKanban {
		for at := range l.cards {
			l.cards[at].ProjectID = q.ProjectID
		}
	}
	found.States = l.states()
	if err := i.compare(ctx, &l, projects); err != nil {
		return found, err
	}
	found.Rows = make([]importing.Row, len(l.cards))
	for at, c := range l.cards {
		found.Rows[at] = c.Row
	}
	found.Refusals, found.Refused = beckon.NonNil(l.refusals), l.refused
	i.mu.Lock()
	defer i.mu.Unlock()
	found.ID = i.found.add(l)
	return found, nil
}

// read reads a source.
func (i *Importer) read(ctx context.Context, q importing.Query, projects []beckon.Project, found *importing.Found) (l list, err error) {
	if q.Source == importing.VibeKanban {
		i.copying.Lock()
		defer i.copying.Unlock()
		l, found.Origin, err = readVibeKanban(ctx, q.File, i.Scratch, projects)
		return l, err
	}
	if !slices.ContainsFunc(projects, func(p beckon.Project) bool { return p.ID == q.ProjectID }) {
		return l, fmt.Errorf("the project: %w", beckon.ErrNotFound)
	}
	switch q.Source {
	case importing.Forge:
		return i.issues(ctx, q.ProjectID, found)
	case importing.CSV, importing.Markdown:
		i.mu.Lock()
		text, there := i.texts.values[q.Text]
		whole := ""
		if there {
			whole = text.String()
		}
		i.mu.Unlock()
		if !there {
			return l, gone()
		}
		if q.Source == importing.Markdown {
			return readMarkdown(whole), nil
		}
		l, found.Columns = readCSV(whole, q.Fields)
		return l, nil
	default:
		return l, beckon.Invalid("nothing is imported from %.40q", string(q.Source))
	}
}

// issues reads the open issues of the project's server.
func (i *Importer) issues(ctx context.Context, projectID string, found *importing.Found) (l list, err error) {
	items, more, err := i.Issues(ctx, projectID)
	for _, item := range items {
		l.add(0, importing.Card{
			Row: importing.Row{Title: item.Title, Labels: item.Labels, Key: "#" + strconv.Itoa(item.Number)}, Text: item.Body, Start: item.Start,
		})
		found.Origin = item.Tool
	}
	if more {
		l.refuse(importing.Refusal{Why: importing.Beyond, Detail: strconv.Itoa(len(items))})
	}
	return l, err
}

// compare marks the rows that are on the board already, and keeps of the branches those that
// are in the project's repository, each for one row.
func (i *Importer) compare(ctx context.Context, l *list, projects []beckon.Project) error {
	sought := map[string]bool{}
	for _, c := range l.cards {
		if line := originLine(c); line != "" {
			sought[line] = true
		}
	}
	for _, p := range projects {
		var of []int
		for at, c := range l.cards {
			if c.ProjectID == p.ID {
				of = append(of, at)
			}
		}
		if len(of) == 0 {
			continue
		}
		tasks, err := i.Tasks(ctx, p.ID)
		if err != nil {
			return err
		}
		here := newPresent(tasks, sought)
		branches, err := i.branches(ctx, p, l.cards)
		if err != nil {
			return err
		}
		for _, at := range of {
			c := &l.cards[at]
			c.Same = here.same(*c)
			if c.Branch != "" && c.Same == "" && branches[c.Branch] {
				c.Start = starting.Start{Kind: starting.Branch, Branch: c.Branch}
				delete(branches, c.Branch)
			} else {
				c.Branch = ""
			}
		}
	}
	return nil
}

// branches returns those of a project's repository, where rows name some.
func (i *Importer) branches(ctx context.Context, p beckon.Project, cards []importing.Card) (map[string]bool, error) {
	here := map[string]bool{}
	if !p.Git || !slices.ContainsFunc(cards, func(c importing.Card) bool { return c.ProjectID == p.ID && c.Branch != "" }) {
		return here, nil
	}
	names, err := i.Branches(ctx, p)
	for _, name := range names {
		here[name] = name != p.Base
	}
	return here, err
}

// Import makes cards of rows that were found, all of them or, with an error, none. It is one
// step to take back. What was found is not kept then.
func (i *Importer) Import(ctx context.Context, o importing.Order) (beckon.ChangeResult, error) {
	i.mu.Lock()
	l, there := i.found.values[o.ID]
	i.mu.Unlock()
	if !there {
		return beckon.ChangeResult{}, gone()
	}
	tasks := make([]beckon.NewTask, 0, len(o.Picks))
	picked := map[int]bool{}
	for _, pick := range o.Picks {
		if pick.Row < 0 || pick.Row >= len(l.cards) || picked[pick.Row] || !slices.Contains(importing.Columns, pick.To) {
			return beckon.ChangeResult{}, beckon.Invalid("row %d cannot go to %.40q", pick.Row, string(pick.To))
		}
		picked[pick.Row] = true
		tasks = append(tasks, taskOf(l.cards[pick.Row], pick.To))
	}
	i.Turn.Lock()
	defer i.Turn.Unlock()
	i.mu.Lock()
	_, there = i.found.values[o.ID] // a second press waited for the first
	i.found.remove(o.ID)
	i.mu.Unlock()
	if !there {
		return beckon.ChangeResult{}, gone()
	}
	made, err := i.Create(undolog.Into(ctx, beckon.ChangeCreate), tasks)
	if err != nil {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.found.restore(o.ID, l)
		return beckon.ChangeResult{}, err
	}
	r := beckon.ChangeResultOf(beckon.ChangeCreate, beckon.Now())
	for _, t := range made {
		r.Add(t.Key, t.ID, nil)
	}
	return r, nil
}

// restore keeps a value again under the id that it had.
func (k *kept[T]) restore(id string, value T) {
	k.ids, k.values[id] = append(k.ids, id), value
}

// taskOf is the card of a row.
func taskOf(c importing.Card, to importing.Column) beckon.NewTask {
	n := beckon.NewTask{
		ProjectID: c.ProjectID, Title: c.Title, Brief: brief(c), Labels: c.Labels, Priority: c.Priority, Status: beckon.Backlog, Start: c.Start,
	}
	if to == importing.ToDone {
		n.Status, n.Start = beckon.Done, starting.Start{}
	}
	return n
}
