package signals

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/rlimit"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/pins"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// load loads the programs with the maps of a former process, if they have the same layout.
func (s *Signals) load(shared string) error {
	if err := rlimit.RemoveMemlock(); err != nil {
		return fmt.Errorf("lift the limit of locked memory: %w", err)
	}
	spec, err := program.LoadSignals()
	if err != nil {
		return err
	}
	spec.Variables = nil
	if err := pins.MakeFolder(s.folder); err != nil {
		return err
	}
	own := map[string]*ebpf.MapSpec{}
	for name, each := range spec.Maps {
		if name != program.SignalsMapInFlight && !strings.HasPrefix(name, ".") {
			own[name] = each
		}
	}
	s.layout = pins.GenerationOf(own)
	if s.maps, err = pins.OpenMaps(s.folder, own); err != nil {
		return err
	}
	if s.maps[program.SignalsMapInFlight], err = openShared(shared, spec.Maps[program.SignalsMapInFlight]); err != nil {
		return err
	}
	s.collection, err = ebpf.NewCollectionWithOptions(spec, ebpf.CollectionOptions{MapReplacements: s.maps})
	if err != nil {
		return fmt.Errorf("load the programs that count requests (they need Linux 5.13 or newer, with BTF): %w", err)
	}
	return nil
}

// openShared opens the map of requests in flight, or creates it.
func openShared(folder string, spec *ebpf.MapSpec) (*ebpf.Map, error) {
	pin := filepath.Join(folder, program.SignalsMapInFlight)
	created, err := ebpf.NewMap(spec)
	if err != nil {
		return nil, fmt.Errorf("create the map of requests in flight: %w", err)
	}
	err = created.Pin(pin)
	if err == nil {
		return created, nil
	}
	_ = created.Close()
	if !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("pin the map of requests in flight: %w", err)
	}
	found, err := ebpf.LoadPinnedMap(pin, nil)
	if err != nil {
		return nil, fmt.Errorf("open the map of requests in flight: %w", err)
	}
	if err := spec.Compatible(found); err != nil {
		return nil, errors.Join(fmt.Errorf("map %s is not ours: remove it by hand: %w", pin, err), found.Close())
	}
	return found, nil
}

// removeOtherLayouts removes the maps of programs that were replaced. Connections that those
// counted are counted again from their next packet on.
func (s *Signals) removeOtherLayouts() error {
	entries, err := os.ReadDir(s.folder)
	if err != nil {
		return fmt.Errorf("list %s: %w", s.folder, err)
	}
	for _, entry := range entries {
		if entry.IsDir() && entry.Name() != s.layout {
			if err := removeFolder(filepath.Join(s.folder, entry.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

func removeFolder(folder string) error {
	if err := os.RemoveAll(folder); err != nil {
		return fmt.Errorf("remove %s: %w", folder, err)
	}
	return nil
}
