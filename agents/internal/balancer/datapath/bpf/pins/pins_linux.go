package bpf

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/cilium/ebpf"
)

// pinned are the maps of a replica, in the layout of this program.
type pinned struct {
	maps   map[string]*ebpf.Map
	folder string   // of this layout
	others []string // folders of other layouts
	former string   // of these, the one whose state was taken over; empty for none
}

// openPinned creates the maps of a layout below a replica's folder, or opens those of a
// former process. If that had another layout, it copies what it can read. used are the maps
// of the attached program; nil when there is none.
func openPinned(folder string, specs map[string]*ebpf.MapSpec, used func() ([]ebpf.MapID, error)) (_ *pinned, err error) {
	p := &pinned{folder: filepath.Join(folder, generationOf(specs))}
	if p.others, err = otherGenerations(folder, filepath.Base(p.folder)); err != nil {
		return nil, err
	}
	_, missing := os.Stat(p.folder)
	inUse, err := used()
	if err != nil {
		return nil, err
	}
	if p.former, err = formerOf(p.others, inUse, missing != nil); err != nil {
		return nil, err
	}
	if p.former != "" {
		// Maps of this layout were never attached, so what they have may be outdated.
		if err := os.RemoveAll(p.folder); err != nil {
			return nil, fmt.Errorf("remove maps that were never attached: %w", err)
		}
	}
	if p.maps, err = openMaps(folder, specs); err != nil {
		return nil, err
	}
	if p.former != "" {
		if err := copyState(p.former, p.maps); err != nil {
			closeMaps(p.maps)
			return nil, err
		}
	}
	return p, nil
}

// removeOthers removes the maps of other layouts, now that no packet reads them. First
// it copies flows that began or changed since the previous copy.
func (p *pinned) removeOthers() error {
	for _, old := range p.others {
		if old == p.former {
			if err := copyFlows(old, p.maps); err != nil {
				return err
			}
		}
		if err := os.RemoveAll(old); err != nil {
			return fmt.Errorf("remove %s: %w", old, err)
		}
	}
	p.others, p.former = nil, ""
	return nil
}

// Close closes the maps, which stay pinned.
func (p *pinned) Close() { closeMaps(p.maps) }
