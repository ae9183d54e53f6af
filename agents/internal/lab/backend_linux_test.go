package lab_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"

	"fairlead.dev/agents/internal/controlplane/controlplanetest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

const besideServers = `
families: [ipv4]
backends: true
nodes: [{name: near}]
balancers: []
pods: [{name: shop, count: 2}]
services: [{name: shop, serve: tls, port: 443, drain: 0s}]
clients: []
`

// The agent of a node finds its pods by their addresses, among all namespaces of the machine.
func TestANodeHasAnAgentOfItsServers(t *testing.T) {
	t.Parallel()
	l := newTestLab(t, "bk", besideServers)
	cp := controlplanetest.New(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	cp.ServeOn(listener)
	tokens, state := t.TempDir(), t.TempDir()
	for _, agent := range []string{"near", "near.backend"} {
		if err := os.WriteFile(filepath.Join(tokens, agent), []byte(cp.NewToken()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l.must("up", "--detach", "--control-plane", "https://"+listener.Addr().String(), "--tokens", tokens, "--state", state)
	config := &agentv1.NodeConfig{Revision: 1, ReportIntervalMs: 1000, Backend: &agentv1.BackendRole{}}
	for i, pod := range []string{"shop-1", "shop-2"} {
		config.Backend.Servers = append(config.Backend.Servers, &agentv1.BackendServer{
			BackendId: pod, LoadBalancerId: "lb_1", Instance: pod, OwnAddress: l.member(pod).Addresses[0],
			Address: "203.0.113.1", Port: 443, Number: uint32(i + 1), Keys: &agentv1.SessionKeys{Current: []byte(strings.Repeat("k", 64))},
		})
	}
	cp.SetConfig(config)
	are := func(want string) func() bool {
		return func() bool {
			var last string
			for _, report := range cp.Reports() {
				if report.GetBackend() == nil {
					continue
				}
				last = ""
				for _, server := range report.GetBackend().GetServers() {
					last += " " + server.GetBackendId() + "=" + map[bool]string{true: "ready", false: "not"}[server.GetReady()]
				}
			}
			return last == want
		}
	}
	l.waitFor("both servers ready", are(" shop-1=ready shop-2=ready"))
	l.fault("kill near.backend")
	l.waitFor("another process", func() bool { return l.member("near.backend").Starts == 2 })
	l.fault("remove pod shop-2")
	l.waitFor("one server ready", are(" shop-1=ready shop-2=not"))
	l.must("down")
	if left, err := filepath.Glob("/sys/fs/bpf/fairlead/fl-" + l.name + "-*"); err != nil || len(left) > 0 {
		t.Errorf("still pinned: %v, %v", left, err)
	}
}

// Without a control plane, the lab configures the agents, with a pod's first address for both families.
func TestALabConfiguresAgentsOfServers(t *testing.T) {
	t.Parallel()
	l := newTestLab(t, "bf", `
engine: tcx
balancers: [{name: lb, count: 1}]
pods: [{name: shop, count: 2}]
services: [{name: shop, serve: tls, port: 443, session: true}]
clients: []
`)
	l.must("up", "--detach")
	for i, node := range []string{"node-1", "node-2"} {
		report := new(agentv1.ReportRequest)
		pod := fmt.Sprintf("shop-%d", i+1)
		companion := l.member(pod).Addresses[0] + ":7446"
		l.waitFor("both services of "+pod, func() bool {
			page, err := l.findPage(node, "status")
			if err != nil || protojson.Unmarshal(page, report) != nil {
				return false // nothing is reported yet
			}
			servers := report.GetBackend().GetServers()
			return len(servers) == 2 && !slices.ContainsFunc(servers, func(one *agentv1.BackendServerStatus) bool {
				return !one.GetReady() || one.GetBackendId() != pod || one.GetCompanion() != companion
			})
		})
	}
}
