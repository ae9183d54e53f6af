package attach

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/link"
	"github.com/vishvananda/netlink"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/neighbour"
)

// Without TCX, a program is a filter of the queueing discipline clsact. Nothing can be
// pinned, and nothing has to be: the kernel keeps a filter, its program and that one's maps
// until the filter is deleted. The next process finds the filter by its name, whatever the
// interface is called by then, and replaces the program in one step.

// hasTCX reports whether this kernel has TCX, which came with Linux 6.6.
var hasTCX = sync.OnceValue(func() bool {
	program, err := ebpf.NewProgram(&ebpf.ProgramSpec{
		Name: "fairlead_probe", Type: ebpf.SchedCLS, License: "GPL",
		Instructions: asm.Instructions{asm.Mov.Imm(asm.R0, 0), asm.Return()},
	})
	if err != nil {
		return true // no program can be loaded: the error of the real one has the reason
	}
	defer program.Close()
	attached, err := link.AttachTCX(link.TCXOptions{Interface: math.MaxInt32, Program: program, Attach: ebpf.AttachTCXIngress})
	if err == nil {
		_ = attached.Close()
	}
	return !errors.Is(err, ebpf.ErrNotSupported)
})

// isFilter reports whether programs are filters of clsact on this kernel.
func (p Point) isFilter() bool { return p.IsFilter != nil && p.IsFilter() }

// Detail returns how a program is attached on this kernel, as a sentence.
func (p Point) Detail() string {
	if p.isFilter() {
		return "It is attached with clsact, because this kernel has no TCX, which came with Linux 6.6."
	}
	return "It is attached with TCX."
}

// filtered is an attachment by a filter.
type filtered struct {
	point   Point
	network *neighbour.Network
	filters *filters
}

// Put counts as a change if packets didn't pass a program of this replica before.
func (f *filtered) Put(program *ebpf.Program) (changes int, err error) {
	changes, err = f.filters.put(program, f.network.Index)
	if err != nil {
		return changes, fmt.Errorf("attach %s to %s: %w", f.point.Name, f.network.Name, err)
	}
	return changes, nil
}

// Attached returns the program of the filter.
func (f *filtered) Attached() (ebpf.ProgramID, error) { return f.filters.program() }

// Try adds a filter for a moment.
func (f *filtered) Try(program *ebpf.Program) error { return f.filters.try(program, f.network.Index) }

// Remove deletes the filters of this replica, on any interface.
func (f *filtered) Remove() error {
	if err := f.filters.remove(); err != nil {
		return fmt.Errorf("detach %s: %w", f.point.Name, err)
	}
	return nil
}

// Close has nothing to close: the kernel keeps the filter.
func (f *filtered) Close() error { return nil }

// Warnings reads the filters of the interface.
func (f *filtered) Warnings(hasServices bool) []string {
	if !hasServices {
		return nil
	}
	chain, err := f.filters.list(f.network.Index, netlink.HANDLE_MIN_INGRESS)
	if err != nil {
		return []string{fmt.Sprintf("The filters of %s can't be read: %v.", f.network.Name, err)}
	}
	for i, one := range chain {
		if !f.filters.owns(one) {
			continue
		}
		if i > 0 {
			return []string{fmt.Sprintf("Packets on %s pass a filter of another program first (%s, priority %d): those that it accepts are not carried.", f.network.Name, chain[0].Type(), chain[0].Attrs().Priority)}
		}
		return nil
	}
	return []string{detachedWarning(f.network.Name)}
}
