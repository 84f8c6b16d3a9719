package crash

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/acpagent"
	"beckon/tests/client"
	"beckon/tests/timeout"
)

// killsEnv says how often each victim is killed at each point, once without it. It is that of
// the same test of Claude's, in tests/real.
const killsEnv = "BECKON_KILLS"

// What the brief, the answer and the message have, each in no other words.
const (
	inBrief, inAnswer, inMessage, inAllowed = "say fig", "Blue", "say pear", "allowed"
)

// moment is when something is killed in the life of a question or of a message.
type moment struct {
	name string
	// brief is what the agent does, $ASK for its question and $HOME for its folder.
	brief string
	// reach brings about the moment.
	reach func(k *acpVictim)
	hears []string // what the model hears once, besides the brief
	waits bool     // the user has to start it again
	races bool     // the run may be over before the kill
}

var moments = []moment{
	{name: "before the question's row", brief: "free touch $HOME/asks\n$ASK", reach: func(k *acpVictim) { k.appears("asks") }},
	{name: "question open", brief: "$ASK", reach: func(k *acpVictim) { k.asked() }, hears: []string{inAnswer}},
	{name: "answer stored, not written", brief: "$ASK", reach: func(k *acpVictim) {
		q := k.asked()
		k.during = func(p *client.Program) { _, _ = client.Call[any](p, "AnswerQuestion", q.ID, blue) }
	}, hears: []string{inAnswer}, races: true},
	{name: "answer written, not read", brief: "$ASK", reach: func(k *acpVictim) {
		q := k.asked()
		k.gate("deaf")
		k.answer(q)
		k.appears("deaf.reached")
	}, hears: []string{inAnswer}},
	{name: "answer read in silence", brief: "$ASK", reach: func(k *acpVictim) {
		q := k.asked()
		k.gate("mute")
		k.answer(q)
		k.appears("mute.reached")
	}, hears: []string{inAnswer}},
	{name: "answer read", brief: "$ASK\nfree touch $HOME/heard\nwait", reach: func(k *acpVictim) {
		k.answer(k.asked())
		k.appears("heard")
	}, hears: []string{inAnswer}, waits: true},
	{
		name: "permission open", brief: "next run echo ran >> $HOME/ran\nrun echo ran >> $HOME/ran",
		reach: func(k *acpVictim) { k.asked() }, hears: []string{inAllowed},
	},
	{name: "message queued in a turn", brief: "$ASK", reach: func(k *acpVictim) {
		k.asked()
		k.queue()
	}, hears: []string{inAnswer, inMessage}},
	{
		name: "message sent, not read", brief: "$ASK\nfree touch $HOME/deaf", reach: func(k *acpVictim) {
			q := k.asked()
			k.queue()
			k.answer(q)
			k.appears("deaf.reached")
		}, hears: []string{inAnswer, inMessage}, waits: true,
	},
	{
		name: "message read in silence", brief: "$ASK\nfree touch $HOME/mute", reach: func(k *acpVictim) {
			q := k.asked()
			k.queue()
			k.answer(q)
			k.appears("mute.reached")
		}, hears: []string{inAnswer, inMessage}, waits: true,
	},
	{name: "end of the turn", brief: "$ASK\nfree touch $HOME/ends", reach: func(k *acpVictim) {
		k.answer(k.asked())
		k.appears("ends")
	}, hears: []string{inAnswer}, waits: true, races: true},
	{name: "session loaded again", brief: "$ASK", reach: func(k *acpVictim) {
		q := k.asked()
		k.kill()
		k.gate("loading")
		k.Until("the question is left over", patience, func() bool { return k.questions()[0].Settlement == beckon.Orphaned })
		k.answer(q)
		k.appears("loading.reached")
	}, hears: []string{inAnswer}, waits: true},
}

var blue = beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{inAnswer}}}}

// heardCount counts what became of what was said, by moment.
type heardCount struct {
	mu   sync.Mutex
	rows map[string]*heardRow
}

type heardRow struct{ kills, lost, doubled, again, untrue, left int }

func (c *heardCount) add(name string, count func(*heardRow)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rows[name] == nil {
		c.rows[name] = new(heardRow)
	}
	count(c.rows[name])
}

