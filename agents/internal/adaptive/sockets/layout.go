package sockets

import (
	"hash/fnv"
	"net/netip"

	"fairlead.dev/agents/internal/adaptive/program"
	bpf "fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// The layouts of the programs, by their names in sockets.h.
type (
	serviceKey   = program.ServiceKey
	serviceEntry = program.SocketsService
	placeEntry   = program.SocketsPlace
	backendEntry = program.SocketsBackend
	costEntry    = program.SocketsCost
	use          = program.SocketsUse
	serviceUse   = program.SocketsServiceUse
	listed       = program.SocketsListed
)

func toBackend(b Backend, place uint32) backendEntry {
	out := backendEntry{
		Address: program.ToAddress(b.Address.Addr()), Port: bpf.Wire(b.Address.Port()), Weight: b.Weight, Place: uint16(place),
	}
	if b.Up {
		out.Up = 1
	}
	return out
}

func addressOfBackend(entry backendEntry) netip.AddrPort {
	return netip.AddrPortFrom(program.FromAddress(entry.Address), bpf.Wire(entry.Port))
}

// hashOf is how the kernel has a node's name, so that the next agent finds its places again.
func hashOf(node string) uint64 {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(node))
	return hash.Sum64()
}

func openOf(u use) uint64 { return u.Opened - min(u.Opened, u.Closed) }
