package bpf

import (
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
