package slurm

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"beckon/backend/executor/shim"
	"beckon/backend/executor/worker"
)

var versions = regexp.MustCompile(`(\d+)\.(\d+)`)

// tooOld reports whether a version of Slurm's cannot start a step beside a job's own, by
// srun's --overlap.
func tooOld(text string) bool {
	at := versions.FindStringSubmatch(text)
	if at == nil {
		return false
	}
	major, _ := strconv.Atoi(at[1]) // they are digits
	minor, _ := strconv.Atoi(at[2])
	return major < 20 || major == 20 && minor < 11
}

// explain returns why a program of Slurm's could not do it: why it could not be run, or
// by what it said, which Slurm does not translate.
func (b *batch) explain(s said, err error) error {
	if err != nil {
		return err
	}
	return Explain(b.front.Shell.Name, s.errs, s.code)
}

// lead is what Slurm's programs begin a line of trouble with.
var lead = regexp.MustCompile(`^(s[a-z]+: )?(error|fatal): |^s[a-z]+: |^slurm_[a-z_]+ error: `)

// Explain returns why a program of Slurm's failed on a front, by what it said on stderr
// and its code.
func Explain(front, text string, code int) error {
	has := func(words ...string) bool { return worker.Says(text, words...) }
	why := lead.ReplaceAllString(worker.Last(text), "")
	switch {
	case code == 127:
		return worker.Unreachable(fmt.Sprintf("sbatch was not found on %s: install Slurm's client there, or name a host that has it.", front))
	case has("Unable to contact slurm controller", "Could not establish a configuration source", "Zero Bytes were transmitted", "Socket timed out", "Unable to process configuration file"):
		return worker.Unreachable(fmt.Sprintf("Slurm's controller does not answer on %s. Jobs that run go on; see whether squeue works there in a terminal. Slurm says: %s", front, why))
	case has("Invalid partition", "invalid partition"):
		return worker.Unreachable(fmt.Sprintf("Slurm on %s has no such partition for you: look for one with sinfo there, and correct the executor's options. Slurm says: %s", front, why))
	case has("Invalid account", "Invalid qos", "InvalidAccount", "InvalidQOS"):
		return worker.Unreachable(fmt.Sprintf("Slurm on %s does not know you by that account or QOS: correct the executor's options. Slurm says: %s", front, why))
	case has("unrecognized option", "invalid option", "Invalid argument", "requires an argument"):
		return worker.Unreachable(fmt.Sprintf("The executor's options are none of sbatch's on %s: correct them. Slurm says: %s", front, why))
	}
	return worker.Unreachable(fmt.Sprintf("Slurm on %s refuses the job: %s. Look at the executor's options.", front, strings.TrimSuffix(why, ".")))
}

// ended are how jobs end, in words, with what to do about it.
var ended = map[string][2]string{
	"TIMEOUT":       {"ran into its time limit", " Give more by --time in the executor's options."},
	"DEADLINE":      {"ran into its deadline", ""},
	"CANCELLED":     {"was cancelled", ""},
	"PREEMPTED":     {"had to make room for another job", ""},
	"NODE_FAIL":     {"lost its node", ""},
	"BOOT_FAIL":     {"got no node that starts", ""},
	"OUT_OF_MEMORY": {"ran out of memory", " Give more by --mem in the executor's options."},
	"FAILED":        {"failed", ""},
	"COMPLETED":     {"ended", ""},
	"REVOKED":       {"went to another cluster", ""},
}

// how says how a job ended.
func (j job) how() (words, advice string) {
	known, is := ended[j.state]
	switch {
	case is:
		return fmt.Sprintf("Slurm job %s %s (%s)", j.id, known[0], j.state), known[1]
	case j.state == gone:
		return fmt.Sprintf("Slurm job %s is gone, and Slurm does not say why", j.id), ""
	}
	return fmt.Sprintf("Slurm job %s ended (%s)", j.id, worker.Shown(j.state)), ""
}

// tooEarly is why a job has no agent.
func (j job) tooEarly() error {
	words, advice := j.how()
	return worker.Unreachable(words + " before its agent began. Nothing is lost: start the task again." + advice)
}

// under is why an agent is gone.
func (j job) under() error {
	words, advice := j.how()
	return over(words + ", and the agent with it. Its worktree and session are kept: answer, or resume, and it goes on in a new job." + advice)
}

// over is why no link leads to an agent any more. Trying again is no use.
type over string

func (e over) Error() string { return string(e) }

// Unwrap makes it a shim.ErrRefused.
func (over) Unwrap() error { return shim.ErrRefused }
