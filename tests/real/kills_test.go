//go:build unix

package real

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/fixture"
	"beckon/tests/timeout"
)

// killsEnv says how often each line of the matrix is killed at each point; a
// sample of two points a line without it. `make soak` has ten, which are a
// thousand kills.
const killsEnv = "BECKON_KILLS"

// point is a moment between the press of a key and claude's record of what was
// said.
type point struct {
	name     string
	frozen   bool          // claude does not read any more
	during   bool          // the call that says it is under way
	shown    bool          // Beckon's own transcript or row shows that claude took it
	from, to time.Duration // after that
}

const ms = time.Millisecond

var points = []point{
	{name: "as it is said", during: true, to: 5 * ms},
	{name: "said, unread", frozen: true, to: 20 * ms},
	{name: "said, 0 to 3 ms", to: 3 * ms},
	{name: "3 to 10 ms", from: 3 * ms, to: 10 * ms},
	{name: "10 to 30 ms", from: 10 * ms, to: 30 * ms},
	{name: "30 to 60 ms", from: 30 * ms, to: 60 * ms},
	{name: "60 to 100 ms", from: 60 * ms, to: 100 * ms},
	{name: "100 to 150 ms", from: 100 * ms, to: 150 * ms},
	{name: "150 to 300 ms", from: 150 * ms, to: 300 * ms},
	{name: "seen by Beckon", shown: true, to: 15 * ms},
}

// line is one of the ways on which words reach the model, and who dies.
type line struct {
	tool   string // that asks; empty for messages
	chat   bool
	beckon bool // dies, and not claude
}

func (l line) String() string {
	who, what, where := "claude", "message", "task"
	if l.beckon {
		who = "beckon"
	}
	if l.tool != "" {
		what = l.tool
	}
	if l.chat {
		where = "chat"
	}
	return what + "_" + where + "_" + who
}

func lines() (all []line) {
	for _, tool := range []string{"AskUserQuestion", "mcp__beckon__ask_user"} {
		for _, chat := range []bool{true, false} {
			for _, beckon := range []bool{false, true} {
				all = append(all, line{tool, chat, beckon})
			}
		}
	}
	return append(all, line{chat: true}, line{chat: true, beckon: true})
}

// tally counts what became of what was said, by point.
type tally struct {
	mu                           sync.Mutex
	kills, lost, doubled, waited map[string]int
}

func (c *tally) add(p point, heard int, waited bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kills[p.name]++
	switch {
	case heard == 0:
		c.lost[p.name]++
	case heard > 1:
		c.doubled[p.name]++
	}
	if waited {
		c.waited[p.name]++
	}
}

func (c *tally) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-16s %6s %6s %8s %14s\n", "point", "kills", "lost", "doubled", "not resumed")
	var total [4]int
	for _, p := range points {
		row := [4]int{c.kills[p.name], c.lost[p.name], c.doubled[p.name], c.waited[p.name]}
		fmt.Fprintf(&b, "%-16s %6d %6d %8d %14d\n", p.name, row[0], row[1], row[2], row[3])
		for i := range total {
			total[i] += row[i]
		}
	}
	fmt.Fprintf(&b, "%-16s %6d %6d %8d %14d", "all", total[0], total[1], total[2], total[3])
	return b.String()
}

// TestWhatIsSaidIsHeardOnceWhoeverIsKilled: the model's next request holds an
// answer or a message exactly once, wherever claude or Beckon was killed, and
// an answer resumes its card or chat on its own.
func TestWhatIsSaidIsHeardOnceWhoeverIsKilled(t *testing.T) {
	t.Parallel()
	rounds, _ := strconv.Atoi(os.Getenv(killsEnv))
	count := &tally{kills: map[string]int{}, lost: map[string]int{}, doubled: map[string]int{}, waited: map[string]int{}}
	t.Cleanup(func() { fmt.Printf("\n%s\n\n", count) })
	for i, l := range lines() {
		at := []point{points[i], points[(i+5)%len(points)]}
		if rounds > 0 {
			at = slices.Repeat(points, rounds)
			rand.Shuffle(len(at), func(i, j int) { at[i], at[j] = at[j], at[i] })
		}
		t.Run(l.String(), func(t *testing.T) {
			t.Parallel()
			k := setVictim(t, l)
			for round, p := range at {
				k.round(round, p)
				k.judge(p, count)
			}
		})
	}
}

// victim is a conversation whose agent, or Beckon, is killed again and again.
type victim struct {
	*fixture.Fixture
	line
	t      *testing.T
	task   beckon.Task
	token  string
	all    []string
	waited bool   // nothing resumed it on its own
	hit    string // the run whose agent was killed, or whose Beckon
}

