package signals

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/adaptive/program"
	"fairlead.dev/agents/internal/balancer/datapath"
	bpf "fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// Set makes the programs count exactly this. A service whose number another one had begins at 0,
// and one that stays keeps its counts, also those of a former process.
func (s *Signals) Set(config Config) error {
	if err := config.Check(); err != nil {
		return fmt.Errorf("set what is counted: %w", err)
	}
	backends := map[program.ServiceKey]backendEntry{}
	ports := map[program.SignalsSignalProtocol]*portSet{
		program.SignalsSignalProtocolSIGNAL_TCP: {}, program.SignalsSignalProtocolSIGNAL_UDP: {},
	}
	for _, service := range config.Services {
		for _, backend := range service.Backends {
			key := keyOf(service, backend)
			backends[program.ToServiceKey(key)] = backendEntry{Service: uint32(service.Number), Incarnation: incarnationOf(service)}
			ports[protocolOf(key)].Bits[key.Port/64] |= 1 << (key.Port % 64)
		}
	}
	errs := []error{s.setServices(config.Services), s.setNodes(config.Nodes)}
	errs = append(errs, bpf.ReplaceAll(s.maps[program.SignalsMapSignalBackends], backends))
	for protocol, set := range ports {
		errs = append(errs, s.maps[program.SignalsMapSignalPorts].Put(protocol, set))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("set what is counted: %w", err)
	}
	s.services = config.Services
	return s.removeOrigins(config.Services)
}

func protocolOf(key datapath.Key) program.SignalsSignalProtocol {
	if key.Protocol == datapath.UDP {
		return program.SignalsSignalProtocolSIGNAL_UDP
	}
	return program.SignalsSignalProtocolSIGNAL_TCP
}

// incarnationOf is the same in all processes for the same service, and never 0.
func incarnationOf(service Service) uint32 {
	return max(bpf.SeedOf(service.Key), 1)
}

// setServices also ends services that a former process counted.
func (s *Signals) setServices(services []Service) error {
	wanted := map[uint32]order{}
	for _, service := range services {
		cores := uint32(max(1, math.Round(service.Cores*float64(program.SignalsSignalLimitsSIGNAL_CORE))))
		number := uint32(service.Number)
		wanted[number] = order{Of: originKey{Service: number, Incarnation: incarnationOf(service)}, Cores: cores}
	}
	var stale []uint32
	err := bpf.InBatches(s.maps[program.SignalsMapSignalServices], func(number uint32, entry serviceEntry) {
		want, ok := wanted[number]
		switch {
		case !ok && entry.Incarnation != 0:
			stale = append(stale, number)
		case ok && entry.Incarnation == want.Of.Incarnation && entry.Cores == want.Cores:
			delete(wanted, number)
		}
	})
	errs := []error{err}
	for _, number := range stale {
		errs = append(errs, s.run(program.SignalsProgSetSignalService, order{Of: originKey{Service: number}}))
	}
	for _, want := range wanted {
		errs = append(errs, s.run(program.SignalsProgSetSignalService, want))
	}
	return errors.Join(errs...)
}

func (s *Signals) setNodes(nodes []Node) error {
	wanted := map[prefixEntry]uint32{}
	for _, node := range nodes {
		for _, prefix := range node.Prefixes {
			key := prefixEntry{Length: uint32(prefix.Bits())}
			if prefix.Addr().Is4() {
				key.Length += 96
			}
			key.Address.Word = program.ToAddress(prefix.Masked().Addr()).Word
			wanted[key] = node.Number
		}
	}
	return bpf.ReplaceAll(s.maps[program.SignalsMapSignalNodes], wanted)
}

// removeOrigins removes the counts of services that aren't counted any more.
func (s *Signals) removeOrigins(services []Service) error {
	incarnations := map[uint32]uint32{}
	for _, service := range services {
		incarnations[uint32(service.Number)] = incarnationOf(service)
	}
	m := s.maps[program.SignalsMapSignalOrigins]
	var stale []originKey
	err := s.eachOrigin(func(key originKey, _ originEntry) {
		if incarnations[key.Service] != key.Incarnation {
			stale = append(stale, key)
		}
	})
	errs := []error{err}
	for _, key := range stale {
		if err := m.Delete(key); !errors.Is(err, ebpf.ErrKeyNotExist) {
			errs = append(errs, err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("remove counts of former services: %w", err)
	}
	return nil
}

// run runs one of the programs that change entries under their lock.
func (s *Signals) run(name string, by any) error {
	data, err := binary.Append(nil, binary.NativeEndian, by)
	if err != nil {
		return err
	}
	if _, err := s.collection.Programs[name].Run(&ebpf.RunOptions{Data: data}); err != nil {
		return fmt.Errorf("run %s: %w", name, err)
	}
	return nil
}
