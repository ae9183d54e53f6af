package replica

import (
	"bytes"
	"crypto/tls"
	"net"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/steering"
	"fairlead.dev/agents/internal/hello"
	"fairlead.dev/agents/internal/session/cookie"
)

var now = time.Unix(1_800_000_000, 0)

// partFrom is a part of a hello, as the program passes it.
func partFrom(of cookie.Connection, number uint32, data []byte) *steering.Packet {
	frame := frameOf(of, number, 1, flagACK, nil, data)
	packet := &steering.Packet{Frame: frame}
	packet.Key, packet.Length = program.FlowKey{ClientPort: of.Client.Port()}, uint32(len(frame))
	return packet
}

func helloOf(t testing.TB, config *tls.Config) []byte {
	t.Helper()
	client, server := net.Pipe()
	defer server.Close()
	go func() {
		_ = tls.Client(client, config).Handshake()
		client.Close()
	}()
	stream := make([]byte, 64<<10)
	size, err := server.Read(stream)
	if err != nil {
		t.Fatal(err)
	}
	return stream[:size]
}

func TestPartsAreJoinedInAnyOrder(t *testing.T) {
	whole := helloOf(t, &tls.Config{ServerName: "a.example"})
	const start = 0xffffff00 // it passes 0
	third := len(whole) / 3
	parts := [][2]int{{0, third}, {third, 2 * third}, {2 * third, len(whole)}}
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {0, 2, 2, 1}} {
		j := newJoiner()
		var p *partial
		for i, at := range order {
			part := parts[at]
			p = j.add(now, partFrom(connection4, start+uint32(part[0]), whole[part[0]:part[1]]), at == 0)
			_, done := normal(p.stream())
			if last := i == len(order)-1; done != last {
				t.Fatalf("%v: done after %d: %t", order, i+1, done)
			}
		}
		if !bytes.Equal(p.stream(), whole) {
			t.Errorf("%v: another stream", order)
		}
	}
}

// A part that came once isn't acknowledged: should this replica be lost, its client sends it to
// another one. Nothing is acknowledged without the first part.
func TestOnlyWhatCameTwiceIsAcknowledged(t *testing.T) {
	j := newJoiner()
	if p := j.add(now, partFrom(connection4, 100, []byte{22, 3}), true); p.repeated {
		t.Error("a part that came once")
	}
	if p := j.add(now, partFrom(connection4, 102, []byte{1}), false); p.repeated {
		t.Error("a second part")
	}
	if p := j.add(now, partFrom(connection4, 102, []byte{1}), false); p.repeated {
		t.Error("a second part that came twice, and the first only once")
	}
	if p := j.add(now, partFrom(connection4, 100, []byte{22, 3}), true); !p.repeated {
		t.Error("the first part came twice")
	}
}

func TestTheOldestHelloLosesItsParts(t *testing.T) {
	j := newJoiner()
	for i := range hellosMost + 1 {
		of := connection4
		of.Client = netipPort(of.Client, uint16(1000+i))
		j.add(now, partFrom(of, 1, []byte{22}), true)
	}
	if j.begun.list.Len() != hellosMost || len(j.byFlow) != hellosMost {
		t.Errorf("%d hellos are held", j.begun.list.Len())
	}
	if j.byFlow[program.FlowKey{ClientPort: 1000}] != nil {
		t.Error("the oldest hello is held")
	}
}

func TestOneHelloCantUseAllRoom(t *testing.T) {
	j := newJoiner()
	var p *partial
	for i := range 4 * partsMost {
		p = j.add(now, partFrom(connection4, uint32(1+i), []byte{22}), i == 0)
	}
	if len(p.parts) != partsMost {
		t.Errorf("%d parts", len(p.parts))
	}
}

func TestAllHellosCantUseAllMemory(t *testing.T) {
	j := newJoiner()
	for _, isFirst := range []bool{true, false} {
		for i := range 4000 {
			of := connection4
			of.Client = netipPort(of.Client, uint16(1000+i))
			j.add(now, partFrom(of, 1, make([]byte, 16000)), isFirst)
			j.add(now, partFrom(of, 2, make([]byte, 16000)), false)
			j.add(now, partFrom(of, 3, make([]byte, 16000)), false)
		}
	}
	held := 0
	for _, p := range j.byFlow {
		for _, one := range p.parts {
			held += len(one.packet.Frame)
		}
	}
	if held == 0 || held != j.begun.bytes+j.loose.bytes || held > bytesMost+looseBytes {
		t.Errorf("%d bytes are held", held)
	}
}

func TestAPartOutsideOfAHelloIsDropped(t *testing.T) {
	j := newJoiner()
	j.add(now, partFrom(connection4, 100, []byte{22}), true)
	for _, number := range []uint32{99, 100 + helloMost, 1 << 31} {
		if p := j.add(now, partFrom(connection4, number, []byte{1}), false); p != nil {
			t.Errorf("%d: %d parts", number, len(p.parts))
		}
	}
}

// Anyone can forge later parts.
func TestPartsWithoutAFirstOneEvictNoHello(t *testing.T) {
	j := newJoiner()
	first := j.add(now, partFrom(connection4, 100, []byte{22}), true)
	for i := range 2 * hellosMost {
		of := connection4
		of.Client = netipPort(of.Client, uint16(1000+i))
		j.add(now, partFrom(of, 1, []byte{22}), false)
	}
	if j.byFlow[first.key] != first {
		t.Error("a hello whose first part is here was dropped")
	}
	if n := j.loose.list.Len(); n != looseMost {
		t.Errorf("%d hellos without a first part", n)
	}
}

func TestAFirstPartThatDoesNotComeIsLost(t *testing.T) {
	j := newJoiner()
	if p := j.add(now, partFrom(connection4, 100, []byte{1}), false); p.isLost(now) {
		t.Error("it is lost at once")
	}
	if p := j.add(now.Add(3*time.Second), partFrom(connection4, 100, []byte{1}), false); !p.isLost(now.Add(3 * time.Second)) {
		t.Error("after three seconds it isn't lost")
	}
}

func TestAnotherConnectionOnThePortsBeginsAgain(t *testing.T) {
	j := newJoiner()
	j.add(now, partFrom(connection4, 100, []byte{22}), true)
	if p := j.add(now, partFrom(connection4, 1<<30, []byte{22}), true); p.start != 1<<30 || len(p.parts) != 1 {
		t.Errorf("%+v", p)
	}
}

func FuzzNormal(f *testing.F) {
	f.Add(helloOf(f, &tls.Config{ServerName: "a.example", NextProtos: []string{"h2"}}))
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		short, done := normal(stream)
		h, err := hello.Parse(stream, helloMost)
		if err != nil {
			return
		}
		again, err := hello.Parse(short, helloMost)
		if !done || err != nil || again.Size != len(short) || !bytes.Equal(again.SessionID, h.SessionID) {
			t.Fatalf("%+v, %v, from %x", again, err, stream)
		}
		if len(h.Ticket) >= NameBytes && !bytes.Equal(again.Ticket, h.Ticket[:NameBytes]) {
			t.Fatalf("ticket %x", again.Ticket)
		}
		for identity := range h.Identities() {
			found := len(identity) < NameBytes
			for one := range again.Identities() {
				found = found || bytes.Equal(one, identity[:NameBytes])
			}
			if !found {
				t.Fatalf("identity %x is missing", identity)
			}
			break
		}
	})
}
