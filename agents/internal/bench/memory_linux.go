package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cilium/ebpf"
)

// residentBytes is a process's current memory.
func residentBytes(pid int) (uint64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, fmt.Errorf("read the memory of the engine: %w", err)
	}
	return residentIn(string(text))
}

func residentIn(status string) (uint64, error) {
	_, rest, found := strings.Cut(status, "VmRSS:")
	var kilobytes uint64
	if _, err := fmt.Sscan(rest, &kilobytes); !found || err != nil {
		return 0, errors.New("read the memory of a process: no VmRSS in its status")
	}
	return kilobytes << 10, nil
}

// mapBytes is the kernel memory of the maps pinned below a folder, and of the maps that are entries of them;
// 0 without such a folder.
func mapBytes(folder string) (total uint64, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || entry.IsDir() {
			return err
		}
		pinned, err := ebpf.LoadPinnedMap(path, &ebpf.LoadPinOptions{ReadOnly: true})
		if err != nil {
			return nil // a link, or a program
		}
		defer pinned.Close()
		size, err := sizeOf(pinned)
		total += size
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("read the size of the maps below %s: %w", folder, err)
	}
	return total, nil
}

func sizeOf(m *ebpf.Map) (uint64, error) {
	info, err := m.Info()
	if err != nil {
		return 0, err
	}
	total, _ := info.Memlock()
	if m.Type() != ebpf.ArrayOfMaps && m.Type() != ebpf.HashOfMaps {
		return total, nil
	}
	key := make([]byte, m.KeySize())
	entries := m.Iterate()
	for id := ebpf.MapID(0); entries.Next(&key, &id); {
		inner, err := ebpf.NewMapFromID(id)
		if errors.Is(err, fs.ErrNotExist) {
			continue // replaced in the meantime
		}
		if err != nil {
			return 0, err
		}
		size, err := sizeOf(inner)
		if err := errors.Join(err, inner.Close()); err != nil {
			return 0, err
		}
		total += size
	}
	return total, entries.Err()
}
