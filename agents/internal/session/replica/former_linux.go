package replica

import (
	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// formerIDs returns the map of session ids of the program that places connections now, which a former process
// loaded, or nil. With it, clients return by their id at once after a restart: companions send it again only
// within seconds. Its places stay valid, because the engine keeps slots and incarnations across restarts.
func formerIDs(programs *ebpf.Map, spec *ebpf.MapSpec) *ebpf.Map {
	var id uint32
	if programs == nil || programs.Lookup(uint32(program.TcxNextProgramSESSION_CHOOSES), &id) != nil {
		return nil
	}
	former, err := ebpf.NewProgramFromID(ebpf.ProgramID(id))
	if err != nil {
		return nil // it ended, or this process may not read it
	}
	defer former.Close()
	info, err := former.Info()
	if err != nil {
		return nil
	}
	ids, _ := info.MapIDs()
	for _, one := range ids {
		found, err := ebpf.NewMapFromID(one)
		if err != nil {
			continue
		}
		if info, err := found.Info(); err == nil && info.Name == spec.Name && spec.Compatible(found) == nil {
			return found
		}
		_ = found.Close()
	}
	return nil
}
