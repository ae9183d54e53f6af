package bpf

import (
	"net/netip"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/hold"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/state"
)

// A client reuses the ports of a connection that peers may still know, later than it
// would repeat a first packet.
func TestAFirstPacketWaitsIfTheFormerConnectionWasElsewhere(t *testing.T) {
	for name, before := range map[string]func(*testing.T, *Engine, datapath.Flow){
		"a peer announced it": func(t *testing.T, e *Engine, old datapath.Flow) { learn(t, e, old) },
		"it was here": func(t *testing.T, e *Engine, old datapath.Flow) {
			know(t, e, program.TcxMapConnections, old, program.TcxFlowFlagsCLOSING)
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := openAt(t, newPlace(t), TCX, datapath.Options{})
			set(t, e, tcpService())
			must(t, e.Hold(time.Minute))
			before(t, e, clientFlow(1000, freshFor(e, 1000), 0))
			if got := send(t, e, from4(6, 1000, syn, "")); got != freshFor(e, 1000) {
				t.Errorf("where it was, too, it went to %q", got)
			}
			now, was := freshFor(e, 2000), "a"
			if now == was {
				was = "b"
			}
			before(t, e, clientFlow(2000, was, 10*time.Second))
			if got := send(t, e, from4(6, 2000, syn, "")); got != "" {
				t.Fatalf("the first packet went to %q at once", got)
			}
			held := waits(t, e)
			if held.Flow != clientFlow(2000, now, 0) {
				t.Errorf("%v waits, for %s", held.Flow, now)
			}
			must(t, held.Release())
			if got := send(t, e, from4(6, 2000, ack, "")); got != now {
				t.Errorf("the second packet went to %q, want %q", got, now)
			}
			// A flow that was announced is announced again when it changes.
			if flow, found, err := program.FindFlow(e.maps, program.TcxMapConnections, program.ToFlowKey(held.Flow.Service, held.Flow.Client)); err != nil || !found || flow.Flags&uint8(program.TcxFlowFlagsANNOUNCED) == 0 {
				t.Errorf("its entry: %+v, %t, %v", flow, found, err)
			}
		})
	}
}

// Its client then retries, maybe by way of another replica.
func TestAFirstPacketThatWaitedTooLongStaysAnnounced(t *testing.T) {
	for _, test := range []struct {
		name      string
		meanwhile func(*testing.T, *Engine, datapath.Held, datapath.Flow)
		moves     bool // to the backend of the former connection
	}{
		{name: "it still waits", meanwhile: func(*testing.T, *Engine, datapath.Held, datapath.Flow) {}},
		{name: "it was released too late", meanwhile: func(t *testing.T, _ *Engine, held datapath.Held, _ datapath.Flow) {
			time.Sleep(hold.HeldMost + 100*time.Millisecond)
			must(t, held.Release())
		}},
		{name: "a peer announced that it started there", moves: true, meanwhile: func(t *testing.T, e *Engine, _ datapath.Held, there datapath.Flow) {
			time.Sleep(200 * time.Millisecond)
			learn(t, e, there)
		}},
		{name: "a peer announced so before it was released too late", moves: true, meanwhile: func(t *testing.T, e *Engine, held datapath.Held, there datapath.Flow) {
			time.Sleep(hold.HeldMost + 100*time.Millisecond)
			learn(t, e, there)
			must(t, held.Release())
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := openAt(t, newPlace(t), TCX, datapath.Options{})
			set(t, e, tcpService())
			must(t, e.Hold(time.Minute))
			want, was := freshFor(e, 2000), "a"
			if want == was {
				was = "b"
			}
			learn(t, e, clientFlow(2000, was, 10*time.Second))
			if got := send(t, e, from4(6, 2000, syn, "")); got != "" {
				t.Fatalf("the first packet went to %q at once", got)
			}
			test.meanwhile(t, e, waits(t, e), clientFlow(2000, was, 0))
			if test.moves {
				want = was
			}
			if got := send(t, e, from4(6, 2000, ack, "")); got != want {
				t.Errorf("the second packet went to %q, want %q", got, want)
			}
		})
	}
}

// freshFor returns the backend of a new connection from a port.
func freshFor(e *Engine, port uint16) string {
	s := e.model.ByKey[tcpService().Key]
	row := program.RowOf(program.ToFlowKey(s.Key, netip.AddrPortFrom(client4, port)), s.Entry.Seed)
	return e.model.Slots[state.ReadTable(s.Table).Row[row].Fresh].ID
}
