package sockets

import (
	"net/netip"
	"reflect"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func someService() Service {
	return Service{
		Key:    datapath.Key{Address: netip.MustParseAddr("192.0.2.1"), Port: 80, Protocol: datapath.TCP},
		Number: 7,
		Backends: []Backend{
			{Address: netip.MustParseAddrPort("198.51.100.1:8080"), Node: "a", Weight: 1, Up: true},
			{Address: netip.MustParseAddrPort("198.51.100.2:8080"), Node: "b", Weight: 1, Up: true},
		},
	}
}

func TestAServiceThatCannotWorkIsRejectedWithTheReason(t *testing.T) {
	for want, change := range map[string]func(*Service){
		"has no address and port":                   func(s *Service) { s.Key.Port = 0 },
		"has IP protocol 132":                       func(s *Service) { s.Key.Protocol = 132 },
		"has the number 0":                          func(s *Service) { s.Number = 0 },
		"has the number 4096":                       func(s *Service) { s.Number = 4096 },
		"has a backend at 198.51.100.1:0":           func(s *Service) { s.Backends[0].Address = netip.MustParseAddrPort("198.51.100.1:0") },
		"of another IP version":                     func(s *Service) { s.Backends[0].Address = netip.MustParseAddrPort("[2001:db8::1]:80") },
		"has the backend 198.51.100.1:8080 without": func(s *Service) { s.Backends[0].Node = "" },
		"has the backend 198.51.100.1:8080 twice":   func(s *Service) { s.Backends[1].Address = s.Backends[0].Address },
	} {
		service := someService()
		change(&service)
		if err := service.check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	service := someService()
	if err := service.check(); err != nil {
		t.Error(err)
	}
}

func TestAServiceThatFailsStaysAsItWas(t *testing.T) {
	before, other := someService(), someService()
	other.Key.Port, other.Number = 81, 8
	bad := someService()
	bad.Backends[0].Node = ""
	good, failures := sift([]Service{bad, other, other}, []Service{before})
	if !reflect.DeepEqual(good, []Service{before, other}) {
		t.Errorf("set: %+v", good)
	}
	if len(failures) != 2 || failures[0].Service != before.Key || !failures[0].Previous || failures[1].Service != other.Key {
		t.Errorf("failures: %v", failures)
	}
	taken := other
	taken.Number = before.Number
	good, failures = sift([]Service{before, taken}, nil)
	if len(good) != 1 || len(failures) != 1 || !strings.Contains(failures[0].Reason, "has the number 7 of service") {
		t.Errorf("set: %+v, failures: %v", good, failures)
	}
}
