package replica

import (
	"net"
	"net/netip"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath/bpf"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/session/cookie"
	"fairlead.dev/agents/internal/session/message"
)

// peers are the companions of both backends. Each counts its requests, and answers with one of these kinds.
type peers struct {
	answers  [2]atomic.Uint32 // message.Kind; 0: none
	requests [2]atomic.Uint32
	ignored  atomic.Int32 // so many more queries of ignoredID
}

const ignoredID = 5000

// peersOf gives the backends of the first service companions that know no session id.
func peersOf(t *testing.T, p *place) *peers {
	t.Helper()
	all, services := &peers{}, *copyOf(*p.replica.services.Load())
	for i := range services[0].Backends {
		b := &services[0].Backends[i]
		b.Companion = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 9, 0, byte(20 + i)}), 7446)
		if output, err := p.lan.Run(t.Context(), "ip", "address", "add", b.Companion.Addr().String()+"/24", "dev", "eth0"); err != nil {
			t.Fatalf("%v: %s", err, output)
		}
		var socket *net.UDPConn
		must(t, p.lan.Do(func() (err error) {
			socket, err = net.ListenUDP("udp", net.UDPAddrFromAddrPort(b.Companion))
			return err
		}))
		t.Cleanup(func() { _ = socket.Close() })
		all.answers[i].Store(uint32(message.HasNotID))
		go all.answer(i, b.ID, services[0], socket)
	}
	must(t, p.replica.Set(services))
	return all
}

func (all *peers) answer(i int, backend string, service Service, socket *net.UDPConn) {
	buffer := make([]byte, 2048)
	for {
		n, from, err := socket.ReadFromUDPAddrPort(buffer)
		if err != nil {
			return
		}
		m, err := message.OpenAny(service.Keys.Messages(), time.Now(), buffer[:n])
		if err != nil || m.Kind != message.FindID {
			continue
		}
		all.requests[i].Add(1)
		if i == 0 && m.IDs[0] == idOf(bpf.Place{}, ignoredID).Id && all.ignored.Add(-1) >= 0 {
			continue
		}
		if kind := message.Kind(all.answers[i].Load()); kind != 0 {
			m.Kind, m.Backend, m.Ages = kind, backend, []time.Duration{time.Minute}
			_, _ = socket.WriteToUDPAddrPort(message.Seal(service.Keys.Current.Message, time.Now(), m), from)
		}
	}
}

// resuming returns a hello of TLS 1.2 that names a session by an id.
func resuming(id string) []byte {
	body := slices.Concat([]byte{3, 3}, make([]byte, 32), vector(1, []byte(id)), []byte{0, 2, 0xc0, 0x2f, 1, 0})
	return slices.Concat([]byte{22, 3, 1}, vector(2, slices.Concat([]byte{1}, vector(3, body))))
}

// sends sends the first data of a connection, and reports whether the program placed it.
func (p *place) sends(t *testing.T, of cookie.Connection, data []byte) bool {
	t.Helper()
	const syn = 1000
	baked := cookie.Bake(p.keys.Current.Cookie, of, syn, epochNow(t), cookie.Options{MSS: 1460, Scale: 7})
	_, sent := p.pass(t, frameOf(of, syn+1, baked+1, flagACK, nil, data))
	return sent
}

// placedAt waits until a connection is placed, and returns its backend.
func (p *place) placedAt(t *testing.T, of cookie.Connection) string {
	t.Helper()
	service, flow := keyOf(of)
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		var entry program.SteeredFlow
		if p.replica.joint.Maps[program.TcxMapSteeredFlows].Lookup(flow, &entry) != nil || entry.Incarnation == 0 {
			continue
		}
		for _, backend := range []string{"a", "b"} {
			if at, _ := p.replica.joint.PlaceOf(service, backend); at.Slot == entry.Slot {
				return backend
			}
		}
	}
	t.Fatal("it isn't placed")
	return ""
}

// from returns a connection of another client.
func (p *place) from() cookie.Connection {
	p.port++
	of := connection4
	of.Client = netipPort(of.Client, p.port)
	return of
}