func (c *heardCount) String() string {
	const form = "%-28s %6v %6v %8v %17v %7v %9v\n"
	var b strings.Builder
	fmt.Fprintf(&b, form, "moment", "kills", "lost", "doubled", "again, with words", "untrue", "left over")
	all := new(heardRow)
	line := func(name string, r *heardRow) {
		fmt.Fprintf(&b, form, name, r.kills, r.lost, r.doubled, r.again, r.untrue, r.left)
	}
	for _, m := range moments {
		r := cmp.Or(c.rows[m.name], new(heardRow))
		line(m.name, r)
		all.kills, all.lost, all.doubled = all.kills+r.kills, all.lost+r.lost, all.doubled+r.doubled
		all.again, all.untrue, all.left = all.again+r.again, all.untrue+r.untrue, all.left+r.left
	}
	line("all", all)
	return b.String()
}

// TestWhatIsSaidToAnotherAgentIsHeardOnceWhateverIsKilled: the model of an agent that speaks
// ACP has an answer or a message exactly once, or again with words that say so, wherever the
// agent, Beckon or both are killed; its runs say how they ended, and no process is left.
func TestWhatIsSaidToAnotherAgentIsHeardOnceWhateverIsKilled(t *testing.T) {
	t.Parallel()
	rounds, _ := strconv.Atoi(os.Getenv(killsEnv))
	count := &heardCount{rows: map[string]*heardRow{}}
	t.Cleanup(func() { fmt.Printf("\n%s\n", count) })
	for i, who := range []string{"agent", "beckon", "both"} {
		t.Run(who, func(t *testing.T) {
			t.Parallel()
			k := raiseACP(t, who)
			for round := range max(rounds, 1) {
				for j, m := range moments {
					k.round(m, (round+i+j)%2 == 0, count)
				}
			}
			k.Close()
			k.nothingIsLeft()
		})
	}
}

// acpVictim is a Beckon whose agent, or which, is killed again and again.
type acpVictim struct {
	*client.Program
	t         *testing.T
	who       string // is killed
	env, args []string
	home      string // the agent's
	project   beckon.Project
	task      beckon.Task
	during    func(*client.Program) // what is said as it is killed
}

func raiseACP(t *testing.T, who string) *acpVictim {
	t.Helper()
	home, bin := t.TempDir(), t.TempDir()
	k := &acpVictim{t: t, who: who, home: filepath.Join(home, "agent")}
	must(t, os.Mkdir(k.home, 0o700))
	starter := fmt.Sprintf("#!/bin/sh\nACP_AGENT_HOME=%s exec %s\n", k.home, acpBin)
	must(t, os.WriteFile(filepath.Join(bin, "kimi"), []byte(starter), 0o700)) //nolint:gosec // It is to be executable.
	k.args = []string{"-data", filepath.Join(home, "data"), "-claude", agentBin}
	k.env = []string{"HOME=" + home, "PATH=" + bin + ":" + os.Getenv("PATH"), "XDG_RUNTIME_DIR=" + home, "TMPDIR=" + t.TempDir()}
	k.Program = client.Serve(t, beckonBin, k.env, k.args...)
	k.project = client.Must[beckon.Project](k.Program, "AddProject",
		beckon.NewProject{Dir: client.Repository(t, map[string]string{"a.txt": "a\n"}), Trusted: true})
	return k
}

// round kills at a moment, goes on as a person would, and judges.
func (k *acpVictim) round(m moment, own bool, count *heardCount) {
	k.t.Helper()
	ask := map[bool]string{true: "choose", false: "ask"}[own] + " Which one?"
	for _, name := range []string{"asks", "heard", "ends", "ran", "deaf", "deaf.reached", "mute", "mute.reached", "loading", "loading.reached", "heard.ndjson"} {
		_ = os.Remove(filepath.Join(k.home, name))
	}
	k.during = nil
	k.task = client.Must[beckon.Task](k.Program, "CreateTask", beckon.NewTask{
		ProjectID: k.project.ID, Title: m.name, Status: beckon.Running, Agent: "kimi", Policy: beckon.Wait,
		Brief: inBrief + "\n" + strings.NewReplacer("$ASK", ask, "$HOME", k.home).Replace(m.brief),
	})
	m.reach(k)
	k.kill()
	k.goOn(m)
	k.judge(m, ask, count)
}

