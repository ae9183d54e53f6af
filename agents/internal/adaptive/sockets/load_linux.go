package sockets

import (
	"errors"
	"fmt"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/adaptive/program"
)

// load loads the programs, with the maps of a former process if they have the same layout.
func (e *Engine) load() (err error) {
	spec, err := program.Spec(program.LoadSockets)
	if err != nil {
		return err
	}
	e.layout = program.LayoutOf(spec)
	if e.maps, err = program.OpenMaps(e.folder, spec); err != nil {
		return err
	}
	if e.costs, err = memoryOf[costEntry](e.maps[program.SocketsMapCosts]); err != nil {
		return err
	}
	if e.placeUses, err = memoryOf[use](e.maps[program.SocketsMapPlaceUses]); err != nil {
		return err
	}
	if e.entryUses, err = memoryOf[program.EntryUse](e.maps[program.SocketsMapEntryUses]); err != nil {
		return err
	}
	if e.programs, err = loadWith(spec, e.maps); err != nil {
		return fmt.Errorf("load the programs of sockets: %w", err)
	}
	if e.lister, err = openLister(e.maps); err != nil && !mayNotList(err) {
		return fmt.Errorf("load the program that lists sockets: %w", err)
	}
	return nil
}

// mayNotList reports whether a security module refuses the programs that list sockets, but not the others.
func mayNotList(err error) bool { return errors.Is(err, unix.EPERM) }

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
	spec, err := program.Spec(program.LoadSocketsList)
	if err != nil {
		return nil, err
	}
	spec.Maps = nil // it reads the map that it is attached to
	programs, err := loadWith(spec, nil)
	if err != nil {
		return nil, err
	}
	lists := programs[program.SocketsListProgListSockets]
	defer lists.Close()
	return link.AttachIter(link.IterOptions{Program: lists, Map: shared[program.SocketsMapSockets]})
}
