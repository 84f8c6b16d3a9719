package kube

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"beckon/backend/beckon/executing"
	"beckon/backend/executor/worker"
	"beckon/backend/plain"
)

// ended says in words what became of a pod, of a Job that may be nil, as the executor of
// that name.
func ended(name string, job, pod *object, container string) worker.Gone {
	if pod != nil {
		if words := endedPod(name, *pod, container); words != "" {
			return worker.Gone(words)
		}
	}
	switch {
	case job == nil:
		return worker.Gone(fmt.Sprintf("The Job on %s was deleted.", name))
	case job.suspended():
		return worker.Gone(fmt.Sprintf("%s took the place of the Job back, which waits for quota again.", name))
	case job.condition("Failed", "True").Reason == "DeadlineExceeded":
		return worker.Gone(fmt.Sprintf("%s ended the Job, which had reached its deadline.", name))
	}
	return worker.Gone(fmt.Sprintf("The pod on %s was deleted.", name))
}

// endedPod says what became of a pod, where it says so itself.
func endedPod(name string, pod object, container string) string {
	target := pod.condition("DisruptionTarget", "True")
	why := sentence(cmp.Or(pod.Status.Message, target.Message))
	switch cmp.Or(pod.Status.Reason, target.Reason) {
	case "Evicted", "EvictionByEvictionAPI", "TerminationByKubelet", "DeletionByTaintManager":
		return fmt.Sprintf("Evicted by %s%s", name, why)
	case "Preempting", "PreemptionByScheduler", "Preempted":
		return fmt.Sprintf("Preempted on %s by work of a higher priority%s", name, why)
	case "DeadlineExceeded":
		return fmt.Sprintf("%s ended the pod, which had reached its deadline.", name)
	}
	end := pod.container(container).State.Terminated
	switch {
	case end != nil && end.Reason == "OOMKilled":
		return fmt.Sprintf("The container on %s ran out of memory, so the cluster ended it.", name)
	case pod.Metadata.DeletionTimestamp != "":
		return fmt.Sprintf("The pod on %s was deleted%s", name, why)
	case end != nil:
		words := cmp.Or(plain.Line(end.Message, 200), plain.Line(end.Reason, 80))
		return fmt.Sprintf("The container on %s ended with code %d%s", name, end.ExitCode, sentence(words))
	case pod.Status.Phase == "Failed":
		return fmt.Sprintf("The pod on %s failed%s", name, sentence(cmp.Or(pod.Status.Message, pod.Status.Reason)))
	}
	return ""
}

// sentence ends a sentence with what somebody said, if they did.
func sentence(said string) string {
	if said = strings.TrimRight(plain.Line(said, 300), ". "); said == "" {
		return "."
	}
	return ": " + said + "."
}

// waiting is what a pod waits for until it runs.
type waiting struct {
	executing.Waits

	// trouble says so as an error: it may pass by itself, and mostly does not. Empty: it is
	// none.
	trouble string
}

// roomFor is waiting for whatever the cluster says.
func roomFor(words string) waiting {
	return waiting{Waits: executing.Waits{For: executing.Room, Words: words}}
}

// starting are the reasons of a container that is about to start.
var starting = []string{"", "ContainerCreating", "PodInitializing"}

// waitsFor says what a Job waits for.
func (k *Cluster) waitsFor(s snapshot, job, pod *object) waiting {
	switch {
	case job.suspended():
		return waitsForQuota(s, job)
	case pod == nil:
		return roomFor("the cluster makes its pod")
	}
	for _, c := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses) {
		if wait := c.State.Waiting; wait != nil && !slices.Contains(starting, wait.Reason) {
			return k.cannotStart(c.Name, pod.image(c.Name), *wait)
		}
	}
	if scheduled := pod.condition("PodScheduled", "False"); scheduled.Type != "" {
		return roomFor(plain.Line(cmp.Or(scheduled.Message, scheduled.Reason), 300))
	}
	if pod.Spec.NodeName == "" {
		return roomFor("it has no node yet")
	}
	return waiting{Waits: executing.Waits{For: executing.Image, Words: plain.Line(pod.image(containerOf(pod)), 200)}}
}

// cannotStart says why a container waits that cannot start.
func (k *Cluster) cannotStart(name, image string, why reason) waiting {
	words := plain.Line(why.Reason, 80)
	if why.Message != "" {
		words += ": " + plain.Line(why.Message, 300)
	}
	w := roomFor(words)
	if strings.Contains(why.Reason, "Image") {
		w.Waits = executing.Waits{For: executing.Image, Words: plain.Line(image, 200) + ": " + words}
	}
	w.trouble = fmt.Sprintf("%s cannot start the container %s: %s", k.Name, plain.Line(name, 63), words)
	return w
}

// waitsForQuota says so with Kueue's own words, where those can be read.
func waitsForQuota(s snapshot, job *object) waiting {
	queue := job.Metadata.Labels[queueLabel]
	if queue == "" {
		return roomFor("its Job is suspended")
	}
	words := plain.Line(queue, 63)
	for _, w := range s.workloads {
		if held := w.condition("QuotaReserved", "False"); held.Message != "" && w.Metadata.Labels["kueue.x-k8s.io/job-uid"] == job.Metadata.UID {
			words += ": " + plain.Line(held.Message, 200)
		}
	}
	return waiting{Waits: executing.Waits{For: executing.Quota, Words: words}}
}

// podless says why a Job has no pod, where the cluster says why it made none. That a quota
// is exceeded passes by itself.
func (k *Cluster) podless(ctx context.Context, job *object, otherwise waiting) waiting {
	events, err := k.list(ctx, "get", "events", "--field-selector=reason=FailedCreate,involvedObject.uid="+job.Metadata.UID, "--output=json")
	if err != nil || len(events) == 0 {
		return otherwise // they may not be for everybody to read
	}
	said := plain.Line(events[len(events)-1].Message, 300)
	w := roomFor(said)
	if !strings.Contains(said, "exceeded quota") {
		w.trouble = fmt.Sprintf("%s makes no pod: %s", k.Name, said)
	}
	return w
}
