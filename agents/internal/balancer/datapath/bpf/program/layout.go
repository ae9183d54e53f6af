package program

import (
	"encoding/binary"
	"hash/fnv"
	"math/bits"
	"net/netip"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// The layouts that the programs use, by their names in layout.h and placed.h.
type (
	address       = TcxAddress
	ServiceKey    = TcxServiceKey
	ServiceEntry  = TcxService
	BackendEntry  = TcxBackend
	FlowKey       = TcxFlowKey
	FlowEntry     = TcxFlow
	NatKey        = TcxNatKey
	NatFlow       = TcxNatFlow
	MisplacedFlow = TcxMisplacedFlow
	Counts        = TcxCounts
	Timings       = TcxTimings
	DropCounts    = TcxDropCounts
	DropKey       = TcxDropKey
	TimingKey     = TcxTimingKey
	Settings      = TcxSettings
	Row           = TcxRow
	Table         = TcxTable
	HeldPacket    = TcxHeldPacket
	KeptPacket    = TcxKeptPacket
	BackendWeight = TcxBackendWeight
	SteeredFlow   = TcxSteeredFlow
	Picks         = TcxPicks
	Pick          = TcxPick
)

const (
	BackendKeeps    = uint8(TcxBackendFlagsKEEPS)
	BackendTakes    = uint8(TcxBackendFlagsTAKES)
	BackendResolved = uint8(TcxBackendFlagsRESOLVED)
	BackendUp       = uint8(TcxBackendFlagsUP)
	BackendCounted  = uint8(TcxBackendFlagsCOUNTED)
	NoBackend       = uint16(TcxLimitsNO_BACKEND)

	FlowHeld = uint8(TcxFlowFlagsHELD)

	RowAnnounces = uint8(TcxRowCareANNOUNCE)
	RowWaits     = uint8(TcxRowCareWAIT)
)

// DropReasons are the reasons of drops by their number in the kernel.
var DropReasons = [TcxDropDROPS]string{
	TcxDropDROP_FRAGMENT:   "fragment",
	TcxDropDROP_MALFORMED:  "malformed",
	TcxDropDROP_NO_BACKEND: "no_backend",
	TcxDropDROP_UNRESOLVED: "unresolved",
	TcxDropDROP_TOO_BIG:    "too_big",
	TcxDropDROP_NAT_PORTS:  "nat_ports",
	TcxDropDROP_REWRITE:    "rewrite",
	TcxDropDROP_NOT_KEPT:   "not_kept",
}

// FormerSizes are the sizes of former values that only lacked the last fields.
var FormerSizes = map[string][]uint32{
	TcxMapSettingsMap: {56}, TcxMapConnections: {16}, TcxMapHalfOpen: {16}, TcxMapLearnt: {16},
	TcxMapBackendCounts: {24}, TcxMapRetiredCounts: {24}, TcxMapDrops: {56}, TcxMapNatFlows: {52, 56}, TcxMapNatHalfOpen: {52, 56}}

// FlowMaps are the tables of flows.
var FlowMaps = []string{TcxMapConnections, TcxMapHalfOpen, TcxMapLearnt, TcxMapNatFlows, TcxMapNatHalfOpen}

// Deliveries are the numbers of deliveries in the kernel.
var Deliveries = map[datapath.Delivery]TcxDelivery{
	datapath.Direct: TcxDeliveryDIRECT,
	datapath.Tunnel: TcxDeliveryTUNNEL,
	datapath.GUE:    TcxDeliveryGUE,
	datapath.NAT:    TcxDeliveryNAT,
}

// ToAddress converts to the layout of the maps, in which an IPv4 address is a mapped one.
func ToAddress(a netip.Addr) (out address) {
	bytes := a.As16()
	for i := range out.Word {
		out.Word[i] = binary.NativeEndian.Uint32(bytes[i*4:])
	}
	return out
}

// FromAddress is the inverse of ToAddress.
func FromAddress(a address) netip.Addr {
	var bytes [16]byte
	for i, word := range a.Word {
		binary.NativeEndian.PutUint32(bytes[i*4:], word)
	}
	return netip.AddrFrom16(bytes).Unmap()
}

// IsTunnelled reports a delivery that wraps packets.
func IsTunnelled(delivery uint8) bool {
	return delivery == uint8(TcxDeliveryTUNNEL) || delivery == uint8(TcxDeliveryGUE)
}

// Wire converts a port to network byte order and back. The programs are built for
// little-endian hosts only.
func Wire(port uint16) uint16 { return bits.ReverseBytes16(port) }

// ToServiceKey converts to the layout of the maps.
func ToServiceKey(key datapath.Key) ServiceKey {
	return ServiceKey{Address: ToAddress(key.Address), Port: Wire(key.Port), Protocol: uint8(key.Protocol)}
}

// FromServiceKey is the inverse of ToServiceKey.
func FromServiceKey(key ServiceKey) datapath.Key {
	return datapath.Key{Address: FromAddress(key.Address), Port: Wire(key.Port), Protocol: datapath.Protocol(key.Protocol)}
}

// ToFlowKey returns the key of a client's flow to a service.
func ToFlowKey(service datapath.Key, client netip.AddrPort) FlowKey {
	return FlowKey{
		Client: ToAddress(client.Addr()), ClientPort: Wire(client.Port()),
		Service: ToAddress(service.Address), ServicePort: Wire(service.Port), Protocol: uint8(service.Protocol),
	}
}

// ServiceOf returns the service of a flow.
func ServiceOf(key FlowKey) datapath.Key {
	return datapath.Key{Address: FromAddress(key.Service), Port: Wire(key.ServicePort), Protocol: datapath.Protocol(key.Protocol)}
}

// IsAddress is true for the entry that means "some service has this address".
func IsAddress(key ServiceKey) bool { return key.Port == 0 && key.Protocol == 0 }

// SeedOf returns a seed per service, the same on all replicas.
func SeedOf(key datapath.Key) uint32 {
	hash := fnv.New32a()
	bytes := key.Address.As16()
	_, _ = hash.Write(bytes[:])
	_, _ = hash.Write([]byte{byte(key.Port >> 8), byte(key.Port), byte(key.Protocol)})
	return hash.Sum32()
}

// IdentityOf distinguishes a backend of a service from all others, also from itself at
// another address.
func IdentityOf(key datapath.Key, backend datapath.Backend) uint64 {
	hash := fnv.New64a()
	bytes, own := key.Address.As16(), backend.Address.As16()
	_, _ = hash.Write(bytes[:])
	_, _ = hash.Write([]byte{byte(key.Port >> 8), byte(key.Port), byte(key.Protocol)})
	_, _ = hash.Write(own[:])
	_, _ = hash.Write([]byte{byte(backend.Port >> 8), byte(backend.Port)})
	_, _ = hash.Write([]byte(backend.ID))
	return hash.Sum64()
}

// RowOf is hash_of of hash.h and row_of of choice.h, for the agent.
func RowOf(key FlowKey, seed uint32) uint32 {
	word := key.Client.Word
	high := uint64(word[0]) | uint64(word[1])<<32
	low := uint64(word[2]) | uint64(word[3])<<32
	hash := (high ^ uint64(seed)) * 0x9e3779b97f4a7c15
	hash = (hash ^ hash>>32 ^ low) * 0xbf58476d1ce4e5b9
	hash = (hash ^ hash>>29 ^ uint64(key.ClientPort)) * 0x94d049bb133111eb
	hash ^= hash >> 32
	return uint32((hash & 0xffffffff) * uint64(TcxLimitsROWS) >> 32)
}
