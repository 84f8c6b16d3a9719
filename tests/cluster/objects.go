package cluster

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"beckon/backend/beckon"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"
)

// get lists what is there.
func (c *call) get() error {
	resources := strings.Split(c.words[1], ",")
	if c.words[1] == "namespace" {
		if len(c.words) != 3 || c.words[2] != c.World.Namespace {
			return fmt.Errorf("Error from server (NotFound): namespaces %q not found", c.words[2])
		}
		return nil
	}
	for _, resource := range resources {
		if err := c.mayNot("list", resource); err != nil {
			return err
		}
	}
	items := []any{}
	switch c.words[1] {
	case "jobs.batch,pods", "jobs.batch":
		jobs, err := all[batch.Job](filepath.Join(c.Dir, "jobs"))
		if err != nil {
			return err
		}
		pods, err := all[core.Pod](filepath.Join(c.Dir, "pods"))
		if err != nil {
			return err
		}
		for _, job := range jobs {
			if c.selects(job.Labels) {
				items = append(items, job)
			}
		}
		for _, p := range pods {
			if c.selects(p.Labels) && len(resources) > 1 {
				items = append(items, p)
			}
		}
	case "workloads.kueue.x-k8s.io":
		items = c.workloads()
	case "events":
	default:
		return fmt.Errorf("error: the server doesn't have a resource type %q", c.words[1])
	}
	if c.flags["output"] == "name" {
		return nil
	}
	return c.print(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
}

// workloads are Kueue's for the Jobs that wait for quota.
func (c *call) workloads() []any {
	jobs, _ := all[batch.Job](filepath.Join(c.Dir, "jobs")) // those that cannot be read are missing
	items := []any{}
	for _, job := range jobs {
		if strings.Contains(c.flags["selector"], string(job.UID)) {
			items = append(items, map[string]any{
				"kind": "Workload", "metadata": map[string]any{"name": "job-" + job.Name, "uid": "w-" + job.UID, "labels": map[string]any{"kueue.x-k8s.io/job-uid": job.UID}},
				"status": map[string]any{"conditions": []any{map[string]any{"type": "QuotaReserved", "status": "False", "reason": "Pending", "message": c.Held}}},
			})
		}
	}
	return items
}

// selects reports whether labels are those that were asked for.
func (c *call) selects(labels map[string]string) bool {
	for pair := range strings.SplitSeq(c.flags["selector"], ",") {
		name, value, _ := strings.Cut(pair, "=")
		if labels[name] != value {
			return false
		}
	}
	return true
}

// create creates a Job, or says of a file what it would create.
func (c *call) create() error {
	if c.flags["dry-run"] == "client" {
		text, err := os.ReadFile(c.flags["filename"])
		if err != nil {
			return fmt.Errorf("error: the path %q does not exist", c.flags["filename"])
		}
		for doc := range strings.SplitSeq(string(text), "\n---\n") {
			var one map[string]any
			if err := yaml.Unmarshal([]byte(doc), &one); err != nil {
				return fmt.Errorf("error: error parsing %s: %w", c.flags["filename"], err)
			}
			if err := c.print(one); err != nil {
				return err
			}
		}
		return nil
	}
	text, err := io.ReadAll(os.Stdin)
	if err != nil || c.flags["filename"] != "-" {
		return errors.Join(err, errors.New("error: must specify --filename"))
	}
	job, err := Strictly(text)
	if err != nil {
		return err
	}
	if err := c.mayNot("create", "jobs.batch"); err != nil {
		return err
	}
	if namespace := c.flags["namespace"]; namespace != c.World.Namespace {
		return fmt.Errorf("Error from server (NotFound): error when creating \"STDIN\": namespaces %q not found", namespace)
	}
	if _, err := os.Stat(c.job(job.Name)); err == nil {
		return fmt.Errorf("Error from server (AlreadyExists): error when creating \"STDIN\": jobs.batch %q already exists", job.Name)
	}
	job.UID, job.Namespace = types.UID(beckon.NewID()), c.World.Namespace
	fmt.Println("job.batch/" + job.Name)
	return errors.Join(write(filepath.Join(c.Dir, "created"), c.Created()+1), write(c.job(job.Name), job))
}

// remove deletes Jobs; what they made goes when somebody looks next.
func (c *call) remove() error {
	if err := c.mayNot("delete", "jobs.batch"); err != nil {
		return err
	}
	if c.flags["cascade"] != "background" || c.flags["wait"] != "false" || c.words[1] != "jobs.batch" {
		return errors.New("error: Beckon deletes Jobs, with what they made, and does not wait")
	}
	jobs, err := all[batch.Job](filepath.Join(c.Dir, "jobs"))
	if err != nil {
		return err
	}
	for _, job := range jobs {
		if slices.Contains(c.words[2:], job.Name) || c.flags["selector"] != "" && c.selects(job.Labels) {
			if err := os.Remove(c.job(job.Name)); err != nil {
				return err
			}
		}
	}
	return c.settle(c.World)
}

// Strictly reads a Job as the API server does that refuses what it does not know, and
// which has no reason to take one that is not as Beckon's are.
func Strictly(text []byte) (job batch.Job, err error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&job); err != nil {
		return job, fmt.Errorf("Error from server (BadRequest): error when creating \"STDIN\": Job in version \"v1\" cannot be handled as a Job: strict decoding error: %w", err)
	}
	pod := job.Spec.Template
	wrong := func(words string) error {
		return fmt.Errorf("The Job %q is invalid: %s", job.Name, words)
	}
	for _, labels := range []map[string]string{job.Labels, pod.Labels} {
		if labels["app.kubernetes.io/managed-by"] != "beckon" || labels["beckon.dev/executor"] == "" || labels["beckon.dev/task"] == "" {
			return job, wrong("it lacks a label")
		}
	}
	_, queued := job.Labels["kueue.x-k8s.io/queue-name"]
	spec := job.Spec
	switch {
	case job.APIVersion != "batch/v1" || job.Kind != "Job" || job.GenerateName != "" || len(job.Name) > 57: // a pod's name has six more
		return job, wrong("its name")
	case spec.BackoffLimit == nil || *spec.BackoffLimit != 0 || pod.Spec.RestartPolicy != core.RestartPolicyNever:
		return job, wrong("it would begin again")
	case spec.Parallelism != nil || spec.Completions != nil || spec.PodFailurePolicy != nil || spec.Selector != nil:
		return job, wrong("it would have other pods")
	case spec.ActiveDeadlineSeconds == nil || spec.TTLSecondsAfterFinished == nil:
		return job, wrong("it would be there for ever")
	case queued != (spec.Suspend != nil && *spec.Suspend):
		return job, wrong("Kueue wants it suspended, and nobody else")
	}
	return job, validPod(pod, wrong)
}

// validPod looks at a Job's pod.
func validPod(pod core.PodTemplateSpec, wrong func(string) error) error {
	named := pod.Annotations["kubectl.kubernetes.io/default-container"]
	i := slices.IndexFunc(pod.Spec.Containers, func(c core.Container) bool { return c.Name == named })
	if i < 0 {
		return wrong("no container is named")
	}
	agent := pod.Spec.Containers[i]
	home := slices.ContainsFunc(agent.Env, func(e core.EnvVar) bool { return e.Name == "HOME" && strings.HasPrefix(e.Value, "/") })
	if agent.Image == "" || len(agent.Command) != 3 || agent.Command[0] != "sh" || len(agent.Args) != 0 || !home {
		return wrong("its container " + agent.Name)
	}
	for _, m := range agent.VolumeMounts {
		if !slices.ContainsFunc(pod.Spec.Volumes, func(v core.Volume) bool { return v.Name == m.Name }) {
			return wrong("there is no volume " + m.Name)
		}
	}
	return nil
}
