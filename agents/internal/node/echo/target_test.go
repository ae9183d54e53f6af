package echo

import (
	"log/slog"
	"net"
	"net/netip"
	"testing"
	"time"
)

func TestASilentPeerGetsARequestOnlyEveryTenSeconds(t *testing.T) {
	var peer target
	send := func(seconds int) (sent int) {
		for range seconds {
			if _, due := peer.request(); due {
				sent++
			}
		}
		return sent
	}
	if got := send(silentAfter); got != silentAfter {
		t.Errorf("at first: %d in %d seconds", got, silentAfter)
	}
	if got := send(100); got != 10 {
		t.Errorf("later: %d in 100 seconds", got)
	}
	peer.record(&packet{}, time.Now(), time.Time{})
	if got := send(silentAfter); got != silentAfter {
		t.Errorf("after a reply: %d in %d seconds", got, silentAfter)
	}
}

// Anyone may forge requests from a peer's address.
func TestAnAddressGetsFewRepliesASecond(t *testing.T) {
	meter := NewMeter(Options{Log: slog.New(slog.DiscardHandler)})
	from := netip.MustParseAddrPort("192.0.2.1:7445")
	meter.setPeers([]Peer{{"agt_b", "nod_b", from}})
	got := packet{kind: request, to: meter.self}
	now := time.Now()
	for second := range 3 {
		served := 0
		for range 1000 {
			if meter.serves(from, &got, now) {
				served++
			}
		}
		if served != repliesMost {
			t.Errorf("%d replies to a thousand requests in second %d", served, second)
		}
		now = now.Add(every)
	}
}

// A host may have the address of a node that is down, and an agent may report that of another.
func TestPeersWithTheSameAddressAreMeasured(t *testing.T) {
	meter, at := newTestMeter(t, "agt_b")
	peer, atPeer := newTestMeter(t, "agt_a")
	meter.Set(Spec{Self: "agt_b", Peers: []Peer{{"agt_a", "nod_a", atPeer}}})
	peer.Set(Spec{Self: "agt_a", Peers: []Peer{{"agt_b", "nod_b", at}, {"agt_c", "nod_c", at}}})
	wait(t, "a round trip", func() bool { return len(peer.RoundTrips()) > 0 })
	if got := peer.RoundTrips(); len(got) != 1 || got[0].Node != "nod_b" {
		t.Errorf("got %v", got)
	}
}

type blockedWriter chan struct{}

func (w blockedWriter) WriteToUDPAddrPort([]byte, netip.AddrPort) (int, error) {
	w <- struct{}{}
	<-w
	return 0, net.ErrClosed
}

// The kernel's buffer is full while a link is paused.
func TestReportsDoNotWaitForAWrite(t *testing.T) {
	meter := NewMeter(Options{Log: slog.New(slog.DiscardHandler)})
	meter.setPeers([]Peer{{"agt_b", "nod_b", netip.MustParseAddrPort("192.0.2.1:7445")}})
	blocked, sent := make(blockedWriter), make(chan struct{})
	go func() {
		defer close(sent)
		meter.send(blocked)
	}()
	<-blocked
	reported := make(chan struct{})
	go func() {
		defer close(reported)
		meter.RoundTrips()
	}()
	select {
	case <-reported:
	case <-time.After(10 * time.Second):
		t.Error("the report waits")
	}
	close(blocked)
	<-sent
	<-reported
}
