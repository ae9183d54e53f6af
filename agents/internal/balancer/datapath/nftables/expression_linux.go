package nftables

import (
	"encoding/binary"
	"time"

	"github.com/google/nftables/binaryutil"
	"github.com/google/nftables/expr"
	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"
)

// Registers of four bytes each. Keys and hashed fields are contiguous.
const (
	keyRegister     = unix.NFT_REG32_00 // seven: an IPv6 address, a port, eight bytes of a service
	valueRegister   = unix.NFT_REG32_08 // two
	rowRegister     = unix.NFT_REG32_10
	scratchRegister = unix.NFT_REG32_11
)

// The flags of TCP.
const (
	fin = 0x01
	syn = 0x02
	rst = 0x04
	ack = 0x10
)

// fwd is an expression that google/nftables doesn't have. It embeds an interface because
// expressions can't be implemented outside that module.
type fwd struct {
	expr.Any
	device, address, protocol uint32
}

func marshal(family uint8, expression expr.Any) ([]byte, error) {
	f, ours := expression.(fwd)
	if !ours {
		return expr.Marshal(family, expression)
	}
	attributes := netlink.NewAttributeEncoder()
	attributes.ByteOrder = binary.BigEndian
	attributes.String(unix.NFTA_EXPR_NAME, "fwd")
	attributes.Nested(unix.NFTA_EXPR_DATA, func(a *netlink.AttributeEncoder) error {
		a.Uint32(unix.NFTA_FWD_SREG_DEV, f.device)
		a.Uint32(2 /* NFTA_FWD_SREG_ADDR */, f.address)
		a.Uint32(3 /* NFTA_FWD_NFPROTO */, f.protocol)
		return nil
	})
	return attributes.Encode()
}

// rule joins expressions and lists of them.
func rule(parts ...any) (rule []expr.Any) {
	for _, part := range parts {
		switch part := part.(type) {
		case expr.Any:
			rule = append(rule, part)
		case []expr.Any:
			rule = append(rule, part...)
		}
	}
	return rule
}

func network(offset, length, register uint32) expr.Any {
	return &expr.Payload{Base: expr.PayloadBaseNetworkHeader, Offset: offset, Len: length, DestRegister: register}
}

func transport(offset, length, register uint32) expr.Any {
	return &expr.Payload{Base: expr.PayloadBaseTransportHeader, Offset: offset, Len: length, DestRegister: register}
}

func immediate(register uint32, data []byte) expr.Any {
	return &expr.Immediate{Register: register, Data: data}
}

func equals(register uint32, data ...byte) expr.Any {
	return &expr.Cmp{Op: expr.CmpOpEq, Register: register, Data: data}
}

// masked compares some bits of up to four bytes.
func masked(op expr.CmpOp, register uint32, mask, want []byte) []expr.Any {
	return []expr.Any{
		&expr.Bitwise{SourceRegister: register, DestRegister: register, Len: uint32(len(mask)), Mask: mask, Xor: make([]byte, len(mask))},
		&expr.Cmp{Op: op, Register: register, Data: want},
	}
}

// begins matches only a SYN.
func begins() []expr.Any {
	return rule(transport(13, 1, scratchRegister), masked(expr.CmpOpEq, scratchRegister, []byte{fin | syn | rst | ack}, []byte{syn}))
}

// ends matches FIN and RST, lasts all others.
func ends() []expr.Any { return endFlags(expr.CmpOpNeq) }

func lasts() []expr.Any { return endFlags(expr.CmpOpEq) }

func endFlags(op expr.CmpOp) []expr.Any {
	return rule(transport(13, 1, scratchRegister), masked(op, scratchRegister, []byte{fin | rst}, []byte{0}))
}

// lookup continues with the value if the key is in the map.
func lookup(set string, key, value uint32) expr.Any {
	return &expr.Lookup{SetName: set, SourceRegister: key, DestRegister: value, IsDestRegSet: true}
}

// goTo applies the verdict for a key, and continues if there is none.
func goTo(set string, key uint32) expr.Any { return lookup(set, key, unix.NFT_REG_VERDICT) }

// isIn continues if the key is in the set.
func isIn(set string, key uint32) expr.Any {
	return &expr.Lookup{SetName: set, SourceRegister: key}
}

// learn adds the flow and its backend to a map, or extends its timeout.
func learn(set string, timeout time.Duration) expr.Any {
	return &expr.Dynset{SetName: set, SrcRegKey: keyRegister, SrcRegData: valueRegister, Operation: unix.NFT_DYNSET_OP_UPDATE, Timeout: timeout}
}

// forget deletes the flow from a map. The kernel requires a loaded value although it
// doesn't use it.
func forget(set string) expr.Any {
	const NFT_DYNSET_OP_DELETE = 2
	return &expr.Dynset{SetName: set, SrcRegKey: keyRegister, SrcRegData: valueRegister, Operation: NFT_DYNSET_OP_DELETE}
}

func count(counter string) expr.Any {
	return &expr.Objref{Type: unix.NFT_OBJECT_COUNTER, Name: counter}
}

func verdict(kind expr.VerdictKind, chain string) expr.Any {
	return &expr.Verdict{Kind: kind, Chain: chain}
}

func native(number uint32) []byte { return binaryutil.NativeEndian.PutUint32(number) }
