package adaptive

import (
	"slices"
	"testing"
	"time"

	"fairlead.dev/agents/internal/privileged"
	"fairlead.dev/agents/internal/vmtest"
)

// newNodesForTest is a lab without agents, which need programs that not every kernel runs.
// Without a delay, lines take little CPU time.
func newNodesForTest(t *testing.T) *lab {
	t.Helper()
	privileged.Need(t)
	l, err := newNodes(0)
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// A process that wants all CPU time gets what a node has.
func wantLimited(t *testing.T, l *lab) {
	t.Helper()
	first := l.nodes[0]
	p, err := start(first.space, NeighbourCommand, first.limited(neighbourPart))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := p.stop(); err != nil {
			t.Error(err)
		}
	}()
	if err := p.order(neighbourOrder{IsBusy: true}, nil); err != nil {
		t.Fatal(err)
	}
	began, before := time.Now(), cpu(t, p)
	time.Sleep(2 * time.Second)
	cores := float64(cpu(t, p)-before) / float64(time.Since(began))
	if cores > 1.1*nodeCores || cores < 0.05*nodeCores { // a busy machine gives it less
		t.Errorf("it used %.3g cores, and a node has %g", cores, nodeCores)
	}
}

func cpu(t *testing.T, p *process) time.Duration {
	t.Helper()
	used, err := cpuOf(p.pid())
	if err != nil {
		t.Fatal(err)
	}
	return used
}

func TestAQuotaLimitsANode(t *testing.T) { wantLimited(t, newNodesForTest(t)) }

// Few kernels that tests run on have IP_VS, or the CPU controller in version 2 of cgroups, so both are tested in one that has.
func TestIPVSAndCgroupsOfVersion2(t *testing.T) {
	if !vmtest.Inside() {
		vmtest.Boot(t)
		return
	}
	l := newNodesForTest(t)
	if l.mounts.cpu != "" {
		t.Fatal("this kernel has the CPU controller in version 1")
	}
	wantLimited(t, l)
	// A hash selects one backend for all requests of a client, and each node is one client.
	for subject, isHash := range map[string]bool{"IPVS rr": false, "IPVS sh": true} {
		if reason := leftOut(subject); reason != "" {
			t.Fatal(reason)
		}
		for entry, served := range servedEnough(t, l, subject) {
			if isOne := slices.Max(served) == total(served); isOne != isHash {
				t.Errorf("%s: requests of node %d were served at %v", subject, entry+1, served)
			}
		}
	}
}

// servedEnough repeats a turn until each node has sent enough requests to show how they are distributed.
func servedEnough(t *testing.T, l *lab, subject string) [][]uint64 {
	t.Helper()
	for end := time.Now().Add(6 * patience); time.Now().Before(end); {
		turn, err := l.measure(t.Context(), Options{For: 500 * time.Millisecond}, &Scenario{Users: allBusy}, subject, 0)
		if err != nil {
			t.Fatalf("%s: %v", subject, err)
		}
		if turn.Failed > 0 {
			t.Fatalf("%s: %d failed: %s", subject, turn.Failed, turn.Because)
		}
		if !slices.ContainsFunc(turn.Served, func(served []uint64) bool { return total(served) < 8 }) {
			return turn.Served
		}
	}
	t.Fatalf("%s: too few requests in each turn", subject)
	return nil
}

func total(counts []uint64) (sum uint64) {
	for _, count := range counts {
		sum += count
	}
	return sum
}
