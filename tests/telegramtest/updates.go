package telegramtest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// kept is how long the service holds an update that nobody took.
const kept = 24 * time.Hour

// maxPoll is the longest long poll, in seconds.
const maxPoll = 50

// update is something that happened and that the bot has not confirmed.
type update struct {
	id   int64
	at   time.Time
	kind string
	body any
}

// push adds an update of a kind that the bot wants. The lock is held.
func (s *Server) push(kind string, body any) {
	if s.allowed != nil && !slices.Contains(s.allowed, kind) {
		return
	}
	s.lastSeen++
	s.updates = append(s.updates, update{s.lastSeen, s.now(), kind, body})
}

// Unconfirmed counts the updates that the bot has not confirmed by an offset.
func (s *Server) Unconfirmed() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.updates)
}

// SetWebhook has updates go to an address instead of the poll, or to the poll again where
// that is empty. Nothing is sent there.
func (s *Server) SetWebhook(address string) { s.locked(func() { s.webhook = address }) }

// getUpdates is the long poll. A poll that comes while another waits ends that
// with a 409, as the service does.
func (s *Server) getUpdates(r request) (any, *failure) {
	timeout, offset, limit, failed := s.pollParams(r)
	if failed != nil {
		return nil, failed
	}
	s.mu.Lock()
	if s.webhook != "" {
		s.mu.Unlock()
		return nil, refuse(http.StatusConflict, "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first")
	}
	if s.poller != nil {
		close(s.poller)
	}
	mine := make(chan struct{})
	s.poller = mine
	s.confirm(offset)
	s.woken()
	s.mu.Unlock()
	defer s.locked(func() {
		if s.poller == mine {
			s.poller = nil
		}
	})
	return s.poll(r, mine, time.After(time.Duration(timeout)*time.Second), limit)
}

func (s *Server) poll(r request, mine <-chan struct{}, deadline <-chan time.Time, limit int) (any, *failure) {
	for over := false; ; {
		s.mu.Lock()
		found, changed := s.pending(limit), s.changed
		s.mu.Unlock()
		if len(found) > 0 || over {
			return found, nil
		}
		select {
		case <-changed:
		case <-deadline:
			over = true
		case <-mine:
			return nil, refuse(http.StatusConflict, "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running")
		case <-r.over:
			return nil, refuse(http.StatusInternalServerError, "the caller went away")
		case <-s.closing:
			return nil, refuse(http.StatusInternalServerError, "the server ends")
		}
	}
}

func (s *Server) pollParams(r request) (timeout int, offset int64, limit int, failed *failure) {
	limit = 100
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	if text, ok := r.form["timeout"]; ok {
		if timeout, err = strconv.Atoi(text); err != nil || timeout < 0 || timeout > maxPoll {
			return 0, 0, 0, s.misuse("timeout %q is not 0 to %d", text, maxPoll)
		}
	}
	if text, ok := r.form["offset"]; ok {
		if offset, err = strconv.ParseInt(text, 10, 64); err != nil {
			return 0, 0, 0, s.misuse("offset %q is no number", text)
		}
	}
	if text, ok := r.form["limit"]; ok {
		if limit, err = strconv.Atoi(text); err != nil || limit < 1 || limit > 100 {
			return 0, 0, 0, s.misuse("limit %q is not 1 to 100", text)
		}
	}
	if text, ok := r.form["allowed_updates"]; ok {
		if err := json.Unmarshal([]byte(text), &s.allowed); err != nil {
			return 0, 0, 0, s.misuse("allowed_updates %q is no list", text)
		}
	}
	return timeout, offset, limit, nil
}

// confirm drops the updates before offset; a negative one leaves only the last.
// The lock is held.
func (s *Server) confirm(offset int64) {
	if offset < 0 {
		s.updates = s.updates[max(0, len(s.updates)+int(offset)):]
		return
	}
	s.updates = slices.DeleteFunc(s.updates, func(u update) bool { return u.id < offset })
}

// pending returns the updates that are not too old. The lock is held.
func (s *Server) pending(limit int) []map[string]any {
	s.updates = slices.DeleteFunc(s.updates, func(u update) bool { return s.now().Sub(u.at) > kept })
	found := []map[string]any{}
	for _, u := range s.updates[:min(limit, len(s.updates))] {
		found = append(found, map[string]any{"update_id": u.id, u.kind: u.body})
	}
	return found
}
