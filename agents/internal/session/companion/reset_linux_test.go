package companion

import (
	"encoding/binary"
	"net/netip"
	"slices"
	"testing"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

const (
	flagRST = 0x04
	flagACK = 0x10
)

// segmentOf returns a packet of a connection, without data.
func segmentOf(from, to netip.AddrPort, flags byte) []byte {
	ip := make([]byte, 20)
	ip[0], ip[8], ip[9] = 0x45, 64, 6
	binary.BigEndian.PutUint16(ip[2:], 40)
	copy(ip[12:], from.Addr().AsSlice())
	copy(ip[16:], to.Addr().AsSlice())
	tcp := make([]byte, 20)
	binary.BigEndian.PutUint16(tcp, from.Port())
	binary.BigEndian.PutUint16(tcp[2:], to.Port())
	tcp[12], tcp[13] = 5<<4, flags
	return slices.Concat(make([]byte, 12), []byte{8, 0}, ip, tcp)
}

// A server that closes a connection while its client still sends resets it: the last packets then find no socket.
func TestWhatArrivesAfterAResetIsNotReported(t *testing.T) {
	space := host(t)
	c, _ := accompanied(t, space)
	one, other := netip.MustParseAddrPort("198.51.100.1:40000"), netip.MustParseAddrPort("198.51.100.1:40001")
	passes := func(name string, frame []byte) (verdict uint32) {
		t.Helper()
		must(t, space.Do(func() (err error) {
			verdict, err = c.collection.Programs[name].Run(&ebpf.RunOptions{Data: frame})
			return err
		}))
		return verdict
	}
	const dropped = 2
	for i, step := range []struct {
		sent  []byte // by the server
		from  netip.AddrPort
		wants uint64 // packets without a connection, in all
	}{
		{nil, one, 1},
		{segmentOf(finds, one, flagRST), one, 1},
		{nil, one, 1},
		{nil, other, 2},
		{segmentOf(finds, other, flagACK), other, 3},
	} {
		if step.sent != nil {
			passes(program.CompanionProgLearnSession, step.sent)
		}
		if verdict := passes(program.CompanionProgAcceptSession, segmentOf(step.from, finds, flagACK)); verdict != dropped {
			t.Errorf("step %d: the server's kernel gets the packet: verdict %d", i, verdict)
		}
		if counts, err := c.Observe(); err != nil || counts.NotMine != step.wants {
			t.Errorf("step %d: %d packets without a connection, want %d, %v", i, counts.NotMine, step.wants, err)
		}
	}
}
