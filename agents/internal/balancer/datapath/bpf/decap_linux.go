package bpf

import (
	"fmt"
	"maps"
	"net/netip"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"github.com/cilium/ebpf/rlimit"
)

// Decap takes the outer header off tunnelled packets, at a backend. The kernel
// accepts what is inside only if the address is the backend's own. Several may be
// at one interface: one follows another without a gap.
type Decap struct {
	collection *ebpf.Collection
	link       link.Link
}

// OpenDecap begins at an interface of the namespace in which it is called. Only
// what comes from the given addresses is taken out of its tunnel.
func OpenDecap(interfaceName string, from []netip.Prefix) (*Decap, error) {
	if len(from) == 0 || len(from) > int(TcxLimitsTUNNEL_SOURCES) {
		return nil, fmt.Errorf("%d networks of balancers: give 1 to %d", len(from), TcxLimitsTUNNEL_SOURCES)
	}
	if err := rlimit.RemoveMemlock(); err != nil {
		return nil, fmt.Errorf("lift the limit of locked memory: %w", err)
	}
	network, err := openNetwork(interfaceName)
	if err != nil {
		return nil, err
	}
	defer network.Close()
	spec, err := LoadDecap()
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(spec.Maps, func(name string, _ *ebpf.MapSpec) bool { // the balancer's
		return name != DecapMapTunnelSources && name != DecapMapTunnelCounts
	})
	spec.Variables = nil
	collection, err := ebpf.NewCollection(spec)
	if err != nil {
		return nil, TCX.refused("load the program of backends", err)
	}
	d := &Decap{collection: collection}
	if err := d.believe(from); err != nil {
		collection.Close()
		return nil, err
	}
	if d.link, err = attachTCX(d.program(), network.index); err != nil {
		collection.Close()
		return nil, TCX.refused("attach to "+interfaceName, err)
	}
	return d, nil
}

// mapped are how addresses of IPv4 are written in the maps.
var mapped = netip.MustParsePrefix("::ffff:0:0/96")

func (d *Decap) program() *ebpf.Program { return d.collection.Programs[DecapProgUnwrap] }

func (d *Decap) believe(from []netip.Prefix) error {
	type source struct {
		Length  uint32
		Address [16]byte
	}
	for _, prefix := range from {
		prefix = prefix.Masked()
		if prefix.Overlaps(mapped) {
			return fmt.Errorf("%s also stands for addresses of IPv4: name those by themselves", prefix)
		}
		key := source{Length: uint32(prefix.Bits()), Address: prefix.Addr().As16()}
		if prefix.Addr().Is4() {
			key.Length += 96
		}
		if err := d.collection.Maps[DecapMapTunnelSources].Put(key, uint8(1)); err != nil {
			return fmt.Errorf("believe %s: %w", prefix, err)
		}
	}
	return nil
}

// Counts are the packets that were taken out of a tunnel so far, and those that
// were not, because they came from elsewhere.
func (d *Decap) Counts() (unwrapped, ofStrangers uint64, err error) {
	sum := func(what uint32) (all uint64) {
		var each []uint64
		if failed := d.collection.Maps[DecapMapTunnelCounts].Lookup(what, &each); failed != nil {
			err = fmt.Errorf("read what came by tunnel: %w", failed)
		}
		for _, one := range each {
			all += one
		}
		return all
	}
	return sum(uint32(TcxTunnelledUNWRAPPED)), sum(uint32(TcxTunnelledOF_STRANGERS)), err
}

// Close ends it: tunnelled packets are no longer understood.
func (d *Decap) Close() error {
	err := d.link.Close()
	d.collection.Close()
	return err
}
