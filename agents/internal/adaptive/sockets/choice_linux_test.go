package sockets

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

func TestConnectionsGoWhereOneMoreCostsLeast(t *testing.T) {
	engine := newEngine(t)
	service := serviceOf(t, tcp4, "a", "b", "c", "d")
	set(t, engine, service)
	costs := map[string]Cost{"a": rising(0), "b": rising(6 * time.Millisecond), "c": rising(6 * time.Millisecond), "d": rising(36 * time.Millisecond)}
	setCosts(t, engine, service, costs)
	conns := dial(t, tcp4, 24)
	wantOpen(t, engine, tcp4, map[string]uint64{"a": 12, "b": 6, "c": 6, "d": 0})
	closeAll(t, conns)
	wantOpen(t, engine, tcp4, map[string]uint64{"a": 0, "b": 0, "c": 0, "d": 0})

	busy := rising(0)
	busy.Others = 20 << 8
	costs["a"] = busy
	setCosts(t, engine, service, costs)
	dial(t, tcp4, 24)
	wantOpen(t, engine, tcp4, map[string]uint64{"a": 0, "b": 12, "c": 12, "d": 0})
}

func TestOfEqualCostsThisNodeWins(t *testing.T) {
	engine := newEngine(t)
	service := serviceOf(t, tcp4, "a", "b", "here")
	set(t, engine, service)
	costs := map[string]Cost{"a": rising(0), "b": rising(0), "here": rising(0)}
	setCosts(t, engine, service, costs)
	closeAll(t, dial(t, tcp4, 10))
	if chosen := counts(t, engine, tcp4)["here"].Chosen; chosen != 10 {
		t.Errorf("%d of 10 connections stay here", chosen)
	}
	setInFlight(t, engine, service, 1)
	for range 40 {
		closeAll(t, dial(t, tcp4, 1))
		wantOpen(t, engine, tcp4, map[string]uint64{"a": 0, "b": 0, "here": 0})
	}
	after := counts(t, engine, tcp4)
	if after["here"].Chosen != 10 || after["a"].Chosen == 0 || after["b"].Chosen == 0 {
		t.Errorf("with a request in flight here, connections go to %v", after)
	}
}

func TestNodesWithoutRecentFiguresGetTheirShareByHosts(t *testing.T) {
	engine := newEngine(t)
	service := serviceOf(t, tcp4, "a", "a", "a", "b")
	set(t, engine, service)
	old := rising(0)
	old.At = time.Now().Add(-4 * time.Second)
	share := func(costs map[string]Cost) uint64 {
		setCosts(t, engine, service, costs)
		before := counts(t, engine, tcp4)["b"].Chosen
		for range 20 {
			closeAll(t, dial(t, tcp4, 20))
		}
		return counts(t, engine, tcp4)["b"].Chosen - before
	}
	// Of 400, with a standard deviation of 9.
	if b := share(map[string]Cost{"a": old, "b": old}); b < 40 || b > 160 {
		t.Errorf("without figures, the node with one of four hosts has %d of 400 connections", b)
	}
	costly := rising(time.Second)
	if b := share(map[string]Cost{"a": costly, "b": old}); b < 40 || b > 160 {
		t.Errorf("next to a node with figures, the node with one of four hosts has %d of 400 connections", b)
	}
	if b := share(map[string]Cost{"a": rising(0), "b": costly}); b != 0 {
		t.Errorf("with figures, the costly node has %d connections", b)
	}
}

func TestOfManyNodesThisOneAndThreeAtRandomAreCompared(t *testing.T) {
	engine := newEngine(t)
	for others, want := range map[int]int{8: 9, 9: 4, 20: 4} {
		nodes := []string{"here"}
		for i := range others {
			nodes = append(nodes, fmt.Sprint("node", i))
		}
		service := serviceOf(t, tcp4, nodes...)
		set(t, engine, service)
		seen := map[string]bool{}
		for range 12 {
			closeAll(t, dial(t, tcp4, 1))
			decision := newest(t, engine)
			if len(decision.Candidates) != want || decision.Candidates[0].Node != "here" {
				t.Fatalf("of %d others, candidates are %+v, want %d with this node first", others, decision.Candidates, want)
			}
			names := map[string]bool{}
			for _, candidate := range decision.Candidates {
				names[candidate.Node], seen[candidate.Node] = true, true
			}
			if len(names) != want {
				t.Fatalf("candidates are the same: %+v", decision.Candidates)
			}
		}
		if others > 8 && len(seen) < 8 {
			t.Errorf("of %d others, always the same are compared: %v", others, seen)
		}
	}
}

