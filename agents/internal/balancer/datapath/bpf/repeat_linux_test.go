package bpf

import (
	"net/netip"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// A client repeats a first packet if the reply is slow, and the backend drains by then.
func TestARepeatedFirstPacketStaysAtABackendThatDrains(t *testing.T) {
	draining := tcpService(inState("a", datapath.Draining))
	for name, before := range map[string]datapath.Service{"in an active row": tcpService(), "in a row in doubt": tcpService(inState("a", datapath.Filling))} {
		t.Run(name, func(t *testing.T) {
			e := openAt(t, newPlace(t), TCX, datapath.Options{})
			set(t, e, before)
			port := portTo(t, e, "a", 1000)
			set(t, e, draining)
			if got := send(t, e, from4(6, port, syn, "")); got != "a" {
				t.Errorf("it went to %q", got)
			}
			if got := send(t, e, from4(6, port, ack, "")); got != "a" {
				t.Errorf("its second packet went to %q", got)
			}
		})
	}
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, tcpService())
	port := portTo(t, e, "a", 1000)
	set(t, e, tcpService(inState("a", datapath.Draining), down("a")))
	if got := send(t, e, from4(6, port, syn, "")); got != "b" {
		t.Errorf("from a backend that is down it went to %q", got)
	}
}

// The client may have reused its port for another connection.
func TestAFirstPacketMuchLaterLeavesABackendThatDrains(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, tcpService())
	port := portTo(t, e, "a", 1000)
	forgetSetups(t, e)
	know(t, e, program.TcxMapHalfOpen, clientFlow(port, "a", 5*time.Second), 0)
	set(t, e, tcpService(inState("a", datapath.Draining)))
	if got := send(t, e, from4(6, port, syn, "")); got != "b" {
		t.Errorf("it went to %q", got)
	}
}

// The reply was lost, and the router sends the retry to another replica, while the
// backend repeats the reply: no packet of it may wait, or go elsewhere.
func TestAFirstPacketRepeatedElsewhereGoesWherePeersAnnounced(t *testing.T) {
	for _, c := range []struct {
		name    string
		age     time.Duration
		flags   program.TcxFlowFlags
		changes []func(*datapath.Backend)
		follows bool
	}{
		{"a moment ago", time.Second, 0, nil, true},
		{"while another begins", time.Second, 0, []func(*datapath.Backend){inState("b", datapath.Filling)}, true},
		{"long ago", 10 * time.Second, 0, nil, false},
		{"of what is over", time.Second, program.TcxFlowFlagsCLOSING, nil, false},
		{"of one that drains", time.Second, 0, []func(*datapath.Backend){inState("a", datapath.Draining)}, false},
		{"of one that is down", time.Second, 0, []func(*datapath.Backend){down("a")}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := openAt(t, newPlace(t), TCX, datapath.Options{})
			set(t, e, tcpService(c.changes...))
			must(t, e.Hold(time.Minute))
			port := uint16(1000)
			for freshFor(e, port) != "b" {
				port++
			}
			know(t, e, program.TcxMapLearnt, clientFlow(port, "a", c.age), c.flags)
			got := send(t, e, from4(6, port, syn, ""))
			if c.follows != (got == "a") {
				t.Fatalf("it went to %q", got)
			}
			if !c.follows {
				return
			}
			forgetSetups(t, e)
			if got := send(t, e, from4(6, port, ack, "")); got != "a" {
				t.Errorf("its second packet went to %q", got)
			}
		})
	}
}

// It is held, and a peer announced another backend before: its connection may be the
// announced one, started through that peer.
func TestPacketsAfterAHeldFirstPacketGoWhereAllReplicasAgree(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, tcpService(inState("b", datapath.Filling)))
	must(t, e.Hold(time.Minute))
	port := uint16(1000)
	for freshFor(e, port) != "b" {
		port++
	}
	know(t, e, program.TcxMapLearnt, clientFlow(port, "b", 10*time.Second), 0)
	if got := send(t, e, from4(6, port, syn, "")); got != "" {
		t.Fatalf("it went to %q at once", got)
	}
	if held := waits(t, e); held.Flow.Client != netip.AddrPortFrom(client4, port) {
		t.Fatalf("%v waits", held.Flow)
	}
	if got := send(t, e, from4(6, port, ack, "")); got != "b" {
		t.Errorf("its second packet went to %q", got)
	}
}
