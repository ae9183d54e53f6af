package bpf

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/lifetime"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// translated reads one of the tables of translated flows.
func translated(t *testing.T, e *Engine, name string) map[program.NatKey]program.NatFlow {
	t.Helper()
	out := map[program.NatKey]program.NatFlow{}
	must(t, program.InBatches(e.maps[name], func(key program.NatKey, flow program.NatFlow) { out[key] = flow }))
	return out
}

// answer returns backend a's reply to a flow of natPair, and the packet that the client
// receives.
func answer(flags byte, ownPort uint16) (in, out frame) {
	in = frame{to: ours, from: macA, source: backends4[0], dest: ourIPv4, protocol: 6,
		payload: segment(6, netip.AddrPortFrom(backends4[0], 8080), netip.AddrPortFrom(ourIPv4, ownPort), flags, "")}
	out = frame{to: router, from: ours, source: service4, dest: client4, protocol: 6,
		payload: segment(6, netip.AddrPortFrom(service4, 80), netip.AddrPortFrom(client4, 5000), flags, "")}
	return in, out
}

func TestAnUnknownConnectionIsOnlyLentAPort(t *testing.T) {
	for name, flags := range map[string]byte{"ACK": ack, "SYN and ACK": syn | ack, "no flag": 0} {
		t.Run(name, func(t *testing.T) {
			e := natEngine(t)
			port := nextPort(t, e, 0)
			in, out := natPair(6, flags, client4, service4, ourIPv4, backends4[0], macA, 5000, port)
			exchange(t, e, "there", in.bytes(), out.bytes())
			reset, received := answer(rst, port)
			exchange(t, e, "the backend's reset", reset.bytes(), received.bytes())
			if n := len(translated(t, e, program.TcxMapNatFlows)) + entries(t, e, program.TcxMapConnections); n != 0 {
				t.Errorf("%d entries for long, want none", n)
			}
			lent := translated(t, e, program.TcxMapNatHalfOpen)
			if len(lent) != 1 {
				t.Errorf("%d ports are lent, want 1", len(lent))
			}
			for _, flow := range lent {
				if flow.Flags&uint8(program.TcxNatFlagsLENT) == 0 {
					t.Error("it keeps its port for longer than an answer takes")
				}
			}
			last, _ := natPair(6, ack|fin, client4, service4, ourIPv4, backends4[0], macA, 5001, 0)
			if verdict, _, err := e.program.Test(last.bytes()); err != nil || verdict != verdictDrop {
				t.Errorf("the end of one: verdict %d, %v", verdict, err)
			}
		})
	}
}

func TestABackendEndsAConnectionForTheClientToo(t *testing.T) {
	for name, c := range map[string]struct{ client, server byte }{"RST": {ack, rst}, "FIN after the client's": {ack | fin, fin | ack}} {
		t.Run(name, func(t *testing.T) {
			e := natEngine(t)
			port := nextPort(t, e, 0)
			for _, flags := range []byte{syn, ack, c.client} {
				in, out := natPair(6, flags, client4, service4, ourIPv4, backends4[0], macA, 5000, port)
				exchange(t, e, "there", in.bytes(), out.bytes())
			}
			closing := func(want bool) {
				t.Helper()
				for key, flow := range translated(t, e, program.TcxMapNatFlows) {
					if got := lifetime.IsTranslatedOver(key, flow, program.SeenNow()+uint32(program.Ticks(2*time.Minute))); got != want {
						t.Errorf("the flow of port %d closes: %t, want %t", program.Wire(key.Port), got, want)
					}
				}
				must(t, program.InBatches(e.maps[program.TcxMapConnections], func(_ program.FlowKey, flow program.FlowEntry) {
					if got := flow.Flags&uint8(program.TcxFlowFlagsCLOSING) != 0; got != want {
						t.Errorf("the connection closes: %t, want %t", got, want)
					}
				}))
			}
			if len(translated(t, e, program.TcxMapNatFlows)) != 1 || entries(t, e, program.TcxMapConnections) != 1 {
				t.Fatal("the connection isn't known")
			}
			more, received := answer(ack, port)
			exchange(t, e, "an answer", more.bytes(), received.bytes())
			closing(false)
			end, received := answer(c.server, port)
			exchange(t, e, "the end", end.bytes(), received.bytes())
			closing(true)
			in, out := natPair(6, ack, client4, service4, ourIPv4, backends4[0], macA, 5000, port)
			exchange(t, e, "what the client still sends", in.bytes(), out.bytes())
			closing(true)

			next := nextPort(t, e, 0) // the client starts again from the same port
			in, out = natPair(6, syn, client4, service4, ourIPv4, backends4[0], macA, 5000, next)
			exchange(t, e, "a new connection", in.bytes(), out.bytes())
			in, out = natPair(6, ack, client4, service4, ourIPv4, backends4[0], macA, 5000, next)
			exchange(t, e, "its second packet", in.bytes(), out.bytes())
			exchange(t, e, "a late end of the old one", end.bytes(), received.bytes())
			key := program.ToFlowKey(datapath.Key{Address: service4, Port: 80, Protocol: datapath.TCP}, netip.AddrPortFrom(client4, 5000))
			var begun program.FlowEntry
			must(t, e.maps[program.TcxMapConnections].Lookup(key, &begun))
			if begun.Flags&uint8(program.TcxFlowFlagsCLOSING) != 0 {
				t.Error("the old one's end ended the new one")
			}
		})
	}
}

