package bpf

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

func TestAFullTableEvictsTheLongestIdleAndWarns(t *testing.T) {
	for _, hook := range []Hook{TCX, XDP} {
		t.Run(hook.Name, func(t *testing.T) {
			const room = 16384 // smaller tables don't work, because the kernel keeps up to 128 entries per CPU in reserve
			e := openAt(t, newPlace(t), hook, datapath.Options{Connections: room})
			set(t, e, tcpService())
			full := func() bool {
				observed, err := e.Observe(t.Context())
				must(t, err)
				return slices.ContainsFunc(observed.Warnings, func(w string) bool { return strings.HasPrefix(w, "The connection table is full") })
			}
			busy := from4(6, portTo(t, e, "a", 1000), ack, "")
			send(t, e, busy)
			set(t, e, tcpService(inState("a", datapath.Draining))) // so that only the table has the backend
			if full() {
				t.Error("a table with one connection is full")
			}
			for i := range 2 * room {
				f := from4(6, uint16(i), ack, "")
				f.source = netip.AddrFrom4([4]byte{203, byte(i >> 16), byte(i >> 8), byte(i)})
				send(t, e, f)
				if i%8 == 0 {
					if got := send(t, e, busy); got != "a" {
						t.Fatalf("after %d others the busy one went to %q", i, got)
					}
				}
			}
			if n := entries(t, e, program.TcxMapConnections); n > room {
				t.Errorf("%d connections in a table for %d", n, room)
			}
			if !full() {
				t.Errorf("no warning about a full table, with %d", entries(t, e, program.TcxMapConnections))
			}
		})
	}
}
