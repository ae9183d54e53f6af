package pins

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// formerOf returns the folder of the maps in use by the attached program, unless it is
// this layout's: other folders belong to processes that never attached their program.
func formerOf(others []string, used []ebpf.MapID, isNew bool) (string, error) {
	if used == nil {
		if !isNew {
			return "", nil
		}
		return lastUsed(others)
	}
	for _, old := range others {
		settings, err := ebpf.LoadPinnedMap(filepath.Join(old, program.TcxMapSettingsMap), nil)
		if errors.Is(err, os.ErrNotExist) {
			continue // incomplete
		}
		if err != nil {
			return "", fmt.Errorf("open the settings of a former layout: %w", err)
		}
		info, err := settings.Info()
		_ = settings.Close()
		if err != nil {
			return "", fmt.Errorf("read the settings of a former layout: %w", err)
		}
		if id, _ := info.ID(); slices.Contains(used, id) {
			return old, nil
		}
	}
	return "", nil
}

// lastUsed returns the folder of the maps that were most likely attached last, if no program
// is attached any more: those of the process that had added the most backends. Of equal ones
// it is the oldest, because a process that attaches its program removes the others.
func lastUsed(folders []string) (last string, err error) {
	var most uint32
	var created time.Time
	for _, folder := range folders {
		info, err := os.Stat(folder)
		if err != nil {
			return "", fmt.Errorf("find the maps of a former layout: %w", err)
		}
		added, err := backendsAdded(folder)
		if err != nil {
			return "", err
		}
		if added > most || added == most && (last == "" || info.ModTime().Before(created)) {
			last, most, created = folder, added, info.ModTime()
		}
	}
	return last, nil
}

// backendsAdded is 0 if the settings can't be read: other layouts may have others.
func backendsAdded(folder string) (uint32, error) {
	m, err := ebpf.LoadPinnedMap(filepath.Join(folder, program.TcxMapSettingsMap), nil)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("open the settings of a former layout: %w", err)
	}
	defer m.Close()
	var s program.Settings
	if m.ValueSize() != uint32(binary.Size(s)) {
		return 0, nil
	}
	if err := m.Lookup(uint32(0), &s); err != nil {
		return 0, fmt.Errorf("read the settings of a former layout: %w", err)
	}
	return s.NextIncarnation, nil
}
