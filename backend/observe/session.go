package observe

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"beckon/backend/agent/claude/sessionfile"
)

// session is a Session with all that is known of it. It belongs to the watcher's
// goroutine.
type session struct {
	Session
	shown    bool    // an event said that it is in the list
	told     Session // as the last event had it
	folder   string
	presence sessionfile.Presence
	main     file
	agents   map[string]*file // by their names below the root
	waits    []*wait
}

// file is a session file, and what was read of it.
type file struct {
	FileTail
	conversation
}

// wait is an ask that was opened and not settled.
type wait struct {
	Ask
	missed time.Time // since when it is not pending; zero: it is
}

// Claim is which process the session says it is of.
func (s *Session) Claim() ProcessClaim {
	return ProcessClaim{PID: s.PID, ProcStart: s.ProcStart, Started: s.Started, CWD: s.CWD}
}

// Present takes in what a presence file says.
func (s *Session) Present(p sessionfile.Presence) {
	s.PID, s.ProcStart, s.SessionID, s.CWD, s.Name = p.PID, p.ProcStart, p.SessionID, filepath.Clean(p.CWD), p.Name
	s.Version, s.Entrypoint, s.Started = p.Version, p.Entrypoint, p.StartedAt
	switch st := Status(p.Status); st {
	case Idle, Busy, Waiting:
		s.Status = st
	default:
		s.Status = Unknown
	}
}

// says takes in what the presence file says. Another session under the same process
// begins with no file and no asks; those of the last one are returned.
func (s *session) says(p sessionfile.Presence) (left []*wait) {
	if s.SessionID != p.SessionID {
		left, s.waits = s.waits, nil
		s.folder, s.File, s.main, s.agents, s.Last = "", "", file{}, map[string]*file{}, Message{}
	}
	s.presence = p
	s.Present(p)
	return left
}

// locate finds the session's file: in the folder that its own is called by, else
// in any, as where the CLI resolved a link in its folder's path.
func (s *session) locate(root *os.Root) {
	name := s.SessionID + ".jsonl"
	guess := sessionfile.Folder(cmp.Or(ProcessCWD(s.Claim()), s.CWD))
	s.folder = filepath.Join("projects", guess)
	for _, dir := range append([]string{sessionfile.Folder(s.CWD), guess}, FileNames(root, "projects")...) {
		at := filepath.Join("projects", dir)
		if RegularFile(root, filepath.Join(at, name)) {
			s.folder, s.File = at, filepath.Join(at, name)
			s.main = file{FileTail: FileTail{Name: s.File}}
			return
		}
		if len(guess) == sessionfile.FolderMost && strings.HasPrefix(dir, guess) {
			s.folder = at // with its hash
		}
	}
}

// agentsFolder is where the session's sub-agents have their files.
func (s *session) agentsFolder() string { return filepath.Join(s.folder, s.SessionID, "subagents") }

// enlist notes the files of sub-agents. Those that were not written since the process
// began cannot ask for anything.
func (s *session) enlist(root *os.Root) {
	dir := s.agentsFolder()
	for _, base := range FileNames(root, dir) {
		name := filepath.Join(dir, base)
		if _, is := sessionfile.AgentOf(base); !is || s.agents[name] != nil || len(s.agents) >= agentsMost {
			continue
		}
		if info, err := root.Lstat(name); err == nil && info.ModTime().Add(fileClock).UnixMilli() >= s.Started {
			s.agentIn(root, name)
		}
	}
}

// fileClock is by how much a file's time, that of the kernel's last tick, may be behind the clock.
const fileClock = 10 * time.Millisecond

// agentsMost is how many sub-agents of a session are followed.
const agentsMost = 256

// agentIn returns the file of a sub-agent that has the name, nil where it is none of
// those that are followed.
func (s *session) agentIn(root *os.Root, name string) *file {
	id, is := sessionfile.AgentOf(filepath.Base(name))
	f := s.agents[name]
	if f == nil && is && len(s.agents) < agentsMost {
		f = &file{FileTail: FileTail{Name: name}}
		f.agent.ID = id
		f.describe(root)
		s.agents[name] = f
	}
	return f
}

// describe reads what the sub-agent is called, which may be written after its file.
func (f *file) describe(root *os.Root) {
	raw, err := ReadFile(root, strings.TrimSuffix(f.Name, ".jsonl")+".meta.json", sessionfile.AgentMost)
	if err != nil {
		return
	}
	if a, err := sessionfile.DecodeAgent(raw); err == nil {
		f.agent.Type, f.agent.Description, f.parent = a.Type, a.Description, a.ToolUseID
	}
}

// read takes in what a file has that was not read.
func (f *file) read(root *os.Root, reader reader) error {
	if f.Name == "" {
		return nil
	}
	if f.agent.ID != "" && f.parent == "" {
		f.describe(root)
	}
	err := reader.read(&f.FileTail, root, func() {
		f.conversation = conversation{calls: calls{agent: f.agent, parent: f.parent}}
	}, f.add)
	f.catchUp()
	return err
}

// pending says what the session waits for.
func (s *session) pending(alive bool) []Ask {
	files := []calls{s.main.calls}
	for _, name := range slices.Sorted(maps.Keys(s.agents)) {
		files = append(files, s.agents[name].calls)
	}
	return pending(files, facts{alive: alive, status: s.Status, statusAt: s.presence.StatusUpdatedAt, started: s.Started})
}

// working lists the sub-agents whose call has no result yet, by their files.
func (s *session) working() (agents []Agent) {
	for _, name := range slices.Sorted(maps.Keys(s.agents)) {
		if f := s.agents[name]; slices.ContainsFunc(s.main.open, func(c call) bool { return c.ID == f.parent }) {
			agents = append(agents, f.agent)
		}
	}
	return agents
}

// result returns what came of a call, in whichever file.
func (s *session) result(id string) (sessionfile.Result, bool) {
	if r, ok := s.main.settled[id]; ok {
		return r, true
	}
	for _, f := range s.agents {
		if r, ok := f.settled[id]; ok {
			return r, true
		}
	}
	return sessionfile.Result{}, false
}
