package bpf

import (
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"os"
	"sync/atomic"
	"testing"

	"github.com/vishvananda/netlink"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
)

// The environment of the programs' tests: a pod with one interface, whose neighbours'
// link addresses are known.
var (
	ours      = net.HardwareAddr{2, 0, 0, 0, 0, 1}
	router    = net.HardwareAddr{2, 0, 0, 0, 0, 2}
	macA      = net.HardwareAddr{2, 0, 0, 0, 0, 0xa}
	macB      = net.HardwareAddr{2, 0, 0, 0, 0, 0xb}
	ourIPv4   = netip.MustParseAddr("10.9.0.1")
	ourIPv6   = netip.MustParseAddr("fd09::1")
	client4   = netip.MustParseAddr("198.51.100.7")
	client6   = netip.MustParseAddr("2001:db8:c::7")
	service4  = netip.MustParseAddr("192.0.2.1")
	service6  = netip.MustParseAddr("2001:db8::1")
	backends4 = [2]netip.Addr{netip.MustParseAddr("10.9.0.10"), netip.MustParseAddr("10.9.0.11")}
	backends6 = [2]netip.Addr{netip.MustParseAddr("fd09::10"), netip.MustParseAddr("fd09::11")}
)

var places atomic.Int32

// newPlace creates a namespace with an eth0 as above.
func newPlace(t testing.TB) *netspace.Space {
	t.Helper()
	privileged.Need(t)
	number := places.Add(1)
	var ends [2]*netspace.Space
	for i, name := range []string{"lb", "lan"} {
		space, err := netspace.New(fmt.Sprintf("flbpf%d-%d%s", os.Getpid(), number, name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = space.Delete() })
		ends[i] = space
	}
	must(t, netspace.Connect(
		netspace.End{Space: ends[0], Interface: "eth0", MAC: ours, Addresses: []netip.Prefix{netip.PrefixFrom(ourIPv4, 24), netip.PrefixFrom(ourIPv6, 64)}},
		netspace.End{Space: ends[1], Interface: "eth0", MAC: router},
	))
	eth0, err := ends[0].Links().LinkByName("eth0")
	must(t, err)
	for ip, mac := range map[netip.Addr]net.HardwareAddr{backends4[0]: macA, backends4[1]: macB, backends6[0]: macA, backends6[1]: macB} {
		must(t, ends[0].Links().NeighSet(&netlink.Neigh{LinkIndex: eth0.Attrs().Index, IP: ip.AsSlice(), HardwareAddr: mac, State: netlink.NUD_PERMANENT}))
	}
	return ends[0]
}

// openAt opens an engine in a place and removes it at the end.
func openAt(t testing.TB, place *netspace.Space, hook Hook, options datapath.Options) *Engine {
	t.Helper()
	options.Interface = "eth0"
	if options.Name == "" {
		options.Name = place.Name
	}
	if options.Connections == 0 {
		options.Connections = 4096
	}
	var e *Engine
	must(t, place.Do(func() (err error) {
		e, err = Open(hook, options)
		return err
	}))
	t.Cleanup(func() { _ = e.Remove() })
	return e
}

func set(t testing.TB, e *Engine, services ...datapath.Service) int {
	t.Helper()
	changes, err := datapath.Whole(e.Set(t.Context(), services))
	must(t, err)
	return changes
}

// natBackendPort is the port of backends of translated services.
const natBackendPort = 8080

// newService returns a service with two backends, both active and up unless changed.
func newService(address netip.Addr, port uint16, protocol datapath.Protocol, delivery datapath.Delivery, changes ...func(*datapath.Backend)) datapath.Service {
	own, to := backends4, port
	if address.Is6() {
		own = backends6
	}
	if delivery == datapath.NAT {
		to = natBackendPort
	}
	s := datapath.Service{Key: datapath.Key{Address: address, Port: port, Protocol: protocol}, Delivery: delivery}
	for i, id := range []string{"a", "b"} {
		b := datapath.Backend{ID: id, Address: own[i], Port: to, Weight: 1, State: datapath.Active, Up: true}
		for _, change := range changes {
			change(&b)
		}
		s.Backends = append(s.Backends, b)
	}
	return s
}

