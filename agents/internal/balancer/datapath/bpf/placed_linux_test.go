package bpf

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

func TestNoConnectionBeginsAtAPlacedBackendThatIsDown(t *testing.T) {
	for _, hook := range []Hook{TCX, XDP} {
		t.Run(hook.Name, func(t *testing.T) {
			e := openAt(t, newPlace(t), hook, datapath.Options{})
			set(t, e, tcpService(down("b")))
			must(t, e.Steering().Put(flowFrom(1000, "b"), minute()))
			if got := send(t, e, from4(6, 1000, syn, "")); got != "a" {
				t.Errorf("a connection began at %q", got)
			}
			must(t, e.Steering().Put(flowFrom(1001, "b"), minute()))
			if got := send(t, e, from4(6, 1001, ack, "")); got != "b" {
				t.Errorf("one that may be there already went to %q", got)
			}
		})
	}
}

func TestAConnectionOfAPeerStaysWhereItIs(t *testing.T) {
	for _, hook := range []Hook{TCX, XDP} {
		t.Run(hook.Name, func(t *testing.T) {
			e := openAt(t, newPlace(t), hook, datapath.Options{})
			udp := newService(service4, 80, datapath.UDP, datapath.Direct)
			set(t, e, tcpService(), udp)
			for name, c := range map[string]struct {
				flow   datapath.Flow
				packet frame
			}{
				"first packet": {flowFrom(1000, "a"), from4(6, 1000, syn, "")},
				"later packet": {flowFrom(1001, "a"), from4(6, 1001, ack, "")},
				"datagram":     {datapath.Flow{Service: udp.Key, Client: flowFrom(1002, "").Client, Backend: "a"}, from4(17, 1002, 0, "hello")},
			} {
				_, err := e.Learn([]datapath.Flow{c.flow})
				must(t, err)
				c.flow.Backend = "b"
				must(t, e.Steering().Put(c.flow, minute()))
				if got := send(t, e, c.packet); got != "a" {
					t.Errorf("%s: it went to %q, and a peer has it at a", name, got)
				}
			}
		})
	}
}

// The placed connection may be elsewhere than the tables of the peers have it.
func TestTheFirstPacketOfAPlacedConnectionWaitsForThePeers(t *testing.T) {
	for _, hook := range []Hook{TCX, XDP} {
		t.Run(hook.Name, func(t *testing.T) {
			place := newPlace(t)
			e := openAt(t, place, hook, datapath.Options{})
			set(t, e, tcpService())
			must(t, e.Hold(time.Minute))
			port := settledAt(t, e, "a")
			must(t, e.Steering().Put(flowFrom(port, "b"), minute()))
			packet := from4(6, port, syn, "")
			if got := send(t, e, packet); got != "" {
				t.Fatalf("it went to %q before they have it", got)
			}
			first := waits(t, e)
			if first.Flow != flowFrom(port, "b") {
				t.Errorf("%v is announced", first.Flow)
			}
			next := wireOf(t, place)
			must(t, first.Release())
			if out, in := next(macB), packet.bytes(); !bytes.Equal(out[12:], in[12:]) {
				t.Errorf("sent %x, want %x", out, in)
			}
		})
	}
}

// A held packet passes the program twice. The second time it must find the ended connection
// again, to announce that a new one is elsewhere.
func TestAHeldPacketLeavesTheEndedConnection(t *testing.T) {
	for _, hook := range []Hook{TCX, XDP} {
		t.Run(hook.Name, func(t *testing.T) {
			place := newPlace(t)
			e := openAt(t, place, hook, datapath.Options{})
			set(t, e, tcpService())
			port := settledAt(t, e, "a")
			must(t, e.Steering().Put(flowFrom(port, "b"), minute()))
			for _, flags := range []byte{syn, ack, rst} {
				if got := send(t, e, from4(6, port, flags, "")); got != "b" {
					t.Fatalf("a packet of the first connection went to %q", got)
				}
			}
			must(t, e.Steering().Put(flowFrom(port, "b"), time.Now()))
			must(t, e.Steering().Hold(flowFrom(port, ""), minute()))
			if got := send(t, e, from4(6, port, syn, "")); got != "" {
				t.Fatalf("a held packet went to %q", got)
			}
			if n := entries(t, e, program.TcxMapConnections); n != 1 {
				t.Errorf("%d connections are known, want the ended one", n)
			}
			next := wireOf(t, place)
			must(t, e.Steering().Release(flowFrom(port, "")))
			next(macA)
			if n := entries(t, e, program.TcxMapConnections); n != 0 {
				t.Errorf("%d connections are known after the new one began", n)
			}
			begun, found, err := program.FindFlow(e.maps, program.TcxMapHalfOpen, program.ToFlowKey(flowFrom(port, "").Service, flowFrom(port, "").Client))
			must(t, err)
			if !found || begun.Flags&uint8(program.TcxFlowFlagsMOVES) == 0 {
				t.Errorf("the peers don't get where the new connection is: %+v", begun)
			}
		})
	}
}

func TestAPacketIsNotSentAfterItsHoldEnded(t *testing.T) {
	place := newPlace(t)
	e := openAt(t, place, TCX, datapath.Options{})
	set(t, e, tcpService(only("b")))
	next := wireOf(t, place)
	const brief = 300 * time.Millisecond
	must(t, e.Steering().Hold(flowFrom(1000, ""), time.Now().Add(brief)))
	if got := send(t, e, from4(6, 1000, ack, "late")); got != "" {
		t.Fatalf("a held packet went to %q", got)
	}
	ended := time.After(2 * brief)
	<-ended
	must(t, e.Steering().Release(flowFrom(1000, "")))
	must(t, e.Steering().Hold(flowFrom(1000, ""), minute()))
	packet := from4(6, 1000, ack, "in time")
	send(t, e, packet)
	must(t, e.Steering().Release(flowFrom(1000, "")))
	if out, in := next(macB), packet.bytes(); !bytes.Equal(out[12:], in[12:]) {
		t.Errorf("sent %x, want %x", out, in)
	}
}

func TestAHoldHasALongestTime(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, tcpService())
	err := e.Steering().Hold(flowFrom(1000, ""), time.Now().Add(2*time.Minute))
	if err == nil || err.Error() != "hold a connection of 198.51.100.7:1000: 2m0s is too long: 1m0s at a time is the maximum" {
		t.Errorf("%v", err)
	}
}

// The kernel runs a program only on a frame that fits into a page.
func TestALongFrameIsOneClearError(t *testing.T) {
	for _, hook := range []Hook{TCX, XDP} {
		t.Run(hook.Name, func(t *testing.T) {
			e := openAt(t, newPlace(t), hook, datapath.Options{})
			set(t, e, tcpService(only("b")))
			headers := len(from4(6, 1000, ack, "").bytes())
			for _, c := range []struct {
				length int
				fails  bool
			}{{program.RunFrameMost(), false}, {program.RunFrameMost() + 1, true}} {
				out, err := program.Forward(e.program, hook.Sent, from4(6, 1000, ack, strings.Repeat("x", c.length-headers)).bytes(), 0)
				if (err != nil) != c.fails || !c.fails && !bytes.HasPrefix(out, macB) {
					t.Errorf("%d bytes: %d bytes out, %v", c.length, len(out), err)
				}
			}
		})
	}
}
