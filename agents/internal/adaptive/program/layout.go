package program

import (
	"net/netip"

	"fairlead.dev/agents/internal/balancer/datapath"
	bpf "fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// The layouts that several programs use, by their names in address.h and costs.h.
type (
	Address    = SocketsAddress
	ServiceKey = SocketsServiceKey
	EntryKey   = SocketsEntryKey
	EntryFlow  = SocketsEntryFlow
	EntryUse   = SocketsEntryUse
	EndedFlow  = SocketsEndedFlow
)

// LastNumber is the highest number of a service. The first is 1.
const LastNumber = uint16(SocketsServiceNumbersSERVICE_NUMBERS - 1)

// ToAddress converts to the layout of the maps, in which an IPv4 address is a mapped one.
func ToAddress(a netip.Addr) Address { return Address{Word: bpf.ToAddress(a).Word} }

// FromAddress is the inverse of ToAddress.
func FromAddress(a Address) netip.Addr { return bpf.FromAddress(bpf.TcxAddress{Word: a.Word}) }

// ToServiceKey converts to the layout of the maps.
func ToServiceKey(key datapath.Key) ServiceKey {
	return ServiceKey{Address: ToAddress(key.Address), Port: bpf.Wire(key.Port), Protocol: uint8(key.Protocol)}
}

// FromServiceKey is the inverse of ToServiceKey.
func FromServiceKey(key ServiceKey) datapath.Key {
	return datapath.Key{Address: FromAddress(key.Address), Port: bpf.Wire(key.Port), Protocol: datapath.Protocol(key.Protocol)}
}
