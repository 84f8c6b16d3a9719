// Package executors holds Beckon to its runs on other machines, in containers, in pods and
// in jobs of a cluster: links that break, machines that refuse, work that comes home. sshd,
// podman, docker and Slurm are real, kubectl is strict, and the scripted agent plays claude:
// what only the real CLI decides is in tests/real.
package executors

import (
	"testing"

	"beckon/tests/fixture"
)

var patience = fixture.Patience

func TestMain(m *testing.M) { fixture.Main(m, fixture.ScriptedAgent) }
