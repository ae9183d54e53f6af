package bpf

import (
	"bytes"
	"net/netip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

func flowFrom(port uint16, backend string) datapath.Flow {
	return datapath.Flow{Service: tcpService().Key, Client: netip.AddrPortFrom(client4, port), Backend: backend}
}

func minute() time.Time { return time.Now().Add(time.Minute) }

// A placed connection may be elsewhere than the other replicas would place it.
func TestAPlacedConnectionIsAnnounced(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, tcpService())
	port := settledAt(t, e, "a")
	must(t, e.Steering().Put(flowFrom(port, "b"), minute()))
	if got := send(t, e, from4(6, port, syn, "")); got != "b" {
		t.Errorf("the first packet went to %q", got)
	}
	send(t, e, from4(6, port, ack, ""))
	if placed, err := e.MisplacedNow(t.Context()); err != nil || len(placed) != 1 || placed[0].Backend != "b" {
		t.Errorf("announced: %v (%v), want the one at b", placed, err)
	}
}

// settledAt returns a client's port whose connections belong to a backend by the tables.
func settledAt(t *testing.T, e *Engine, backend string) (port uint16) {
	t.Helper()
	rows, key := rowsOf(t, e, e.model.ByKey[tcpService().Key].Entry.Slot), tcpService().Key
	for port = 1000; rows[program.RowOf(program.ToFlowKey(key, netip.AddrPortFrom(client4, port)), program.SeedOf(key))].Settled != slotOf(e, backend); port++ {
	}
	return port
}

func rowsOf(t *testing.T, e *Engine, slot uint32) [program.TcxLimitsROWS]program.Row {
	t.Helper()
	var id uint32
	must(t, e.maps[program.TcxMapTables].Lookup(slot, &id))
	inner, err := ebpf.NewMapFromID(ebpf.MapID(id))
	must(t, err)
	defer inner.Close()
	table := new(program.Table)
	must(t, inner.Lookup(uint32(0), table))
	return table.Row
}

func slotOf(e *Engine, id string) uint16 {
	return e.published.Names().ByKey[tcpService().Key][id].Slot
}

// Placements are in the kernel, so the next process has them, also with another layout.
func TestTheNextProcessHasThePlacementsAndWeights(t *testing.T) {
	for name, connections := range map[string]int{"of the same layout": 0, "of another layout": 8192} {
		t.Run(name, func(t *testing.T) {
			place, service := newPlace(t), tcpService()
			service.Chooser = datapath.Private
			first := openAt(t, place, TCX, datapath.Options{})
			set(t, first, service)
			must(t, first.Weigh(service.Key, map[string]uint32{"a": 0, "b": 1}))
			must(t, first.Steering().Put(flowFrom(1000, "a"), minute()))
			must(t, first.Close())
			if connections > 0 { // a map that today's layout has more
				must(t, os.Remove(filepath.Join(first.pinned.Folder, program.TcxMapBackendDrops)))
			}
			second := openAt(t, place, TCX, datapath.Options{Connections: connections})
			if got := send(t, second, from4(6, 1000, syn, "")); got != "a" {
				t.Errorf("the placed connection went to %q", got)
			}
			for _, from := range []uint16{2000, 3000} {
				for port := range uint16(20) {
					if got := send(t, second, from4(6, from+port, syn, "")); got != "b" {
						t.Errorf("a connection went to %q, which has no weight", got)
					}
				}
				set(t, second, service) // it has other weights
			}
		})
	}
}

// Another program of the agent can place and hold connections by the pinned map.
func TestAnotherProgramHoldsByThePinnedMap(t *testing.T) {
	for _, hook := range []Hook{TCX, XDP} {
		t.Run(hook.Name, func(t *testing.T) {
			place := newPlace(t)
			e := openAt(t, place, hook, datapath.Options{})
			set(t, e, tcpService())
			theirs, err := ebpf.LoadPinnedMap(filepath.Join(e.pinned.Folder, program.TcxMapSteeredFlows), nil)
			must(t, err)
			defer theirs.Close()
			key := program.ToFlowKey(tcpService().Key, netip.AddrPortFrom(client4, 1000))
			b := e.published.Names().ByKey[tcpService().Key]["b"]
			must(t, theirs.Put(key, program.SteeredFlow{HeldUntil: program.MonotonicAt(minute()), Until: program.MonotonicAt(minute()), Incarnation: b.Incarnation, Slot: b.Slot}))
			packet := from4(6, 1000, ack, "hello")
			if got := send(t, e, packet); got != "" {
				t.Fatalf("a held packet went to %q", got)
			}
			next, released := wireOf(t, place), time.After(100*time.Millisecond) // the agent reads it meanwhile
			<-released
			must(t, e.Steering().Release(flowFrom(1000, "")))
			if out, in := next(macB), packet.bytes(); !bytes.Equal(out[12:], in[12:]) {
				t.Errorf("sent %x, want %x", out, in)
			}
			if got := send(t, e, packet); got != "b" {
				t.Errorf("the next packet went to %q", got)
			}
		})
	}
}

func TestWhatCantBePlacedIsOneClearError(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, tcpService(only("a")))
	for backend, want := range map[string]string{
		"unknown": `place a connection of 198.51.100.7:1000: service 192.0.2.1:80/tcp has no backend "unknown": set it first`,
		"b":       `place a connection of 198.51.100.7:1000: backend "b" of service 192.0.2.1:80/tcp has no connections: make it active or draining`,
	} {
		if err := e.Steering().Put(flowFrom(1000, backend), minute()); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
