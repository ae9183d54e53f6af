package bpf

import (
	"encoding/binary"
	"net/netip"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/lifetime"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// A side's first sequence number.
const clientFirst, serverFirst = 1000, 500_000

// tcp is a segment of a translated connection. Numbers are relative to the first ones.
type tcp struct {
	server   bool
	flags    byte
	seq, ack uint32
	data     int
	scale    byte // offered by a SYN; 0 is none
	window   uint16
}

// handshake is that of nearly every connection.
var handshake = []tcp{{flags: syn, scale: 7}, {server: true, flags: syn | ack, ack: 1, scale: 7}, {flags: ack, seq: 1, ack: 1}}

func after(more ...tcp) []tcp { return append(append([]tcp{}, handshake...), more...) }

// of the connection between client4's port 5000 and backend a, which has ownPort of the replica.
func (s tcp) bytes(ownPort uint16) []byte {
	f := frame{to: ours, from: router, source: client4, dest: service4, protocol: 6}
	from, to := netip.AddrPortFrom(client4, 5000), netip.AddrPortFrom(service4, 80)
	seq, acks := uint32(clientFirst), uint32(serverFirst)
	if s.server {
		f.from, f.source, f.dest = macA, backends4[0], ourIPv4
		from, to = netip.AddrPortFrom(backends4[0], natBackendPort), netip.AddrPortFrom(ourIPv4, ownPort)
		seq, acks = acks, seq
	}
	f.payload = segment(6, from, to, s.flags, string(make([]byte, s.data)))
	if s.scale > 0 {
		options := []byte{2, 4, 5, 0xb4, 4, 2, 8, 10, 0, 0, 0, 1, 0, 0, 0, 0, 1, 3, 3, s.scale} // as Linux sends them
		f.payload = append(f.payload[:20], append(options, f.payload[20:]...)...)
		f.payload[12] = 10 << 4
	}
	binary.BigEndian.PutUint32(f.payload[4:], seq+s.seq)
	if s.flags&ack != 0 {
		binary.BigEndian.PutUint32(f.payload[8:], acks+s.ack)
	}
	if s.window > 0 {
		binary.BigEndian.PutUint16(f.payload[14:], s.window)
	}
	f.payload[16], f.payload[17] = 0, 0
	binary.BigEndian.PutUint16(f.payload[16:], checksum4(6, f.source, f.dest, f.payload))
	return f.bytes()
}

// idle has the effect of this much time without packets.
func idle(t *testing.T, e *Engine, span time.Duration) {
	t.Helper()
	for _, name := range []string{program.TcxMapNatFlows, program.TcxMapNatHalfOpen} {
		for key, flow := range translated(t, e, name) {
			flow.Seen -= uint32(program.Ticks(span))
			must(t, e.maps[name].Put(key, flow))
		}
	}
}

// forgetAll deletes all entries of a table.
func forgetAll[K, V any](t *testing.T, e *Engine, table string) {
	t.Helper()
	must(t, program.EachBatch(e.maps[table], func(keys []K, _ []V) error {
		for _, key := range keys {
			if err := e.maps[table].Delete(key); err != nil {
				return err
			}
		}
		return nil
	}))
}

// forgetFlows makes the engine as it was before any packet.
func forgetFlows(t *testing.T, e *Engine) {
	t.Helper()
	for _, name := range []string{program.TcxMapConnections, program.TcxMapHalfOpen} {
		forgetAll[program.FlowKey, program.FlowEntry](t, e, name)
	}
	for _, name := range []string{program.TcxMapNatFlows, program.TcxMapNatHalfOpen} {
		forgetAll[program.NatKey, program.NatFlow](t, e, name)
	}
	forgetSetups(t, e)
}

// takesPort reports whether another client gets the port when its turn comes.
func takesPort(t *testing.T, e *Engine, port uint16) bool {
	t.Helper()
	var now program.Settings
	must(t, e.maps[program.TcxMapSettingsMap].Lookup(uint32(0), &now))
	must(t, e.maps[program.TcxMapNatTurns].Put(uint32(0), uint32(port-now.NatFirst)-now.NatStart))
	other := from4(6, 6000, syn, "")
	other.source = netip.MustParseAddr("203.0.113.9")
	verdict, out, err := e.program.Test(other.bytes())
	must(t, err)
	if verdict != verdictRedirect {
		t.Fatalf("another client got no port: verdict %d", verdict)
	}
	return binary.BigEndian.Uint16(out[14+20:]) == port
}

// A port goes to another client only after its connection ended for both sides. In these
// times conntrack agrees, or keeps it for longer: see datapathtest.
func TestAPortIsKeptUntilItsConnectionEnded(t *testing.T) {
	const briefly, minutes, long = 3 * time.Second, 4 * time.Minute, 14 * time.Minute
	e := natEngine(t)
	clientFIN, serverFIN := tcp{flags: fin | ack, seq: 1, ack: 1}, tcp{server: true, flags: fin | ack, seq: 1, ack: 1}
	for name, c := range map[string]struct {
		segments   []tcp
		kept, free time.Duration
	}{
		"first packet":                     {[]tcp{handshake[0]}, briefly, 5 * time.Second},
		"refused":                          {[]tcp{handshake[0], {server: true, flags: rst | ack, seq: -serverFirst & 0xffffffff, ack: 1}}, time.Second, briefly},
		"established":                      {after(), long, 17 * time.Minute},
		"client's FIN":                     {after(clientFIN), minutes, 6 * time.Minute},
		"client's FIN is acknowledged":     {after(clientFIN, tcp{server: true, flags: ack, seq: 1, ack: 2}), minutes, 6 * time.Minute},
		"server's FIN":                     {after(serverFIN), minutes, 6 * time.Minute},
		"server's FIN is acknowledged":     {after(serverFIN, tcp{flags: ack, seq: 1, ack: 2}), minutes, 6 * time.Minute},
		"data after the server's FIN":      {after(serverFIN, tcp{flags: ack, seq: 1, ack: 2, data: 100}), minutes, 6 * time.Minute},
		"both FINs, one not acknowledged":  {after(clientFIN, tcp{server: true, flags: fin | ack, seq: 1, ack: 2}), briefly, 33 * time.Second},
		"both FINs":                        {after(clientFIN, tcp{server: true, flags: fin | ack, seq: 1, ack: 2}, tcp{flags: ack, seq: 2, ack: 2}), time.Second, briefly},
		"both FINs at once":                {after(clientFIN, serverFIN, tcp{flags: ack, seq: 2, ack: 2}, tcp{server: true, flags: ack, seq: 2, ack: 2}), time.Second, briefly},
		"client's RST":                     {after(tcp{flags: rst | ack, seq: 1, ack: 1}), time.Second, briefly},
		"client's RST after data":          {after(tcp{flags: ack, seq: 1, ack: 1, data: 500}, tcp{flags: rst, seq: 501}), time.Second, briefly},
		"server's RST":                     {after(tcp{server: true, flags: rst, seq: 1}), time.Second, briefly},
		"RST outside the window":           {after(tcp{flags: rst, seq: 100_000_000}), long, 17 * time.Minute},
		"RST inside the window":            {after(tcp{flags: rst, seq: 100}), long, 17 * time.Minute},
		"RST before the window":            {after(tcp{server: true, flags: rst, seq: 0}), long, 17 * time.Minute},
		"RST, and the side goes on":        {after(tcp{flags: rst, seq: 1}, tcp{flags: ack, seq: 1, ack: 1}), long, 17 * time.Minute},
		"RST, and the other side goes on":  {after(tcp{flags: rst, seq: 1}, tcp{server: true, flags: ack, seq: 1, ack: 1}), time.Second, briefly},
		"FIN, and the side sends more":     {after(clientFIN, tcp{flags: ack, seq: 1, ack: 1, data: 100}), long, 17 * time.Minute},
		"FIN after data that comes late":   {after(tcp{flags: fin | ack, seq: 101, ack: 1}, tcp{flags: ack, seq: 1, ack: 1, data: 100}), minutes, 6 * time.Minute},
		"FIN outside the window":           {after(tcp{flags: fin | ack, seq: 100_000_000, ack: 1}), long, 17 * time.Minute},
		"FIN that acknowledges the future": {after(tcp{flags: fin | ack, seq: 1, ack: 1_000_000}), long, 17 * time.Minute},
		"FIN in a scaled window":           {after(tcp{server: true, flags: fin | ack, seq: 1_000_000, ack: 1}), minutes, 6 * time.Minute},
		"FIN in a window without a scale": {[]tcp{handshake[0], {server: true, flags: syn | ack, ack: 1}, handshake[2],
			{server: true, flags: fin | ack, seq: 1_000_000, ack: 1}}, long, 17 * time.Minute},
		"SYN again, which is ignored":      {after(tcp{flags: syn, seq: 77_000}, tcp{server: true, flags: ack, seq: 1, ack: 1}), long, 17 * time.Minute},
		"SYN again, and the RST it caused": {after(tcp{flags: syn, seq: 77_000}, tcp{server: true, flags: ack, seq: 1, ack: 1}, tcp{flags: rst, seq: 1}), time.Second, briefly},
		"SYN again, which is accepted":     {after(tcp{flags: syn, seq: 77_000}, tcp{server: true, flags: syn | ack, seq: 900_000, ack: 77_001}, tcp{flags: ack, seq: 77_001, ack: 900_001}), long, 17 * time.Minute},
		"SYN again, accepted and ended":    {after(tcp{flags: syn, seq: 77_000}, tcp{server: true, flags: syn | ack, seq: 900_000, ack: 77_001}, tcp{flags: rst, seq: 77_001}), time.Second, briefly},
		"keep-alive after a forged RST":    {after(tcp{flags: rst, seq: 1}, tcp{flags: ack, seq: 0, ack: 1}), long, 17 * time.Minute},
		"half-closed, and a forged SYN":    {after(clientFIN, tcp{flags: syn, seq: 77_000}), minutes, 6 * time.Minute},
		"repeated first packet":            {append([]tcp{handshake[0]}, handshake...), long, 17 * time.Minute},
		"first packet with another number": {append([]tcp{{flags: syn, seq: 9000}}, after(clientFIN)...), minutes, 6 * time.Minute},
		"repeated SYN and ACK after a while": {after(tcp{server: true, flags: ack, seq: 1, ack: 1, data: 1000}, tcp{server: true, flags: syn | ack, ack: 1, scale: 7},
			tcp{flags: fin | ack, seq: 1, ack: 1001}), minutes, 6 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			for _, at := range []struct {
				idle time.Duration
				free bool
			}{{c.kept, false}, {c.free, true}} {
				forgetFlows(t, e)
				port := nextPort(t, e, 0)
				for i, s := range c.segments {
					if verdict, _, err := e.program.Test(s.bytes(port)); err != nil || verdict != verdictRedirect {
						t.Fatalf("segment %d: verdict %d, %v", i, verdict, err)
					}
				}
				idle(t, e, at.idle)
				if got := takesPort(t, e, port); got != at.free {
					t.Errorf("after %v the port is free: %t", at.idle, got)
				}
			}
		})
	}
}

