package kube

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"beckon/backend/agent/process"
	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/executor/calls"
	"beckon/backend/executor/shim"
	"beckon/backend/executor/worker"
	"beckon/tests/client"
	"beckon/tests/cluster"
	"beckon/tests/races"
	"beckon/tests/timeout"

	batch "k8s.io/api/batch/v1"
)

// asKubectl has this binary be kubectl.
const asKubectl = "BECKON_TEST_KUBECTL"

func TestMain(m *testing.M) {
	if os.Getenv(asKubectl) != "" {
		os.Exit(cluster.Main(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// kubectl puts a kubectl before all others that leads to a cluster. change may change that.
func kubectl(t *testing.T, change func(*cluster.World)) cluster.Cluster {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := cluster.Cluster{Dir: t.TempDir()}
	script(t, fmt.Sprintf("%s %s=1 %s=%s exec %s \"$@\"", races.Env, asKubectl, cluster.Dir, c.Dir, self))
	set(t, c, func(w *cluster.World) {
		*w = cluster.World{Namespace: "agents", Path: os.Getenv("PATH"), Secrets: map[string]map[string]string{"model": {"KEY": "from the secret"}}}
		change(w)
	})
	t.Cleanup(c.Close)
	return c
}

func set(t *testing.T, c cluster.Cluster, change func(*cluster.World)) {
	t.Helper()
	if err := c.Set(change); err != nil {
		t.Fatal(err)
	}
}

// script has kubectl be a script.
func script(t *testing.T, text string) {
	t.Helper()
	dir := t.TempDir()
	if err := process.WriteProgram(filepath.Join(dir, "kubectl"), "#!/bin/sh\n"+text+"\n"); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
}

func asItIs(*cluster.World) {}

// team returns the cluster of an executor.
func team(t *testing.T, change func(*executing.Executor)) *Cluster {
	t.Helper()
	e := executing.Executor{ID: beckon.NewID(), Name: "Team", Kind: executing.Kubernetes, Image: "registry.test/agents:1", Namespace: "agents"}
	change(&e)
	if field, value := e.Wrong(); field != "" && field != "host" {
		t.Fatalf("%s %q", field, value)
	}
	k := New(Config{Executor: e})
	t.Cleanup(k.Close)
	return k
}

func same(*executing.Executor) {}

// soon is a context that ends a test which waits for nothing.
func soon(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout.For(30*time.Second))
	t.Cleanup(cancel)
	return ctx
}

// opened opens a task's pod.
func opened(t *testing.T, k *Cluster) *Pod {
	t.Helper()
	p := k.Worker(beckon.NewID()).(*Pod)
	if err := p.Open(soon(t), worker.Task{}, func(executing.Waits) {}); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAJobIsWhatTheAPIServerTakes(t *testing.T) {
	kubectl(t, asItIs)
	file := func(text string) string {
		name := filepath.Join(t.TempDir(), "job.yaml")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	const template = `
apiVersion: batch/v1
kind: Job
metadata: {generateName: agents-, namespace: agents, labels: {team: a}}
spec:
  parallelism: 3
  activeDeadlineSeconds: 60
  backoffLimit: 6
  template:
    spec:
      restartPolicy: OnFailure
      containers:
      - {name: proxy, image: proxy, command: [proxy], args: [-v]}
      - name: agent
        image: registry.test/agents:2
        args: [serve]
        env: [{name: LANG, value: C.UTF-8}]
        resources: {requests: {cpu: "2", memory: 4Gi}}
        volumeMounts: [{name: sessions, mountPath: /beckon/.claude}]
      volumes: [{name: sessions, persistentVolumeClaim: {claimName: sessions}}]
`
	for _, one := range []struct {
		name  string
		make  func(*executing.Executor)
		looks func(batch.Job) bool
		words string // of the error
	}{
		{"an image", same, func(j batch.Job) bool {
			pod := j.Spec.Template.Spec
			return *j.Spec.ActiveDeadlineSeconds == deadline && *j.Spec.TTLSecondsAfterFinished == kept && !*pod.AutomountServiceAccountToken && pod.Containers[0].EnvFrom == nil && pod.Volumes[0].EmptyDir != nil
		}, ""},
		{"a queue and a secret", func(e *executing.Executor) { e.Queue, e.Secret = "team-a", "model" }, func(j batch.Job) bool {
			return *j.Spec.Suspend && j.Labels[queueLabel] == "team-a" && j.Spec.Template.Spec.Containers[0].EnvFrom[0].SecretRef.Name == "model"
		}, ""},
		{"a template", func(e *executing.Executor) { e.Image, e.Template = "", file(template) }, func(j batch.Job) bool {
			pod := j.Spec.Template.Spec
			proxy, agent := pod.Containers[0], pod.Containers[1]
			return j.Labels["team"] == "a" && *j.Spec.ActiveDeadlineSeconds == 60 && proxy.Command[0] == "proxy" && proxy.Args[0] == "-v" && len(agent.VolumeMounts) == 2 &&
				len(pod.Volumes) == 2 && agent.Env[1].Value == home && agent.Resources.Requests.Memory().String() == "4Gi" && j.Namespace == ""
		}, ""},
		{"a template with a home", func(e *executing.Executor) {
			e.Template = file(strings.Replace(template, "{name: LANG, value: C.UTF-8}", "{name: HOME, value: /home/dev}", 1))
		}, func(j batch.Job) bool {
			return len(j.Spec.Template.Spec.Volumes) == 1 && len(j.Spec.Template.Spec.Containers[1].Env) == 1
		}, ""},
		{"a volume at home", func(e *executing.Executor) {
			e.Template = file(strings.Replace(template, "/beckon/.claude", "/beckon", 1))
		}, func(j batch.Job) bool {
			return len(j.Spec.Template.Spec.Volumes) == 1 && j.Spec.Template.Spec.Containers[1].Env[1].Value == home
		}, ""},
		{"no Job", func(e *executing.Executor) { e.Template = file("apiVersion: v1\nkind: Pod\n") }, nil, "job.yaml has a Pod of v1 and no Job of batch/v1"},
		{"no container", func(e *executing.Executor) { e.Template = file("apiVersion: batch/v1\nkind: Job\n") }, nil, "job.yaml has no container"},
		{"a hostile name", func(e *executing.Executor) {
			e.Template = file(strings.Replace(template, "name: agent", "name: --as=root", 1))
		}, nil, ""},
		{"two objects", func(e *executing.Executor) { e.Template = file(template + "\n---\n" + template) }, nil, "more than one object"},
		{"no YAML", func(e *executing.Executor) { e.Template = file("\t{") }, nil, "read the template"},
	} {
		t.Run(one.name, func(t *testing.T) {
			text, err := team(t, one.make).job(soon(t), beckon.NewID())
			if one.looks == nil {
				if one.words != "" && (err == nil || !strings.Contains(err.Error(), one.words)) {
					t.Errorf("%v; want %q", err, one.words)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			job, err := cluster.Strictly(text)
			if err != nil || !one.looks(job) {
				t.Errorf("%v: %s", err, text)
			}
		})
	}
}

func TestAContainerOfAHostileNameIsRefused(t *testing.T) {
	t.Parallel()
	for _, name := range []any{"--as=root", "", nil, 7, "a b", strings.Repeat("a", 64), "A"} {
		if _, err := agentOf(fields{"containers": []any{fields{"name": name}}}); err == nil {
			t.Errorf("%v is taken", name)
		}
	}
}

func TestAPodIsOpenedFoundAndDeleted(t *testing.T) {
	c := kubectl(t, asItIs)
	k := team(t, func(e *executing.Executor) { e.Secret = "model" })
	p := opened(t, k)
	if err := p.Find(soon(t)); err != nil {
		t.Error(err)
	}
	if left, err := k.Left(soon(t), calls.Scope{}); err != nil || left.Worktrees != 1 {
		t.Errorf("%+v, %v", left, err)
	}
	// Another Beckon's, after this one ended, finds it too, and a second one opens none.
	later := New(Config{Executor: k.Executor})
	defer later.Close()
	if err := later.Worker(p.task).(*Pod).Find(soon(t)); err != nil {
		t.Error(err)
	}
	if err := p.Open(soon(t), worker.Task{}, func(executing.Waits) {}); err != nil {
		t.Error(err)
	}
	if jobs, err := c.Jobs(); err != nil || len(jobs) != 1 {
		t.Errorf("%d Jobs, %v", len(jobs), err)
	}
	for range 2 { // what is deleted stays so
		if err := p.Remove(soon(t)); err != nil {
			t.Error(err)
		}
	}
	if jobs, err := c.Jobs(); err != nil || len(jobs) != 0 {
		t.Errorf("%d Jobs, %v", len(jobs), err)
	}
	if err := p.Find(soon(t)); !errors.Is(err, worker.ErrGone) {
		t.Errorf("%v", err)
	}
}

func TestAPodThatHasNotBegunIsEmptyAndNotGone(t *testing.T) {
	kubectl(t, func(w *cluster.World) { w.Held = "no quota" })
	k := team(t, func(e *executing.Executor) { e.Queue = "team-a" })
	ctx, cancel := context.WithCancel(soon(t))
	task := beckon.NewID()
	p := k.Worker(task).(*Pod)
	err := p.Open(ctx, worker.Task{}, func(executing.Waits) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	later := New(Config{Executor: k.Executor}).Worker(task).(*Pod)
	if err := later.Find(soon(t)); !errors.Is(err, worker.ErrEmpty) || errors.Is(err, worker.ErrGone) {
		t.Errorf("%v", err)
	}
	if err := later.Rest(soon(t)); err != nil {
		t.Error(err)
	}
	if err := later.Find(soon(t)); !errors.Is(err, worker.ErrGone) {
		t.Errorf("%v", err)
	}
}

func TestAPodThatRestsIsDeletedUnlessItIsOpenedAgain(t *testing.T) {
	c := kubectl(t, asItIs)
	k := team(t, same)
	kept, left := opened(t, k), opened(t, k)
	for _, p := range []*Pod{kept, left} {
		if err := p.Rest(soon(t)); err != nil {
			t.Fatal(err)
		}
	}
	if err := kept.Open(soon(t), worker.Task{}, func(executing.Waits) {}); err != nil {
		t.Fatal(err)
	}
	k.Close()
	if jobs, err := c.Jobs(); err != nil || len(jobs) != 1 || jobs[0].Labels[taskLabel] != kept.task || c.Created() != 2 {
		t.Errorf("%d Jobs, %v", len(jobs), err)
	}
}

func TestGitReachesARepositoryInAPod(t *testing.T) {
	kubectl(t, asItIs)
	p := opened(t, team(t, same))
	at, err := p.find(soon(t))
	if err != nil {
		t.Fatal(err)
	}
	made, err := k(at, `git init -q --bare "$HOME/it's a.git" && cd && pwd`)
	if err != nil {
		t.Fatal(err)
	}
	way, err := p.Git(soon(t), strings.TrimSpace(made)+"/it's a.git")
	if err != nil {
		t.Fatal(err)
	}
	dir := client.Repository(t, map[string]string{"a.txt": "a\n"})
	git := func(args ...string) string {
		t.Setenv("GIT_SSH_VARIANT", "")
		return client.Git(t, dir, append([]string{"-c", "core.sshCommand=" + way.Command, "-c", "ssh.variant=" + way.Variant, "-c", "protocol.ssh.allow=always"}, args...)...)
	}
	git("push", "-q", way.Address, "main:refs/beckon/in/x")
	if got := git("ls-remote", way.Address); !strings.Contains(got, "refs/beckon/in/x") {
		t.Errorf("it has %q", got)
	}
}

// k runs a script in a pod.
func k(at *place, text string) (string, error) {
	cmd, err := at.Command(context.Background(), text)
	if err != nil {
		return "", err
	}
	out, err := cmd.Output()
	return string(out), err
}

func TestTheHomeAndTheSecretReachThePod(t *testing.T) {
	c := kubectl(t, asItIs)
	p := opened(t, team(t, func(e *executing.Executor) { e.Secret = "model" }))
	at, err := p.find(soon(t))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := k(at, `echo "$HOME $KEY"`); err != nil || got != c.Home(at.pod)+" from the secret\n" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestAnEvictedPodIsGoneForGood(t *testing.T) {
	c := kubectl(t, asItIs)
	k := team(t, same)
	p := opened(t, k)
	if err := c.Evict("The node was low on \x1b[31mresource: memory."); err != nil {
		t.Fatal(err)
	}
	const words = "Evicted by Team: The node was low on [31mresource: memory."
	if err := p.Find(soon(t)); !errors.Is(err, worker.ErrGone) || !errors.Is(err, shim.ErrRefused) || err.Error() != words {
		t.Errorf("%v", err)
	}
	if _, err := p.Dial(soon(t)); !errors.Is(err, worker.ErrGone) {
		t.Errorf("%v", err)
	}
	if err := p.Rest(soon(t)); err != nil { // as it does once it is known that nothing comes
		t.Fatal(err)
	}
	if err := p.Find(soon(t)); err == nil || err.Error() != words {
		t.Errorf("what became of it is forgotten: %v", err)
	}
	if err := p.Open(soon(t), worker.Task{}, func(executing.Waits) {}); err != nil {
		t.Fatal(err)
	}
	if err := p.Find(soon(t)); err != nil {
		t.Errorf("the next pod: %v", err)
	}
}

func TestAnotherPodOfTheJobIsNotTheOneThatWasOpened(t *testing.T) {
	c := kubectl(t, asItIs)
	k := team(t, func(e *executing.Executor) { e.Queue = "team-a" })
	p := opened(t, k)
	// Kueue takes the place back, and gives another.
	pods, err := c.Pods()
	if err != nil || len(pods) != 1 {
		t.Fatalf("%d pods, %v", len(pods), err)
	}
	if err := os.Remove(filepath.Join(c.Dir, "pods", pods[0].Name)); err != nil {
		t.Fatal(err)
	}
	if err := p.Find(soon(t)); !errors.Is(err, worker.ErrGone) || !strings.Contains(err.Error(), "The pod on Team was deleted") {
		t.Errorf("%v", err)
	}
	if err := p.Open(soon(t), worker.Task{}, func(executing.Waits) {}); err != nil {
		t.Fatal(err)
	}
	if jobs, err := c.Jobs(); err != nil || len(jobs) != 1 {
		t.Errorf("%d Jobs, %v", len(jobs), err)
	}
}

// TestAPodThatGoesMeanwhileDoesNotKeepAnExecutor: a task gives its pod back between the look
// at what runs and the question to its agents. One that runs and does not answer keeps it.
func TestAPodThatGoesMeanwhileDoesNotKeepAnExecutor(t *testing.T) {
	c := kubectl(t, asItIs)
	kubectl, err := exec.LookPath("kubectl")
	if err != nil {
		t.Fatal(err)
	}
	k := team(t, same)
	opened(t, k)
	set(t, c, func(w *cluster.World) { w.Denied = []string{"create pods/exec"} })
	if err := k.Clear(soon(t), calls.Scope{}); err == nil {
		t.Error("an executor is removed whose pod runs and did not answer")
	}
	set(t, c, func(w *cluster.World) { w.Denied = nil })
	script(t, fmt.Sprintf(`for word; do [ "$word" = exec ] && rm -f %s/*; done; exec %s "$@"`, filepath.Join(c.Dir, "pods"), kubectl))
	if err := k.Clear(soon(t), calls.Scope{}); err != nil {
		t.Error(err)
	}
	if jobs, err := c.Jobs(); err != nil || len(jobs) != 0 {
		t.Errorf("%d Jobs, %v", len(jobs), err)
	}
}

func TestTroubleWithAnImageEndsTheWait(t *testing.T) {
	kubectl(t, func(w *cluster.World) { w.NoImage = "registry.test/agents:1" })
	k := team(t, same)
	p := k.Worker(beckon.NewID()).(*Pod)
	made, err := p.make(soon(t), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	w := wait{pod: p, made: made, began: time.Now(), answered: time.Now()}
	on, done, err := w.lookAtPod(soon(t), 0)
	if on.For != executing.Image || !strings.HasPrefix(on.Words, "registry.test/agents:1: ImagePullBackOff") || done || err != nil || w.trouble.IsZero() {
		t.Errorf("%+v, %v, %v", on, done, err)
	}
	w.trouble = time.Now().Add(-troubleIn - time.Second)
	if _, _, err = w.lookAtPod(soon(t), 0); !errors.Is(err, beckon.ErrUnavailable) || !strings.Contains(err.Error(), "ImagePullBackOff") {
		t.Errorf("%v", err)
	}
}

func TestAnExecutorIsLookedAt(t *testing.T) {
	for _, one := range []struct {
		name  string
		world func(*cluster.World)
		is    func(*executing.Executor)
		words string
	}{
		{"as it should be", asItIs, same, ""},
		{"kubectl's own namespace", asItIs, func(e *executing.Executor) { e.Namespace = "" }, ""},
		{"no rights", func(w *cluster.World) { w.Denied = []string{"create pods/exec", "list pods"} }, same, "may not list pods, create pods/exec in the namespace: give it a Role"},
		{"no namespace", asItIs, func(e *executing.Executor) { e.Namespace = "nowhere" }, "There is no namespace nowhere in the cluster of Team"},
		{"no context", asItIs, func(e *executing.Executor) { e.Context = "other" }, "kubectl knows no context other"},
		{"no answer", func(w *cluster.World) { w.Away = true }, same, "The cluster of Team does not answer: The connection to the server 10.0.0.1:6443 was refused"},
	} {
		t.Run(one.name, func(t *testing.T) {
			kubectl(t, one.world)
			found, err := team(t, one.is).Inspect(soon(t))
			if (err == nil) != (one.words == "") || err != nil && (!strings.Contains(err.Error(), one.words) || !errors.Is(err, beckon.ErrUnavailable)) {
				t.Errorf("%v; want %q", err, one.words)
			}
			if err == nil && found.System != "Kubernetes v1.36.1" {
				t.Errorf("%+v", found)
			}
		})
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := team(t, same).Inspect(soon(t)); !errors.Is(err, errNoKubectl) {
		t.Errorf("%v", err)
	}
}

func TestWhatAClusterSaysIsNotTrusted(t *testing.T) {
	pod := func(name string) string {
		text, _ := json.Marshal(map[string]any{"items": []any{map[string]any{"kind": "Pod", "metadata": map[string]any{"name": name, "uid": "u"}}}})
		return "cat <<'X'\n" + string(text) + "\nX"
	}
	for name, text := range map[string]string{
		"a flag as a name":  pod("--as=root"),
		"a path as a name":  pod("../x"),
		"no name":           pod(""),
		"endless words":     "yes",
		"no JSON":           "echo hello",
		"another shape":     `echo '{"items": 7}'`,
		"escapes on stderr": `printf 'no \033[31m\342\200\256way\n' >&2; exit 1`,
	} {
		t.Run(name, func(t *testing.T) {
			script(t, text)
			_, err := team(t, same).see(soon(t), time.Now())
			if !errors.Is(err, beckon.ErrUnavailable) || strings.ContainsAny(err.Error(), "\x1b\u202e\n") || len(err.Error()) > 600 {
				t.Errorf("%q", err)
			}
		})
	}
}

func TestWhatKubectlSaysBecomesASentence(t *testing.T) {
	t.Parallel()
	k := New(Config{Executor: executing.Executor{Name: "Team", Namespace: "agents", Context: "prod"}})
	for said, words := range map[string]string{
		`error: context "prod" does not exist`:                                              "kubectl knows no context prod",
		"error: You must be logged in to the server (Unauthorized)":                         "does not let you in",
		"Unable to connect to the server: dial tcp: lookup x on 10.0.0.2:53: no such host":  "The cluster of Team does not answer: Unable to connect",
		`Error from server (Forbidden): jobs.batch is forbidden: User "ada" cannot create`:  "You may not do that in the cluster of Team",
		`Error from server (NotFound): namespaces "agents" not found`:                       "There is no namespace agents",
		`error: admission webhook "vjob.kb.io" denied the request: queue-name is immutable`: "does not take such a Job",
		"first\nlast words\n": "Team: last words",
		"sh: cannot create x: No space left on device\ncommand terminated with exit code 2\n": "Team: sh: cannot create x: No space left on device",
		"": "Team: kubectl ended without a word (exit status 1)",
	} {
		if err := k.explain(said, errors.New("exit status 1")); !strings.Contains(err.Error(), words) || !errors.Is(err, beckon.ErrUnavailable) {
			t.Errorf("%q became %q", said, err)
		}
	}
}

func TestWhatBecameOfAPodIsSaid(t *testing.T) {
	t.Parallel()
	is := func(status string) *object {
		o := new(object)
		if err := json.Unmarshal([]byte(status), o); err != nil {
			t.Fatal(err)
		}
		return o
	}
	job := &object{}
	for _, one := range []struct {
		job, pod *object
		words    string
	}{
		{nil, nil, "The Job on Team was deleted."},
		{job, nil, "The pod on Team was deleted."},
		{is(`{"spec":{"suspend":true}}`), nil, "Team took the place of the Job back, which waits for quota again."},
		{is(`{"status":{"conditions":[{"type":"Failed","status":"True","reason":"DeadlineExceeded"}]}}`), nil, "Team ended the Job, which had reached its deadline."},
		{job, is(`{"status":{"phase":"Failed","reason":"Evicted","message":"The node was low on resource: memory. "}}`), "Evicted by Team: The node was low on resource: memory."},
		{job, is(`{"metadata":{"deletionTimestamp":"x"},"status":{"conditions":[{"type":"DisruptionTarget","status":"True","reason":"PreemptionByScheduler","message":"preempting"}]}}`), "Preempted on Team by work of a higher priority: preempting."},
		{job, is(`{"status":{"containerStatuses":[{"name":"agent","state":{"terminated":{"reason":"OOMKilled","exitCode":137}}}]}}`), "The container on Team ran out of memory, so the cluster ended it."},
		{job, is(`{"status":{"containerStatuses":[{"name":"agent","state":{"terminated":{"reason":"StartError","message":"exec: \"sh\": not found","exitCode":128}}}]}}`), `The container on Team ended with code 128: exec: "sh": not found.`},
		{job, is(`{"metadata":{"deletionTimestamp":"x"}}`), "The pod on Team was deleted."},
		{job, is(`{"status":{"phase":"Failed","reason":"NodeLost"}}`), "The pod on Team failed: NodeLost."},
	} {
		if got := ended("Team", one.job, one.pod, "agent").Error(); got != one.words {
			t.Errorf("%q, want %q", got, one.words)
		}
	}
}
