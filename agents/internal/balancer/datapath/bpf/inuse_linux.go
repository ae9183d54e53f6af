package bpf

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
)

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
