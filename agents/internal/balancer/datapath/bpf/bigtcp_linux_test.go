package bpf

import (
	"encoding/binary"
	"testing"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// packetContext is the start of the kernel's __sk_buff, as far as a test sets it.
type packetContext struct {
	_       [164]byte
	GsoSegs uint32
	_       [8]byte
	GsoSize uint32
	_       [12]byte
}

// jumboOption is the hop-by-hop header in which the kernel keeps the length of an IPv6
// packet that is longer than its own field allows.
func jumboOption(length uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte{6, 0, 0xc2, 4}, length)
}

// A packet that the kernel merged, or hasn't split yet, has the length 0 in its header if
// it is longer than 65 535 bytes.
func TestPacketsWithoutALengthAreCarriedIfTheKernelMergedThem(t *testing.T) {
	merged := packetContext{GsoSegs: 2, GsoSize: 1448}
	zero4 := from4(6, 5000, ack, "hello").bytes()
	zero4[16], zero4[17] = 0, 0
	zero6 := from6(6, 5000, ack, "hello").bytes()
	zero6[18], zero6[19] = 0, 0
	jumbo6 := with(from6(6, 5001, ack, "hello"), func(f *frame) { f.firstExtension, f.options = 0, jumboOption(33) }).bytes()
	jumbo6[18], jumbo6[19] = 0, 0
	short4 := from4(6, 5000, ack, "").bytes()[:14+20+12]
	short4[16], short4[17] = 0, 0

	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, newService(service4, 80, datapath.TCP, datapath.Direct, only("a")), newService(service6, 80, datapath.TCP, datapath.Direct, only("b")))
	for _, c := range []struct {
		name    string
		in      []byte
		context packetContext
		verdict uint32
		drops   uint64
	}{
		{"IPv4", zero4, merged, verdictRedirect, 0},
		{"IPv6 with a jumbo option", jumbo6, merged, verdictRedirect, 0},
		{"IPv6 without one", zero6, merged, verdictRedirect, 0},
		{"IPv4, cut off", short4, merged, verdictDrop, 1},
		{"IPv4, a single packet", zero4, packetContext{}, verdictDrop, 1},
		{"IPv6, a single packet", zero6, packetContext{}, verdictDrop, 1},
		{"IPv6, a single packet with a jumbo option", jumbo6, packetContext{}, verdictDrop, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := dropsOf(t, e)["malformed"]
			verdict, err := e.program.Run(&ebpf.RunOptions{Data: c.in, DataOut: make([]byte, 2048), Context: c.context})
			must(t, err)
			if dropped := dropsOf(t, e)["malformed"] - before; verdict != c.verdict || dropped != c.drops {
				t.Errorf("verdict %d with %d drops, want %d with %d", verdict, dropped, c.verdict, c.drops)
			}
		})
	}

	// No driver passes such a packet to XDP: it sees frames as they are on the wire.
	xdp := openAt(t, newPlace(t), XDP, datapath.Options{})
	set(t, xdp, newService(service4, 80, datapath.TCP, datapath.Direct, only("a")))
	verdict, _, err := xdp.program.Test(zero4)
	must(t, err)
	if drops := dropsOf(t, xdp)["malformed"]; verdict != xdpDrop || drops != 1 {
		t.Errorf("XDP: verdict %d with %d drops, want %d with 1", verdict, drops, xdpDrop)
	}
}
