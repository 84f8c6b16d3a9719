package relay

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/observe"
	"beckon/backend/observe/dialog"
)

// read has the permissions read that are answered by keys: which row allows
// always, and how far that goes, only the screen says. The caller holds mu.
func (s *session) read() {
	for _, a := range s.asks {
		if a.looked || a.req.ToolUseID == "" || a.way() != beckon.WayKeys || !a.isPermission() || s.r.ctx.Err() != nil {
			continue
		}
		a.looked = true
		s.r.working.Go(a.readRow)
	}
}

func (a *ask) isPermission() bool { return callQuestion(a.req).Kind == beckon.Permission }

// readRow reads the row that allows always off the screen, unless a hook comes,
// which says it in the CLI's own words.
func (a *ask) readRow() {
	r := a.s.r
	for end := time.Now().Add(r.fileIn + drawnIn); time.Now().Before(end); {
		select {
		case <-a.ctx.Done():
			return
		case <-time.After(r.fileIn):
		}
		r.mu.Lock()
		session, pending, keys := a.s.now, a.pending(), a.way() == beckon.WayKeys
		a.looked = keys
		r.mu.Unlock()
		if !keys {
			return // until it is on the screen once more
		}
		if rows, err := r.rows(a.ctx, session, pending); err == nil {
			r.mu.Lock()
			a.row = alwaysRow(rows)
			r.mu.Unlock()
			a.offer()
			return
		}
	}
}

// rows returns the words of the rows of a dialog that is on its screen.
func (r *Relay) rows(ctx context.Context, s observe.Session, p dialog.Pending) ([]string, error) {
	pane, err := r.Terminal(ctx, s)
	if err != nil {
		return nil, err
	}
	return dialog.CheckScreen(ctx, pane, p)
}

// alwaysRow returns the row that allows more than this once, where there is only
// one.
func alwaysRow(rows []string) string {
	more := slices.DeleteFunc(slices.Clone(rows), func(row string) bool { return !strings.HasPrefix(row, "Yes, ") })
	if len(more) != 1 {
		return ""
	}
	return more[0]
}

// offered has the card say what "allow always" means since a hook came or left.
// The caller holds mu.
func (a *ask) offered() {
	if a.isPermission() && a.s.r.ctx.Err() == nil {
		a.s.r.working.Go(a.offer)
	}
}

// offer says on the card what "allow always" means: what the hook's session
// suggests, or the row on the screen.
func (a *ask) offer() {
	a.offering.Lock()
	defer a.offering.Unlock()
	for {
		a.s.r.mu.Lock()
		always, lasting := a.row, []string{}
		if a.hook != nil {
			p := callQuestion(a.req).Permission
			always, lasting = p.Always, p.Lasting
		}
		a.s.r.mu.Unlock()
		err := a.s.r.Desk.Offer(a.ctx, a.id, always, lasting)
		if !errors.Is(err, beckon.ErrNotFound) { // else it is about to be recorded
			if a.ctx.Err() == nil && !errors.Is(err, beckon.ErrConflict) {
				logged("offer to allow always", err, "question", a.id)
			}
			return
		}
		select {
		case <-a.ctx.Done():
			return
		case <-time.After(lookAgain):
		}
	}
}
