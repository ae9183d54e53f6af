package clients

import (
	"encoding/binary"
	"fmt"
	"net/netip"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// headersMost is how much of a packet is read, from the link header on: enough for all headers that
// parse reads, unless extension headers are long.
const headersMost = 256

const (
	ethernetAddress = 6
	ethernetHeader  = 14

	fromNetwork = 0xfff00000 // SKF_NET_OFF of linux/filter.h: relative to the IP header
)

// selectNone is a filter that rejects all packets.
var selectNone = []bpf.Instruction{bpf.RetConstant{Val: 0}}

// selectOneIn returns a filter for one of oneIn packets to these addresses, at random. The random
// number comes before the addresses, so that most packets pass few instructions.
func selectOneIn(oneIn uint32, addresses []netip.Addr, ethernet bool) []bpf.Instruction {
	f, network := filter{}, uint32(fromNetwork)
	if ethernet {
		network = ethernetHeader // reads also what is not in the packet's linear part
	}
	f.require(bpf.LoadExtension{Num: bpf.ExtType}, unix.PACKET_HOST)
	f.require(bpf.LoadExtension{Num: bpf.ExtVLANTagPresent}, 0)
	if ethernet {
		f.rejectOwn()
	}
	f.add(bpf.LoadExtension{Num: bpf.ExtRand}, bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: oneIn - 1}, rejectUnless(0), reject)
	four, six := lastWords(addresses)
	f.family(unix.ETH_P_IP, network+9, []uint32{unix.IPPROTO_TCP, unix.IPPROTO_UDP}, network+16, four)
	f.family(unix.ETH_P_IPV6, network+6, []uint32{unix.IPPROTO_TCP, unix.IPPROTO_UDP, hopByHop, routing, fragmentHeader, destinationOptions}, network+36, six)
	f.add(reject)
	return f
}

// lastWords returns the last four bytes of the addresses of each family. For IPv6 that is only a
// selection: serviceOf compares the whole address.
func lastWords(addresses []netip.Addr) (four, six []uint32) {
	for _, address := range addresses {
		bytes := address.AsSlice()
		word := binary.BigEndian.Uint32(bytes[len(bytes)-4:])
		if address.Is4() {
			four = append(four, word)
		} else {
			six = append(six, word)
		}
	}
	return four, six
}

type filter []bpf.Instruction

var (
	accept = bpf.RetConstant{Val: headersMost}
	reject = bpf.RetConstant{Val: 0}
)

// rejectUnless continues behind the next instruction, a rejection, if the value is this one.
func rejectUnless(value uint32) bpf.Instruction {
	return bpf.JumpIf{Cond: bpf.JumpEqual, Val: value, SkipTrue: 1}
}

func (f *filter) add(more ...bpf.Instruction) { *f = append(*f, more...) }

func (f *filter) require(load bpf.Instruction, value uint32) {
	f.add(load, rejectUnless(value), reject)
}

// rejectOwn rejects frames that this host sends to itself, whose source and destination are the same.
func (f *filter) rejectOwn() {
	same := func(offset uint32, size int, otherwise uint8) {
		f.add(
			bpf.LoadAbsolute{Off: offset, Size: size}, bpf.TAX{},
			bpf.LoadAbsolute{Off: ethernetAddress + offset, Size: size},
			bpf.JumpIfX{Cond: bpf.JumpNotEqual, SkipTrue: otherwise},
		)
	}
	same(0, 4, 5) // behind the rejection
	same(4, 2, 1)
	f.add(reject)
}

// family accepts packets of a family to its addresses, by protocol numbers at one offset and the
// last word of the destination at another.
func (f *filter) family(etherType, protocolAt uint32, protocols []uint32, wordAt uint32, words []uint32) {
	var body filter
	body.add(bpf.LoadAbsolute{Off: protocolAt, Size: 1})
	body.oneOf(protocols)
	body.add(reject, bpf.LoadAbsolute{Off: wordAt, Size: 4})
	body.oneOf(words)
	body.add(reject, accept)
	f.add(
		bpf.LoadExtension{Num: bpf.ExtProto},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: etherType, SkipTrue: 1},
		bpf.Jump{Skip: uint32(len(body))},
	)
	f.add(body...)
}

// oneOf skips the next instruction, a rejection, if the value is one of these. There are at most
// servicesMost, so that a jump reaches the end.
func (f *filter) oneOf(values []uint32) {
	for i, value := range values {
		f.add(bpf.JumpIf{Cond: bpf.JumpEqual, Val: value, SkipTrue: uint8(len(values) - i)})
	}
}

func (t *socketTap) attach(instructions []bpf.Instruction) error {
	raw, err := bpf.Assemble(instructions)
	if err != nil {
		return fmt.Errorf("assemble the filter: %w", err)
	}
	program := make([]unix.SockFilter, len(raw))
	for i, one := range raw {
		program[i] = unix.SockFilter{Code: one.Op, Jt: one.Jt, Jf: one.Jf, K: one.K}
	}
	err = unix.SetsockoptSockFprog(t.socket, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]})
	if err != nil {
		return fmt.Errorf("filter packets: %w", err)
	}
	return nil
}
