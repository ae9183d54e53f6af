package program

import (
	"maps"
	"net/netip"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"
)

// TunnelSource is a key of DecapMapTunnelSources.
type TunnelSource struct {
	Length  uint32
	Address [16]byte
}

// ToTunnelSource returns the key of a network of balancers. Those of IPv4 are below ::ffff:0:0/96.
func ToTunnelSource(prefix netip.Prefix) TunnelSource {
	prefix = prefix.Masked()
	key := TunnelSource{Length: uint32(prefix.Bits()), Address: prefix.Addr().As16()}
	if prefix.Addr().Is4() {
		key.Length += 96
	}
	return key
}

// LoadUnwrap returns the program of backends that removes the outer header of tunnelled packets, with
// only its own maps.
func LoadUnwrap() (*ebpf.CollectionSpec, error) {
	spec, err := LoadDecap()
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(spec.Maps, func(name string, _ *ebpf.MapSpec) bool { // the balancer's
		return name != DecapMapTunnelSources && name != DecapMapTunnelCounts
	})
	spec.Variables = nil
	// The headers after the Ethernet header are not aligned.
	spec.Programs[DecapProgUnwrap].Flags |= unix.BPF_F_ANY_ALIGNMENT
	return spec, nil
}
