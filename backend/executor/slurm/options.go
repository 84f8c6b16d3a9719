package slurm

import (
	"fmt"
	"strings"

	"beckon/backend/beckon/executing"
	"beckon/backend/executor/worker"
)

// jobPrefix begins the names of Beckon's jobs.
const jobPrefix = "beckon-"

// exported are the variables that a job gets of the front's environment, which may hold
// secrets and would go to Slurm's controller. Options may say otherwise.
const exported = "--export=HOME,USER,LOGNAME,SHELL,PATH,LANG"

// refused are sbatch's options that no job of Beckon's can have, and its letters for them:
// more jobs, another script, none, a wait, or another cluster, which srun and squeue would
// not find.
var (
	refused        = []string{"--array", "--wrap", "--wait", "--test-only", "--clusters", "--cluster", "--help", "--usage", "--version", "--export-file", "--parsable"}
	refusedLetters = "aWMhV"
)

// words are sbatch's for a job. What Beckon needs comes last, so that the user's options
// do not change it.
func (b *batch) words(name string, more ...string) ([]string, error) {
	options, err := executing.Words(b.options)
	if err != nil {
		return nil, worker.Unreachable("The executor's options cannot be read: " + err.Error())
	}
	if wrong := unfit(options); wrong != "" {
		return nil, worker.Unreachable(fmt.Sprintf("The executor's options cannot have %s: Beckon submits one job for each agent, with its own script. Take it out.", worker.Shown(wrong)))
	}
	words := append([]string{"sbatch", exported}, options...)
	words = append(words, "--parsable", "--no-requeue", "--nodes=1", "--job-name="+jobPrefix+name, "--output=/dev/null", "--error=/dev/null", "--input=/dev/null")
	return append(words, more...), nil
}

// unfit returns the first word that no option of a job is; empty: all are. A word without
// a dash can only be the value of the option before it: sbatch would take it for a script.
func unfit(words []string) string {
	value := false // a value may follow
	for _, word := range words {
		name, _, assigned := strings.Cut(word, "=")
		switch {
		case strings.ContainsAny(word, "\r\n"), word == "--", word == "-":
			return word
		case strings.HasPrefix(word, "--"):
			for _, no := range refused { // sbatch takes the beginning of a name for it
				if name == no || len(name) > len("--x") && strings.HasPrefix(no, name) {
					return word
				}
			}
			value = !assigned
		case strings.HasPrefix(word, "-"):
			if strings.ContainsRune(refusedLetters, rune(word[1])) {
				return word
			}
			value = len(word) == 2
		case !value:
			return word
		default:
			value = false
		}
	}
	return ""
}
