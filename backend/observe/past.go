package observe

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/sessionfile"
	"beckon/backend/disk"
)

// This file finds the sessions that ended, by the files that they left, and whether a
// process has a session open at this moment. It looks when it is asked,
// keeps nothing, and writes nothing.

const (
	// A presence file is written in place: half of one that is being written is
	// read again, and one that stays so is none.
	fresh = time.Second
	pause = 50 * time.Millisecond
	tries = 20
)

// Past is this one.
type Past struct{}

// Sessions lists what was said since in sessions that no process has open, the
// newest first, at most so many. Each root is the folder of a CLI's files.
func (Past) Sessions(roots []string, since time.Time, most int) []Session {
	var found []pastFile
	for _, dir := range roots {
		found = append(found, written(dir, since)...)
	}
	slices.SortFunc(found, func(a, b pastFile) int { return b.at.Compare(a.at) })
	var list []Session
	for _, f := range found {
		if len(list) == most {
			break
		}
		if s, ok := f.describe(); ok {
			list = append(list, s)
		}
	}
	return list
}

// pastFile is a session file that was written lately.
type pastFile struct {
	root, name string // the name is below the root
	session    string
	at         time.Time
}

// written lists the session files below a root that were written since, but for
// those of sessions that are open.
func written(dir string, since time.Time) (list []pastFile) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil
	}
	defer func() { _ = root.Close() }()
	open := living(root)
	for _, folder := range FileNames(root, "projects") {
		at := filepath.Join("projects", folder)
		for _, base := range FileNames(root, at) {
			session, is := strings.CutSuffix(base, ".jsonl")
			if !is || !claude.IsUUID(session) || open[session] {
				continue
			}
			info, err := root.Lstat(filepath.Join(at, base))
			if err == nil && info.Mode().IsRegular() && disk.Owned(info) && !info.ModTime().Before(since) {
				list = append(list, pastFile{dir, filepath.Join(at, base), session, info.ModTime()})
			}
		}
	}
	return list
}

// describe reads the end of the file. Where nobody said anything there is no
// session.
func (f pastFile) describe() (Session, bool) {
	s := Session{
		ID: f.session, SessionID: f.session, Root: f.root, File: f.name, Ended: f.at.UnixMilli(), Asks: []Ask{},
	}
	lines, err := (&Pages{}).Next(s)
	for _, raw := range lines {
		if line, err := sessionfile.Decode(raw); err == nil && sessionfile.KindOf(raw) != sessionfile.Skipped {
			addPastLine(&s, line)
		}
	}
	return s, err == nil && s.CWD != "" && s.Last.Text != ""
}

// addPastLine takes in a line, the older ones first.
func addPastLine(s *Session, line sessionfile.Line) {
	if s.Started == 0 {
		s.Started = line.At
	}
	s.Version, s.Entrypoint = cmp.Or(line.Version, s.Version), cmp.Or(line.Entrypoint, s.Entrypoint)
	// The agent changes folders; the session belongs to the one that its file is
	// kept for.
	if dir := line.CWD; filepath.IsAbs(dir) && !strings.ContainsRune(dir, 0) && (s.CWD == "" || !isOf(s.CWD, s.File) && isOf(dir, s.File)) {
		s.CWD = filepath.Clean(dir)
	}
	if said := line.SaidByPerson() || line.Kind == sessionfile.Spoken && line.Text != ""; said && line.At >= s.Last.At {
		s.Last = Message{Text: sessionfile.Label(line.Text), User: line.Prompt, At: line.At}
	}
}

// isOf reports whether a session file is kept for a folder.
func isOf(dir, name string) bool {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	want, is := sessionfile.Folder(dir), filepath.Base(filepath.Dir(name))
	return is == want || len(want) == sessionfile.FolderMost && strings.HasPrefix(is, want)
}

// Living reports whether the process of a session lives at this moment.
func (Past) Living(s Session) bool {
	return s.PID > 0 && LivingProcess(s.Claim())
}

// Open reports whether a process of this user's that Beckon did not start has a
// session open.
func (Past) Open(roots []string, session string) bool {
	return slices.ContainsFunc(roots, func(dir string) bool {
		root, err := os.OpenRoot(dir)
		if err != nil {
			return false
		}
		defer func() { _ = root.Close() }()
		return living(root)[session]
	})
}

// living returns the sessions that processes have open.
func living(root *os.Root) map[string]bool {
	open := map[string]bool{}
	for _, base := range FileNames(root, "sessions") {
		stem, is := strings.CutSuffix(base, ".json")
		if pid, err := strconv.Atoi(stem); !is || err != nil || pid <= 0 {
			continue
		}
		p, err := presence(root, base)
		if err != nil || strconv.Itoa(p.PID) != stem {
			continue
		}
		var s Session
		if s.Present(p); LivingProcess(s.Claim()) && !EnvironmentOf(p.PID).Ours() {
			open[p.SessionID] = true
		}
	}
	return open
}

// presence reads a presence file, again while it is half written.
func presence(root *os.Root, base string) (p sessionfile.Presence, err error) {
	name := filepath.Join("sessions", base)
	for range tries {
		var raw []byte
		raw, err = ReadFile(root, name, sessionfile.PresenceMost)
		if err != nil {
			return p, err
		}
		if p, err = sessionfile.DecodePresence(raw); err == nil {
			return p, nil
		}
		if info, err2 := root.Lstat(name); err2 != nil || time.Since(info.ModTime()).Abs() > fresh {
			return p, err
		}
		time.Sleep(pause)
	}
	return p, err
}