// newest returns the newest decision, which is as old as the connection: one is sampled each 100 ms.
func newest(t *testing.T, engine *Engine) Decision {
	t.Helper()
	observed, err := engine.Observe()
	must(t, err)
	if len(observed.Decisions) == 0 {
		t.Fatal("no decision was sampled")
	}
	time.Sleep(110 * time.Millisecond)
	return observed.Decisions[len(observed.Decisions)-1]
}

func TestBackendsOfANodeShareItsConnections(t *testing.T) {
	engine := newEngine(t)
	for hosts, most := range map[int]uint64{4: 5, 40: 8} {
		service := serviceOf(t, tcp4, slices.Repeat([]string{"a"}, hosts)...)
		set(t, engine, service)
		conns := dial(t, tcp4, 5*hosts)
		observed, err := engine.Observe()
		must(t, err)
		for _, node := range observed.Services[0].Nodes {
			for _, backend := range node.Backends {
				if slices.ContainsFunc(service.Backends, func(b Backend) bool { return b.Address == backend.Address }) &&
					(backend.Counts.Open == 0 || backend.Counts.Open > most) {
					t.Errorf("of %d backends, %s has %d of %d connections", hosts, backend.Address, backend.Counts.Open, 5*hosts)
				}
			}
		}
		closeAll(t, conns)
	}
	heavy := serviceOf(t, tcp4, "a", "a")
	heavy.Backends[0].Weight = 3
	set(t, engine, heavy)
	dial(t, tcp4, 40)
	observed, err := engine.Observe()
	must(t, err)
	for _, backend := range observed.Services[0].Nodes[0].Backends {
		want := map[bool]uint64{true: 30, false: 10}[backend.Address == heavy.Backends[0].Address]
		if open := backend.Counts.Open; open > 0 && (open < want-1 || open > want+1) {
			t.Errorf("with weights 3 and 1, %d connections, want about %d", open, want)
		}
	}
}

func TestStandbyBackendsAreUsedOnlyWithoutOthers(t *testing.T) {
	engine := newEngine(t)
	service := serviceOf(t, tcp4, "a", "b", "here")
	service.Backends[1].Weight, service.Backends[2].Weight = 0, 0
	set(t, engine, service)
	setCosts(t, engine, service, map[string]Cost{"a": rising(time.Second), "b": rising(0), "here": rising(0)})
	closeAll(t, dial(t, tcp4, 10))
	if got := counts(t, engine, tcp4); got["a"].Chosen != 10 {
		t.Errorf("beside standby ones, the only backend has %d of 10 connections", got["a"].Chosen)
	}
	service.Backends[0].Up = false
	set(t, engine, service)
	closeAll(t, dial(t, tcp4, 10))
	if got := counts(t, engine, tcp4); got["here"].Chosen != 10 {
		t.Errorf("of standby backends, that of this node has %d of 10 connections", got["here"].Chosen)
	}
}

func TestTheKernelCalculatesTheCostsOfPolicy(t *testing.T) {
	engine := newEngine(t)
	nodes := []string{"here", "a", "b", "c", "d", "e", "f", "g", "h"}
	service := serviceOf(t, tcp4, nodes...)
	set(t, engine, service)
	random := newRandom()
	for range 8 {
		costs, opens, inFlight := map[string]Cost{}, openAt(t, engine, tcp4), random.Int64N(90)
		for _, node := range nodes {
			costs[node] = randomCost(random)
		}
		setInFlight(t, engine, service, inFlight)
		setCosts(t, engine, service, costs)
		time.Sleep(110 * time.Millisecond) // of the previous sample
		dial(t, tcp4, 1)
		observed, err := engine.Observe()
		must(t, err)
		decision := observed.Decisions[len(observed.Decisions)-1]
		least := decision.Candidates[0].Cost
		for _, candidate := range decision.Candidates {
			cost := costs[candidate.Node]
			want := cost.Remote(uint32(opens[candidate.Node]))
			if candidate.Node == "here" {
				want = cost.Local(inFlight, uint32(opens["here"]))
			}
			if uint64(candidate.Cost) != want {
				t.Errorf("%s costs %d, want %d", candidate.Node, candidate.Cost, want)
			}
			least = min(least, candidate.Cost)
		}
		chosen := slices.IndexFunc(decision.Candidates, func(c Candidate) bool { return c.Node == decision.Node })
		if decision.Candidates[chosen].Cost != least || decision.ByWeight || decision.Service != tcp4 {
			t.Errorf("%s was chosen of %+v", decision.Node, decision.Candidates)
		}
	}
}
