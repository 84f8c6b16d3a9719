package scripted

import (
	"context"
	"encoding/json"
	"time"

	"beckon/backend/beckon"
)

// job is a command in the background.
type job struct {
	id, call, command string
	timer             *time.Timer
}

// backgroundCall is a command that goes on when the call, and the turn, are
// over: "background 300ms make all". At its end the next turn of the script
// begins on its own; "never" has none.
func backgroundCall(t *turn, s step) (call, error) {
	args, err := words(s.args, 2)
	if err != nil {
		return call{}, err
	}
	var lasts time.Duration
	if args[0] != "never" {
		if lasts, err = time.ParseDuration(args[0]); err != nil {
			return call{}, err
		}
	}
	input := object{"command", args[1], "description", "Run it", "run_in_background", true}
	return call{"Bash", json.RawMessage(encode(input)), func(_ context.Context, id string) outcome {
		task := t.agent.beginJob(id, args[1], lasts)
		return outcome{
			content: "Command running in background with ID: " + task + ". You will be notified when it completes.",
			detail:  object{"stdout", "", "backgroundTaskId", task},
		}
	}}, nil
}

func (a *agent) beginJob(call, command string, lasts time.Duration) string {
	j := &job{id: "b" + beckon.NewUUID()[:8], call: call, command: command}
	a.out.system("task_started", "task_id", j.id, "tool_use_id", call, "description", "Run it", "task_type", "local_bash")
	a.mu.Lock()
	defer a.mu.Unlock()
	a.jobs = append(a.jobs, j)
	if lasts > 0 {
		j.timer = time.AfterFunc(lasts, func() { a.endJob(j) })
	}
	return j.id
}

// endJob has the next turn begin on its own.
func (a *agent) endJob(j *job) {
	if !a.dropJob(j.id) {
		return
	}
	a.out.system("task_updated", "task_id", j.id, "patch", object{"status", "completed"})
	a.mu.Lock()
	a.woken, a.ended = true, append(a.ended, j)
	a.mu.Unlock()
	a.nudge()
}

// dropJob reports whether the job ran.
func (a *agent) dropJob(id string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i, j := range a.jobs {
		if j.id == id {
			a.jobs = append(a.jobs[:i:i], a.jobs[i+1:]...)
			return true
		}
	}
	return false
}

// stopJob ends a job on the host's wish, of which no turn tells.
func (a *agent) stopJob(request, id string) {
	if !a.dropJob(id) {
		a.refuse(request, "No task found with ID: "+id)
		return
	}
	a.killed(id)
	a.reply(request, object{})
	a.state("idle")
}

func (a *agent) killed(id string) {
	a.out.system("task_updated", "task_id", id, "patch", object{"status", "killed"})
	a.out.system("task_notification", "task_id", id, "status", "stopped", "output_file", "", "summary", "Run it")
}

// killJobs ends what still runs when stdin ends; the CLI waits 5 s before.
func (a *agent) killJobs() {
	a.mu.Lock()
	jobs := a.jobs
	a.jobs = nil
	a.mu.Unlock()
	for _, j := range jobs {
		a.killed(j.id)
	}
}

// tellEnds announces what ended, as a turn does that begins because of it.
func (a *agent) tellEnds() {
	a.mu.Lock()
	ended := a.ended
	a.ended = nil
	a.mu.Unlock()
	for _, j := range ended {
		a.out.system("task_notification", "task_id", j.id, "tool_use_id", j.call, "status", "completed", "output_file", "/tmp/"+j.id+".output",
			"summary", `Background command "Run it" completed (exit code 0)`)
	}
	if len(ended) == 0 {
		a.out.system("task_notification", "task_id", "scripted", "status", "completed", "summary", "background work ended")
	}
}
