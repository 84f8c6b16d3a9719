package kube

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"beckon/backend/beckon/executing"
	"beckon/backend/executor/worker"
)

// Pod is where a task's work is in a cluster, once it is open. It implements worker.Own.
type Pod struct {
	cluster *Cluster
	task    string

	opening sync.Mutex // held while it is made or deleted
	turns   int        // how often it was opened or left; guarded by opening

	mu    sync.Mutex // guards what follows
	at    *place     // nil: none is known
	doubt bool       // a link to it broke
	lost  error      // what became of it, once that is known
}

const (
	// The pauses between two looks at what is waited for.
	firstPause = 300 * time.Millisecond
	lastPause  = 5 * time.Second
	// troubleIn is how long trouble with a container may last: an image is pulled a second
	// time meanwhile.
	troubleIn = 20 * time.Second
	// silentIn is how long the cluster may not answer while it is waited for.
	silentIn = time.Minute
	// podIn is how long a Job may have no pod before it is asked why.
	podIn = 3 * time.Second
	// restAfter is how long a pod is kept whose work is home: a session that it does not
	// have is begun again at once, and should not wait for another pod.
	restAfter = 10 * time.Second
	// restIn is how long its end may take.
	restIn = time.Minute
)

// Open implements worker.Own.
func (p *Pod) Open(ctx context.Context, _ worker.Task, waits func(executing.Waits)) error {
	p.opening.Lock()
	defer p.opening.Unlock()
	p.turns++
	began := time.Now()
	if _, err := p.find(ctx); err == nil || !errors.Is(err, worker.ErrGone) && !errors.Is(err, worker.ErrEmpty) {
		return err
	}
	made, err := p.make(ctx, began)
	if err != nil {
		return err
	}
	defer waits(executing.Waits{})
	return p.await(ctx, made, waits)
}

// make makes the Job, unless there is one that may still have a pod, as it was after a
// time.
func (p *Pod) make(ctx context.Context, seen time.Time) (after time.Time, err error) {
	k := p.cluster
	text, err := k.job(ctx, p.task)
	if err != nil {
		return after, err
	}
	used := p.forget()
	for late, pause := time.Now().Add(silentIn), firstPause; ; pause = longer(pause) {
		s, err := k.see(ctx, seen)
		if err != nil {
			return after, err
		}
		seen = time.Now()
		job, pod := s.job(k.jobName(p.task))
		switch {
		case job == nil:
			_, err = k.ask(ctx, bytes.NewReader(text), "create", "--filename=-", "--output=name")
			return time.Now(), err
		case !used && job.lives() && (pod == nil || pod.lives()):
			return time.Now(), nil
		case time.Now().After(late):
			return after, worker.Unreachable(fmt.Sprintf("The Job %s on %s was deleted and is there still: see why with kubectl describe job", job.Metadata.Name, k.Name))
		case job.Metadata.DeletionTimestamp == "":
			if err := p.delete(ctx); err != nil {
				return after, err
			}
		}
		if err := sleep(ctx, pause); err != nil {
			return after, err
		}
	}
}

func longer(pause time.Duration) time.Duration { return min(pause*3/2, lastPause) }

