package userspace

import (
	"encoding/binary"
	"net/netip"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/maglev"
)

// rowOf maps a client to a row of a table, the same on every replica.
func rowOf(key datapath.Key, client netip.AddrPort) int {
	from, to := client.Addr().As16(), key.Address.As16()
	var sum uint64
	for _, word := range [5]uint64{
		binary.BigEndian.Uint64(from[:8]), binary.BigEndian.Uint64(from[8:]),
		binary.BigEndian.Uint64(to[:8]), binary.BigEndian.Uint64(to[8:]),
		uint64(client.Port())<<32 | uint64(key.Port)<<8 | uint64(key.Protocol),
	} {
		sum = mix(sum ^ word)
	}
	return int(sum % maglev.Rows)
}

// mix is the finalizer of splitmix64.
func mix(sum uint64) uint64 {
	sum += 0x9e3779b97f4a7c15
	sum = (sum ^ sum>>30) * 0xbf58476d1ce4e5b9
	sum = (sum ^ sum>>27) * 0x94d049bb133111eb
	return sum ^ sum>>31
}
