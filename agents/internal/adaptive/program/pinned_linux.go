package program

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/rlimit"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/pins"
)

const inFlight = SocketsMapInFlight

// SocketsFolder is the folder of the programs of sockets, in the folder of the role.
const SocketsFolder = "sockets"

// Spec returns an object without the variables that only name types.
func Spec(load func() (*ebpf.CollectionSpec, error)) (*ebpf.CollectionSpec, error) {
	spec, err := load()
	if err != nil {
		return nil, err
	}
	spec.Variables = nil
	maps.DeleteFunc(spec.Maps, func(name string, _ *ebpf.MapSpec) bool { return strings.HasPrefix(name, ".") })
	return spec, nil
}

// ownMaps are the maps of an object that no other one uses.
func ownMaps(spec *ebpf.CollectionSpec) map[string]*ebpf.MapSpec {
	own := maps.Clone(spec.Maps)
	delete(own, inFlight)
	return own
}

// LayoutOf names the folder of an object's own maps, in the folder of the object.
func LayoutOf(spec *ebpf.CollectionSpec) string { return pins.GenerationOf(ownMaps(spec)) }

// OpenMaps opens the maps of an object: its own ones in its folder, which is in the folder of the role, and the
// shared one there. It creates those that no former process has left.
func OpenMaps(folder string, spec *ebpf.CollectionSpec) (map[string]*ebpf.Map, error) {
	if err := rlimit.RemoveMemlock(); err != nil {
		return nil, fmt.Errorf("lift the limit of locked memory: %w", err)
	}
	if err := pins.MakeFolder(folder); err != nil {
		return nil, err
	}
	all, err := pins.OpenMaps(folder, ownMaps(spec))
	if err != nil {
		return nil, err
	}
	if all[inFlight], err = openShared(filepath.Join(filepath.Dir(folder), inFlight), spec.Maps[inFlight]); err != nil {
		delete(all, inFlight)
		pins.CloseMaps(all)
		return nil, err
	}
	return all, nil
}

var socketsSpec = sync.OnceValues(func() (*ebpf.CollectionSpec, error) { return Spec(LoadSockets) })

// OpenCosts opens the maps that a program shares with those of sockets, in the folder of the role. If no agent of the role
// has created them, or one with another layout, the error is os.ErrNotExist.
func OpenCosts(role string, of *ebpf.CollectionSpec) (map[string]*ebpf.Map, error) {
	spec, err := socketsSpec()
	if err != nil {
		return nil, err
	}
	folder, all := filepath.Join(role, SocketsFolder, LayoutOf(spec)), map[string]*ebpf.Map{}
	for name := range spec.Maps {
		if of.Maps[name] == nil {
			continue
		}
		pin := filepath.Join(folder, name)
		if name == inFlight {
			pin = filepath.Join(role, name)
		}
		if all[name], err = ebpf.LoadPinnedMap(pin, nil); err != nil {
			delete(all, name)
			pins.CloseMaps(all)
			return nil, fmt.Errorf("open map %s of the role adaptive: %w", pin, err)
		}
	}
	return all, nil
}

// openShared opens a map that several objects use. The first to open it creates it.
func openShared(pin string, spec *ebpf.MapSpec) (*ebpf.Map, error) {
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

// Remove removes the folder of an object, and that of the role if no other object is left in it.
func Remove(folder string) error {
	if err := os.RemoveAll(folder); err != nil {
		return fmt.Errorf("remove %s: %w", folder, err)
	}
	role := filepath.Dir(folder)
	left, err := os.ReadDir(role)
	if err != nil {
		return fmt.Errorf("list %s: %w", role, err)
	}
	for _, entry := range left {
		if entry.Name() != inFlight {
			return nil
		}
	}
	return pins.RemoveFolder(role)
}