func setVictim(t *testing.T, l line) *victim {
	asks := fixture.Turn{"text": "One thing.", "tool": l.tool, "input": fixture.Questions(fixture.Question("Which?", "Which", "A", "B"))}
	k := &victim{line: l, t: t, Fixture: fixture.Play(t, fixture.Script{
		Turns: []fixture.Turn{{"text": "Well."}},
		Rules: []fixture.Rule{
			{When: `go\s*$`, Turn: asks},
			{When: `say \S+\s*$`, Turn: fixture.Turn{"text": "I hear you.", "wait_ms": 40}},
			{When: `.`, Turn: fixture.Turn{"text": "I go on."}},
		},
	})}
	if l.chat {
		k.task = chat(t, k.Fixture)
	} else {
		k.task = client.Must[beckon.Task](k.Program, "CreateTask", beckon.NewTask{
			ProjectID: k.Project.ID, Title: "Do it", Brief: "now: go", Mode: beckon.ModeAcceptEdits, WaitMs: time.Hour.Milliseconds(),
		})
	}
	return k
}

// round says something, kills, and sees to it that the agent lives again.
func (k *victim) round(n int, p point) {
	k.t.Helper()
	k.token, k.waited = fmt.Sprintf("tok%03dx", n), false
	k.all = append(k.all, k.token)
	if k.tool == "" {
		k.message(p)
		return
	}
	k.begin(n)
	q := k.open()
	old := k.Program
	k.kill(p, func() {
		_, _ = client.Call[any](old, "AnswerQuestion", q.ID, k.answer())
	}, func() bool {
		page, err := client.Call[beckon.TranscriptPage](old, "Transcript", k.task.ID, "", 20)
		text, _ := json.Marshal(page)
		return err != nil || strings.Contains(string(text), k.token)
	})
	k.recover(q.ID)
}

func (k *victim) answer() beckon.Answer {
	return beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{}, Other: k.token}}}
}

// begin has the agent ask.
func (k *victim) begin(n int) {
	k.t.Helper()
	switch {
	case k.chat:
		k.alive()
		post(k.Fixture, k.task.ID, "go", beckon.Queue)
	case n == 0:
		client.Must[beckon.Task](k.Program, "MoveTask", k.task.ID, beckon.Running, 0)
	default:
		k.InReview(k.task.ID)
		client.Must[beckon.Task](k.Program, "SendBack", k.task.ID, "go")
	}
}

// open waits for the question. Unlike Asked it takes no notice of the runs that
// died before.
func (k *victim) open() (open beckon.Question) {
	k.t.Helper()
	k.Until("the agent asks", patience, func() bool {
		for _, q := range client.Must[[]beckon.Question](k.Program, "Questions", k.task.ID) {
			if q.Settlement == beckon.Open {
				open = q
			}
		}
		return open.ID != ""
	})
	// What claude asked is on its disk, and so is what made it ask: else that
	// would rightly be sent again, and be asked again.
	k.WrittenDown(open.ToolUseID)
	return open
}

// alive opens the chat where it is over.
func (k *victim) alive() {
	k.t.Helper()
	if k.run().Phase == beckon.Ended {
		client.Must[beckon.Run](k.Program, "StartInteractive", k.task.ID)
	}
	defer func() {
		if k.t.Failed() {
			k.t.Logf("%s: queued %q, runs %+v", k.token, queued(k.Fixture, k.task.ID), client.Must[[]beckon.Run](k.Program, "Runs", k.task.ID))
		}
	}()
	k.Until("the chat is idle", patience, func() bool { return k.run().Phase == beckon.Idle && queued(k.Fixture, k.task.ID) == "" })
}

func (k *victim) run() beckon.Run {
	runs := client.Must[[]beckon.Run](k.Program, "Runs", k.task.ID)
	return runs[len(runs)-1]
}

func (k *victim) message(p point) {
	k.t.Helper()
	k.alive()
	old, accepted := k.Program, false
	k.kill(p, func() {
		_, err := client.Call[beckon.Message](old, "SendMessage", k.task.ID,
			beckon.NewMessage{Text: "say " + k.token, Manner: beckon.Queue, Images: []beckon.Image{}})
		accepted = err == nil
	}, func() bool {
		runs, err := client.Call[[]beckon.Run](old, "Runs", k.task.ID)
		return err != nil || runs[len(runs)-1].Phase == beckon.Idle
	})
	k.Until("the run is over", patience, func() bool { return k.run().Phase == beckon.Ended })
	text, _ := json.Marshal(client.Must[beckon.TranscriptPage](k.Program, "Transcript", k.task.ID, "", 20))
	if !accepted && !strings.Contains(string(text), k.token) && queued(k.Fixture, k.task.ID) == "" {
		k.alive() // what was refused its writer sends again
		post(k.Fixture, k.task.ID, "say "+k.token, beckon.Queue)
	}
	k.alive()
}

