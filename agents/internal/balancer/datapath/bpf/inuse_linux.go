package bpf

import (
	"fmt"

	"github.com/cilium/ebpf"
)

// mapsInUse returns the maps of the attached program; nil when there is none.
func (e *Engine) mapsInUse() ([]ebpf.MapID, error) {
	id, err := e.attachment.Attached()
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