// kill kills the victim, and starts Beckon again if that is it.
func (k *acpVictim) kill() {
	k.t.Helper()
	said := make(chan struct{})
	go func(p *client.Program) {
		defer close(said)
		if k.during != nil {
			k.during(p)
		}
	}(k.Program)
	agents := k.agents()
	if k.who != "agent" {
		_ = k.Cmd.Process.Kill()
	}
	if k.who != "beckon" {
		for _, pid := range agents {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	<-said
	for _, name := range []string{"deaf", "mute", "loading"} {
		_ = os.Remove(filepath.Join(k.home, name))
	}
	if k.who != "agent" {
		_ = k.Cmd.Wait()
		k.Program = client.Serve(k.t, beckonBin, k.env, k.args...)
	}
}

// goOn answers what waits, and starts what does not start by itself, until a run succeeds and
// nothing is owed.
func (k *acpVictim) goOn(m moment) {
	k.t.Helper()
	var rests time.Time
	k.Until("all of it is done after "+m.name, patience, func() bool {
		runs := client.Must[[]beckon.Run](k.Program, "Runs", k.task.ID)
		owed, waits := false, false // answers that no agent has, and questions
		for _, q := range k.questions() {
			// A permission that is given to a dead agent is asked for again.
			isHere := q.Settlement == beckon.Open && (q.Kind == beckon.Ask || q.RunID != runs[0].ID)
			if q.Settlement == beckon.Orphaned || isHere {
				k.answer(q)
				waits = true
			}
			owed = owed || q.Settlement == beckon.Answered && q.Delivered == 0
		}
		last := runs[len(runs)-1]
		if last.Phase != beckon.Ended || waits {
			rests = time.Time{}
			return false
		}
		if last.Outcome == beckon.Succeeded && !owed && len(k.queued()) == 0 {
			return true
		}
		if rests.IsZero() {
			rests = time.Now()
		}
		if owed && !m.waits && time.Since(rests) < timeout.For(5*time.Second) {
			return false // it is to go on by itself
		}
		if owed && !m.waits {
			k.t.Errorf("%s: nothing goes on by itself for the answer", m.name)
		}
		_, _ = client.Call[beckon.Task](k.Program, "MoveTask", k.task.ID, beckon.Running, 0)
		rests = time.Time{}
		return false
	})
}

// judge counts what the model of the last session has.
func (k *acpVictim) judge(m moment, ask string, count *heardCount) {
	k.t.Helper()
	runs := client.Must[[]beckon.Run](k.Program, "Runs", k.task.ID)
	heard := k.heard(runs[len(runs)-1].Session)
	count.add(m.name, func(r *heardRow) { r.kills++ })
	hears := append([]string{inBrief}, m.hears...)
	if len(m.hears) == 0 && len(k.questions()) == 1 {
		hears = append(hears, inAnswer)
	}
	for _, words := range hears {
		times, doubt := 0, 0
		for _, text := range heard {
			if strings.Contains(text, words) {
				if times++; times > 1 && strings.Contains(text, "already") {
					doubt++
				}
			}
		}
		count.add(m.name, func(r *heardRow) {
			switch {
			case times == 0:
				r.lost++
			case times-doubt > 1:
				r.doubled++
			case doubt > 0:
				r.again++
			}
		})
		if times == 0 || times-doubt > 1 {
			k.t.Errorf("%s killed, %s (%s): the model has %q %d times, %d of them with words that say so: %q", k.who, m.name, ask, words, times, doubt, heard)
		}
	}
	k.isTrue(m, runs, count)
}

// isTrue holds what Beckon says of the runs to what happened.
func (k *acpVictim) isTrue(m moment, runs []beckon.Run, count *heardCount) {
	k.t.Helper()
	fails := func(format string, args ...any) {
		k.t.Helper()
		count.add(m.name, func(r *heardRow) { r.untrue++ })
		k.t.Errorf("%s killed, %s: %s", k.who, m.name, fmt.Sprintf(format, args...))
	}
	died := beckon.Lost
	if k.who == "agent" {
		died = beckon.Failed
	}
	for _, run := range runs[:len(runs)-1] {
		if run.Outcome != died && (!m.races || run.Outcome != beckon.Succeeded) {
			fails("run %d is said to be %s: %s", run.Number, run.Outcome, run.Reason)
		}
	}
	if len(runs) == 1 && !m.races {
		fails("there is one run: %+v", runs)
	}
	for _, run := range runs {
		if runs[0].Session != "" && run.Session != runs[0].Session { // Beckon may die before it knows of one
			fails("run %d is in another session", run.Number)
		}
	}
	if now := k.Task(k.task.ID); now.Status != beckon.Review || now.Trouble != nil {
		fails("the card is %s: %s", now.Status, now.Trouble)
	}
	ran, err := os.ReadFile(filepath.Join(k.home, "ran"))
	if slices.Contains(m.hears, inAllowed) && (err != nil || string(ran) != "ran\n" || len(k.questions()) != 1) {
		fails("what was allowed once was done so: %q, of %d questions", ran, len(k.questions()))
	}
	if left := k.agents(); len(left) > 0 {
		count.add(m.name, func(r *heardRow) { r.left += len(left) })
		k.t.Errorf("%s killed, %s: agents %v are left", k.who, m.name, left)
	}
}

// heard returns what the model of a session has, in its order.
func (k *acpVictim) heard(session string) (texts []string) {
	k.t.Helper()
	all, err := os.ReadFile(filepath.Join(k.home, "heard.ndjson"))
	must(k.t, err)
	for line := range strings.Lines(string(all)) {
		var h acpagent.Heard
		must(k.t, json.Unmarshal([]byte(line), &h))
		if h.Session == session {
			texts = append(texts, h.Text)
		}
	}
	return texts
}

func (k *acpVictim) questions() []beckon.Question {
	k.t.Helper()
	return client.Must[[]beckon.Question](k.Program, "Questions", k.task.ID)
}

func (k *acpVictim) asked() beckon.Question { return k.Asked(k.task.ID, "") }

// answer settles a question; one that is settled already it leaves.
func (k *acpVictim) answer(q beckon.Question) {
	a := blue
	if q.Kind == beckon.Permission {
		a = beckon.Answer{Verdict: beckon.AllowOnce}
	}
	_, _ = client.Call[any](k.Program, "AnswerQuestion", q.ID, a)
}

func (k *acpVictim) queue() {
	client.Must[beckon.Message](k.Program, "SendMessage", k.task.ID, beckon.NewMessage{Text: inMessage, Images: []beckon.Image{}, Manner: beckon.Queue})
}

// queued returns the messages of the task that no agent has.
func (k *acpVictim) queued() (all []beckon.Message) {
	for _, e := range client.Must[beckon.Frame](k.Program, "Attach", "queue").Events {
		if e.Queue != nil && e.Queue.TaskID == k.task.ID {
			all = append(all, e.Queue.Messages...)
		}
	}
	return all
}

// gate has the agent stand still there.
func (k *acpVictim) gate(name string) {
	k.t.Helper()
	must(k.t, os.WriteFile(filepath.Join(k.home, name), nil, 0o600))
}

// appears waits for a file of the agent's.
func (k *acpVictim) appears(name string) {
	k.t.Helper()
	end := time.Now().Add(patience)
	for _, err := os.Stat(filepath.Join(k.home, name)); err != nil; _, err = os.Stat(filepath.Join(k.home, name)) {
		if time.Now().After(end) {
			k.t.Fatalf("%s is not there", name)
		}
		time.Sleep(time.Millisecond)
	}
}

// agents returns the processes of the agent.
func (k *acpVictim) agents() []int {
	return slices.DeleteFunc(k.processes(), func(pid int) bool {
		exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
		return err != nil || exe != acpBin
	})
}

// processes returns all that have the victim's folder in their environment.
func (k *acpVictim) processes() (found []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ") // the pattern is valid
	for _, file := range files {
		env, err := os.ReadFile(file)
		if err == nil && strings.Contains(string(env), filepath.Dir(k.home)) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			found = append(found, pid)
		}
	}
	return found
}

// nothingIsLeft of all that Beckon and its agents began.
func (k *acpVictim) nothingIsLeft() {
	k.t.Helper()
	end := time.Now().Add(patience)
	for len(k.processes()) > 0 && time.Now().Before(end) {
		time.Sleep(10 * time.Millisecond)
	}
	if left := k.processes(); len(left) > 0 {
		k.t.Errorf("processes %v are left", left)
	}
}
