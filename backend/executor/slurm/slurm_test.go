package slurm

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"beckon/backend/agent/process"
	"beckon/backend/beckon/executing"
	"beckon/backend/executor/shim"
)

// TestOptionsCannotBreakWhatBeckonNeeds: neither another script nor more jobs, by any way
// that sbatch has to write them.
func TestOptionsCannotBreakWhatBeckonNeeds(t *testing.T) {
	t.Parallel()
	for options, wrong := range map[string]string{
		"":                       "",
		"--partition=gpu -c 4":   "",
		"-pgpu --exclusive":      "",
		"--comment 'a b' -N1":    "",
		"--gres=gpu:1 --mem 8G":  "",
		"--wait-all-nodes=1":     "",
		"script.sh":              "script.sh",
		"-p gpu script.sh":       "script.sh",
		"--partition=gpu job.sh": "job.sh",
		"-pgpu job.sh":           "job.sh",
		"-- job.sh":              "--",
		"--array=1-9":            "--array=1-9",
		"--arr 1-9":              "--arr",
		"-a1-9":                  "-a1-9",
		"--wrap=id":              "--wrap=id",
		"--test":                 "--test",
		"-W":                     "-W",
		"-M other":               "-M",
		"--comment 'a\nb'":       "a\nb",
	} {
		b := &batch{front: ThisComputer(nil), options: options}
		words, err := b.words("run")
		if (err != nil) != (wrong != "") || err != nil && !strings.Contains(err.Error(), strings.ReplaceAll(wrong, "\n", " ")) {
			t.Errorf("%q: %v, want %q", options, err, wrong)
		}
		if err == nil && words[len(words)-4] != "--job-name=beckon-run" {
			t.Errorf("%q: %q", options, words)
		}
	}
}

// TestWordsReachAProgramAsTheyAre, whatever the shell there prints besides.
func TestWordsReachAProgramAsTheyAre(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := filepath.Join(dir, "program")
	if err := process.WriteProgram(program, "#!/bin/sh\nfor w; do echo \"<$w>\"; done; cat; echo trouble >&2; exit 3\n"); err != nil {
		t.Fatal(err)
	}
	got, err := ThisComputer(nil).run(t.Context(), "a script\nof lines", program, "a b", " c", "$HOME", "'", `\`, "", "+d", "--")
	want := said{"<a b>\n< c>\n<$HOME>\n<'>\n<\\>\n<>\n<+d>\n<-->\na script\nof lines", "trouble\n", 3}
	if err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := ThisComputer(nil).run(t.Context(), "", filepath.Join(dir, "none")); err != nil || got.code != 127 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestSlurmsWordsBecomeSentences(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"sbatch: error: invalid partition specified: nope\nsbatch: error: Batch job submission failed: Invalid partition name specified\n": "no such partition for you",
		"slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n":                                                    "does not answer on farm. Jobs that run go on; see whether squeue works there in a terminal. Slurm says: Unable to contact slurm controller (connect failure)",
		"sbatch: unrecognized option '--nope'\nTry \"sbatch --help\" for more information\n":                                               "none of sbatch's",
		"sbatch: error: Batch job submission failed: Requested node configuration is not available\n":                                      "refuses the job: Batch job submission failed: Requested node configuration is not available.",
	} {
		if got := Explain("farm", text, 1).Error(); !strings.Contains(got, want) {
			t.Errorf("%q: %q", text, got)
		}
	}
	if got := Explain("farm", "sh: sbatch: not found", 127).Error(); !strings.Contains(got, "sbatch was not found on farm") {
		t.Error(got)
	}
	for text, want := range map[string]bool{"slurm-wlm 22.05.8": false, "slurm 20.11.9": false, "slurm 20.02.6": true, "slurm 19.05.5": true, "slurm": false} {
		if tooOld(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

// TestAJobThatIsOverSaysHow, and that trying again is no use.
func TestAJobThatIsOverSaysHow(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]string{
		"TIMEOUT": "ran into its time limit (TIMEOUT)", "OUT_OF_MEMORY": "--mem", "NODE_FAIL": "lost its node", "PREEMPTED": "make room",
		"CANCELLED": "was cancelled", "DANCED": "ended (DANCED)", gone: "Slurm does not say why",
	} {
		one := job{id: "7", state: state}
		if err := one.under(); !errors.Is(err, shim.ErrRefused) || !strings.Contains(err.Error(), want) || !one.over() {
			t.Errorf("%s: %v", state, err)
		}
		if err := one.tooEarly(); errors.Is(err, shim.ErrRefused) || !strings.Contains(err.Error(), "before its agent began") {
			t.Errorf("%s: %v", state, err)
		}
	}
}

// TestTheQueueIsAskedGently: a hundred that wait ask squeue together, and no more often
// than every two seconds.
func TestTheQueueIsAskedGently(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		asked := []time.Time{}
		b := &batch{front: ThisComputer(nil)}
		b.queue.turn = make(chan struct{}, 1)
		b.queue.ask = func(context.Context) (map[string]job, error) {
			mu.Lock()
			defer mu.Unlock()
			asked = append(asked, time.Now())
			jobs := map[string]job{}
			for n := range 100 {
				one := job{id: fmt.Sprint(n), state: "PENDING", reason: "Priority"}
				if n%2 == 0 && len(asked) > 5 || len(asked) > 50 {
					one.state = "RUNNING"
				}
				jobs[one.id] = one
			}
			return jobs, nil
		}
		began := time.Now()
		var all sync.WaitGroup
		for n := range 100 {
			all.Go(func() {
				said := ""
				heard := ""
				if err := b.await(t.Context(), fmt.Sprint(n), func(w executing.Waits) { heard = max(heard, w.Words); said = w.Words }); err != nil {
					t.Error(err)
				}
				if said != "" || heard != fmt.Sprintf("Priority (Slurm job %d)", n) {
					t.Errorf("it said %q, and %q at the end", heard, said)
				}
			})
		}
		all.Wait()
		for n := 1; n < len(asked); n++ {
			if pause := asked[n].Sub(asked[n-1]); pause < lookEvery {
				t.Errorf("look %d came after %s", n, pause)
			}
		}
		if most := int(time.Since(began)/lookEvery) + 1; len(asked) > most {
			t.Errorf("%d looks in %s", len(asked), time.Since(began))
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("stopped")
		cancel(why)
		if err := b.await(ctx, "1", func(executing.Waits) {}); !errors.Is(err, why) {
			t.Error(err)
		}
	})
}
