package mesh

import (
	"testing"
	"time"

	"fairlead.dev/agents/internal/cputime"
	"fairlead.dev/agents/internal/racing"
)

// 32 nodes run in this process, and each both sends and receives all of its datagrams.
func TestANodeUsesLittleCPU(t *testing.T) {
	if racing.Slower > 1 {
		t.Skip("the race detector uses more CPU than the program")
	}
	const count, services = 32, 100
	const most = 0.03 // of a core: to detect regressions. Next to busy programs, a datagram took 5 … 7 µs, which is 1 … 1.4 %
	nodes := newCluster(t, count, servicesOf(services))
	wait(t, "figures of all nodes", func() bool {
		for i := range count - 1 {
			if len(nodes[count-1].Latest(nil, nodeName(i))) < services {
				return false
			}
		}
		return true
	})
	sent := func() (all uint64) {
		for _, node := range nodes {
			all += node.Counters().Sent
		}
		return all
	}
	// On a busy machine fewer turns are taken, so the time is divided by the datagrams.
	each := time.Hour
	for range 5 { // other programs use the same caches, so the minimum counts
		before := sent()
		used := cputime.Of(func() { time.Sleep(time.Second) })
		each = min(each, used/time.Duration(sent()-before))
	}
	const perTurn = (services + servicesMost - 1) / servicesMost
	share := each.Seconds() * float64(perTurn*(count-1)) / every.Seconds()
	t.Logf("%s for each of %d datagrams a peer: %.2f %% of a core", each, perTurn, 100*share)
	if share > most {
		t.Errorf("a node uses %.2f %% of a core", 100*share)
	}
}
