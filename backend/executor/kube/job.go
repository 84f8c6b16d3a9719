package kube

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/plain"
)

// home is the home folder in a pod whose template has no other: an emptyDir, unless the
// template mounts something there.
const home = "/beckon"

// asleep is all that a pod runs by itself: it waits, ends when it is asked to, and reaps what
// others leave, as the first process must. sh waits for all of its children where it waits
// for one.
const asleep = `trap 'exit 0' TERM INT; while :; do sleep 3600 & wait $!; done`

const (
	// deadline is how long a pod may be there, in seconds: no run lasts so long with nobody
	// there, and a Beckon that never comes back leaves nothing for ever.
	deadline = 3 * 24 * 60 * 60
	// kept is how long a Job is there that has ended, in seconds, to say why.
	kept = 24 * 60 * 60
)

// fields are an object of JSON's.
type fields = map[string]any

// job returns the Job of a task's pod.
func (k *Cluster) job(ctx context.Context, taskID string) (text []byte, err error) {
	job := fields{"apiVersion": "batch/v1", "kind": "Job", "spec": fields{"template": fields{"spec": fields{
		"automountServiceAccountToken": false, "enableServiceLinks": false, "terminationGracePeriodSeconds": 5,
		"containers": []any{fields{"name": "agent", "image": k.Image}},
	}}}}
	if k.Template != "" {
		if job, err = k.template(ctx); err != nil {
			return nil, err
		}
	}
	if err := k.adapt(job, taskID); err != nil {
		return nil, fmt.Errorf("the template %s %w: %w", filepath.Base(k.Template), err, beckon.ErrInvalid)
	}
	return json.Marshal(job)
}

// template reads the user's Job, which may be in YAML: kubectl makes JSON of it, and looks
// at it as it does at all that it is given.
func (k *Cluster) template(ctx context.Context) (job fields, err error) {
	text, err := k.ask(ctx, nil, "create", "--dry-run=client", "--output=json", "--filename="+k.Template)
	if err != nil {
		return nil, fmt.Errorf("read the template %s: %w", k.Template, err)
	}
	all := json.NewDecoder(bytes.NewReader(text))
	if err := all.Decode(&job); err != nil {
		return nil, k.odd(err)
	}
	if err := all.Decode(new(fields)); !errors.Is(err, io.EOF) {
		return nil, beckon.Invalid("the template %s has more than one object: give it one Job", k.Template)
	}
	return job, nil
}

// adapt sets in a Job what Beckon needs, and leaves the rest as it is.
func (k *Cluster) adapt(job fields, taskID string) error {
	if job["kind"] != "Job" || job["apiVersion"] != "batch/v1" {
		return fmt.Errorf("has a %s of %s and no Job of batch/v1", said(job["kind"]), said(job["apiVersion"]))
	}
	delete(job, "status")
	meta, spec := child(job, "metadata"), child(job, "spec")
	labels := fields{managedBy: "beckon", executorLabel: k.ID, taskLabel: taskID}
	without(meta, "generateName", "namespace", "creationTimestamp", "uid", "resourceVersion", "generation", "managedFields", "ownerReferences", "finalizers")
	meta["name"] = k.jobName(taskID)
	maps.Copy(child(meta, "labels"), labels)
	// One pod, once: what would make another has no place here.
	without(spec, "parallelism", "completions", "completionMode", "backoffLimitPerIndex", "maxFailedIndexes", "podFailurePolicy", "successPolicy",
		"podReplacementPolicy", "selector", "manualSelector", "managedBy", "suspend")
	spec["backoffLimit"] = 0
	if k.Queue != "" {
		child(meta, "labels")[queueLabel] = k.Queue
		spec["suspend"] = true // until Kueue has quota for it
	}
	unless(spec, "activeDeadlineSeconds", deadline)
	unless(spec, "ttlSecondsAfterFinished", kept)
	pod := child(spec, "template")
	maps.Copy(child(child(pod, "metadata"), "labels"), labels)
	inside := child(pod, "spec")
	inside["restartPolicy"] = "Never"
	agent, err := agentOf(inside)
	if err != nil {
		return err
	}
	k.equip(inside, agent)
	child(child(pod, "metadata"), "annotations")[containerNote] = agent["name"]
	return nil
}

// agentOf returns the container of a pod that agents are to be in: the one that is called
// so, or the first.
func agentOf(pod fields) (fields, error) {
	var agent fields
	all, _ := pod["containers"].([]any)
	for _, one := range all {
		if c, is := one.(fields); is && (agent == nil || c["name"] == "agent") {
			agent = c
		}
	}
	if agent == nil {
		return nil, errors.New("has no container")
	}
	if name, is := agent["name"].(string); !is || !objectName.MatchString(name) || len(name) > 63 {
		return nil, fmt.Errorf("has a container that is called %s", said(agent["name"]))
	}
	return agent, nil
}

// equip gives the container of agents its main process, its home folder and the user's
// secrets.
func (k *Cluster) equip(pod, agent fields) {
	agent["command"] = []any{"sh", "-c", asleep}
	without(agent, "args")
	named := func(list any, field, value string) bool {
		all, _ := list.([]any)
		return slices.ContainsFunc(all, func(one any) bool { c, is := one.(fields); return is && c[field] == value })
	}
	if !named(agent["env"], "name", "HOME") {
		extend(agent, "env", fields{"name": "HOME", "value": home})
		if !named(agent["volumeMounts"], "mountPath", home) {
			extend(agent, "volumeMounts", fields{"name": "beckon-home", "mountPath": home})
			extend(pod, "volumes", fields{"name": "beckon-home", "emptyDir": fields{}})
		}
	}
	if k.Secret != "" {
		extend(agent, "envFrom", fields{"secretRef": fields{"name": k.Secret}})
	}
}

// child returns an object's field that is an object, and makes it one.
func child(of fields, name string) fields {
	if c, is := of[name].(fields); is && c != nil {
		return c
	}
	c := fields{}
	of[name] = c
	return c
}

func extend(of fields, name string, with fields) {
	list, _ := of[name].([]any) // else it is none
	of[name] = append(list, with)
}

func unless(of fields, name string, value any) {
	if of[name] == nil {
		of[name] = value
	}
}

func without(of fields, names ...string) {
	for _, name := range names {
		delete(of, name)
	}
}

// said returns what a file has where a name should be, fit to be shown.
func said(value any) string { return plain.Line(fmt.Sprintf("%v", value), 80) }
