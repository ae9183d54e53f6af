package bpf

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sync"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/link"
	"github.com/vishvananda/netlink"
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

// WithClsact returns the hook as it is on a kernel without TCX.
func WithClsact(hook Hook) Hook {
	hook.IsFilter = func() bool { return true }
	return hook
}

// isFilter reports whether programs of this hook are filters of clsact on this kernel.
func (h Hook) isFilter() bool { return h.IsFilter != nil && h.IsFilter() }

func (e *Engine) isFilter() bool { return e.filters != nil && e.filters.inUse }

// Attachment returns how the program is attached on this kernel, as a sentence.
func (h Hook) Attachment() string {
	if h.isFilter() {
		return "It is attached with clsact, because this kernel has no TCX, which came with Linux 6.6."
	}
	return "It is attached with TCX."
}

// attachFilter makes sure that packets pass the program. It counts as a change if they
// didn't before.
func (e *Engine) attachFilter() (changes int, err error) {
	changes, err = e.filters.put(e.program, e.network.Index)
	if err != nil {
		return changes, fmt.Errorf("attach %s to %s: %w", e.hook.Name, e.network.Name, err)
	}
	if err := e.dropLink(); err != nil {
		return changes, err
	}
	return changes, e.pinned.RemoveOthers()
}

// dropLink detaches what a process that used TCX left behind. Until then packets pass only
// the first of the two.
func (e *Engine) dropLink() error {
	pin := filepath.Join(e.folder, linkPin)
	left, err := link.LoadPinnedLink(pin, nil)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = errors.Join(left.Detach(), left.Close(), os.Remove(pin))
	}
	if err != nil {
		return fmt.Errorf("remove the attachment of a former process: %w", err)
	}
	return nil
}

// dropFilters removes, once, what a process that used clsact left behind. The program must
// be attached by then.
func (e *Engine) dropFilters(isAttached bool) error {
	if e.filters == nil || !isAttached || e.filters.areDropped {
		return nil
	}
	if err := e.removeFilters(); err != nil {
		return err
	}
	e.filters.areDropped = true
	return nil
}

func (e *Engine) removeFilters() error {
	if e.filters == nil {
		return nil
	}
	if err := e.filters.remove(); err != nil {
		return fmt.Errorf("detach %s: %w", e.hook.Name, err)
	}
	return nil
}

// filterWarnings reports when packets don't pass the program first, or at all.
func (e *Engine) filterWarnings() []string {
	if len(e.model.Services) == 0 {
		return nil
	}
	chain, err := e.filters.list(e.network.Index, netlink.HANDLE_MIN_INGRESS)
	if err != nil {
		return []string{fmt.Sprintf("The filters of %s can't be read: %v.", e.network.Name, err)}
	}
	for i, one := range chain {
		if !e.filters.owns(one) {
			continue
		}
		if i > 0 {
			return []string{fmt.Sprintf("Packets on %s pass a filter of another program first (%s, priority %d): those that it accepts are not carried.", e.network.Name, chain[0].Type(), chain[0].Attrs().Priority)}
		}
		return nil
	}
	return []string{e.detachedWarning()}
}
