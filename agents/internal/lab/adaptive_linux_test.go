package lab_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/adaptive/sockets"
	"fairlead.dev/agents/internal/lab"
)

const adaptiveNodes = standIn + `
families: [ipv4]
nodes: [{name: node, count: 2, adaptive: true}]
clients:
  - {name: app, node: node-2, traffic: [{service: web, connections: 2, perSecond: 40, requestsPerConnection: 1}]}
`

func TestProcessesOfANodeAreInItsCgroup(t *testing.T) {
	t.Parallel()
	l := newTestLab(t, "cg", adaptiveNodes)
	if out := l.must("check"); strings.Contains(out, "no agents") {
		t.Fatalf("check: %s", out)
	}
	l.must("up", "--detach")
	for member, node := range map[string]string{"web-1": "node-1", "web-2": "node-2", "lb-2": "node-2", "app": "node-2"} {
		if got, want := cgroupOf(t, l.member(member).Pid), "/"+lab.SpaceName(l.name, node); got != want {
			t.Errorf("%s is in the cgroup %s, want %s", member, got, want)
		}
	}
	for _, member := range []string{"node-1", "web-1"} {
		if out := l.must("exec", member, "cat", "/proc/self/cgroup"); !strings.Contains(out, "0::/"+lab.SpaceName(l.name, "node-1")+"\n") {
			t.Errorf("exec in %s: %s", member, out)
		}
	}
	if out := l.must("status"); !strings.Contains(out, "node-1.adaptive is not started: it needs a control plane") {
		t.Errorf("status: %s", out)
	}
	l.waitForAnswers(20) // of a client on a node, through the router
	if _, err := l.try("fault", "cut", "app"); err == nil {
		t.Error("a client on a node was cut off")
	}

	l.fault("kill web-1")
	l.waitFor("another process", func() bool { return l.member("web-1").Starts == 2 && l.member("web-1").Pid > 0 })
	if got, want := cgroupOf(t, l.member("web-1").Pid), "/"+lab.SpaceName(l.name, "node-1"); got != want {
		t.Errorf("after a restart, web-1 is in the cgroup %s, want %s", got, want)
	}
	l.kill(l.status().Pid)
	if len(l.cgroups()) != 2 {
		t.Errorf("a killed lab left the cgroups %v", l.cgroups())
	}
	l.must("down")
	l.mustBeRemoved()
}

// cgroupOf returns the cgroup of version 2 of a process.
func cgroupOf(t *testing.T, pid int) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cgroup"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if path, is := strings.CutPrefix(line, "0::"); is {
			return strings.TrimSpace(path)
		}
	}
	t.Fatalf("process %d has no cgroup of version 2: %s", pid, data)
	return ""
}

// cgroups are those with the lab's name.
func (l *testLab) cgroups() []string {
	l.t.Helper()
	root, err := sockets.CgroupOf("")
	if err != nil {
		l.t.Fatal(err)
	}
	all, err := filepath.Glob(filepath.Join(root, lab.SpaceName(l.name, "*")))
	if err != nil {
		l.t.Fatal(err)
	}
	return all
}
