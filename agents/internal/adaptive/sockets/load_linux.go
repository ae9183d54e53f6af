package sockets

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"github.com/cilium/ebpf/rlimit"

	"fairlead.dev/agents/internal/adaptive/sockets/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/pins"
)

const (
	folderName   = "sockets"
	inFlightName = program.SocketsMapInFlight
)

// load loads the programs, with the maps of a former process if they have the same layout.
func (e *Engine) load() (err error) {
	if err := rlimit.RemoveMemlock(); err != nil {
		return fmt.Errorf("lift the limit of locked memory: %w", err)
	}
	if err := pins.MakeFolder(e.folder); err != nil {
		return err
	}
	spec, err := specOf(program.LoadSockets)
	if err != nil {
		return err
	}
	shared, err := openInFlight(e.options.PinFolder, spec.Maps[inFlightName])
	if err != nil {
		return err
	}
	own := maps.Clone(spec.Maps)
	delete(own, inFlightName)
	if e.maps, err = pins.OpenMaps(e.folder, own); err != nil {
		return errors.Join(err, shared.Close())
	}
	e.maps[inFlightName] = shared
	if e.programs, err = loadWith(spec, e.maps); err != nil {
		return fmt.Errorf("load the programs of sockets: %w", err)
	}
	if e.lister, err = openLister(e.maps); err != nil {
		return fmt.Errorf("load the program that lists sockets: %w", err)
	}
	return nil
}

// specOf returns an object without the variables that only name types.
func specOf(load func() (*ebpf.CollectionSpec, error)) (*ebpf.CollectionSpec, error) {
	spec, err := load()
	if err != nil {
		return nil, err
	}
	spec.Variables = nil
	maps.DeleteFunc(spec.Maps, func(name string, _ *ebpf.MapSpec) bool { return strings.HasPrefix(name, ".") })
	return spec, nil
}

func loadWith(spec *ebpf.CollectionSpec, shared map[string]*ebpf.Map) (map[string]*ebpf.Program, error) {
	collection, err := ebpf.NewCollectionWithOptions(spec, ebpf.CollectionOptions{MapReplacements: shared})
	if err != nil {
		return nil, err
	}
	defer collection.Close()
	programs := map[string]*ebpf.Program{}
	for name := range spec.Programs {
		programs[name] = collection.DetachProgram(name)
	}
	return programs, nil
}

func openLister(shared map[string]*ebpf.Map) (*link.Iter, error) {
	spec, err := specOf(program.LoadList)
	if err != nil {
		return nil, err
	}
	spec.Maps = nil // it reads the map that it is attached to
	programs, err := loadWith(spec, nil)
	if err != nil {
		return nil, err
	}
	lists := programs[program.ListProgListSockets]
	defer lists.Close()
	return link.AttachIter(link.IterOptions{Program: lists, Map: shared[program.SocketsMapSockets]})
}

// openInFlight opens the map that the programs of serving nodes write. The first to open it creates it.
func openInFlight(folder string, spec *ebpf.MapSpec) (*ebpf.Map, error) {
	pin := filepath.Join(folder, inFlightName)
	opened, err := ebpf.LoadPinnedMap(pin, nil)
	if errors.Is(err, os.ErrNotExist) {
		if opened, err = ebpf.NewMap(spec); err != nil {
			return nil, fmt.Errorf("create map %s: %w", pin, err)
		}
		if err = opened.Pin(pin); err == nil {
			return opened, nil
		}
		_ = opened.Close()
		if errors.Is(err, os.ErrExist) { // created meanwhile
			opened, err = ebpf.LoadPinnedMap(pin, nil)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open map %s: %w", pin, err)
	}
	if err := spec.Compatible(opened); err != nil {
		return nil, errors.Join(fmt.Errorf("map %s is not ours: remove it by hand: %w", pin, err), opened.Close())
	}
	return opened, nil
}

// removeOtherLayouts removes maps that the programs of former processes had. None uses them any more.
func removeOtherLayouts(folder string) error {
	spec, err := specOf(program.LoadSockets)
	if err != nil {
		return err
	}
	delete(spec.Maps, inFlightName)
	own := pins.GenerationOf(spec.Maps)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("list %s: %w", folder, err)
	}
	for _, entry := range entries {
		if entry.IsDir() && entry.Name() != own {
			if err := os.RemoveAll(filepath.Join(folder, entry.Name())); err != nil {
				return fmt.Errorf("remove maps of a former layout: %w", err)
			}
		}
	}
	return nil
}
