package observe

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"beckon/backend/agent/claude/sessionfile"
)

// triesMost is how often a presence file is read again that is half written.
const triesMost = 5

// lookAtDue takes in all that is due.
func (w *Watcher) lookAtDue(now time.Time) {
	w.looks++
	if w.rescan && now.Sub(w.rescans) >= w.o.times.rescan {
		w.scan, w.rescan, w.rescans = true, false, now
	}
	if w.scan {
		w.scanAll(now)
	}
	for _, name := range slices.Sorted(maps.Keys(w.dirty)) {
		w.lookAt(name, now)
	}
	clear(w.dirty)
	for name, r := range w.retries {
		if !now.Before(r.at) {
			w.lookAt(name, now)
		}
	}
	if now.Sub(w.beat) >= w.o.times.beat {
		w.tend(now)
	}
	if w.polls() && now.Sub(w.polled) >= w.o.times.poll {
		w.polled = now
		w.poll(now)
	}
	w.settleAll(now)
	if w.scan { // what was found names further roots or folders
		w.scanAll(now)
		w.settleAll(now)
	}
	w.publish()
}

// scanAll looks at everything.
func (w *Watcher) scanAll(now time.Time) {
	w.findRoots()
	for range 4 { // what is found names further folders
		w.scan = false
		fresh := w.folders.Want(w.wanted())
		w.poll(now)
		if len(fresh) == 0 && !w.scan {
			return
		}
	}
}

// poll looks at all presence files and at what living sessions wrote.
func (w *Watcher) poll(now time.Time) {
	for _, r := range w.roots.Sorted() {
		w.scanPresences(r, now)
	}
	for _, s := range w.living() {
		w.follow(s)
	}
}

// findRoots opens the roots that are given, and those that the environments of
// processes name. They are kept: the next session may be there again.
func (w *Watcher) findRoots() {
	for _, dir := range w.o.Roots {
		if dir = filepath.Clean(dir); filepath.IsAbs(dir) {
			w.roots.Add(dir)
		}
	}
	for _, dir := range w.o.named() {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			w.roots.Add(dir)
		}
	}
	w.roots.Open()
	for _, s := range w.sessions {
		if s.Ended == 0 && w.rootOf(s) == nil { // no longer to be read
			w.forget(s)
		}
	}
}

// opened opens a root that did not exist when it was looked for, and reports whether
// it does: it can be made, with sessions in it, between that and its watch.
func (w *Watcher) opened(r *OpenRoot) bool {
	if r.Below != nil {
		return true
	}
	before := r.Real
	r.Open()
	w.scan = w.scan || r.Below != nil && r.Real != before // a link: others are to be watched
	return r.Below != nil
}

// wanted lists the folders whose changes matter.
func (w *Watcher) wanted() []string {
	var dirs []string
	for _, r := range w.roots {
		dirs = append(dirs, filepath.Join(r.Real, "sessions"), filepath.Join(r.Real, "projects"))
	}
	for _, s := range w.living() {
		dirs = append(dirs, filepath.Join(s.Root, s.folder), filepath.Join(s.Root, s.agentsFolder()))
	}
	return dirs
}

// living lists the sessions whose process lives, the oldest first.
func (w *Watcher) living() []*session {
	var list []*session
	for _, s := range w.sessions {
		if s.Ended == 0 {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b *session) int { return strings.Compare(a.ID, b.ID) })
	return list
}

// lookAt looks at what an event named.
func (w *Watcher) lookAt(name string, now time.Time) {
	for _, r := range w.roots {
		rel, err := filepath.Rel(r.Real, name)
		if err != nil || !filepath.IsLocal(rel) || !w.opened(r) {
			continue
		}
		if dir, base := filepath.Split(rel); filepath.Clean(dir) == "sessions" {
			w.readPresence(r, base, now)
			continue
		}
		for _, s := range w.living() {
			if s.Root == r.Real {
				w.lookFor(s, r, rel)
			}
		}
	}
}

// lookFor reads a file where it is one of a session's.
func (w *Watcher) lookFor(s *session, r *OpenRoot, rel string) {
	switch {
	case rel == s.File:
		w.read(s, &s.main, r)
	case s.File == "" && filepath.Base(rel) == s.SessionID+".jsonl":
		w.follow(s)
		w.scan = true // its folder is known by now
	case filepath.Dir(rel) == s.agentsFolder():
		if f := s.agentIn(r.Below, rel); f != nil {
			w.read(s, f, r)
		}
	}
}

// follow finds a session's files and reads what is new in them.
func (w *Watcher) follow(s *session) {
	r := w.rootOf(s)
	if r == nil || r.Below == nil {
		return
	}
	if s.File == "" {
		s.locate(r.Below)
	}
	w.read(s, &s.main, r)
	s.enlist(r.Below)
	for _, f := range s.agents {
		w.read(s, f, r)
	}
}

func (w *Watcher) rootOf(s *session) *OpenRoot { return w.roots.Find(s.Root) }

// read takes in what is new in a file. A file that cannot be read says nothing; what
// it said before is still known.
func (w *Watcher) read(s *session, f *file, r *OpenRoot) {
	if err := f.read(r.Below, w.lines); err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.o.Log.Debug("a session file is not read", "session", s.SessionID, "file", f.Name, "err", err)
	}
	if f == &s.main {
		s.Last = f.last
	}
}

// scanPresences looks at all presence files of a root.
func (w *Watcher) scanPresences(r *OpenRoot, now time.Time) {
	if !w.opened(r) {
		return
	}
	there := FileNames(r.Below, "sessions")
	for _, base := range there {
		w.readPresence(r, base, now)
	}
	for _, s := range w.living() {
		if s.Root == r.Real && !slices.Contains(there, strconv.Itoa(s.PID)+".json") {
			w.end(s, now)
		}
	}
}

// readPresence takes in a presence file. One that is half written is read again;
// when that does not help, what it said last is still true.
func (w *Watcher) readPresence(r *OpenRoot, base string, now time.Time) {
	stem, ok := strings.CutSuffix(base, ".json")
	pid, err := strconv.Atoi(stem)
	if !ok || err != nil || pid <= 0 {
		return
	}
	name := filepath.Join(r.Real, "sessions", base)
	raw, err := ReadFile(r.Below, filepath.Join("sessions", base), sessionfile.PresenceMost)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		delete(w.retries, name)
		for _, s := range w.living() {
			if s.PID == pid && s.Root == r.Real {
				w.end(s, now)
			}
		}
		return
	case err != nil: // another user's, a link, far too large
		return
	}
	p, err := sessionfile.DecodePresence(raw)
	if err == nil && p.PID == pid {
		delete(w.retries, name)
		w.have(r, p, now)
		return
	}
	if again := w.retries[name]; again.tries < triesMost {
		w.retries[name] = retry{at: now.Add(w.o.times.retry), tries: again.tries + 1}
	} else {
		delete(w.retries, name)
	}
}
