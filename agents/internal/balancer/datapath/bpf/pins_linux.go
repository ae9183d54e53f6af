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
	generation    = "maps-" // followed by the layout of the maps
)

// folderOf differs per hook: when one replaces the other, both exist for a moment.
func folderOf(hook Hook, options datapath.Options) string {
	folder := options.StateFolder
	if folder == "" {
		folder = defaultFolder
	}
	return filepath.Join(folder, options.Name, hook.Name)
}

// makeFolder creates a folder that survives the process, and mounts the file system if
// necessary.
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
		// Another replica was removed concurrently and deleted an empty parent folder. If
		// the folder existed at mkdir and was gone at stat, the error is "exists".
		err = os.MkdirAll(folder, 0o700)
	}
	if err != nil {
		return fmt.Errorf("create %s: %w", folder, err)
	}
	if !isBpffs(folder) {
		return fmt.Errorf("%s is not on a BPF file system: choose a folder below %s", folder, bpffs)
	}
	return nil
}

// mostRemovals bounds retries after concurrent removals of other replicas.
const mostRemovals = 100

// mountOnce mounts the BPF file system unless it is mounted. A second mount would hide
// what is pinned in the first, so replicas that start together take turns.
func mountOnce(at string) error {
	if isBpffs(at) {
		return nil
	}
	if err := os.MkdirAll(at, 0o755); err != nil {
		return fmt.Errorf("create %s: %w", at, err)
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
		return fmt.Errorf("mount %s (run as root, or mount it before): %w", at, err)
	}
	return nil
}

// removeFolder removes the folder, and its parents that we created, if they are empty.
func removeFolder(folder string) error {
	if err := os.RemoveAll(folder); err != nil {
		return fmt.Errorf("remove %s: %w", folder, err)
	}
	for range 2 {
		folder = filepath.Dir(folder)
		_ = os.Remove(folder) // fails unless it is empty
	}
	return nil
}

func isBpffs(path string) bool {
	var stat unix.Statfs_t
	return unix.Statfs(path, &stat) == nil && stat.Type == unix.BPF_FS_MAGIC
}

// generationOf names a layout: maps of another one can't be used by this program.
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

// openMaps opens the pinned maps of this layout, or creates and pins them.
func openMaps(folder string, specs map[string]*ebpf.MapSpec) (maps map[string]*ebpf.Map, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("create %s: %w", folder, err)
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
