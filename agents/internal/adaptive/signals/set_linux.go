package signals

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// Set makes the programs count exactly this. A service whose number another one had begins at 0,
// and one that stays keeps its counts, also those of a former process.
func (s *Signals) Set(config Config) error {
	if err := config.Check(); err != nil {
		return fmt.Errorf("set what is counted: %w", err)
	}
	backends := map[program.ServiceKey]program.SignalsSignalBackend{}
	ports := map[uint32]*program.SignalsSignalPortSet{0: {}, 1: {}}
	for _, service := range config.Services {
		for _, backend := range service.Backends {
			key := keyOf(service, backend)
			backends[program.ToServiceKey(key)] = program.SignalsSignalBackend{Service: service.Number, Incarnation: incarnationOf(service)}
			ports[indexOf(key.Protocol)].Bits[key.Port/64] |= 1 << (key.Port % 64)
		}
	}
	errs := []error{s.setServices(config.Services), s.setNodes(config.Nodes)}
	errs = append(errs, program.ReplaceAll(s.maps[program.SignalsMapSignalBackends], backends))
	for index, set := range ports {
		errs = append(errs, s.maps[program.SignalsMapSignalPorts].Put(index, set))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("set what is counted: %w", err)
	}
	s.services = config.Services
	return s.removeOrigins(config.Services)
}

func indexOf(protocol datapath.Protocol) uint32 {
	if protocol == datapath.UDP {
		return 1
	}
	return 0
}

// incarnationOf is the same in all processes for the same service, and never 0.
func incarnationOf(service Service) uint32 {
	return max(program.SeedOf(service.Key), 1)
}

// setServices also ends services that a former process counted.
func (s *Signals) setServices(services []Service) error {
	wanted := map[uint32]program.SignalsSignalOrder{}
	for _, service := range services {
		cores := uint32(max(1, math.Round(service.Cores*float64(program.SignalsSignalLimitsSIGNAL_CORE))))
		wanted[service.Number] = program.SignalsSignalOrder{
			Of:    program.SignalsSignalOriginKey{Service: service.Number, Incarnation: incarnationOf(service)},
			Cores: cores,
		}
	}
	var stale []uint32
	err := program.InBatches(s.maps[program.SignalsMapSignalServices], func(number uint32, entry program.SignalsSignalService) {
		order, ok := wanted[number]
		switch {
		case !ok && entry.Incarnation != 0:
			stale = append(stale, number)
		case ok && entry.Incarnation == order.Of.Incarnation && entry.Cores == order.Cores:
			delete(wanted, number)
		}
	})
	errs := []error{err}
	for _, number := range stale {
		errs = append(errs, s.run(program.SignalsProgSetSignalService, program.SignalsSignalOrder{Of: program.SignalsSignalOriginKey{Service: number}}))
	}
	for _, order := range wanted {
		errs = append(errs, s.run(program.SignalsProgSetSignalService, order))
	}
	return errors.Join(errs...)
}

func (s *Signals) setNodes(nodes []Node) error {
	wanted := map[program.SignalsSignalPrefix]uint32{}
	for _, node := range nodes {
		for _, prefix := range node.Prefixes {
			key := program.SignalsSignalPrefix{Length: uint32(prefix.Bits())}
			if prefix.Addr().Is4() {
				key.Length += 96
			}
			key.Address.Word = program.ToAddress(prefix.Masked().Addr()).Word
			wanted[key] = node.Number
		}
	}
	return program.ReplaceAll(s.maps[program.SignalsMapSignalNodes], wanted)
}

// removeOrigins removes the counts of services that aren't counted any more.
func (s *Signals) removeOrigins(services []Service) error {
	incarnations := map[uint32]uint32{}
	for _, service := range services {
		incarnations[service.Number] = incarnationOf(service)
	}
	m := s.maps[program.SignalsMapSignalOrigins]
	var stale []program.SignalsSignalOriginKey
	err := s.eachOrigin(func(key program.SignalsSignalOriginKey, _ program.SignalsSignalOrigin) {
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
func (s *Signals) run(name string, order program.SignalsSignalOrder) error {
	data, err := binary.Append(nil, binary.NativeEndian, &order)
	if err != nil {
		return err
	}
	if _, err := s.collection.Programs[name].Run(&ebpf.RunOptions{Data: data}); err != nil {
		return fmt.Errorf("run %s: %w", name, err)
	}
	return nil
}