func sleep(ctx context.Context, pause time.Duration) error {
	select {
	case <-time.After(pause):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// await waits until the pod runs, of a Job that was there at a time.
func (p *Pod) await(ctx context.Context, made time.Time, waits func(executing.Waits)) error {
	w := wait{pod: p, made: made, began: time.Now(), answered: time.Now()}
	for pause, last := firstPause, (executing.Waits{}); ; pause = longer(pause) {
		on, done, err := w.lookAtPod(ctx, pause)
		if done || err != nil {
			return err
		}
		if on != last {
			waits(on)
			last = on
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// wait is how a pod is waited for.
type wait struct {
	pod      *Pod
	made     time.Time // when its Job was there
	began    time.Time // when it began to have no pod
	answered time.Time // when the cluster did last
	trouble  time.Time // since when; zero: there is none
}

// lookAtPod looks at what is waited for, as it was at most a pause ago.
func (w *wait) lookAtPod(ctx context.Context, pause time.Duration) (on executing.Waits, done bool, err error) {
	k := w.pod.cluster
	after := time.Now().Add(-pause)
	if after.Before(w.made) {
		after = w.made
	}
	s, err := k.see(ctx, after)
	switch {
	case ctx.Err() != nil:
		return on, false, context.Cause(ctx)
	case err != nil && time.Since(w.answered) > silentIn:
		return on, false, err
	case err != nil:
		return executing.Waits{For: executing.Room, Words: err.Error()}, false, nil
	}
	w.answered = time.Now()
	job, pod := s.job(k.jobName(w.pod.task))
	if job == nil {
		return on, false, worker.Unreachable(fmt.Sprintf("The Job on %s was deleted while it was waited for.", k.Name))
	}
	if pod != nil {
		if at := k.placeOf(*pod); at != nil && pod.runs(at.container) {
			w.pod.found(at)
			return on, true, nil
		}
	}
	if job.over() || pod != nil && pod.over() {
		return on, false, worker.Unreachable(ended(k.Name, job, pod, containerOf(pod)).Error())
	}
	now := k.waitsFor(s, job, pod)
	if pod != nil || job.suspended() {
		w.began = time.Now()
	} else if time.Since(w.began) > podIn {
		now = k.podless(ctx, job, now)
	}
	if now.trouble == "" {
		w.trouble = time.Time{}
	} else if w.trouble.IsZero() {
		w.trouble = time.Now()
	} else if time.Since(w.trouble) > troubleIn {
		return on, false, worker.Unreachable(now.trouble)
	}
	return now.Waits, false, nil
}

// Find implements worker.Own.
func (p *Pod) Find(ctx context.Context) error {
	_, err := p.find(ctx)
	return err
}

// find looks whether the pod is there. One that an earlier Beckon opened is found too.
func (p *Pod) find(ctx context.Context) (*place, error) {
	k := p.cluster
	s, err := k.see(ctx, time.Now())
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lost != nil {
		return nil, p.lost
	}
	job, pod := s.job(k.jobName(p.task))
	if p.at != nil {
		pod = s.pod(p.at.uid)
	}
	if pod != nil {
		if at := k.placeOf(*pod); at != nil && pod.runs(at.container) {
			if p.doubt = false; p.at == nil {
				p.at = at
			}
			return p.at, nil
		}
	}
	if p.at == nil && job.lives() && (pod == nil || pod.lives()) {
		return nil, worker.ErrEmpty
	}
	why := ended(k.Name, job, pod, containerOf(pod))
	if p.at != nil {
		p.lost = why // the cluster forgets it
	}
	return nil, why
}

// found notes the pod that runs.
func (p *Pod) found(at *place) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at, p.doubt, p.lost = at, false, nil
}

// forget has the pod be looked for again, and reports whether there was one.
func (p *Pod) forget() (used bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	used = p.at != nil
	p.at, p.doubt, p.lost = nil, false, nil
	return used
}

// Rest implements worker.Own: a pod without an agent would only take up room, and is
// deleted a little later, or when Beckon ends. Nothing of it is kept but what the template
// has on a volume.
func (p *Pod) Rest(ctx context.Context) error {
	p.mu.Lock()
	runs := p.at != nil && p.lost == nil
	p.mu.Unlock()
	if !runs {
		return p.Remove(ctx)
	}
	p.opening.Lock()
	defer p.opening.Unlock()
	p.turns++
	k, turn := p.cluster, p.turns
	k.resting.Go(func() {
		select {
		case <-time.After(restAfter):
		case <-k.closing:
		}
		p.opening.Lock()
		defer p.opening.Unlock()
		if turn != p.turns {
			return
		}
		ctx, cancel := context.WithTimeout(k.ctx, restIn)
		defer cancel()
		if err := p.remove(ctx); err != nil {
			slog.Warn("delete a Job; its deadline ends it", "err", err, "executor", k.Name, "task", p.task)
		}
	})
	return nil
}

// Environ implements worker.Own.
func (p *Pod) Environ() []string { return []string{worker.Sandboxed} }

// Remove implements worker.Own.
func (p *Pod) Remove(ctx context.Context) error {
	p.opening.Lock()
	defer p.opening.Unlock()
	return p.remove(ctx)
}

// remove deletes the Job. What became of its pod is remembered until another is made: who asks
// after it next, as two do where a run ends while its cluster is looked at, hears the same.
func (p *Pod) remove(ctx context.Context) error {
	err := p.delete(ctx)
	if err == nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.at, p.doubt = nil, false
	}
	return err
}

func (p *Pod) delete(ctx context.Context) error {
	_, err := p.cluster.ask(ctx, nil, "delete", "jobs.batch", p.cluster.jobName(p.task), "--ignore-not-found", "--cascade=background", "--wait=false")
	return err
}

// Dial implements worker.Worker. After a link broke it looks whether the pod is still
// there.
func (p *Pod) Dial(ctx context.Context) (io.ReadWriteCloser, error) {
	p.mu.Lock()
	at, doubt := p.at, p.doubt
	p.mu.Unlock()
	if at == nil || doubt {
		var err error
		if at, err = p.find(ctx); err != nil {
			return nil, err
		}
	}
	conn, err := at.Dial(ctx)
	if err != nil {
		if _, gone := p.find(ctx); errors.Is(gone, worker.ErrGone) {
			return nil, gone
		}
		return nil, err
	}
	return &doubted{conn, p}, nil
}

// doubted is a link whose end makes the pod be looked at.
type doubted struct {
	io.ReadWriteCloser
	pod *Pod
}

func (d *doubted) Read(b []byte) (int, error) {
	n, err := d.ReadWriteCloser.Read(b)
	if err != nil {
		d.pod.mu.Lock()
		d.pod.doubt = true
		d.pod.mu.Unlock()
	}
	return n, err
}

// Git implements worker.Worker.
func (p *Pod) Git(ctx context.Context, dir string) (worker.Git, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.at == nil {
		return worker.Git{}, worker.ErrEmpty
	}
	return p.at.Git(ctx, dir)
}
