package bpf

import (
	"encoding/binary"
	"hash/fnv"
	"math/bits"
	"net/netip"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// The layouts that the programs use, by their names in layout.h.
type (
	address       = TcxAddress
	serviceKey    = TcxServiceKey
	serviceEntry  = TcxService
	backendEntry  = TcxBackend
	flowKey       = TcxFlowKey
	flowEntry     = TcxFlow
	natKey        = TcxNatKey
	natFlow       = TcxNatFlow
	misplacedFlow = TcxMisplacedFlow
	counts        = TcxCounts
	timings       = TcxTimings
	dropCounts    = TcxDropCounts
	dropKey       = TcxDropKey
	timingKey     = TcxTimingKey
	settings      = TcxSettings
	row           = TcxRow
	table         = TcxTable
	heldPacket    = TcxHeldPacket
)

const (
	keeps     = uint8(TcxBackendFlagsKEEPS)
	takes     = uint8(TcxBackendFlagsTAKES)
	resolved  = uint8(TcxBackendFlagsRESOLVED)
	up        = uint8(TcxBackendFlagsUP)
	noBackend = uint16(TcxLimitsNO_BACKEND)

	heldFlag = uint8(TcxFlowFlagsHELD)

	announce = uint8(TcxRowCareANNOUNCE)
	wait     = uint8(TcxRowCareWAIT)
)

// Drops are the reasons by their number in the kernel.
var drops = [TcxDropDROPS]string{
	TcxDropDROP_FRAGMENT:   "fragment",
	TcxDropDROP_MALFORMED:  "malformed",
	TcxDropDROP_NO_BACKEND: "no_backend",
	TcxDropDROP_UNRESOLVED: "unresolved",
	TcxDropDROP_TOO_BIG:    "too_big",
	TcxDropDROP_NAT_PORTS:  "nat_ports",
	TcxDropDROP_REWRITE:    "rewrite",
}

// grown are the sizes of former values that only lacked the last fields.
var grown = map[string][]uint32{TcxMapBackendCounts: {24}, TcxMapRetiredCounts: {24}, TcxMapNatFlows: {52, 56}, TcxMapNatHalfOpen: {52, 56}}

// flowMaps are the tables of flows.
var flowMaps = []string{TcxMapConnections, TcxMapHalfOpen, TcxMapLearnt, TcxMapNatFlows, TcxMapNatHalfOpen}

var deliveries = map[datapath.Delivery]TcxDelivery{
	datapath.Direct: TcxDeliveryDIRECT,
	datapath.Tunnel: TcxDeliveryTUNNEL,
	datapath.GUE:    TcxDeliveryGUE,
	datapath.NAT:    TcxDeliveryNAT,
}

func toAddress(a netip.Addr) (out address) {
	bytes := a.As16()
	for i := range out.Word {
		out.Word[i] = binary.NativeEndian.Uint32(bytes[i*4:])
	}
	return out
}

func fromAddress(a address) netip.Addr {
	var bytes [16]byte
	for i, word := range a.Word {
		binary.NativeEndian.PutUint32(bytes[i*4:], word)
	}
	return netip.AddrFrom16(bytes).Unmap()
}

// isTunnelled reports a delivery that wraps packets.
func isTunnelled(delivery uint8) bool {
	return delivery == uint8(TcxDeliveryTUNNEL) || delivery == uint8(TcxDeliveryGUE)
}

// wire converts a port to network byte order and back. The programs are built for
// little-endian hosts only.
func wire(port uint16) uint16 { return bits.ReverseBytes16(port) }

func toServiceKey(key datapath.Key) serviceKey {
	return serviceKey{Address: toAddress(key.Address), Port: wire(key.Port), Protocol: uint8(key.Protocol)}
}

func fromServiceKey(key serviceKey) datapath.Key {
	return datapath.Key{Address: fromAddress(key.Address), Port: wire(key.Port), Protocol: datapath.Protocol(key.Protocol)}
}

func toFlowKey(service datapath.Key, client netip.AddrPort) flowKey {
	return flowKey{
		Client: toAddress(client.Addr()), ClientPort: wire(client.Port()),
		Service: toAddress(service.Address), ServicePort: wire(service.Port), Protocol: uint8(service.Protocol),
	}
}

// isAddress is true for the entry that means "some service has this address".
func isAddress(key serviceKey) bool { return key.Port == 0 && key.Protocol == 0 }

// seedOf returns a seed per service, the same on all replicas.
func seedOf(key datapath.Key) uint32 {
	hash := fnv.New32a()
	bytes := key.Address.As16()
	_, _ = hash.Write(bytes[:])
	_, _ = hash.Write([]byte{byte(key.Port >> 8), byte(key.Port), byte(key.Protocol)})
	return hash.Sum32()
}

// identityOf distinguishes a backend of a service from all others, also from itself at
// another address.
func identityOf(key datapath.Key, backend datapath.Backend) uint64 {
	hash := fnv.New64a()
	bytes, own := key.Address.As16(), backend.Address.As16()
	_, _ = hash.Write(bytes[:])
	_, _ = hash.Write([]byte{byte(key.Port >> 8), byte(key.Port), byte(key.Protocol)})
	_, _ = hash.Write(own[:])
	_, _ = hash.Write([]byte{byte(backend.Port >> 8), byte(backend.Port)})
	_, _ = hash.Write([]byte(backend.ID))
	return hash.Sum64()
}

// rowOf is hash_of of hash.h and row_of of choice.h, for the agent.
func rowOf(key flowKey, seed uint32) uint32 {
	word := key.Client.Word
	high := uint64(word[0]) | uint64(word[1])<<32
	low := uint64(word[2]) | uint64(word[3])<<32
	hash := (high ^ uint64(seed)) * 0x9e3779b97f4a7c15
	hash = (hash ^ hash>>32 ^ low) * 0xbf58476d1ce4e5b9
	hash = (hash ^ hash>>29 ^ uint64(key.ClientPort)) * 0x94d049bb133111eb
	hash ^= hash >> 32
	return uint32((hash & 0xffffffff) * uint64(TcxLimitsROWS) >> 32)
}
