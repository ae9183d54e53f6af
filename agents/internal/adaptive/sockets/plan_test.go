package sockets

import (
	"fmt"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"fairlead.dev/agents/internal/adaptive/program"
)

func freshSlots(size uint32) *slots {
	s := newSlots(size, func(uint32) bool { return false }, time.Now())
	return &s
}

func TestEqualServicesHaveEqualPlans(t *testing.T) {
	places, backends, service := freshSlots(10), freshSlots(10), someService()
	first, _ := plan(newState(), []Service{service}, nil, "b", places, backends, time.Now())
	service.Backends[0], service.Backends[1] = service.Backends[1], service.Backends[0]
	second, _ := plan(first, []Service{service}, nil, "b", places, backends, time.Now())
	if !reflect.DeepEqual(first, second) {
		t.Errorf("%+v, then %+v", first, second)
	}
	entry := first.services[program.ToServiceKey(service.Key)]
	if entry.Local == 0 || entry.Regular != 1 || entry.Count != 1 || entry.Others[0] == entry.Local {
		t.Errorf("the nodes are %+v", entry)
	}
}

func TestRemovedBackendsKeepTheirSlotWhileTheyHaveConnections(t *testing.T) {
	places, backends, service := freshSlots(10), freshSlots(10), someService()
	before, _ := plan(newState(), []Service{service}, nil, "b", places, backends, time.Now())
	service.Backends = service.Backends[1:]
	after, _ := plan(before, []Service{service}, nil, "b", places, backends, time.Now())
	if len(after.places) != 2 || len(after.backends) != 2 || after.services[program.ToServiceKey(service.Key)].Count != 0 {
		t.Fatalf("%+v", after)
	}
	none := func(uint32) uint64 { return 0 }
	removed := uint32(0)
	for slot, backend := range after.backends {
		if addressOfBackend(backend) == netip.MustParseAddrPort("198.51.100.1:8080") {
			removed = slot
		}
	}
	if places, backends := after.unused(none, func(slot uint32) uint64 { return map[bool]uint64{true: 1}[slot == removed] }); places != nil || backends != nil {
		t.Errorf("with a connection, places %v and backends %v are unused", places, backends)
	}
	if places, backends := after.unused(none, none); fmt.Sprint(backends) != fmt.Sprint([]uint32{removed}) || len(places) != 1 || after.wantedPlaces[places[0]] {
		t.Errorf("without connections, places %v and backends %v are unused", places, backends)
	}
}

func TestAServiceWithoutRoomStaysAsItWas(t *testing.T) {
	places, backends, service := freshSlots(10), freshSlots(4), someService()
	before, _ := plan(newState(), []Service{service}, nil, "b", places, backends, time.Now())
	larger := someService()
	for i := range 3 {
		larger.Backends = append(larger.Backends, Backend{Address: netip.AddrPortFrom(netip.AddrFrom4([4]byte{198, 51, 100, byte(9 + i)}), 1), Node: "c", Weight: 1, Up: true})
	}
	other := someService()
	other.Key.Port, other.Number, other.Backends = 81, 8, nil
	after, failures := plan(before, []Service{larger, other}, nil, "b", places, backends, time.Now())
	if len(failures) != 1 || !failures[0].Previous || failures[0].Service != service.Key {
		t.Fatalf("failures: %v", failures)
	}
	key := program.ToServiceKey(service.Key)
	if after.services[key] != before.services[key] || len(after.services) != 2 {
		t.Errorf("%+v, before %+v", after.services, before.services)
	}
	for slot := range before.places {
		if after.places[slot] != before.places[slot] {
			t.Errorf("place %d is %+v, was %+v", slot, after.places[slot], before.places[slot])
		}
	}
}
