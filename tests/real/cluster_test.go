//go:build cluster && linux

package real

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"beckon/backend/agent/process"
	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// TestTheMainJobInARealCluster is the main job over a real API server, with the rights that
// docs/EXECUTORS.md gives: Job and garbage controllers and a scheduler are real, and kwok
// plays the node, whose exec runs processes here. build/cluster.sh starts all of it.
func TestTheMainJobInARealCluster(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	s := fixture.OnCluster(t, func(agents map[string]string) (executing.Executor, []string) {
		image := filepath.Join(dir, "image")
		if err := os.Mkdir(image, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := process.WriteProgram(filepath.Join(image, "claude"), fixture.ClaudeElsewhere()); err != nil {
			t.Fatal(err)
		}
		agents["HOME"], agents["PATH"] = home, image+":"+os.Getenv("PATH")
		config := up(t, dir, agents)
		return executing.Executor{Name: "Team", Kind: executing.Kubernetes, Slots: 4, Image: "registry.test/agents:1", Context: "team", Namespace: "agents"}, []string{"KUBECONFIG=" + config}
	}, fixture.MainJob...)
	s.LookedAt(s.Project.Executor, "")
	s.PlayMainJob("", func(beckon.Task) {})
	client.Must[any](s.Program, "RemoveExecutor", s.Project.Executor, false)
	s.Until("nothing is left there", patience, func() bool {
		out, err := kubectl(dir, "get", "jobs,pods", "--all-namespaces", "--output=name").CombinedOutput()
		return err == nil && !strings.Contains(string(out), "beckon")
	})
}

// kubectl is the administrator's.
func kubectl(dir string, args ...string) *exec.Cmd {
	return exec.Command("kubectl", append([]string{"--kubeconfig=" + filepath.Join(dir, "admin.conf")}, args...)...)
}

// up starts the cluster and returns how a developer reaches it.
func up(t *testing.T, dir string, agents map[string]string) (config string) {
	t.Helper()
	type variable struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	env := []variable{}
	for name, value := range agents {
		env = append(env, variable{name, value})
	}
	text, err := json.Marshal(map[string]any{
		"apiVersion": "kwok.x-k8s.io/v1alpha1", "kind": "ClusterExec", "metadata": map[string]string{"name": "agents"},
		"spec": map[string]any{"execs": []any{map[string]any{"local": map[string]any{"workDir": agents["HOME"], "envs": env}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "exec.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("../../build/cluster.sh", "up", dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // all that it starts ends with the test
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	})
	ready := make([]byte, 64)
	if n, err := out.Read(ready); err != nil || !strings.HasPrefix(string(ready[:n]), "ready") {
		t.Fatalf("the cluster says %q: %v", ready[:n], err)
	}
	return filepath.Join(dir, "ada.conf")
}
