package bpf

import (
	"fmt"
	"net/netip"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/rlimit"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/neighbour"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// Decap removes the outer header of tunnelled packets, at a backend. The kernel accepts
// the inner packet only if the address is the backend's own. Several may be attached to
// one interface, so one can replace another without a gap.
type Decap struct {
	collection *ebpf.Collection
	detach     func() error
}

// OpenDecap attaches to an interface of the current namespace. It only unwraps packets
// from the given addresses.
func OpenDecap(interfaceName string, from []netip.Prefix) (*Decap, error) {
	return openDecap(TCX, interfaceName, from)
}

func openDecap(hook Hook, interfaceName string, from []netip.Prefix) (*Decap, error) {
	if len(from) == 0 || len(from) > int(program.TcxLimitsTUNNEL_SOURCES) {
		return nil, fmt.Errorf("%d networks of balancers: give 1 to %d", len(from), program.TcxLimitsTUNNEL_SOURCES)
	}
	if err := rlimit.RemoveMemlock(); err != nil {
		return nil, fmt.Errorf("lift the limit of locked memory: %w", err)
	}
	network, err := neighbour.Open(interfaceName)
	if err != nil {
		return nil, err
	}
	defer network.Close()
	spec, err := program.LoadUnwrap()
	if err != nil {
		return nil, err
	}
	collection, err := ebpf.NewCollection(spec)
	if err != nil {
		return nil, hook.refused("load the program of backends", err)
	}
	d := &Decap{collection: collection}
	if err := d.trust(from); err != nil {
		collection.Close()
		return nil, err
	}
	d.detach, err = hook.Point.Share(d.program(), network)
	if err != nil {
		collection.Close()
		return nil, hook.refused("attach to "+interfaceName, err)
	}
	return d, nil
}

// mapped is the prefix of IPv4 addresses in the maps.
var mapped = netip.MustParsePrefix("::ffff:0:0/96")

func (d *Decap) program() *ebpf.Program { return d.collection.Programs[program.DecapProgUnwrap] }

func (d *Decap) trust(from []netip.Prefix) error {
	for _, prefix := range from {
		prefix = prefix.Masked()
		if prefix.Overlaps(mapped) {
			return fmt.Errorf("%s also contains IPv4 addresses: list those separately", prefix)
		}
		if err := d.collection.Maps[program.DecapMapTunnelSources].Put(program.ToTunnelSource(prefix), uint8(1)); err != nil {
			return fmt.Errorf("trust %s: %w", prefix, err)
		}
	}
	return nil
}

// Counts returns how many packets were unwrapped, and how many were not because of their
// source.
func (d *Decap) Counts() (unwrapped, fromOthers uint64, err error) {
	sum := func(what uint32) (all uint64) {
		var each []uint64
		if failed := d.collection.Maps[program.DecapMapTunnelCounts].Lookup(what, &each); failed != nil {
			err = fmt.Errorf("read tunnel counts: %w", failed)
		}
		for _, one := range each {
			all += one
		}
		return all
	}
	return sum(uint32(program.TcxTunnelledUNWRAPPED)), sum(uint32(program.TcxTunnelledUNKNOWN_SOURCE)), err
}

// Close detaches it: tunnelled packets are no longer unwrapped.
func (d *Decap) Close() error {
	err := d.detach()
	d.collection.Close()
	return err
}
