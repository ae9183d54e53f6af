package pins

import (
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cilium/ebpf"
)

const generation = "maps-" // followed by the layout of the maps

// GenerationOf names a layout: maps of another one can't be used by this program.
func GenerationOf(specs map[string]*ebpf.MapSpec) string {
	hash := fnv.New32a()
	for _, name := range sortedNames(specs) {
		spec := specs[name]
		_, _ = fmt.Fprintln(hash, name, spec.Type, spec.KeySize, spec.ValueSize, spec.MaxEntries, spec.Flags)
		if inner := spec.InnerMap; inner != nil {
			_, _ = fmt.Fprintln(hash, inner.Type, inner.KeySize, inner.ValueSize, inner.MaxEntries, inner.Flags)
		}
	}
	return fmt.Sprintf("%s%08x", generation, hash.Sum32())
}

func sortedNames[V any](of map[string]V) []string {
	names := make([]string, 0, len(of))
	for name := range of {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// OpenMaps opens the maps of a layout below a replica's folder, or creates and pins them.
func OpenMaps(folder string, specs map[string]*ebpf.MapSpec) (maps map[string]*ebpf.Map, err error) {
	folder = filepath.Join(folder, GenerationOf(specs))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("create %s: %w", folder, err)
	}
	maps = make(map[string]*ebpf.Map, len(specs))
	defer func() {
		if err != nil {
			CloseMaps(maps)
		}
	}()
	for _, name := range sortedNames(specs) {
		pin := filepath.Join(folder, name)
		m, err := ebpf.LoadPinnedMap(pin, nil)
		if errors.Is(err, os.ErrNotExist) {
			m, err = makeMap(pin, specs[name])
		}
		if err != nil {
			return nil, fmt.Errorf("open map %s: %w", pin, err)
		}
		maps[name] = m
		if err := specs[name].Compatible(m); err != nil {
			return nil, fmt.Errorf("map %s is not ours: remove it by hand: %w", pin, err)
		}
	}
	return maps, nil
}

func makeMap(pin string, spec *ebpf.MapSpec) (*ebpf.Map, error) {
	m, err := ebpf.NewMap(spec)
	if err != nil {
		return nil, err
	}
	if err := m.Pin(pin); err != nil {
		_ = m.Close()
		return nil, err
	}
	return m, nil
}

// CloseMaps closes maps, which stay where they are pinned.
func CloseMaps(maps map[string]*ebpf.Map) {
	for _, m := range maps {
		_ = m.Close()
	}
}

// otherGenerations returns the folders of other layouts.
func otherGenerations(folder, ours string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", folder, err)
	}
	var others []string
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), generation) && entry.Name() != ours {
			others = append(others, filepath.Join(folder, entry.Name()))
		}
	}
	return others, nil
}

// RemoveOtherGenerations removes the maps of other layouts, when no program uses them any more.
func RemoveOtherGenerations(folder, ours string) error {
	others, err := otherGenerations(folder, ours)
	if err != nil {
		return err
	}
	for _, other := range others {
		if err := os.RemoveAll(other); err != nil {
			return fmt.Errorf("remove maps of a former layout: %w", err)
		}
	}
	return nil
}
