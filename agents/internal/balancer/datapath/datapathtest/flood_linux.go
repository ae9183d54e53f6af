package datapathtest

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// floods sends many times more first packets than the engine has room for, from addresses
// that never answer. Existing connections stay, and new ones get through afterwards.
func floods(t *testing.T, tr *trial) {
	const room, packets, comesWithin = 1024, 20_000, 5 * time.Second
	options := tr.options(t)
	options.Connections = room
	p := tr.openIn(t, 0, options)
	service := tr.service(ipv4, datapath.TCP)
	put(t, p, service)
	opened := tr.connectTo(t, service, "a", "b", "c")
	tr.flood(t, service.Key, packets)
	for backend, conn := range opened {
		if answer, err := conn.Request(); err != nil || answer.Backend != backend {
			t.Errorf("a connection to %s is lost: %+v, %v", backend, answer, err)
		}
	}
	began := time.Now()
	for {
		_, err := tr.client().RequestOnce(service.Key)
		if err == nil {
			break
		}
		if time.Since(began) > comesWithin {
			t.Fatalf("no connection succeeds %v after the flood: %v", time.Since(began), err)
		}
	}
	t.Logf("the next connection succeeded after %v", time.Since(began))
}

// flood sends first TCP packets from this many forged addresses, limited to what the
// processor's queue holds: all namespaces of the machine share it, and overflows would
// affect other tests, too. Packets of the flood aren't repeated, so one in a hundred may
// be lost on a busy machine.
func (tr *trial) flood(t *testing.T, key datapath.Key, packets int) {
	t.Helper()
	const atOnce, arrivesWithin, oneIn = 100, time.Second, 100
	counters := tr.openCounters(t)
	before := counters.segmentsIn(t)
	lost := 0
	for sent := 0; sent < packets; {
		next := min(sent+atOnce, packets)
		must(t, tr.client().sendFirst(key, sent, next))
		sent = next
		for began := time.Now(); ; time.Sleep(100 * time.Microsecond) {
			missing := sent - (counters.segmentsIn(t) - before)
			if missing <= lost {
				break
			}
			if time.Since(began) > arrivesWithin {
				lost = missing
			}
			if lost > packets/oneIn {
				t.Fatalf("%d of %d packets of the flood are lost", lost, sent)
			}
		}
	}
	t.Logf("%d of %d packets of the flood are lost", lost, packets)
}

// sendFirst sends the first packets of this many connections, each from its own address.
func (c Client) sendFirst(key datapath.Key, from, to int) error {
	return do(c.Space, func() error {
		socket, err := unix.Socket(unix.AF_INET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.IPPROTO_RAW)
		if err != nil {
			return fmt.Errorf("open a raw socket: %w", err)
		}
		defer unix.Close(socket)
		at := &unix.SockaddrInet4{Addr: key.Address.As4()}
		for i := from; i < to; i++ {
			client := netip.AddrFrom4([4]byte{198, 18, byte(i >> 8), byte(i)})
			if err := unix.Sendto(socket, segment{from: netip.AddrPortFrom(client, uint16(1024+i%60000)), to: netip.AddrPortFrom(key.Address, key.Port), flags: synFlag}.bytes(), 0, at); err != nil {
				return fmt.Errorf("send a forged packet: %w", err)
			}
		}
		return nil
	})
}
