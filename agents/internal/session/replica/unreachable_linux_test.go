package replica

import (
	"net/netip"
	"testing"
	"time"
)

// While the kernel searches the link address of a companion, it keeps packets to it, and counts them for the socket.
func TestCompanionsThatAreGoneDoNotDelayHellos(t *testing.T) {
	p := newPlace(t)
	must(t, p.balancer.SetSysctl("net/ipv4/neigh/eth0/retrans_time_ms", "60000")) // it searches for minutes
	for n := range 3 {
		gone := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 9, 0, byte(50 + n)}), 7446)
		done := make(chan struct{})
		go func() {
			defer close(done)
			for range 1000 { // more than the usual buffer of a socket has room for
				p.replica.send([]byte("a query"), gone)
			}
		}()
		select {
		case <-done:
		case <-time.After(20 * time.Second):
			t.Fatalf("it waits for %d companions that are gone", n+1)
		}
	}
}
