// Package kube has the work of each task in a pod of its own, on a cluster of Kubernetes.
//
// Everything goes through the user's own kubectl, with their contexts and logins: Beckon
// reads nothing of them. A pod is made by a Job, which the cluster may have wait for quota
// and never starts again. Its main process only waits; the agent's shim is put there and
// reached by exec, whose streams may be cut at any time. The home folder of the pod goes
// with it.
//
// What the cluster says is another machine's: it is bounded, and its names are checked
// before they become arguments.
package kube

import (
	"context"
	"regexp"
	"sync"
	"time"

	"beckon/backend/beckon/executing"
	"beckon/backend/executor/calls"
	"beckon/backend/executor/helper"
	"beckon/backend/executor/worker"
)

// Config is what a Cluster works with.
type Config struct {
	Executor executing.Executor
	Core     helper.Core
}

// Cluster is a namespace of a cluster. Its methods may be called from any goroutine.
type Cluster struct {
	executing.Executor

	core    helper.Core
	ctx     context.Context // ends with Close
	cancel  context.CancelFunc
	closing chan struct{} // closed before that, for pods that rest
	once    sync.Once
	resting sync.WaitGroup

	seeing sync.Mutex // held while the cluster is asked for Jobs and pods
	last   snapshot   // guarded by seeing
	deaf   bool       // no Workloads may be read; guarded by seeing

	mu   sync.Mutex
	pods map[string]*Pod // by task, those that were of use
}

// New returns a cluster that is reached when it is first used.
func New(c Config) *Cluster {
	k := &Cluster{Executor: c.Executor, core: c.Core, closing: make(chan struct{}), pods: map[string]*Pod{}}
	k.ctx, k.cancel = context.WithCancel(context.Background())
	return k
}

// Close deletes the pods that rest, and ends what is asked of the cluster.
func (k *Cluster) Close() {
	k.once.Do(func() { close(k.closing) })
	k.resting.Wait()
	k.cancel()
}

// Worker returns a task's pod.
func (k *Cluster) Worker(taskID string) worker.Worker {
	k.mu.Lock()
	defer k.mu.Unlock()
	p := k.pods[taskID]
	if p == nil {
		p = &Pod{cluster: k, task: taskID}
		k.pods[taskID] = p
	}
	return p
}

// The labels of all that Beckon makes in a cluster. The name of an executor is its own
// Beckon's alone.
const (
	managedBy     = "app.kubernetes.io/managed-by"
	executorLabel = "beckon.dev/executor"
	taskLabel     = "beckon.dev/task"
	queueLabel    = "kueue.x-k8s.io/queue-name"
)

func (k *Cluster) selector() string {
	return managedBy + "=beckon," + executorLabel + "=" + k.ID
}

// jobName is what a task's Job is called: another executor's is called otherwise, in
// whichever namespace.
func (k *Cluster) jobName(taskID string) string {
	return "beckon-" + k.ID[:min(12, len(k.ID))] + "-" + taskID
}

var (
	objectName = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$`)
	uid        = regexp.MustCompile(`^[A-Za-z0-9-]{1,64}$`)
)

// Left implements Machine. All Jobs of an executor are one Beckon's.
func (k *Cluster) Left(ctx context.Context, _ calls.Scope) (executing.Left, error) {
	s, err := k.see(ctx, time.Now())
	return executing.Left{Worktrees: len(s.jobs), Keys: []string{}}, err
}

// Clear deletes the executor's Jobs, unless an agent lives in one of their pods.
func (k *Cluster) Clear(ctx context.Context, of calls.Scope) error {
	s, err := k.see(ctx, time.Now())
	if err != nil {
		return err
	}
	for _, pod := range s.pods {
		at := k.placeOf(pod)
		if at == nil || !pod.runs(at.container) {
			continue
		}
		if err := worker.Call(ctx, at, k.Name, calls.Clear, of, &struct{}{}); err != nil && k.runs(ctx, at) {
			return err
		}
	}
	_, err = k.ask(ctx, nil, "delete", "jobs.batch", "--selector="+k.selector(), "--cascade=background", "--wait=false")
	return err
}

// runs reports whether a pod that ran does so still, which a cluster that says nothing is
// believed to do. A pod goes with what was in it, at any moment: a task that rests gives its own back.
func (k *Cluster) runs(ctx context.Context, at *place) bool {
	s, err := k.see(ctx, time.Now())
	if err != nil {
		return true
	}
	pod := s.pod(at.uid)
	return pod != nil && pod.runs(at.container)
}
