package attach

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/neighbour"
)

// Attachment keeps a program at an interface or in a cgroup.
type Attachment interface {
	// Put makes sure that packets pass a program, and only that one of this replica. It
	// returns how many changes that took. Replacing a program is none.
	Put(program *ebpf.Program) (changes int, err error)

	// Attached returns the program of this replica that packets pass, which may be that of a
	// former process; 0 when there is none.
	Attached() (ebpf.ProgramID, error)

	// Warnings reports when packets don't pass the program first, or at all. A replica
	// without services may not have one.
	Warnings(hasServices bool) []string

	// Try attaches a program for a moment, unless a former process left one, which suffices.
	Try(program *ebpf.Program) error

	// Remove detaches the program.
	Remove() error

	// Close leaves the program attached.
	Close() error
}

// Open returns the attachment of a replica at an interface. What has to be pinned is pinned
// in a folder.
func (p Point) Open(network *neighbour.Network, folder, replica string) Attachment {
	byLink := &linked{place: &atInterface{p, network}, kind: p.Name, pin: filepath.Join(folder, "link")}
	if p.IsFilter == nil {
		return byLink
	}
	byFilter := &filtered{point: p, network: network, filters: &filters{links: network.Links, owner: namesOfOurs + p.Name + "/" + replica}}
	if p.IsFilter() {
		return &upgraded{now: byFilter, before: byLink, linked: byLink, filtered: byFilter}
	}
	return &upgraded{now: byLink, before: byFilter, linked: byLink, filtered: byFilter}
}

// upgraded is the attachment at a hook whose kind depends on the kernel. A former process
// may have used the other kind.
type upgraded struct {
	now, before Attachment
	linked      *linked
	filtered    *filtered
	isDropped   bool // what a former process left
}

// Put removes what a former process left once the program is attached. Until then packets
// pass only the first of the two.
func (u *upgraded) Put(program *ebpf.Program) (changes int, err error) {
	changes, err = u.now.Put(program)
	if err != nil || u.isDropped {
		return changes, err
	}
	if err := u.before.Remove(); err != nil {
		return changes, fmt.Errorf("remove the attachment of a former process: %w", err)
	}
	u.isDropped = true
	return changes, nil
}

// Attached prefers the link: if there are both, packets pass that one.
func (u *upgraded) Attached() (ebpf.ProgramID, error) {
	id, err := u.linked.Attached()
	if err == nil && id == 0 {
		id, err = u.filtered.Attached()
	}
	return id, err
}

func (u *upgraded) Warnings(hasServices bool) []string { return u.now.Warnings(hasServices) }

func (u *upgraded) Try(program *ebpf.Program) error { return u.now.Try(program) }

func (u *upgraded) Remove() error { return errors.Join(u.now.Remove(), u.before.Remove()) }

func (u *upgraded) Close() error { return errors.Join(u.now.Close(), u.before.Close()) }

func detachedWarning(place string) string {
	return fmt.Sprintf("No packet is carried: the program was detached from %s by hand, or the interface was replaced. The next change puts it back.", place)
}
