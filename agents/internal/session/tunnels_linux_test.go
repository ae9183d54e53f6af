package session_test

import (
	"context"
	"crypto/tls"
	"errors"
	"net/netip"
	"os"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// Servers on another network than the replicas, as pods are. They have no decapsulator of their own, and
// their agent is killed.
func TestServersTakeTunnelledConnectionsWithAnAgent(t *testing.T) {
	l := newServers(t, datapath.GUE, nginx)
	a := newAgent(t, l)
	a.useKey(t)
	for _, host := range l.network.Backends {
		disown(t, host)
	}
	a.configure(t, 1, l.network.Backends...)
	a.start(t)
	a.isReady(t, 6)
	l.open(t, 0)
	const ipv4 = 0 // of the replica in the config
	l.returns(t, ipv4, tls.VersionTLS13, 8, 2)
	a.kill(t)
	l.returns(t, ipv4, tls.VersionTLS13, 8, 2)
	a.configure(t, 2)
	a.start(t)
	a.isReady(t, 0)
}

// A packet in a tunnel can carry any source address, so only those of replicas are unwrapped.
func TestOnlyReplicasSendThroughTunnels(t *testing.T) {
	l := newLab(t, datapath.GUE, nginx)
	visit := func(within time.Duration) error {
		ctx, cancel := context.WithTimeout(t.Context(), within)
		defer cancel()
		conn, err := l.network.Client.Dial(ctx, "tcp", at(0)) // the replica answers
		must(t, err)
		defer conn.Close()
		must(t, conn.SetDeadline(time.Now().Add(within)))
		return tls.Client(conn, client(tls.VersionTLS13)).Handshake()
	}
	must(t, visit(patience))
	for _, host := range l.network.Backends {
		services := l.accompanied(host.Name)
		for i := range services {
			services[i].Replicas = []netip.AddrPort{netip.MustParseAddrPort("10.77.0.99:7447")}
		}
		must(t, l.companions[host.Name].Set(services))
	}
	if err := visit(2 * time.Second); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a packet of an unknown sender was unwrapped: %v", err)
	}
}
