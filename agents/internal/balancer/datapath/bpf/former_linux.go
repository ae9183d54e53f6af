package bpf

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
)

// formerOf returns the folder of the maps in use by the attached program, unless it is
// this layout's: other folders belong to processes that never attached their program. If
// no program is attached, any former state is better than none.
func (e *Engine) formerOf(isNew bool) (string, error) {
	used, err := e.mapsInUse()
	if err != nil {
		return "", err
	}
	if used == nil {
		if isNew && len(e.otherFolders) > 0 {
			return e.otherFolders[0], nil
		}
		return "", nil
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
