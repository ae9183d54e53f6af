package bpf

import (
	"errors"
	"fmt"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"github.com/cilium/ebpf/rlimit"
)

// Decap takes the outer header off tunnelled packets, at a backend. The kernel
// accepts what is inside only if the address is the backend's own.
type Decap struct {
	program *ebpf.Program
	link    link.Link
}

// OpenDecap begins at an interface of the namespace in which it is called.
func OpenDecap(interfaceName string) (*Decap, error) {
	if err := rlimit.RemoveMemlock(); err != nil {
		return nil, fmt.Errorf("lift the limit of locked memory: %w", err)
	}
	network, err := openNetwork(interfaceName)
	if err != nil {
		return nil, err
	}
	defer network.Close()
	spec, err := LoadDecap()
	if err != nil {
		return nil, err
	}
	program, err := ebpf.NewProgram(spec.Programs[DecapProgUnwrap])
	if err != nil {
		return nil, fmt.Errorf("load the program of backends: %w", err)
	}
	attached, err := attachTCX(program, network.index)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("attach to %s: %w", interfaceName, err), program.Close())
	}
	return &Decap{program: program, link: attached}, nil
}

// Close ends it: tunnelled packets are no longer understood.
func (d *Decap) Close() error { return errors.Join(d.link.Close(), d.program.Close()) }
