package pins

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/cilium/ebpf"
)

// Maps are the maps of a replica, in the layout of this program.
type Maps struct {
	ByName map[string]*ebpf.Map
	Folder string   // of this layout
	others []string // folders of other layouts
	former string   // of these, the one whose state was taken over; empty for none
}

// Open creates the maps of a layout below a replica's folder, or opens those of a
// former process. If that had another layout, it copies what it can read. used are the maps
// of the attached program; nil when there is none.
func Open(folder string, specs map[string]*ebpf.MapSpec, used func() ([]ebpf.MapID, error)) (_ *Maps, err error) {
	p := &Maps{Folder: filepath.Join(folder, GenerationOf(specs))}
	if p.others, err = otherGenerations(folder, filepath.Base(p.Folder)); err != nil {
		return nil, err
	}
	_, missing := os.Stat(p.Folder)
	inUse, err := used()
	if err != nil {
		return nil, err
	}
	if p.former, err = formerOf(p.others, inUse, missing != nil); err != nil {
		return nil, err
	}
	if p.former != "" {
		// Maps of this layout were never attached, so what they have may be outdated.
		if err := os.RemoveAll(p.Folder); err != nil {
			return nil, fmt.Errorf("remove maps that were never attached: %w", err)
		}
	}
	if p.ByName, err = OpenMaps(folder, specs); err != nil {
		return nil, err
	}
	if p.former != "" {
		if err := copyState(p.former, p.ByName); err != nil {
			CloseMaps(p.ByName)
			return nil, err
		}
	}
	return p, nil
}

// RemoveOthers removes the maps of other layouts, now that no packet reads them. First
// it copies flows that began or changed since the previous copy.
func (p *Maps) RemoveOthers() error {
	for _, old := range p.others {
		if old == p.former {
			if err := copyFlows(old, p.ByName); err != nil {
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
func (p *Maps) Close() { CloseMaps(p.ByName) }
