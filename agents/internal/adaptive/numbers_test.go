package adaptive

import (
	"net/netip"
	"testing"

	"fairlead.dev/agents/internal/adaptive/program"
	"fairlead.dev/agents/internal/balancer/datapath"
)

func manyServices(count int) (all []Service) {
	at := netip.MustParseAddr("10.96.0.0")
	for range count {
		at = at.Next()
		all = append(all, Service{Key: datapath.Key{Address: at, Port: 80, Protocol: datapath.TCP}})
	}
	return all
}

func TestEachServiceHasItsOwnNumber(t *testing.T) {
	all := manyServices(servicesMost)
	taken := map[uint16]bool{}
	for key, number := range numbers(nil).next(all) {
		if number == 0 || number > program.LastNumber || taken[number] {
			t.Fatalf("%s has the number %d", key, number)
		}
		taken[number] = true
	}
	if len(taken) != servicesMost {
		t.Errorf("%d numbers for %d services", len(taken), servicesMost)
	}
}

func TestAServiceKeepsItsNumber(t *testing.T) {
	all := manyServices(1000)
	before := numbers(nil).next(all[500:])
	after := before.next(all)
	for key, number := range before {
		if after[key] != number {
			t.Errorf("%s had the number %d and has %d", key, number, after[key])
		}
	}
	if got := after.next(all[:1]); len(got) != 1 {
		t.Errorf("%d numbers are kept for one service", len(got))
	}
}

func TestANodeKeepsItsNumberWhileOthersAreAddedAndRemoved(t *testing.T) {
	desired := Desired{Node: "nod_1", Peers: []Peer{{Node: "nod_2"}, {Node: "nod_3"}}}
	all := numbersOfNodes(desired)
	if all["nod_1"] == 0 || all["nod_1"] == all["nod_2"] || len(all) != 3 {
		t.Errorf("%v", all)
	}
	desired.Peers = desired.Peers[1:]
	if less := numbersOfNodes(desired); less["nod_3"] != all["nod_3"] || len(less) != 2 {
		t.Errorf("%v, and before %v", less, all)
	}
}