// kill says something and kills at the point.
func (k *victim) kill(p point, say func(), seen func() bool) {
	k.t.Helper()
	folder := k.Dir
	if !k.chat {
		folder = k.Task(k.task.ID).Worktree
	}
	found := agents(folder)
	if len(found) == 0 {
		k.t.Fatalf("no agent works in %s", folder)
	}
	k.hit = k.run().ID
	if p.frozen {
		for _, agent := range found {
			_ = agent.Signal(syscall.SIGSTOP)
		}
	}
	said := make(chan struct{})
	go func() { say(); close(said) }()
	if !p.during {
		<-said
	}
	for end := time.Now().Add(timeout.For(5 * time.Second)); p.shown && !seen() && time.Now().Before(end); {
		time.Sleep(ms)
	}
	time.Sleep(p.from + time.Duration(rand.Int64N(int64(p.to-p.from))))
	if k.beckon {
		_ = k.Cmd.Process.Kill()
		<-said
		k.Slay()
		return
	}
	for _, agent := range found {
		_ = agent.Kill()
	}
	<-said
}

// recover waits until the answer is with the agent. One that was refused is
// given again, as its writer would.
func (k *victim) recover(id string) {
	k.t.Helper()
	var q beckon.Question
	defer func() {
		if k.t.Failed() {
			k.t.Logf("%s: the question %+v, the run %+v", k.token, q, k.run())
		}
	}()
	var idle time.Time
	k.Until("the answer is delivered", patience, func() bool {
		all := client.Must[[]beckon.Question](k.Program, "Questions", k.task.ID)
		q = all[slices.IndexFunc(all, func(q beckon.Question) bool { return q.ID == id })]
		run := k.run()
		over := run.Phase == beckon.Ended
		switch {
		case q.Settlement == beckon.Orphaned:
			_, _ = client.Call[any](k.Program, "AnswerQuestion", id, k.answer())
		case q.Delivered != 0:
			return over || run.Phase == beckon.Idle && run.ID != k.hit // that one is dead, and soon known to be
		case !over || idle.IsZero():
			idle = time.Now()
		case time.Since(idle) > timeout.For(8*time.Second) && !k.waited:
			k.waited = true
			k.t.Errorf("%s: nothing resumed the agent for the answer", k.token)
			k.resume()
		}
		return false
	})
}

func (k *victim) resume() {
	if k.chat {
		_, _ = client.Call[beckon.Run](k.Program, "StartInteractive", k.task.ID)
	} else {
		_, _ = client.Call[beckon.Task](k.Program, "MoveTask", k.task.ID, beckon.Running, 0)
	}
}

// judge counts in what the model is asked with next how often it has each of
// the words.
func (k *victim) judge(p point, count *tally) {
	k.t.Helper()
	before := strings.Count(k.Told(), aTurn)
	switch {
	case k.chat:
		k.alive()
		post(k.Fixture, k.task.ID, "and on", beckon.Queue)
	default:
		k.InReview(k.task.ID)
		client.Must[beckon.Task](k.Program, "SendBack", k.task.ID, "and on")
	}
	k.Until("the model is asked", patience, func() bool { return strings.Count(k.Told(), aTurn) > before })
	if k.chat {
		k.alive()
	} else {
		k.Until("the run is over", patience, func() bool { return k.run().Phase == beckon.Ended })
	}
	asked := lastAsked(k.Told())
	for _, token := range k.all {
		if n := strings.Count(asked, token); n != 1 {
			k.t.Errorf("killed %q (%s): the model has %s %d times; what it was asked with:\n%.6000s", p.name, k.line, token, n, asked[max(0, len(asked)-6000):])
		}
	}
	count.add(p, strings.Count(asked, k.token), k.waited)
	k.all = slices.DeleteFunc(k.all, func(token string) bool { return strings.Count(asked, token) != 1 }) // each once
}

// aTurn is in the log of each request of a turn.
const aTurn = `"kind":"main"`

// lastAsked returns what the model was sent last.
func lastAsked(log string) string {
	all := strings.Split(strings.TrimSpace(log), "\n")
	for _, text := range slices.Backward(all) {
		var r request
		if strings.Contains(text, aTurn) && json.Unmarshal([]byte(text), &r) == nil {
			return string(r.Messages)
		}
	}
	return ""
}
