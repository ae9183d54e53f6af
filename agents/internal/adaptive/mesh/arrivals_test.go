package mesh

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"testing"
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
)

// While prompts come, nothing is sent in between: it would be figures that were read earlier.
func TestFiguresAreSentWhenPromptedAndOtherwiseInTheirOwnPace(t *testing.T) {
	m := newTestMesh(t, loopback)
	mustSet(t, m, Spec{Self: nodeName(0), Keys: keys, Peers: []Peer{{Node: nodeName(1), Address: loopback}}, Services: servicesOf(1)})
	peer := newTestMesh(t, loopback)
	mustSet(t, peer, Spec{Self: nodeName(1), Keys: keys, Services: servicesOf(1)})
	wait(t, "sockets", func() bool { return m.Address() != "" && peer.Address() != "" })
	meet(t, m, peer)
	wait(t, "figures without prompts", func() bool { return len(peer.Latest(nil, nodeName(0))) == 1 })

	sent := func() uint64 { return m.Counters().Sent }
	m.Prompt()
	wait(t, "the prompt is used", func() bool { return len(m.prompted) == 0 })
	time.Sleep(every / 5)
	before := sent()
	for range 10 {
		m.Prompt()
		wait(t, "a prompt is used", func() bool { return len(m.prompted) == 0 })
	}
	wait(t, "a datagram for each prompt", func() bool { return sent() >= before+10 })
	after := sent()
	wait(t, "its own pace without prompts", func() bool { return sent() > after+3 })
}

func TestOnlyBusyServicesAreSentInAHurry(t *testing.T) {
	a, b := newTestMesh(t, loopback), newTestMesh(t, loopback)
	number := 0.0
	counting := func(string) policy.Figures { number++; return full(number) }
	busy := Service{ID: "lb_busy", Figures: counting, IsBusy: func() bool { return true }}
	for i, one := range []*Mesh{a, b} {
		services := []Service{busy, {ID: "lb_calm", Figures: counting, IsBusy: func() bool { return false }}, {ID: "lb_plain", Figures: counting}}
		if one == b {
			services = []Service{{ID: "lb_busy"}, {ID: "lb_calm"}, {ID: "lb_plain"}}
		}
		mustSet(t, one, Spec{Self: nodeName(i), Keys: keys, Services: services})
		wait(t, "a socket", func() bool { return one.Address() != "" })
	}
	meet(t, a, b)
	wait(t, "figures", func() bool { return len(b.Latest(nil, nodeName(0))) == 3 })
	var conn, err = net.ListenUDP("udp", net.UDPAddrFromAddrPort(loopback))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	out := newBatch(conn)
	a.gatherBusy(out)
	if len(out.to) != 1 {
		t.Fatalf("%d datagrams", len(out.to))
	}
	datagram := out.datagrams[0]
	sent, valid := parseFigures(nil, datagram[headerBytes:len(datagram)-macBytes])
	if !valid || len(sent) != 1 || sent[0].service != numberOf("lb_busy") {
		t.Errorf("sent %+v", sent)
	}
}

func TestTheNodeWhoseFiguresArriveIsAnnounced(t *testing.T) {
	announced := make(chan struct{}, 1)
	at := func(context.Context) (netip.AddrPort, error) { return loopback, nil }
	m := New(Options{Listen: at, Log: slog.New(slog.DiscardHandler), Arrived: func() {
		select {
		case announced <- struct{}{}:
		default:
		}
	}})
	t.Cleanup(m.Close)
	peers := []*Mesh{newTestMesh(t, loopback), newTestMesh(t, loopback)}
	all := append(peers, m)
	for i, one := range all {
		mustSet(t, one, Spec{Self: nodeName(i), Keys: keys, Services: servicesOf(100)}) // three datagrams
		wait(t, "a socket", func() bool { return one.Address() != "" })
	}
	if len(m.Arrived(nil)) != 0 {
		t.Fatal("figures arrived from no peer")
	}
	meet(t, m, peers[0])
	seen := 0
	for seen < 5 {
		select {
		case <-announced:
		case <-time.After(20 * time.Second):
			t.Fatalf("figures arrived %d times", seen)
		}
		switch arrived := m.Arrived(nil); {
		case slices.Equal(arrived, []string{nodeName(0)}):
			seen++
		case len(arrived) != 0:
			t.Fatalf("figures of %v arrived", arrived)
		}
	}
	if len(m.Latest(nil, nodeName(0))) == 0 {
		t.Error("they aren't kept")
	}
}

// meet gives both the address of the other.
func meet(t *testing.T, a, b *Mesh) {
	t.Helper()
	for _, pair := range [][2]*Mesh{{a, b}, {b, a}} {
		at, err := netip.ParseAddrPort(pair[1].Address())
		if err != nil {
			t.Fatal(err)
		}
		spec := pair[0].spec
		spec.Peers = []Peer{{Node: pair[1].spec.Self, Address: at}}
		mustSet(t, pair[0], spec)
	}
}
