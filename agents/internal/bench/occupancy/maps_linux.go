package occupancy

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cilium/ebpf"
)

// Usage is how full a map is.
type Usage struct {
	Map     string `json:"map"`
	Kind    string `json:"kind"`
	Most    uint32 `json:"most"`
	Entries uint32 `json:"entries"`
}

// Of returns the maps that a process has open, whose entries are added and removed, by name. Arrays have a fixed size, and ring
// buffers are emptied by the process.
func Of(pid int) (list []Usage, err error) {
	ids, err := mapsOf(pid)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		usage, err := ofMap(id)
		if err != nil {
			return nil, err
		}
		if usage != nil {
			list = append(list, *usage)
		}
	}
	slices.SortFunc(list, func(a, b Usage) int { return cmp.Or(strings.Compare(a.Map, b.Map), cmp.Compare(a.Most, b.Most)) })
	return list, nil
}

// mapsOf returns the IDs of the maps that a process has open.
func mapsOf(pid int) (ids []ebpf.MapID, err error) {
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/fdinfo/*", pid))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was closed in the meantime
		}
		if err != nil {
			return nil, err
		}
		for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
			name, value, _ := strings.Cut(lines.Text(), ":")
			if name != "map_id" {
				continue
			}
			id, err := strconv.ParseUint(strings.TrimSpace(value), 10, 32)
			if err != nil {
				return nil, fmt.Errorf("read %s: %w", file, err)
			}
			if !slices.Contains(ids, ebpf.MapID(id)) {
				ids = append(ids, ebpf.MapID(id))
			}
		}
	}
	return ids, nil
}

// ofMap returns nil for a map without entries to count.
func ofMap(id ebpf.MapID) (*Usage, error) {
	m, err := ebpf.NewMapFromID(id)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // it was removed in the meantime
	}
	if err != nil {
		return nil, fmt.Errorf("open map %d: %w", id, err)
	}
	defer m.Close()
	switch m.Type() {
	case ebpf.Hash, ebpf.LRUHash, ebpf.PerCPUHash, ebpf.LRUCPUHash, ebpf.LPMTrie:
	default:
		return nil, nil
	}
	info, err := m.Info()
	if err != nil {
		return nil, fmt.Errorf("read map %d: %w", id, err)
	}
	usage := &Usage{Map: info.Name, Kind: m.Type().String(), Most: m.MaxEntries()}
	usage.Entries, err = count(m)
	return usage, err
}

// count counts keys. The program may remove one at the same time, and the walk then begins again, so it is limited.
func count(m *ebpf.Map) (entries uint32, err error) {
	key, next := make([]byte, m.KeySize()), make([]byte, m.KeySize())
	var before any
	for ; entries < m.MaxEntries(); entries++ {
		if err := m.NextKey(before, &next); errors.Is(err, ebpf.ErrKeyNotExist) {
			break
		} else if err != nil {
			return 0, fmt.Errorf("count the entries of %s: %w", m, err)
		}
		key, next = next, key
		before = key
	}
	return entries, nil
}
