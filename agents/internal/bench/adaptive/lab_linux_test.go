package adaptive

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
	"fairlead.dev/agents/internal/vmtest"
)

// TestMain is also the processes of the lab.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 {
		if play := map[string]func(string) error{
			ServerCommand: Serve, NeighbourCommand: Neighbour, AgentCommand: Agent, ClientsCommand: Clients, LinesCommand: Lines, BalancerCommand: Balance,
		}[os.Args[1]]; play != nil {
			if err := play(os.Args[2]); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	vmtest.Main(m, append(vmtest.Network, "ipv6", "ip_vs_rr", "ip_vs_lc", "ip_vs_dh", "ip_vs_sh", "ip_vs_sed", "ip_vs_nq")...)
}

func measure(t *testing.T, options Options) (turns []Turn) {
	t.Helper()
	privileged.Need(t)
	options.Rounds = 1
	if err := Run(t.Context(), options, func(line Line) {
		if line.Turn != nil {
			turns = append(turns, *line.Turn)
		}
	}); err != nil {
		t.Fatal(err)
	}
	left, err := netspace.Names(fmt.Sprintf("fairlead-bench-%d-", os.Getpid()))
	if err != nil || len(left) > 0 {
		t.Errorf("namespaces are left: %q (%v)", left, err)
	}
	for _, pattern := range []string{"/sys/fs/cgroup", "/sys/fs/cgroup/*", "/sys/fs/cgroup/*/*"} {
		if left, _ := filepath.Glob(fmt.Sprintf("%s/fairlead-bench-%d-*", pattern, os.Getpid())); len(left) > 0 {
			t.Errorf("cgroups are left: %q", left)
		}
	}
	return turns
}

func TestEverySubjectServesTheRequestsOfAllNodes(t *testing.T) {
	turns := measure(t, Options{Warmup: 100 * time.Millisecond, For: 500 * time.Millisecond, Scenarios: []string{"8:8:8:8, 3 ms"}})
	measured := map[string]bool{}
	for _, turn := range turns {
		measured[turn.Subject] = true
		if turn.Failed > 0 || turn.Requests == 0 || turn.P99Ms <= 0 {
			t.Errorf("%s: %d answered, %d failed: %s", turn.Subject, turn.Requests, turn.Failed, turn.Because)
		}
		for entry, served := range turn.Served {
			for node, count := range served {
				switch isLocal := entry == node; {
				case turn.Subject == sameNode && !isLocal && count > 0:
					t.Errorf("%s: node %d served %d requests of node %d", turn.Subject, node+1, count, entry+1)
				case (turn.Subject == random || turn.Subject == roundRobin || turn.Subject == iptables) && count == 0:
					t.Errorf("%s: node %d served no request of node %d", turn.Subject, node+1, entry+1)
				}
			}
		}
	}
	for _, subject := range subjects {
		if leftOut(subject) == "" && !measured[subject] {
			t.Errorf("%s was not measured", subject)
		}
	}
}

func TestPartsOfTheLabStartAgain(t *testing.T) {
	turns := measure(t, Options{Warmup: 100 * time.Millisecond, For: time.Second, Scenarios: []string{"busy neighbour, 3 ms", "killed pod, 3 ms", "cold start, 3 ms"}, Subjects: []string{Ours}})
	if len(turns) != 3 {
		t.Fatalf("%d turns", len(turns))
	}
	for _, turn := range turns {
		if turn.Recovery == nil || turn.Recovery.FinalMeanMs <= 0 || len(turn.Recovery.MeansMs) == 0 || len(turn.Recovery.FailedLater) != nodes {
			t.Errorf("%s: %+v", turn.Scenario, turn.Recovery)
		}
	}
}

func TestRequestsOverUDPAndIPv6AreServed(t *testing.T) {
	scenarios := []string{"70:10:10:10 over UDP, 3 ms", "70:10:10:10 over IPv6, 3 ms"}
	turns := measure(t, Options{Warmup: 100 * time.Millisecond, For: 500 * time.Millisecond, Scenarios: scenarios})
	if len(turns) != len(scenarios)*len(few) {
		t.Errorf("%d turns", len(turns))
	}
	for _, turn := range turns {
		if turn.Failed > 0 || turn.Requests == 0 {
			t.Errorf("%s, %s: %d answered, %d failed: %s", turn.Scenario, turn.Subject, turn.Requests, turn.Failed, turn.Because)
		}
		if slices.Contains(turn.Served[0], 0) { // of the node where most requests enter
			t.Errorf("%s, %s: requests of node 1 were served at %v", turn.Scenario, turn.Subject, turn.Served[0])
		}
	}
}

func TestRequestsFromOutsideAreServed(t *testing.T) {
	turns := measure(t, Options{Warmup: 100 * time.Millisecond, For: 500 * time.Millisecond, Scenarios: []string{"70:10:10:10 from outside, 3 ms"}})
	if len(turns) != len(few) {
		t.Errorf("%d turns", len(turns))
	}
	for _, turn := range turns {
		if turn.Failed > 0 || turn.Requests == 0 {
			t.Errorf("%s: %d answered, %d failed: %s", turn.Subject, turn.Requests, turn.Failed, turn.Because)
		}
		busy, idle := turn.Served[0], turn.Served[1] // by the node where most requests enter, and by another one
		if turn.Subject != Ours {
			if slices.Contains(busy, 0) {
				t.Errorf("%s: requests of node 1 were served at %v", turn.Subject, busy)
			}
			continue
		}
		// Another node has room for all that node 1 can't serve, so ours may use only that one.
		if busy[0] == 0 || busy[1]+busy[2]+busy[3] == 0 {
			t.Errorf("requests of node 1 were served at %v, want there and at others", busy)
		}
		if idle[1] <= idle[0]+idle[2]+idle[3] {
			t.Errorf("requests that enter at node 2 don't stay there: %v", idle)
		}
	}
}

// A quota limits a server to what the plan says, however fast this machine is.
func TestTheKernelLimitsANode(t *testing.T) {
	privileged.Need(t)
	l, err := newLab(context.Background(), short)
	defer func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err != nil {
		t.Fatal(err)
	}
	scenario := &Scenario{Name: Alone, Users: []int{8, 0, 0, 0}}
	turn, err := l.measure(t.Context(), Options{Warmup: 500 * time.Millisecond, For: 2 * time.Second}, scenario, sameNode, 0)
	if err != nil {
		t.Fatal(err)
	}
	if rate := float64(turn.Requests) / turn.Seconds; rate > 1.05*nodeRate {
		t.Errorf("a node serves %.0f requests/s, which is more than %d", rate, nodeRate)
	}
}
