package lab_test

import (
	"maps"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fairlead.dev/agents/internal/controlplane/controlplanetest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/lab"
)

func TestPodsAreReportedToTheControlPlane(t *testing.T) {
	t.Parallel()
	l := newTestLab(t, "inv", "families: [ipv4, ipv6]\npods: [{name: web, count: 2, weight: 3}]\nservices: [{name: web}]\n")
	cp := l.upWithControlPlane()

	newest := func() map[string]*agentv1.Instance {
		pods := map[string]*agentv1.Instance{}
		for _, report := range cp.Reports() { // only the latest report with pods counts
			if report.GetInventory() == nil {
				continue
			}
			clear(pods)
			for _, instance := range report.GetInventory().GetInstances() {
				pods[instance.GetName()] = instance
			}
		}
		return pods
	}
	l.waitFor("its pods, with an address of each family", func() bool {
		first := newest()["web-1"]
		var families []int
		for _, address := range first.GetAddresses() {
			parsed, _ := netip.ParseAddr(address)
			families = append(families, parsed.BitLen())
		}
		return first.GetReady() && first.GetWorkload() == "web" && first.GetNodeName() == "node-1" && first.GetWeight() == 3 && slices.Equal(families, []int{32, 128})
	})
	before := len(newest())
	for i, report := range cp.Reports() {
		if report.GetInventory() != nil && len(report.GetInventory().GetInstances()) < before {
			t.Errorf("report %d has fewer pods than there ever were", i)
		}
	}
	l.fault("add pod web")
	l.waitFor("one that came", func() bool { return len(newest()) == before+1 })
	l.fault("remove pod web-1")
	l.waitFor("one that leaves", func() bool {
		first, known := newest()["web-1"]
		return !known || !first.GetReady()
	})
}

// A broken connection is reported while the lab runs, by client and service.
func TestBrokenConnectionsAreReportedToTheControlPlane(t *testing.T) {
	t.Parallel()
	l := newTestLab(t, "brk", standIn+`families: [ipv4]
balancers: [{name: lb, count: 1}]
services: [{name: web, delivery: proxy, check: {type: none}}]
clients:
  - {name: one, traffic: [{service: web, connections: 4, perSecond: 40}]}
  - {name: two, traffic: [{service: web, connections: 2, perSecond: 20}]}
`)
	cp := l.upWithControlPlane()

	newest := func(metric, client string) float64 {
		value := -1.0
		for _, report := range cp.Reports() {
			for _, series := range report.GetSeries() {
				if series.GetMetric() == metric && maps.Equal(series.GetLabels(), map[string]string{"client": client, "service": "web"}) {
					value = series.GetValues()[len(series.GetValues())-1]
				}
			}
		}
		return value
	}
	l.waitFor("answers, and nothing broken", func() bool {
		return newest("requestsPerSecond", "one") > 10 && newest("requestsPerSecond", "two") > 5 &&
			newest("connectionsBroken", "one") == 0 && newest("connectionsBroken", "two") == 0
	})
	l.fault("kill lb-1") // it is the server itself, so its connections end with it
	l.waitFor("the broken connections that the clients counted", func() bool {
		reported := map[string]float64{}
		for _, traffic := range l.status().Traffic {
			reported[traffic.Client] = float64(traffic.Broken)
		}
		return reported["one"] >= 1 && reported["two"] >= 1 &&
			newest("connectionsBroken", "one") == reported["one"] && newest("connectionsBroken", "two") == reported["two"]
	})
}

// upWithControlPlane joins only the lab's own agent to a control plane. No other agent has a token.
func (l *testLab) upWithControlPlane() *controlplanetest.ControlPlane {
	l.t.Helper()
	cp := controlplanetest.New(l.t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		l.t.Fatal(err)
	}
	cp.ServeOn(listener)
	cp.SetConfig(&agentv1.NodeConfig{Revision: 1, ReportIntervalMs: 1000})
	tokens, state := filepath.Join(filepath.Dir(l.file), "tokens"), filepath.Join(filepath.Dir(l.file), "state")
	if err := os.Mkdir(tokens, 0o700); err != nil {
		l.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(tokens, lab.RoleName), []byte(cp.NewToken()), 0o600); err != nil {
		l.t.Fatal(err)
	}
	l.must("up", "--detach", "--control-plane", "https://"+listener.Addr().String(), "--tokens", tokens, "--state", state)
	return cp
}
