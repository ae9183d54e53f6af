package companion

import (
	"fmt"
	"maps"
	"net/netip"
	"strings"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/rlimit"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/pins"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

const constants = ".rodata"

// load loads the programs, with the maps of a former process if they have the same layout.
func (c *Companion) load() error {
	if err := rlimit.RemoveMemlock(); err != nil {
		return fmt.Errorf("lift the limit of locked memory: %w", err)
	}
	spec, err := program.LoadCompanion()
	if err != nil {
		return err
	}
	used := map[string]bool{
		program.CompanionMapCompanionEvents: true, program.CompanionMapCompanionCounts: true, program.CompanionMapCompanionAccepted: true,
		program.CompanionMapCompanionReset:  true,
		program.CompanionMapSessionServices: true, program.CompanionMapSessionAllowance: true,
	}
	for name := range spec.Maps {
		if !used[name] && !strings.HasPrefix(name, constants) { // those of balancers
			delete(spec.Maps, name)
		}
	}
	spec.Variables = nil
	unwrap, err := program.LoadUnwrap()
	if err != nil {
		return err
	}
	all := maps.Clone(spec.Maps)
	maps.Copy(all, unwrap.Maps)
	shared, err := c.openPinned(all)
	if err != nil {
		return err
	}
	defer pins.CloseMaps(shared) // the collections have their own copies
	if c.collection, err = loadWith(spec, shared); err != nil {
		return fmt.Errorf("load the program of companions: %w", err)
	}
	if c.unwrap, err = loadWith(unwrap, shared); err != nil {
		return fmt.Errorf("load the program that unwraps tunnelled packets: %w", err)
	}
	return nil
}

// loadWith loads a program with those of the shared maps that it has.
func loadWith(spec *ebpf.CollectionSpec, shared map[string]*ebpf.Map) (*ebpf.Collection, error) {
	own := map[string]*ebpf.Map{}
	for name, each := range shared {
		if spec.Maps[name] != nil {
			own[name] = each
		}
	}
	return ebpf.NewCollectionWithOptions(spec, ebpf.CollectionOptions{MapReplacements: own})
}

func (c *Companion) programNamed(name string) *ebpf.Program {
	if own := c.collection.Programs[name]; own != nil {
		return own
	}
	return c.unwrap.Programs[name]
}

// trust unwraps tunnelled packets of exactly these services' replicas: the packet inside can carry any
// source address.
func (c *Companion) trust(services []Service) error {
	sources := map[program.TunnelSource]uint8{}
	for i := range services {
		for _, replica := range services[i].Replicas {
			address := replica.Addr()
			sources[program.ToTunnelSource(netip.PrefixFrom(address, address.BitLen()))] = 1
		}
	}
	if most := int(program.TcxLimitsTUNNEL_SOURCES); len(sources) > most {
		return fmt.Errorf("%d replicas send to one network namespace: at most %d can", len(sources), most)
	}
	return program.ReplaceAll(c.unwrap.Maps[program.DecapMapTunnelSources], sources)
}
