package bpf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"net"
	"net/netip"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func openDecapAt(t testing.TB) *Decap {
	t.Helper()
	var d *Decap
	must(t, newPlace(t).Do(func() (err error) {
		d, err = OpenDecap("eth0", []netip.Prefix{netip.MustParsePrefix("10.9.0.2/31"), netip.MustParsePrefix("fd09::/64")})
		return err
	}))
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// tunnelled returns a client's packet in the tunnel of a balancer.
func tunnelled(protocol byte, content []byte, change func(*frame)) frame {
	outer := frame{to: ours, from: router, source: netip.MustParseAddr("10.9.0.2"), dest: ourIPv4, protocol: protocol, payload: content}
	if protocol == 41 || len(content) > 8 && content[8]>>4 == 6 {
		outer.source, outer.dest = netip.MustParseAddr("fd09::2"), ourIPv6
	}
	if change != nil {
		change(&outer)
	}
	return outer
}

// gue returns a UDP header for GUE without extension fields, and its content.
func gue(port uint16, content []byte) []byte {
	header := binary.BigEndian.AppendUint16(nil, 50_000)
	header = binary.BigEndian.AppendUint16(header, port)
	header = binary.BigEndian.AppendUint16(header, uint16(8+len(content)))
	return append(append(header, 0, 0), content...)
}

func TestTunnelsEndAtTheBackend(t *testing.T) {
	d := openDecapAt(t)
	inner4, inner6 := from4(6, 5000, syn, "hello").bytes(), from6(17, 5000, 0, "hello").bytes()
	ethernet := func(packet []byte) []byte { // as it arrived
		return append(append(append(net.HardwareAddr{}, ours...), router...), packet[12:]...)
	}
	for _, c := range []struct {
		name string
		in   frame
		out  []byte // nil: unchanged
	}{
		{"IPv4 in IPv4", tunnelled(4, inner4[14:], nil), ethernet(inner4)},
		{"IPv6 in IPv6", tunnelled(41, inner6[14:], nil), ethernet(inner6)},
		{"IPv4 in GUE", tunnelled(17, gue(6080, inner4[14:]), nil), ethernet(inner4)},
		{"IPv6 in GUE", tunnelled(17, gue(6080, inner6[14:]), nil), ethernet(inner6)},
		{"another port of UDP", tunnelled(17, gue(6081, inner4[14:]), nil), nil},
		{"GUE with fields of its own", tunnelled(17, gue(6080, []byte{0, 4, 0, 0, 1, 2, 3, 4}), nil), nil},
		{"a part of a tunnelled packet", tunnelled(4, inner4[14:], func(f *frame) { f.fragment = 0x2000 }), nil},
		{"a tunnel with options", tunnelled(4, inner4[14:], func(f *frame) { f.options = []byte{1, 1, 1, 0} }), nil},
		{"a tunnel of an unknown sender", tunnelled(4, inner4[14:], func(f *frame) { f.source = netip.MustParseAddr("10.9.0.4") }), nil},
		{"GUE of an unknown sender", tunnelled(17, gue(6080, inner6[14:]), func(f *frame) { f.source = netip.MustParseAddr("fd0a::2") }), nil},
		{"an unknown sender as an IPv4 balancer", tunnelled(41, inner6[14:], func(f *frame) { f.source = netip.AddrFrom16(netip.MustParseAddr("10.9.0.2").As16()) }), nil},
		{"no tunnel", from4(6, 5000, syn, "hello"), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := c.in.bytes()
			if c.out == nil {
				c.out = in
			}
			verdict, out, err := d.program().Test(in)
			must(t, err)
			if verdict != verdictNext || !bytes.Equal(out, c.out) {
				t.Errorf("verdict %d\nin   %x\nout  %x\nwant %x", verdict, in, out, c.out)
			}
		})
	}
	if unwrapped, fromOthers, err := d.Counts(); unwrapped != 4 || fromOthers != 3 || err != nil {
		t.Errorf("%d unwrapped, %d from others, %v, want 4 and 3", unwrapped, fromOthers, err)
	}
}

func TestNoOrTooManyTrustedSourcesAreRejected(t *testing.T) {
	if _, err := OpenDecap("lo", nil); err == nil || !strings.Contains(err.Error(), "give 1 to 1024") {
		t.Errorf("%v", err)
	}
	must(t, newPlace(t).Do(func() error {
		_, err := OpenDecap("eth0", []netip.Prefix{netip.MustParsePrefix("::/8")})
		if err == nil || !strings.Contains(err.Error(), "also contains IPv4 addresses") {
			t.Errorf("%v", err)
		}
		return nil
	}))
}

func FuzzDecap(f *testing.F) {
	inner4, inner6 := from4(6, 5000, syn, "hello").bytes(), from6(17, 5000, 0, "hello").bytes()
	for _, seed := range []frame{
		tunnelled(4, inner4[14:], nil), tunnelled(41, inner6[14:], nil),
		tunnelled(17, gue(6080, inner4[14:]), nil), tunnelled(17, gue(6080, inner6[14:]), nil), from4(17, 5000, 0, ""),
	} {
		f.Add(seed.bytes())
	}
	d := openDecapAt(f)
	f.Fuzz(func(t *testing.T, in []byte) {
		verdict, out, err := d.program().Test(in)
		if errors.Is(err, unix.EINVAL) {
			return // too short for the kernel to be a packet
		}
		must(t, err)
		size := tunnelSize(in)
		if verdict == verdictDrop && size > 0 {
			return // the content isn't a packet
		}
		if want := append(append([]byte{}, in[:14]...), in[14+size:]...); verdict != verdictNext || !bytes.Equal(out, want) {
			t.Fatalf("verdict %d\nin   %x\nout  %x\nwant %x", verdict, in, out, want)
		}
	})
}

// tunnelSize calculates the size of the outer headers independently of the program.
func tunnelSize(in []byte) int {
	at, version, plain := 34, byte(4), byte(4)
	believed := func(from []byte) bool { return bytes.HasPrefix(from, []byte{0xfd, 9, 0, 0, 0, 0, 0, 0}) }
	switch binary.BigEndian.Uint16(in[12:]) {
	case 0x0800:
		if len(in) < at || in[14]&0xf != 5 || binary.BigEndian.Uint16(in[20:])&0x3fff != 0 {
			return 0
		}
		believed = func(from []byte) bool { return bytes.Equal(from[:3], []byte{10, 9, 0}) && from[3]|1 == 3 }
	case 0x86dd:
		at, version, plain = 54, 6, 41
		if len(in) < at {
			return 0
		}
	default:
		return 0
	}
	protocol, source := in[at-11], in[26:] // of IPv4
	if version == 6 {
		protocol, source = in[20], in[22:]
	}
	if !believed(source) {
		return 0
	}
	switch {
	case protocol == plain:
		return at - 14
	case protocol == 17 && len(in) > at+8 && binary.BigEndian.Uint16(in[at+2:]) == 6080 && in[at+8]>>4 == version:
		return at - 14 + 8
	}
	return 0
}
