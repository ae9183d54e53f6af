package companion

import (
	"net/netip"
	"testing"
	"time"

	"fairlead.dev/agents/internal/session/cookie"
)

// While the kernel searches the link address of a replica, it keeps packets to it, and counts them for the socket.
func TestReplicasThatAreGoneDoNotDelayOthers(t *testing.T) {
	space := host(t)
	must(t, space.SetSysctl("net/ipv4/neigh/eth0/retrans_time_ms", "60000")) // it searches for minutes
	c, keys := accompanied(t, space)
	gone := []netip.AddrPort{netip.MustParseAddrPort("10.9.0.51:7447"), netip.MustParseAddrPort("10.9.0.52:7447"), netip.MustParseAddrPort("10.9.0.53:7447")}
	must(t, c.Set([]Service{{Address: finds, Backend: "a", Number: 1, Keys: cookie.Set{Current: keys}, Replicas: gone}}))
	done := make(chan struct{})
	go func() {
		defer close(done)
		for n := range 2000 { // more than the usual buffer of a socket has room for
			c.learn(c.serviceAt(finds), idNumbered(n))
		}
	}()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Error("it waits for replicas that are gone")
	}
}