func only(id string) func(*datapath.Backend) {
	return func(b *datapath.Backend) {
		if b.ID != id {
			b.State = datapath.Inactive
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// frame builds packets as a sender would send them.
type frame struct {
	to, from         net.HardwareAddr
	source, dest     netip.Addr
	protocol         byte
	hops             byte
	options          []byte // of IPv4, or extension headers of IPv6 with next header set
	firstExtension   byte
	fragment         uint16 // flags and offset of IPv4
	payload          []byte // of layer 3
	id               uint16
	brokenIP, noTail bool
}

func (f frame) bytes() []byte {
	out := append(append([]byte{}, f.to...), f.from...)
	if f.hops == 0 {
		f.hops = 64
	}
	if f.source.Is4() {
		out = append(out, 0x08, 0x00)
		return append(append(out, ipv4Header(f)...), f.payload...)
	}
	out = append(out, 0x86, 0xdd)
	next := f.protocol
	if len(f.options) > 0 {
		next = f.firstExtension
	}
	header := make([]byte, 40)
	header[0] = 0x60
	binary.BigEndian.PutUint16(header[4:], uint16(len(f.options)+len(f.payload)))
	header[6], header[7] = next, f.hops
	copy(header[8:], f.source.AsSlice())
	copy(header[24:], f.dest.AsSlice())
	return append(append(append(out, header...), f.options...), f.payload...)
}

func ipv4Header(f frame) []byte {
	header := make([]byte, 20, 60)
	header = append(header, f.options...)
	header[0] = 0x40 | byte(len(header)/4)
	binary.BigEndian.PutUint16(header[2:], uint16(len(header)+len(f.payload)))
	binary.BigEndian.PutUint16(header[4:], f.id)
	binary.BigEndian.PutUint16(header[6:], f.fragment)
	header[8], header[9] = f.hops, f.protocol
	copy(header[12:], f.source.AsSlice())
	copy(header[16:], f.dest.AsSlice())
	binary.BigEndian.PutUint16(header[10:], ^sum16(header))
	return header
}

// segment returns a TCP or UDP segment with a valid checksum.
func segment(protocol byte, source, dest netip.AddrPort, flags byte, data string) []byte {
	size := 20
	if protocol == 17 {
		size = 8
	}
	out := make([]byte, size, size+len(data))
	binary.BigEndian.PutUint16(out[0:], source.Port())
	binary.BigEndian.PutUint16(out[2:], dest.Port())
	at := 6
	if protocol == 6 {
		seq := uint32(1001)
		if flags&syn != 0 {
			seq-- // a SYN uses one number
		}
		binary.BigEndian.PutUint32(out[4:], seq)
		out[12], out[13], at = 5<<4, flags, 16
		binary.BigEndian.PutUint16(out[14:], 65000)
	} else {
		binary.BigEndian.PutUint16(out[4:], uint16(size+len(data)))
	}
	out = append(out, data...)
	binary.BigEndian.PutUint16(out[at:], checksum4(protocol, source.Addr(), dest.Addr(), out))
	return out
}

// checksum4 calculates the layer 4 checksum; its field must be 0.
func checksum4(protocol byte, source, dest netip.Addr, segment []byte) uint16 {
	pseudo := append(append([]byte{}, source.AsSlice()...), dest.AsSlice()...)
	pseudo = binary.BigEndian.AppendUint32(pseudo, uint32(len(segment)))
	pseudo = append(pseudo, 0, 0, 0, protocol)
	return ^sum16(append(pseudo, segment...))
}

func sum16(data []byte) uint16 {
	var sum uint32
	for i := 0; i < len(data); i += 2 {
		word := uint32(data[i]) << 8
		if i+1 < len(data) {
			word |= uint32(data[i+1])
		}
		sum += word
	}
	for sum > 0xffff {
		sum = sum&0xffff + sum>>16
	}
	return uint16(sum)
}

const (
	fin = 0x01
	syn = 0x02
	rst = 0x04
	ack = 0x10
)
