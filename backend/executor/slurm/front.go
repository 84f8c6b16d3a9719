package slurm

import (
	"context"
	"io"
	"strconv"
	"strings"
	"time"

	"beckon/backend/executor/worker"
)

type link = io.ReadWriteCloser

// saidMost is how much a program may say: a line for each job.
const saidMost = 4 << 20

// answerIn is how long a program of Slurm's may take: where its controller is away it
// tries again by itself for a while.
const answerIn = 100 * time.Second

// pathed has the programs be found where a login shell finds them: a command by ssh often
// has less.
const pathed = `command -v sbatch >/dev/null 2>&1 || PATH="$PATH:$("${SHELL:-sh}" -lc "printenv PATH" </dev/null 2>/dev/null | tail -n 1)"; `

// The lines around what a program says: a shell may greet.
const (
	begins = "beckon-begins"
	ends   = "beckon-ends "
)

// runs runs a program whose words are the first lines on stdin, so that no shell splits
// them; the rest is the program's.
const runs = pathed + `while IFS= read -r word; do case "$word" in +*) set -- "$@" "${word#+}" ;; *) break ;; esac; done; echo; echo ` + begins + `; "$@"; code=$?; echo; echo "` + ends + `$code"`

// said is what a program on the front said.
type said struct {
	out, errs string
	code      int
}

// run runs a program of Slurm's on the front. An error says why it could not be run; that
// it failed is in what it said.
func (f Front) run(ctx context.Context, stdin string, words ...string) (said, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, answerIn, worker.Unreachable(f.Shell.Name+": "+words[0]+" did not answer within "+answerIn.String()))
	defer cancel()
	cmd, err := f.Shell.Command(ctx, runs)
	if err != nil {
		return said{}, err
	}
	var lines strings.Builder
	for _, word := range words {
		lines.WriteString("+" + word + "\n")
	}
	out, errs, err := f.Shell.Run(ctx, cmd, strings.NewReader(lines.String()+"\n"+stdin), saidMost)
	if ctx.Err() != nil {
		return said{}, err
	}
	_, rest, begun := strings.Cut(string(out), "\n"+begins+"\n")
	at := strings.LastIndex(rest, "\n"+ends)
	if !begun || at < 0 {
		return said{}, f.Shell.Explain(errs, err)
	}
	code, _ := strconv.Atoi(strings.TrimSpace(rest[at+len("\n"+ends):])) // what is no number is no failure
	return said{rest[:at], errs, code}, nil
}
