package arrivals

import (
	"github.com/cilium/ebpf/asm"
)

// Offsets on the stack of the filter, below its frame pointer.
const (
	keyAt     = -24 // prefixKey: bits, then the address
	addressAt = keyAt + 4
	macsAt    = -40 // of the frame: to, then from
	firstAt   = -48 // the first byte of the packet
)

const (
	packetType   = 4 // in struct __sk_buff
	packetToHost = 0 // PACKET_HOST
	fromMAC      = 0 // BPF_HDR_START_MAC
	fromNetwork  = 1 // BPF_HDR_START_NET
	hostBits     = 128
	mapped       = 0xffff // of IPv4 in IPv6, both bytes the same
	version4     = 4
	version6     = 6
)

// instructions write the arrival time to the prefix that contains the destination, and accept no
// packet.
func instructions(seen int) asm.Instructions {
	load := func(at int16, offset, size int32, from int32) asm.Instructions {
		return asm.Instructions{
			asm.Mov.Reg(asm.R1, asm.R6),
			asm.Mov.Imm(asm.R2, offset),
			asm.Mov.Reg(asm.R3, asm.RFP), asm.Add.Imm(asm.R3, int32(at)),
			asm.Mov.Imm(asm.R4, size),
			asm.Mov.Imm(asm.R5, from),
			asm.FnSkbLoadBytesRelative.Call(),
			asm.JNE.Imm(asm.R0, 0, "none"),
		}
	}
	var program asm.Instructions
	add := func(more ...asm.Instruction) { program = append(program, more...) }
	add(
		asm.Mov.Reg(asm.R6, asm.R1),
		asm.LoadMem(asm.R7, asm.R6, packetType, asm.Word),
		asm.JNE.Imm(asm.R7, packetToHost, "none"),
	)
	// From this host to itself: not a client's.
	add(load(macsAt, 0, 12, fromMAC)...)
	add(
		asm.LoadMem(asm.R1, asm.RFP, macsAt, asm.Word),
		asm.LoadMem(asm.R2, asm.RFP, macsAt+6, asm.Half),
		asm.LoadMem(asm.R3, asm.RFP, macsAt+8, asm.Half),
		asm.LSh.Imm(asm.R3, 16),
		asm.Or.Reg(asm.R2, asm.R3),
		asm.JNE.Reg(asm.R1, asm.R2, "foreign"),
		asm.LoadMem(asm.R1, asm.RFP, macsAt+4, asm.Half),
		asm.LoadMem(asm.R2, asm.RFP, macsAt+10, asm.Half),
		asm.JEq.Reg(asm.R1, asm.R2, "none"),
		asm.StoreImm(asm.RFP, keyAt, hostBits, asm.Word).WithSymbol("foreign"),
		asm.StoreImm(asm.RFP, addressAt, 0, asm.Word),
		asm.StoreImm(asm.RFP, addressAt+4, 0, asm.Word),
		asm.StoreImm(asm.RFP, addressAt+8, 0, asm.Word),
		asm.StoreImm(asm.RFP, addressAt+12, 0, asm.Word),
	)
	add(load(firstAt, 0, 1, fromNetwork)...)
	add(
		asm.LoadMem(asm.R1, asm.RFP, firstAt, asm.Byte),
		asm.RSh.Imm(asm.R1, 4),
		asm.JEq.Imm(asm.R1, version6, "six"),
		asm.JNE.Imm(asm.R1, version4, "none"),
		asm.StoreImm(asm.RFP, addressAt+10, mapped, asm.Half),
	)
	add(load(addressAt+12, 16, 4, fromNetwork)...)
	add(asm.Ja.Label("look"))
	six := load(addressAt, 24, 16, fromNetwork)
	six[0] = six[0].WithSymbol("six")
	add(six...)
	add(
		asm.LoadMapPtr(asm.R1, seen).WithSymbol("look"),
		asm.Mov.Reg(asm.R2, asm.RFP), asm.Add.Imm(asm.R2, keyAt),
		asm.FnMapLookupElem.Call(),
		asm.JEq.Imm(asm.R0, 0, "none"),
		asm.Mov.Reg(asm.R7, asm.R0),
		asm.FnKtimeGetNs.Call(),
		asm.StoreMem(asm.R7, 8, asm.R0, asm.DWord),
		asm.LoadMem(asm.R1, asm.R7, 0, asm.DWord),
		asm.JNE.Imm(asm.R1, 0, "none"),
		asm.StoreMem(asm.R7, 0, asm.R0, asm.DWord),
		asm.Mov.Imm(asm.R0, 0).WithSymbol("none"),
		asm.Return(),
	)
	return program
}
