package bpf

import (
	"errors"
	"fmt"
	"os"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/features"
	"github.com/cilium/ebpf/rlimit"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/neighbour"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/pins"
)

// Preflight loads the real program with small maps, attaches it for a moment and leaves
// nothing behind. Without services it passes every packet. If a former process's program
// is still attached, that suffices: some hooks have room for one only.
func Preflight(hook Hook, options datapath.Options) error {
	network, err := neighbour.Open(options.Interface)
	if err != nil {
		return err
	}
	defer network.Close()
	if err := rlimit.RemoveMemlock(); err != nil {
		return fmt.Errorf("%s needs locked memory: run it as root, or with CAP_BPF, CAP_NET_ADMIN and CAP_SYS_RESOURCE: %w", hook.Name, err)
	}
	folder := pins.Folder(hook.Name, options)
	_, statErr := os.Stat(folder)
	if err := pins.MakeFolder(folder); err != nil {
		return fmt.Errorf("%s keeps its state on a BPF file system: %w", hook.Name, err)
	}
	if errors.Is(statErr, os.ErrNotExist) {
		defer func() { _ = pins.RemoveFolder(folder) }()
	}
	if err := hook.lacks(features.HaveProgramHelper); err != nil {
		return err
	}
	specs, err := mapsOf(hook, 1)
	if err != nil {
		return err
	}
	maps := map[string]*ebpf.Map{}
	defer func() { pins.CloseMaps(maps) }()
	for name, spec := range specs {
		if spec.Type != ebpf.RingBuf && spec.Type != ebpf.ArrayOfMaps {
			spec.MaxEntries = 1
		}
		if maps[name], err = ebpf.NewMap(spec); err != nil {
			delete(maps, name)
			return hook.refused("create its maps", err)
		}
	}
	program, err := loadProgram(hook, maps)
	if err != nil && hook.Sessions {
		program, err = loadAlone(hook, maps, err)
	}
	if err != nil {
		return hook.refused("load its program", err)
	}
	defer program.Close()
	if err := hook.Point.Open(network, folder, options.Name).Try(program); err != nil {
		return hook.refused("attach to "+options.Interface, err)
	}
	return nil
}

// lacks returns an error that names the Linux that the program needs, if this one is older.
func (h Hook) lacks(probe func(ebpf.ProgramType, asm.BuiltinFunc) error) error {
	for _, need := range h.Needs {
		if err := probe(h.Type, need.Helper); errors.Is(err, ebpf.ErrNotSupported) {
			return fmt.Errorf("%s needs Linux %s or newer, because its program calls %s: use another engine", h.Name, need.Since, need.Name)
		}
	}
	return nil
}

// refused returns a one-sentence error with a fix, where it is known.
func (h Hook) refused(doing string, err error) error {
	cure := "use another engine"
	switch {
	case errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES):
		cure = "run it as root, or with CAP_BPF, CAP_NET_ADMIN and CAP_SYS_ADMIN"
	case errors.Is(err, ebpf.ErrNotSupported):
		cure = "use Linux 6.1 or newer, or another engine"
	case errors.Is(err, unix.ENOENT):
		cure = "load the kernel modules sch_ingress and cls_bpf, or use another engine"
	case errors.Is(err, unix.EBUSY) || errors.Is(err, unix.EEXIST):
		cure = "detach the other program, or use another engine"
	}
	return fmt.Errorf("%s can't %s (%s): %w", h.Name, doing, cure, err)
}
