package kube

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"beckon/backend/executor/worker"
	"beckon/backend/plain"
)

// object is what is read of a Job, a pod, an event or a Workload of Kueue's.
type object struct {
	Kind     string   `json:"kind"`
	Metadata metadata `json:"metadata"`
	Spec     struct {
		Suspend  *bool  `json:"suspend"`
		NodeName string `json:"nodeName"`
		// Those of a pod.
		InitContainers []spec `json:"initContainers"`
		Containers     []spec `json:"containers"`
	} `json:"spec"`
	Status  status `json:"status"`
	Message string `json:"message"` // of an event
}

type spec struct {
	Name  string `json:"name"`
	Image string `json:"image"`
}

type metadata struct {
	Name              string            `json:"name"`
	UID               string            `json:"uid"`
	Labels            map[string]string `json:"labels"`
	Annotations       map[string]string `json:"annotations"`
	DeletionTimestamp string            `json:"deletionTimestamp"`
	OwnerReferences   []struct {
		UID string `json:"uid"`
	} `json:"ownerReferences"`
}

type status struct {
	Phase                 string      `json:"phase"`
	Reason                string      `json:"reason"`
	Message               string      `json:"message"`
	Conditions            []condition `json:"conditions"`
	InitContainerStatuses []container `json:"initContainerStatuses"`
	ContainerStatuses     []container `json:"containerStatuses"`
}

type condition struct {
	Type    string `json:"type"`
	Status  string `json:"status"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

type container struct {
	Name  string `json:"name"`
	State struct {
		Waiting    *reason   `json:"waiting"`
		Running    *struct{} `json:"running"`
		Terminated *reason   `json:"terminated"`
	} `json:"state"`
}

type reason struct {
	Reason   string `json:"reason"`
	Message  string `json:"message"`
	ExitCode int    `json:"exitCode"`
}

// condition returns the one of a type that is as it says; its words are empty otherwise.
func (o object) condition(kind, is string) condition {
	for _, c := range o.Status.Conditions {
		if c.Type == kind && c.Status == is {
			return c
		}
	}
	return condition{}
}

// owned reports whether an object was made by another.
func (o object) owned(by string) bool {
	for _, owner := range o.Metadata.OwnerReferences {
		if owner.UID == by {
			return true
		}
	}
	return false
}

// container returns the state of a pod's container of that name.
func (o object) container(name string) container {
	i := slices.IndexFunc(o.Status.ContainerStatuses, func(c container) bool { return c.Name == name })
	if i < 0 {
		return container{}
	}
	return o.Status.ContainerStatuses[i]
}

// image returns the image of a pod's container of that name.
func (o object) image(name string) string {
	for _, c := range slices.Concat(o.Spec.InitContainers, o.Spec.Containers) {
		if c.Name == name {
			return c.Image
		}
	}
	return ""
}

// runs reports whether something can be run in a pod.
func (o object) runs(container string) bool {
	return o.Metadata.DeletionTimestamp == "" && o.container(container).State.Running != nil
}

// over reports whether nothing will run in a pod or for a Job any more.
func (o object) over() bool {
	return o.Metadata.DeletionTimestamp != "" || o.Status.Phase == "Failed" || o.Status.Phase == "Succeeded" ||
		o.condition("Failed", "True").Type != "" || o.condition("Complete", "True").Type != "" || o.condition("FailureTarget", "True").Type != ""
}

// lives reports whether there is a Job or pod of which something may still run.
func (o *object) lives() bool { return o != nil && !o.over() }

// snapshot is what an executor has in its cluster, as it was at some time.
type snapshot struct {
	asked     time.Time
	jobs      []object
	pods      []object
	workloads []object
}

// see returns what is there, as it was after a time: who asks at once is answered at once.
func (k *Cluster) see(ctx context.Context, after time.Time) (snapshot, error) {
	k.seeing.Lock()
	defer k.seeing.Unlock()
	if k.last.asked.After(after) {
		return k.last, nil
	}
	asked := time.Now()
	all, err := k.list(ctx, "get", "jobs.batch,pods", "--selector="+k.selector(), "--output=json")
	if err != nil {
		return snapshot{}, err
	}
	s := snapshot{asked: asked}
	held := []string{}
	for _, o := range all {
		switch o.Kind {
		case "Job":
			s.jobs = append(s.jobs, o)
			if o.suspended() {
				held = append(held, o.Metadata.UID)
			}
		case "Pod":
			s.pods = append(s.pods, o)
		}
	}
	if len(held) > 0 && !k.deaf {
		s.workloads, err = k.list(ctx, "get", "workloads.kueue.x-k8s.io", "--selector=kueue.x-k8s.io/job-uid in ("+strings.Join(held, ",")+")", "--output=json")
		k.deaf = err != nil // there is no Kueue, or it is not for everybody to read
	}
	k.last = s
	return s, nil
}

func (o object) suspended() bool { return o.Spec.Suspend != nil && *o.Spec.Suspend }

// list returns the objects that kubectl prints.
func (k *Cluster) list(ctx context.Context, args ...string) ([]object, error) {
	text, err := k.ask(ctx, nil, args...)
	if err != nil {
		return nil, err
	}
	var list struct {
		Items []object `json:"items"`
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, k.odd(err)
	}
	for _, o := range list.Items {
		if !objectName.MatchString(o.Metadata.Name) || !uid.MatchString(o.Metadata.UID) {
			return nil, k.odd(fmt.Errorf("%.80q is no name", o.Metadata.Name))
		}
	}
	return list.Items, nil
}

// odd is why what the cluster says is of no use.
func (k *Cluster) odd(err error) error {
	return worker.Unreachable(fmt.Sprintf("%s does not speak as a cluster does: %s", k.Name, plain.Line(err.Error(), 200)))
}

// job returns a task's Job, and the newest pod of it that is not over, or else one that
// is; nil stands for none.
func (s snapshot) job(name string) (job, pod *object) {
	for i := range s.jobs {
		if s.jobs[i].Metadata.Name == name {
			job = &s.jobs[i]
		}
	}
	if job == nil {
		return nil, nil
	}
	for i, p := range s.pods {
		if p.owned(job.Metadata.UID) && (pod == nil || pod.over() && !p.over()) {
			pod = &s.pods[i]
		}
	}
	return job, pod
}

// pod returns the pod that has a uid; nil if there is none.
func (s snapshot) pod(uid string) *object {
	for i := range s.pods {
		if s.pods[i].Metadata.UID == uid {
			return &s.pods[i]
		}
	}
	return nil
}
