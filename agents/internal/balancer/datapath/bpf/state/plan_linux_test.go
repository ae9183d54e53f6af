package state

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/neighbour"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

func planned(t *testing.T, before *Model, services ...datapath.Service) *Model {
	t.Helper()
	next, err := Plan(before, services, func(_ datapath.Service, b datapath.Backend) (program.BackendEntry, neighbour.Hop, error) {
		return program.BackendEntry{Address: program.ToAddress(b.Address), Port: program.Wire(b.Port)}, neighbour.Hop{}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// plannedService returns a service with backends of these numbers.
func plannedService(port uint16, backends ...int) datapath.Service {
	s := datapath.Service{Key: datapath.Key{Address: netip.MustParseAddr("192.0.2.1"), Port: port, Protocol: datapath.TCP}, Delivery: datapath.Direct}
	for _, n := range backends {
		s.Backends = append(s.Backends, datapath.Backend{
			ID: fmt.Sprintf("b%03d", n), Address: netip.AddrFrom4([4]byte{10, 0, 0, byte(n)}), Port: port, Weight: 1, State: datapath.Active, Up: true,
		})
	}
	return s
}

func slotsOf(m *Model, port uint16) map[string][2]uint32 {
	out := map[string][2]uint32{}
	for _, b := range m.ByKey[plannedService(port).Key].Placed {
		out[b.ID] = [2]uint32{uint32(b.Slot), b.Entry.Incarnation}
	}
	return out
}

func TestExistingObjectsKeepTheirNumbers(t *testing.T) {
	first := planned(t, NewModel(), plannedService(80, 1, 2, 3), plannedService(81, 4))
	second := planned(t, first, plannedService(80, 0, 2, 3, 9), plannedService(81, 4))
	was, is := slotsOf(first, 80), slotsOf(second, 80)
	for _, id := range []string{"b002", "b003"} {
		if was[id] != is[id] {
			t.Errorf("%s had %v and has %v", id, was[id], is[id])
		}
	}
	for _, id := range []string{"b000", "b009"} {
		for other, numbers := range was {
			if is[id][0] == numbers[0] {
				t.Errorf("%s has the slot that %s may still be read at", id, other)
			}
		}
	}
	if a, b := first.ByKey[plannedService(81).Key].Entry, second.ByKey[plannedService(81).Key].Entry; a != b {
		t.Errorf("the other service was %+v and is %+v", a, b)
	}
	third := planned(t, second, plannedService(80, 2, 3, 5), plannedService(81, 4))
	if got, gone := slotsOf(third, 80)["b005"], was["b001"]; got[0] != gone[0] || got[1] == gone[1] {
		t.Errorf("a set later the slot of b001 %v is free for another incarnation, b005 has %v", gone, got)
	}
}

func TestABackendAtAnotherAddressIsANewOne(t *testing.T) {
	service := plannedService(80, 1)
	first := planned(t, NewModel(), service)
	service.Backends[0].Address = netip.MustParseAddr("10.0.0.99")
	second := planned(t, first, service)
	if was, is := slotsOf(first, 80)["b001"], slotsOf(second, 80)["b001"]; was[0] == is[0] || was[1] == is[1] {
		t.Errorf("had %v and has %v: its old flows would be sent to the new address", was, is)
	}
}

func TestAServiceThatReturnsIsANewOne(t *testing.T) {
	first := planned(t, NewModel(), plannedService(80, 1))
	second := planned(t, planned(t, first), plannedService(80, 1))
	if was, is := slotsOf(first, 80)["b001"], slotsOf(second, 80)["b001"]; was[1] == is[1] {
		t.Errorf("incarnation %d again: flows of the former service would be found", is[1])
	}
}

func TestTablesPlaceOldAndNewFlows(t *testing.T) {
	service := plannedService(80, 1, 2, 3, 4, 5)
	service.Backends[0].State = datapath.Draining
	service.Backends[1].State = datapath.Filling
	service.Backends[2].State = datapath.Inactive
	service.Backends[3].Up = false
	m := planned(t, NewModel(), service)
	settled, fresh := map[string]int{}, map[string]int{}
	for _, r := range m.Services[0].build(nil).Row {
		settled[m.Slots[r.Settled].ID]++
		fresh[m.Slots[r.Fresh].ID]++
	}
	if len(settled) != 3 || settled["b001"] == 0 || settled["b004"] == 0 || settled["b005"] == 0 {
		t.Errorf("old flows may be at %v, want those that drain and the active ones, up or not", settled)
	}
	if len(fresh) != 2 || fresh["b002"] == 0 || fresh["b005"] == 0 {
		t.Errorf("new flows go to %v, want those that fill and the active ones, if up", fresh)
	}
	empty := planned(t, NewModel(), plannedService(81))
	if r := empty.Services[0].build(nil).Row[0]; r.Settled != program.NoBackend || r.Fresh != program.NoBackend {
		t.Errorf("a service without backends has row %+v", r)
	}
}

// One unreachable backend must not block all others. Its previous path may work again.
func TestAnUnreachableBackendDoesNotBlockOthers(t *testing.T) {
	lost := netip.MustParseAddr("10.0.0.1")
	way := func(reached bool) func(datapath.Service, datapath.Backend) (program.BackendEntry, neighbour.Hop, error) {
		return func(_ datapath.Service, b datapath.Backend) (program.BackendEntry, neighbour.Hop, error) {
			if !reached && b.Address == lost {
				return program.BackendEntry{}, neighbour.Hop{}, errors.New("has no route: network is unreachable")
			}
			entry := program.BackendEntry{Address: program.ToAddress(b.Address), NextHop: program.ToAddress(b.Address), Interface: 7, To: [6]uint8{2, 0, 0, 0, 0, 1}, Flags: program.BackendResolved}
			return entry, neighbour.Hop{Next: b.Address, Link: 7}, nil
		}
	}
	never, err := Plan(NewModel(), []datapath.Service{plannedService(80, 1, 2)}, way(false))
	if err != nil {
		t.Fatal(err)
	}
	if one := never.Services[0].Placed[0]; one.Hop != neighbour.NoHop || one.Entry.Interface != 0 || one.Entry.Flags != program.BackendKeeps {
		t.Errorf("one that never was carried has %+v", one)
	}
	failure := datapath.Failure{Service: plannedService(80).Key, Backend: "b001", Reason: "has no route: network is unreachable", OfRoutes: true}
	if !slices.Equal(never.Failures, []datapath.Failure{failure}) {
		t.Errorf("failures are %+v", never.Failures)
	}
	for _, r := range never.Services[0].build(nil).Row {
		if fresh := never.Slots[r.Fresh].ID; fresh != "b002" {
			t.Fatalf("new flows go to %s", fresh)
		}
	}
	first, err := Plan(NewModel(), []datapath.Service{plannedService(80, 1, 2)}, way(true))
	if err != nil {
		t.Fatal(err)
	}
	wanted := plannedService(80, 1, 2, 3)
	wanted.Backends[0].State = datapath.Draining
	second, err := Plan(first, []datapath.Service{wanted}, way(false))
	if err != nil {
		t.Fatal(err)
	}
	was, is := *first.Services[0].Placed[0], *second.Services[0].Placed[0]
	if was.Entry.Flags &^= program.BackendTakes | program.BackendUp; is.Entry != was.Entry || is.Hop != was.Hop || is.Slot != was.Slot {
		t.Errorf("it was %+v and is %+v", was, is)
	}
	if len(second.Services[0].Placed) != 3 || !slices.Equal(second.Failures, []datapath.Failure{failure}) {
		t.Errorf("%d backends, and failures %+v", len(second.Services[0].Placed), second.Failures)
	}
}
