package kube

import (
	"context"
	"os/exec"
	"strings"

	"beckon/backend/executor/helper"
	"beckon/backend/executor/worker"
)

// containerNote is the annotation by which a pod says which of its containers is meant,
// to kubectl too.
const containerNote = "kubectl.kubernetes.io/default-container"

// place is the container of a pod that runs.
type place struct {
	helper.Shell

	cluster             *Cluster
	pod, uid, container string
}

// containerOf returns the container of a pod that agents are in; empty where it does not
// say one, or is nil.
func containerOf(pod *object) string {
	if pod == nil {
		return ""
	}
	if name := pod.Metadata.Annotations[containerNote]; objectName.MatchString(name) {
		return name
	}
	return ""
}

// placeOf returns where agents are in a pod; nil where it does not say.
func (k *Cluster) placeOf(pod object) *place {
	container := containerOf(&pod)
	if container == "" {
		return nil
	}
	at := &place{cluster: k, pod: pod.Metadata.Name, uid: pod.Metadata.UID, container: container}
	at.Shell = helper.Shell{Name: k.Name, Core: k.core, Explain: k.explain, Command: func(_ context.Context, script string) (*exec.Cmd, error) {
		return k.kubectl(append(at.exec(), "sh", "-c", script)...)
	}}
	return at
}

// exec are the arguments by which kubectl runs something there.
func (p *place) exec() []string {
	return []string{"exec", "--stdin", p.pod, "--container=" + p.container, "--"}
}

// Git is how git reaches the repository in a folder there.
func (p *place) Git(_ context.Context, dir string) (worker.Git, error) {
	command := []string{"exec", "kubectl"}
	for _, arg := range append(p.cluster.flags(), p.exec()...) {
		command = append(command, helper.Quoted(arg))
	}
	return helper.Git("pod", dir, strings.Join(command, " ")+` sh -c "$2"`), nil
}
