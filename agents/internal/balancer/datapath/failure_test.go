package datapath_test

import (
	"errors"
	"fmt"
	"net/netip"
	"reflect"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func siftService(port uint16, up bool) datapath.Service {
	return datapath.Service{
		Key: datapath.Key{Address: netip.MustParseAddr("192.0.2.1"), Port: port, Protocol: datapath.TCP}, Delivery: datapath.Direct,
		Backends: []datapath.Backend{{ID: "a", Address: netip.MustParseAddr("10.0.0.1"), Port: port, Weight: 1, State: datapath.Active, Up: up}},
	}
}

func TestAServiceThatFailsStaysAsItWasWithItsHealthOfNow(t *testing.T) {
	pigeon := func(s datapath.Service) datapath.Service { s.Delivery = "pigeon"; return s }
	busy := errors.New("the port is in use")
	notOurs := errors.New("the address isn't this host's own")
	also := func(s *datapath.Service) error {
		switch s.Key.Port {
		case 83:
			return busy
		case 85:
			return fmt.Errorf("%w", datapath.RoutesError{Err: notOurs})
		}
		return nil
	}
	carried := []datapath.Service{siftService(80, true), siftService(81, true), siftService(83, true)}
	wanted := []datapath.Service{siftService(80, true), pigeon(siftService(81, false)), pigeon(siftService(82, true)), siftService(83, true), siftService(84, true), siftService(84, false), siftService(85, true)}
	good, failures := datapath.Sift(wanted, carried, []datapath.Delivery{datapath.Direct}, also)
	if want := []datapath.Service{siftService(80, true), siftService(81, false), siftService(84, true)}; !reflect.DeepEqual(good, want) {
		t.Errorf("good are %+v", good)
	}
	const unsupported = `delivery "pigeon" isn't supported by this engine; give one of ["direct"]`
	want := []datapath.Failure{
		{Service: siftService(81, true).Key, Reason: unsupported, Previous: true, OfEngine: true},
		{Service: siftService(82, true).Key, Reason: unsupported, OfEngine: true},
		{Service: siftService(83, true).Key, Reason: busy.Error(), OfEngine: true},
		{Service: siftService(84, true).Key, Reason: "is defined twice; give each address, port and protocol once", Previous: true},
		{Service: siftService(85, true).Key, Reason: notOurs.Error(), OfEngine: true, OfRoutes: true},
	}
	if !reflect.DeepEqual(failures, want) {
		t.Errorf("failures are %+v", failures)
	}
	if !carried[1].Backends[0].Up {
		t.Error("it changed what was carried")
	}
}
