package bpf

import (
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
)

const (
	bpffs         = "/sys/fs/bpf"
	defaultFolder = bpffs + "/fairlead"
	linkPin       = "link"
	generation    = "maps-" // and the layout of the maps
)

// folderOf is apart for each hook: when one follows the other, both are there for a moment.
func folderOf(hook Hook, options datapath.Options) string {
	folder := options.StateFolder
	if folder == "" {
		folder = defaultFolder
	}
	return filepath.Join(folder, options.Name, hook.Name)
}

// makeFolder makes a folder that survives us, mounting the file system for it if nobody did.
func makeFolder(folder string) error {
	if strings.HasPrefix(folder, bpffs+"/") {
		if err := mountOnce(bpffs); err != nil {
			return err
		}
	}
	err := os.MkdirAll(folder, 0o700)
	for range mostRemovals {
		if !errors.Is(err, os.ErrNotExist) && !errors.Is(err, os.ErrExist) {
			break
		}
		// Another replica left between two steps, and removed a folder above ours that was empty. If it was there when
		// we made it and gone when we looked at it, we hear that it exists.
		err = os.MkdirAll(folder, 0o700)
	}
	if err != nil {
		return fmt.Errorf("make %s: %w", folder, err)
	}
	if !isBpffs(folder) {
		return fmt.Errorf("%s is not on a BPF file system: choose a folder below %s", folder, bpffs)
	}
	return nil
}

// mostRemovals is how often other replicas of the host may leave in the moment in which a folder is made.
const mostRemovals = 100

// mountOnce mounts the BPF file system if nobody did. A second one above it would hide what is pinned in
// the first, so replicas that start together mount it one after the other.
func mountOnce(at string) error {
	if isBpffs(at) {
		return nil
	}
	if err := os.MkdirAll(at, 0o755); err != nil {
		return fmt.Errorf("make %s: %w", at, err)
	}
	lock, err := os.Open(at)
	if err != nil {
		return fmt.Errorf("lock %s: %w", at, err)
	}
	defer lock.Close()
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX); err != nil {
		return fmt.Errorf("lock %s: %w", at, err)
	}
	if isBpffs(at) {
		return nil
	}
	if err := unix.Mount("bpf", at, "bpf", 0, ""); err != nil {
		return fmt.Errorf("mount %s (as root, or mount it before): %w", at, err)
	}
	return nil
}

// removeFolder removes it, and those above it that we made, when nobody else is in there.
func removeFolder(folder string) error {
	if err := os.RemoveAll(folder); err != nil {
		return fmt.Errorf("remove %s: %w", folder, err)
	}
	for range 2 {
		folder = filepath.Dir(folder)
		_ = os.Remove(folder) // refused as long as it is not empty
	}
	return nil
}

func isBpffs(path string) bool {
	var stat unix.Statfs_t
	return unix.Statfs(path, &stat) == nil && stat.Type == unix.BPF_FS_MAGIC
}

// generationOf names a layout: maps of another one can't be used by our program.
func generationOf(specs map[string]*ebpf.MapSpec) string {
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

// openMaps takes the pinned maps of our layout, or makes and pins them.
func openMaps(folder string, specs map[string]*ebpf.MapSpec) (maps map[string]*ebpf.Map, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("make %s: %w", folder, err)
	}
	maps = make(map[string]*ebpf.Map, len(specs))
	defer func() {
		if err != nil {
			closeMaps(maps)
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

func closeMaps(maps map[string]*ebpf.Map) {
	for _, m := range maps {
		_ = m.Close()
	}
}

// otherGenerations are the folders that programs of other layouts left.
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