// Its port was reused after two idle seconds, and the server's reply went to another client.
func TestALateReplyToAHalfClosedConnectionReachesItsClient(t *testing.T) {
	e := natEngine(t)
	port := nextPort(t, e, 0)
	for _, s := range after(tcp{flags: fin | ack, seq: 1, ack: 1}) {
		_, _, err := e.program.Test(s.bytes(port))
		must(t, err)
	}
	idle(t, e, 3*time.Second)
	if takesPort(t, e, port) {
		t.Error("another client got its port")
	}
	late := tcp{server: true, flags: ack, seq: 1, ack: 2, data: 100}
	_, out, err := e.program.Test(late.bytes(port))
	must(t, err)
	if to := netip.AddrFrom4([4]byte(out[14+16 : 14+20])); to != client4 {
		t.Errorf("the reply went to %s", to)
	}
	// The client's entry lasts as long.
	key := program.ToFlowKey(datapath.Key{Address: service4, Port: 80, Protocol: datapath.TCP}, netip.AddrPortFrom(client4, 5000))
	known, found, err := program.FindFlow(e.maps, program.TcxMapConnections, key)
	must(t, err)
	if !found || lifetime.IsOver(key, known, program.SeenNow()+uint32(program.Ticks(4*time.Minute))) {
		t.Errorf("the client's entry is deleted early: %+v, %t", known, found)
	}
}
