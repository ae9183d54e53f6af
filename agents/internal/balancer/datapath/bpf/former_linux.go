package bpf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
)

// formerOf returns the folder of the maps in use by the attached program, unless it is
// this layout's: other folders belong to processes that never attached their program.
func (e *Engine) formerOf(isNew bool) (string, error) {
	used, err := e.mapsInUse()
	if err != nil {
		return "", err
	}
	if used == nil {
		if !isNew {
			return "", nil
		}
		return lastUsed(e.otherFolders)
	}
	for _, old := range e.otherFolders {
		settings, err := ebpf.LoadPinnedMap(filepath.Join(old, TcxMapSettingsMap), nil)
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
	m, err := ebpf.LoadPinnedMap(filepath.Join(folder, TcxMapSettingsMap), nil)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("open the settings of a former layout: %w", err)
	}
	defer m.Close()
	var s settings
	if m.ValueSize() != uint32(binary.Size(s)) {
		return 0, nil
	}
	if err := m.Lookup(uint32(0), &s); err != nil {
		return 0, fmt.Errorf("read the settings of a former layout: %w", err)
	}
	return s.NextIncarnation, nil
}

// mapsInUse returns the maps of the attached program; nil when there is none.
func (e *Engine) mapsInUse() ([]ebpf.MapID, error) {
	id, err := linkedProgram(filepath.Join(e.folder, linkPin))
	if err == nil && id == 0 && e.filters != nil {
		id, err = e.filters.program()
	}
	if err != nil || id == 0 {
		return nil, err
	}
	program, err := ebpf.NewProgramFromID(id)
	if err != nil {
		return nil, fmt.Errorf("open the program of a former process: %w", err)
	}
	defer program.Close()
	info, err := program.Info()
	if err != nil {
		return nil, fmt.Errorf("read the program of a former process: %w", err)
	}
	ids, _ := info.MapIDs()
	return ids, nil
}

// linkedProgram returns the program that a pinned link attaches; 0 when there is none.
func linkedProgram(pin string) (ebpf.ProgramID, error) {
	attached, err := link.LoadPinnedLink(pin, nil)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("open the attachment of a former process: %w", err)
	}
	defer attached.Close()
	info, err := attached.Info()
	if err != nil {
		return 0, fmt.Errorf("read the attachment: %w", err)
	}
	return info.Program, nil
}
