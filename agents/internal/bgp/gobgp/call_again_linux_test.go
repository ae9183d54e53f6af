package gobgp_test

import (
	"net"
	"net/netip"
	"sync"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp/bgptest"
)

// A router in the callers' range can call at any moment, also while it is added by its address.
func TestARouterThatCallsWhileItIsAddedIsNoError(t *testing.T) {
	t.Parallel()
	lan := bgptest.NewLAN(t)
	reflector, router := bgptest.Start(t, lan.Add(t, "reflector")), lan.Add(t, "router")
	withoutRouter, withRouter := bgptest.Reflector(reflector.Host), bgptest.Reflector(reflector.Host, router)
	set(t, reflector, withoutRouter)
	callOften(t, router, reflector.Host.IPv4)
	const rounds = 40
	failed := 0
	var last error
	for range rounds {
		set(t, reflector, withoutRouter)
		if _, err := reflector.Set(withRouter); err != nil {
			failed++
			last = err
		}
	}
	if failed > 0 {
		t.Errorf("%d of %d failed, the last with: %v", failed, rounds, last)
	}
}

// callOften connects from a host in tight loops until the test ends.
func callOften(t *testing.T, from *bgptest.Host, to netip.Addr) {
	t.Helper()
	const loops = 1
	var calling sync.WaitGroup
	for range loops {
		calling.Go(func() {
			if err := from.Space.Do(func() error {
				dialer := net.Dialer{LocalAddr: net.TCPAddrFromAddrPort(netip.AddrPortFrom(from.IPv4, 0)), Timeout: time.Second}
				for t.Context().Err() == nil {
					conn, err := dialer.DialContext(t.Context(), "tcp", netip.AddrPortFrom(to, 179).String())
					if err != nil {
						continue
					}
					_ = conn.(*net.TCPConn).SetLinger(0) // ends with a reset, so the port is free again at once
					_ = conn.Close()
				}
				return nil
			}); err != nil {
				t.Error(err)
			}
		})
	}
	t.Cleanup(calling.Wait) // the context ends before
}
