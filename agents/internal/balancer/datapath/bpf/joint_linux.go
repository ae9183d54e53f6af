package bpf

import (
	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/neighbour"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/state"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/steering"
)

// Joint is what another program of the agent shares with the engine's: packets go on from one
// to the other. It is valid until the engine is closed, in any goroutine.
type Joint struct {
	Maps     map[string]*ebpf.Map
	Program  *ebpf.Program
	Network  *neighbour.Network
	Steering *steering.Table
	names    func() *state.Names
}

// Joint returns the engine's.
func (e *Engine) Joint() Joint {
	return Joint{Maps: e.maps, Program: e.program, Network: e.network, Steering: e.steering, names: e.published.Names}
}

// PlacesBySession reports whether another program may choose backends by TLS session.
func (e *Engine) PlacesBySession() bool { return e.hook.Sessions }

// loadAlone loads the program without going on to another one, which kernels that don't compile
// programs reject. If that fails too, it returns the first error.
func loadAlone(hook Hook, maps map[string]*ebpf.Map, first error) (*ebpf.Program, error) {
	spec, err := hook.Load()
	if err != nil {
		return nil, err
	}
	instructions := spec.Programs[hook.Program].Instructions
	for i, one := range instructions {
		if one.IsBuiltinCall() && asm.BuiltinFunc(one.Constant) == asm.FnTailCall {
			instructions[i] = asm.Mov.Imm(asm.R0, 0).WithMetadata(one.Metadata)
		}
	}
	loaded, err := loadSpec(hook, spec, maps)
	if err != nil {
		return nil, first
	}
	return loaded, nil
}

// Place is a backend in the maps.
type Place struct {
	Service     uint32 // slot
	Slot        uint16
	Incarnation uint32
}

// PlaceOf returns a backend's place as of the last Set.
func (j Joint) PlaceOf(service datapath.Key, backend string) (Place, bool) {
	b := j.names().ByKey[service][backend]
	if b == nil {
		return Place{}, false
	}
	return Place{b.Table, b.Slot, b.Incarnation}, true
}

// ServicesByIncarnation returns the service of each backend that has a place as of the last Set.
func (j Joint) ServicesByIncarnation() map[uint32]datapath.Key {
	services := map[uint32]datapath.Key{}
	for key, backends := range j.names().ByKey {
		for _, b := range backends {
			services[b.Incarnation] = key
		}
	}
	return services
}

// Replace makes a collection use the engine's maps where it has maps of the same name.
func (j Joint) Replace(spec *ebpf.CollectionSpec) map[string]*ebpf.Map {
	shared := map[string]*ebpf.Map{}
	for name := range spec.Maps {
		if m := j.Maps[name]; m != nil {
			shared[name], spec.Maps[name].MaxEntries = m, m.MaxEntries()
		}
	}
	return shared
}

// FlowOf returns a flow, without its backend.
func FlowOf(key program.FlowKey) datapath.Flow {
	return (&state.NamedBackend{Service: program.ServiceOf(key)}).Flow(key)
}
