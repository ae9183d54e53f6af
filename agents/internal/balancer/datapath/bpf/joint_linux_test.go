package bpf

import (
	"maps"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// The program at XDP can't pass packets on to the one that chooses by session.
func TestOnlyTCXChoosesBySession(t *testing.T) {
	service := tcpService()
	service.Chooser = datapath.BySession
	for _, hook := range []Hook{TCX, XDP} {
		e := openAt(t, newPlace(t), hook, datapath.Options{})
		outcome, err := e.Set(t.Context(), []datapath.Service{service})
		must(t, err)
		if failed := len(outcome.Failures) > 0; failed == hook.Sessions {
			t.Errorf("%s: %+v", hook.Name, outcome.Failures)
		}
	}
}

func TestOnlyTCXChoosesByCost(t *testing.T) {
	service := tcpService()
	service.Chooser = datapath.ByCost
	for _, hook := range []Hook{TCX, XDP} {
		e := openAt(t, newPlace(t), hook, datapath.Options{})
		outcome, err := e.Set(t.Context(), []datapath.Service{service})
		must(t, err)
		if failed := len(outcome.Failures) > 0; failed == hook.Sessions {
			t.Errorf("%s: %+v", hook.Name, outcome.Failures)
		}
	}
}

// Standby backends are only drawn while no other takes connections.
func TestWithoutCostsBackendsAreDrawn(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	drawn := func(from uint16, changes ...func(*datapath.Backend)) map[string]bool {
		service := tcpService(changes...)
		service.Chooser = datapath.ByCost
		set(t, e, service)
		to := map[string]bool{}
		for port := range uint16(60) {
			to[send(t, e, from4(6, from+port, syn, ""))] = true
		}
		return to
	}
	standby := func(b *datapath.Backend) {
		if b.ID == "a" {
			b.Weight = 0
		}
	}
	for _, test := range []struct {
		name    string
		from    uint16
		changes []func(*datapath.Backend)
		want    map[string]bool
	}{
		{"equal weights", 1000, nil, map[string]bool{"a": true, "b": true}},
		{"one is standby", 2000, []func(*datapath.Backend){standby}, map[string]bool{"b": true}},
		{"and the other is down", 3000, []func(*datapath.Backend){standby, down("b")}, map[string]bool{"a": true}},
	} {
		if got := drawn(test.from, test.changes...); !maps.Equal(got, test.want) {
			t.Errorf("%s: connections went to %v, want %v", test.name, got, test.want)
		}
	}
}

// A kernel that doesn't compile programs rejects those that go on to another one.
func TestTheProgramWorksWithoutGoingOn(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	alone, err := loadAlone(TCX, e.maps, nil)
	must(t, err)
	must(t, e.program.Close())
	e.program = alone
	set(t, e, tcpService())
	if got := send(t, e, from4(6, 1000, syn, "")); got == "" {
		t.Error("a SYN goes to no backend")
	}
}

// Without a cookie the backends' companions would refuse what follows a SYN.
func TestWithoutAReplicaOfSessionsNothingIsSent(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	service := tcpService()
	service.Chooser = datapath.BySession
	set(t, e, service)
	for _, flags := range []byte{syn, ack} {
		if got := send(t, e, from4(6, 1000, flags, "")); got != "" {
			t.Errorf("a packet with flags %#x went to %q", flags, got)
		}
	}
}
