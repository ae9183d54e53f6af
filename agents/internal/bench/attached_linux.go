package bench

import (
	"errors"
	"fmt"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/link"

	"fairlead.dev/agents/internal/netspace"
)

// program is the BPF program attached to the pod's interface, at either hook.
func (r *running) program() (*ebpf.Program, error) {
	if r.pod == nil {
		return nil, nil
	}
	return attachedTo(r.pod.space, netInterface)
}

// attachedTo returns the program at an interface, at either hook; nil without one.
func attachedTo(space *netspace.Space, name string) (program *ebpf.Program, err error) {
	err = space.Do(func() error {
		found, err := space.Links().LinkByName(name)
		if err != nil {
			return err
		}
		id := ebpf.ProgramID(0)
		if attached := found.Attrs().Xdp; attached != nil && attached.Attached {
			id = ebpf.ProgramID(attached.ProgId)
		}
		chain, err := link.QueryPrograms(link.QueryOptions{Target: found.Attrs().Index, Attach: ebpf.AttachTCXIngress})
		if err != nil {
			return fmt.Errorf("query the programs of %s: %w", name, err)
		}
		if len(chain.Programs) > 0 {
			id = chain.Programs[0].ID
		}
		if id != 0 {
			program, err = ebpf.NewProgramFromID(id)
		}
		return err
	})
	return program, err
}

// emptyProgram returns a program that only returns, and gets the packets of the pod's program at the same
// hook: at TCX before that program, and at XDP, where an interface has one program, at the other end of the
// pod's cable.
func (r *running) emptyProgram(network *network, hook ebpf.ProgramType) (empty *ebpf.Program, remove func() error, err error) {
	if hook == ebpf.XDP {
		empty, err = attachedTo(network.space, r.pod.end) // from xdp.PreparePeer
		if err == nil && empty == nil {
			err = fmt.Errorf("no program is attached to %s", r.pod.end)
		}
		if err != nil {
			return nil, nil, err
		}
		return empty, empty.Close, nil
	}
	const next = -1 // TCX_NEXT
	empty, err = ebpf.NewProgram(&ebpf.ProgramSpec{
		Name: "empty", Type: ebpf.SchedCLS, AttachType: ebpf.AttachTCXIngress, License: "GPL",
		Instructions: asm.Instructions{asm.Mov.Imm(asm.R0, next), asm.Return()},
	})
	if err != nil {
		return nil, nil, fmt.Errorf("load an empty program: %w", err)
	}
	var attached link.Link
	err = r.pod.space.Do(func() error {
		found, err := r.pod.space.Links().LinkByName(netInterface)
		if err != nil {
			return err
		}
		attached, err = link.AttachTCX(link.TCXOptions{Program: empty, Interface: found.Attrs().Index, Attach: ebpf.AttachTCXIngress, Anchor: link.Head()})
		return err
	})
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("attach an empty program: %w", err), empty.Close())
	}
	return empty, func() error { return errors.Join(attached.Close(), empty.Close()) }, nil
}
