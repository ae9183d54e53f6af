package sockets

import (
	"hash/fnv"
	"net/netip"

	"fairlead.dev/agents/internal/adaptive/sockets/program"
	"fairlead.dev/agents/internal/balancer/datapath"
	bpf "fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// The layouts of the programs, by their names in layout.h.
type (
	serviceKey   = program.SocketsServiceKey
	serviceEntry = program.SocketsService
	placeEntry   = program.SocketsPlace
	backendEntry = program.SocketsBackend
	costEntry    = program.SocketsCost
	use          = program.SocketsUse
	serviceUse   = program.SocketsServiceUse
	listed       = program.SocketsListed
)

func toServiceKey(key datapath.Key) serviceKey {
	out := serviceKey{Port: bpf.Wire(key.Port), Protocol: uint8(key.Protocol)}
	out.Address.Word = bpf.ToAddress(key.Address).Word
	return out
}

func fromServiceKey(key serviceKey) datapath.Key {
	return datapath.Key{Address: addressOf(key.Address.Word), Port: bpf.Wire(key.Port), Protocol: datapath.Protocol(key.Protocol)}
}

func addressOf(word [4]uint32) netip.Addr {
	var address bpf.TcxAddress
	address.Word = word
	return bpf.FromAddress(address)
}

func toBackend(b Backend, place uint32) backendEntry {
	out := backendEntry{Port: bpf.Wire(b.Address.Port()), Weight: b.Weight, Place: uint16(place)}
	out.Address.Word = bpf.ToAddress(b.Address.Addr()).Word
	if b.Up {
		out.Up = 1
	}
	return out
}

func addressOfBackend(entry backendEntry) netip.AddrPort {
	return netip.AddrPortFrom(addressOf(entry.Address.Word), bpf.Wire(entry.Port))
}

// hashOf is how the kernel has a node's name, so that the next agent finds its places again.
func hashOf(node string) uint64 {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(node))
	return hash.Sum64()
}

func openOf(u use) uint64 { return u.Opened - min(u.Opened, u.Closed) }