// Another router took over: replies go back the way the client's packets arrive now.
func TestTheWayBackFollowsTheClientsRouter(t *testing.T) {
	e := natEngine(t)
	port := nextPort(t, e, 0)
	for _, flags := range []byte{syn, ack} {
		in, out := natPair(6, flags, client4, service4, ourIPv4, backends4[0], macA, 5000, port)
		exchange(t, e, "there", in.bytes(), out.bytes())
	}
	other := []byte{2, 0, 0, 0, 0, 3}
	in, out := natPair(6, ack, client4, service4, ourIPv4, backends4[0], macA, 5000, port)
	in.from = other
	exchange(t, e, "by way of the other router", in.bytes(), out.bytes())
	sent, received := answer(ack, port)
	received.to = other
	exchange(t, e, "back", sent.bytes(), received.bytes())
}

// Long-lived connections that started together have adjacent ports.
func TestAStretchOfPortsInUseDelaysNoConnection(t *testing.T) {
	e := natEngine(t)
	for ahead := range uint16(100) {
		key := program.NatKey{Backend: program.ToAddress(backends4[0]), BackendPort: program.Wire(8080), Port: program.Wire(nextPort(t, e, 0) + ahead), Protocol: uint8(datapath.TCP)}
		must(t, e.maps[program.TcxMapNatFlows].Put(key, program.NatFlow{Client: program.ToAddress(hop4), Service: program.ToAddress(service4), Seen: program.SeenNow()}))
	}
	for port := range uint16(50) {
		in, _ := natPair(6, syn, client4, service4, ourIPv4, backends4[0], macA, 5000+port, 0)
		if verdict, _, err := e.program.Test(in.bytes()); err != nil || verdict != verdictRedirect {
			t.Fatalf("connection %d got no port: verdict %d, %v", port, verdict, err)
		}
	}
}

func TestNoPortsForTranslationIsOneError(t *testing.T) {
	place := newPlace(t)
	e := openAt(t, place, TCX, datapath.Options{})
	direct, translated := newService(service4, 80, datapath.TCP, datapath.Direct), newService(service6, 80, datapath.TCP, datapath.NAT)
	set(t, e, direct)
	must(t, place.SetSysctls(map[string]string{"net/ipv4/ip_local_port_range": "1024 65535"}))
	_, err := datapath.Whole(e.Set(t.Context(), []datapath.Service{direct, translated}))
	if err == nil || !strings.Contains(err.Error(), "net.ipv4.ip_local_port_range") || !strings.Contains(err.Error(), translated.Key.String()) {
		t.Fatalf("%v", err)
	}
	if to := send(t, e, from4(6, 1000, syn, "")); to == "" {
		t.Error("the service before isn't carried on")
	}
	must(t, place.SetSysctls(map[string]string{"net/ipv4/ip_local_port_range": "32768 60999"}))
	set(t, e, direct, translated)
}
