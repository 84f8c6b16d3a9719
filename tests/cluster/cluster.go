// Package cluster plays a cluster of Kubernetes and the kubectl that reaches it, for tests:
// Main is that kubectl. What is in the cluster lies in a folder, and changes when somebody
// looks: what waits is let in, and pods are made. A pod is a folder too, and what is run
// there is a real process with a home folder and an environment of its own.
//
// It is stricter than a cluster: what Beckon has no reason to say, it refuses.
package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gofrs/flock"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
)

// Dir is the variable of kubectl's environment that says where the cluster is.
const Dir = "BECKON_TEST_CLUSTER"

// World is how the cluster is.
type World struct {
	Namespace string   // the only one
	Away      bool     // it does not answer
	Denied    []string // what is forbidden, such as "create pods/exec"
	Held      string   // why Kueue has no quota; empty: it has
	Full      string   // why no node has room; empty: one has
	NoImage   string   // the image that cannot be pulled
	Secrets   map[string]map[string]string
	Path      string // PATH in pods
}

// Cluster is what lies in a folder.
type Cluster struct{ Dir string }

// Set changes how the cluster is.
func (c Cluster) Set(change func(*World)) error {
	return c.locked(func() error {
		w, err := c.world()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		change(&w)
		return write(filepath.Join(c.Dir, "world"), w)
	})
}

func (c Cluster) world() (w World, err error) {
	return w, read(filepath.Join(c.Dir, "world"), &w)
}

// locked does something that nobody else does meanwhile.
func (c Cluster) locked(do func() error) error {
	lock := flock.New(filepath.Join(c.Dir, "lock"))
	if err := lock.Lock(); err != nil {
		return err
	}
	defer lock.Close()
	return do()
}

func write(file string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, text, 0o600))
}

func read(file string, into any) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

func (c Cluster) job(name string) string { return filepath.Join(c.Dir, "jobs", name) }
func (c Cluster) pod(name string) string { return filepath.Join(c.Dir, "pods", name) }

// Home is the folder that stands for a pod's volume.
func (c Cluster) Home(pod string) string { return filepath.Join(c.Dir, "homes", pod) }

// all reads the files of a folder.
func all[T any](dir string) (list []T, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	for _, file := range files {
		var one T
		if err := read(file, &one); err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, err
}

// Jobs returns what was created and is there.
func (c Cluster) Jobs() (list []batch.Job, err error) {
	err = c.locked(func() error { list, err = all[batch.Job](filepath.Join(c.Dir, "jobs")); return err })
	return list, err
}

// Created returns how many Jobs were created.
func (c Cluster) Created() (n int) {
	_ = read(filepath.Join(c.Dir, "created"), &n) // there is none before the first
	return n
}

// Pods returns the pods that are there.
func (c Cluster) Pods() (list []core.Pod, err error) {
	err = c.locked(func() error { list, err = all[core.Pod](filepath.Join(c.Dir, "pods")); return err })
	return list, err
}

// Evict ends every pod, as a node does that has no memory.
func (c Cluster) Evict(words string) error {
	return c.locked(func() error {
		pods, err := all[core.Pod](filepath.Join(c.Dir, "pods"))
		for _, p := range pods {
			p.Status.Phase, p.Status.Reason, p.Status.Message = core.PodFailed, "Evicted", words
			p.Status.ContainerStatuses = []core.ContainerStatus{{Name: p.Spec.Containers[0].Name, State: core.ContainerState{Terminated: &core.ContainerStateTerminated{ExitCode: 137, Reason: "Error"}}}}
			err = errors.Join(err, write(c.pod(p.Name), p))
			var job batch.Job
			owner := p.Labels["batch.kubernetes.io/job-name"]
			if read(c.job(owner), &job) == nil {
				job.Status.Conditions = []batch.JobCondition{{Type: batch.JobFailed, Status: core.ConditionTrue, Reason: "BackoffLimitExceeded"}}
				err = errors.Join(err, write(c.job(owner), job))
			}
			c.kill(p.Name)
		}
		return err
	})
}

// Working returns the processes that work in a pod.
func (c Cluster) Working(pod string) (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ") // the pattern is valid
	for _, file := range files {
		env, err := os.ReadFile(file)
		if err == nil && strings.Contains(string(env), "HOME="+c.Home(pod)+"\x00") {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			pids = append(pids, pid)
		}
	}
	return pids
}

// kill ends all that works in a pod, and what that starts meanwhile.
func (c Cluster) kill(pod string) {
	for pids := c.Working(pod); len(pids) > 0; pids = c.Working(pod) {
		for _, pid := range pids {
			if p, err := os.FindProcess(pid); err == nil {
				_ = p.Kill()
			}
		}
	}
}

// Cut kills the kubectls that have links to pods; what is run there reads the end of its
// input.
func (c Cluster) Cut() {
	files, _ := filepath.Glob("/proc/[0-9]*/environ") // the pattern is valid
	for _, file := range files {
		env, err := os.ReadFile(file)
		line, err2 := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
		if err != nil || err2 != nil || !strings.Contains(string(env), Dir+"="+c.Dir+"\x00") || !strings.Contains(string(line), "\x00exec\x00--stdin\x00") {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if p, err := os.FindProcess(pid); err == nil {
			_ = p.Kill()
		}
	}
}

// Close ends all that works in the cluster.
func (c Cluster) Close() {
	files, _ := filepath.Glob(filepath.Join(c.Dir, "homes", "*")) // the pattern is valid
	for _, file := range files {
		c.kill(filepath.Base(file))
	}
}

// settle does what controllers do: it lets in what waits for quota, makes pods, starts
// them, and removes those whose Job is gone.
func (c Cluster) settle(w World) error {
	jobs, err1 := all[batch.Job](filepath.Join(c.Dir, "jobs"))
	pods, err2 := all[core.Pod](filepath.Join(c.Dir, "pods"))
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	for _, job := range jobs {
		suspended := job.Spec.Suspend != nil && *job.Spec.Suspend
		if suspended && w.Held == "" && job.Labels["kueue.x-k8s.io/queue-name"] != "" {
			suspended, job.Spec.Suspend = false, new(bool)
			if err := write(c.job(job.Name), job); err != nil {
				return err
			}
		}
		mine := slices.IndexFunc(pods, func(p core.Pod) bool { return p.OwnerReferences[0].UID == job.UID })
		switch {
		case suspended:
		case mine < 0 && len(job.Status.Conditions) == 0:
			if err := c.place(w, c.podOf(job)); err != nil {
				return err
			}
		case mine >= 0 && pods[mine].Status.Phase == core.PodPending:
			if err := c.place(w, pods[mine]); err != nil {
				return err
			}
		}
	}
	for _, p := range pods {
		if !slices.ContainsFunc(jobs, func(j batch.Job) bool { return j.UID == p.OwnerReferences[0].UID }) {
			c.kill(p.Name)
			if err := errors.Join(os.Remove(c.pod(p.Name)), os.RemoveAll(c.Home(p.Name))); err != nil {
				return fmt.Errorf("remove a pod: %w", err)
			}
		}
	}
	return nil
}
