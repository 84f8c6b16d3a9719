package cluster

import (
	"errors"
	"os"

	"beckon/backend/beckon"
	"beckon/tests/races"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// podOf returns the pod that a Job's controller makes.
func (c Cluster) podOf(job batch.Job) core.Pod {
	p := core.Pod{TypeMeta: meta.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: *job.Spec.Template.ObjectMeta.DeepCopy(), Spec: *job.Spec.Template.Spec.DeepCopy()}
	p.Name, p.UID, p.Namespace = job.Name+"-"+beckon.NewID()[:5], types.UID(beckon.NewID()), job.Namespace
	p.Labels["batch.kubernetes.io/job-name"] = job.Name
	p.OwnerReferences = []meta.OwnerReference{{APIVersion: "batch/v1", Kind: "Job", Name: job.Name, UID: job.UID}}
	p.Status.Phase = core.PodPending
	return p
}

// place gives a pod a node, if one has room, and starts its container, if that has an
// image.
func (c Cluster) place(w World, p core.Pod) error {
	p.Status.Conditions, p.Status.ContainerStatuses = nil, nil
	if w.Full != "" {
		p.Status.Conditions = []core.PodCondition{{Type: core.PodScheduled, Status: core.ConditionFalse, Reason: "Unschedulable", Message: w.Full}}
		return write(c.pod(p.Name), p)
	}
	p.Spec.NodeName = "node-1"
	state := core.ContainerState{Running: &core.ContainerStateRunning{}}
	if image := p.Spec.Containers[0].Image; image == w.NoImage {
		state = core.ContainerState{Waiting: &core.ContainerStateWaiting{Reason: "ImagePullBackOff", Message: `Back-off pulling image "` + image + `": ErrImagePull: not found`}}
	} else {
		p.Status.Phase = core.PodRunning
	}
	p.Status.ContainerStatuses = []core.ContainerStatus{{Name: p.Spec.Containers[0].Name, State: state}}
	return errors.Join(os.MkdirAll(c.Home(p.Name), 0o700), write(c.pod(p.Name), p))
}

// environ is what a pod's container has in its environment. Its folders are the pod's.
func (c Cluster) environ(w World, p core.Pod) []string {
	env := []string{"PATH=" + w.Path, "HOSTNAME=" + p.Name, races.Env}
	container := p.Spec.Containers[0]
	for _, from := range container.EnvFrom {
		for name, value := range w.Secrets[from.SecretRef.Name] {
			env = append(env, name+"="+value)
		}
	}
	for _, e := range container.Env {
		for _, m := range container.VolumeMounts {
			if e.Value == m.MountPath {
				e.Value = c.Home(p.Name)
			}
		}
		env = append(env, e.Name+"="+e.Value)
	}
	return env
}
