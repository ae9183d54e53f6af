package signals

import (
	"errors"
	"fmt"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/adaptive/program"
)

const folderName = "signals"

// load loads the programs, with the maps of a former process if they have the same layout.
func (s *Signals) load() error {
	spec, err := program.Spec(program.LoadSignals)
	if err != nil {
		return err
	}
	s.layout = program.LayoutOf(spec)
	if s.maps, err = program.OpenMaps(s.folder, spec); err != nil {
		return err
	}
	options := ebpf.CollectionOptions{MapReplacements: s.maps}
	s.collection, err = ebpf.NewCollectionWithOptions(spec, options)
	if errors.Is(err, unix.EPERM) { // a security module may refuse the program that lists connections, but not the others
		delete(spec.Programs, program.SignalsProgRenewSignalConnections)
		s.collection, err = ebpf.NewCollectionWithOptions(spec, options)
	}
	if err != nil {
		return fmt.Errorf("load the programs that count requests (they need Linux 5.13 or newer, with BTF): %w", err)
	}
	return nil
}
