package sockets

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/btf"
	"github.com/cilium/ebpf/features"
	"github.com/cilium/ebpf/rlimit"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/adaptive/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/pins"
)

// Preflight loads the programs with small maps, attaches them for a moment and leaves nothing behind. Without
// services they change nothing.
func Preflight(options Options) error {
	cgroup, err := CgroupOf(options.Cgroup)
	if err != nil {
		return err
	}
	if err := checkKernel(features.HaveProgramHelper); err != nil {
		return err
	}
	if err := checkOthers(cgroup, filepath.Join(options.PinFolder, program.SocketsFolder)); err != nil {
		return err
	}
	if err := rlimit.RemoveMemlock(); err != nil {
		return fmt.Errorf("sockets need locked memory: run the agent as root, or with CAP_BPF, CAP_NET_ADMIN, CAP_PERFMON and CAP_SYS_RESOURCE: %w", err)
	}
	_, missing := os.Stat(options.PinFolder)
	if err := pins.MakeFolder(options.PinFolder); err != nil {
		return err
	}
	if errors.Is(missing, os.ErrNotExist) {
		defer func() { _ = pins.RemoveFolder(options.PinFolder) }()
	}
	return try(cgroup, filepath.Join(options.PinFolder, program.SocketsFolder))
}

// checkKernel names the Linux that the programs need, if this one is older.
func checkKernel(probe func(ebpf.ProgramType, asm.BuiltinFunc) error) error {
	if err := probe(ebpf.CGroupSockAddr, asm.FnSetRetval); errors.Is(err, ebpf.ErrNotSupported) {
		return errors.New("sockets need Linux 6.1 or newer, because their programs call bpf_set_retval at connect: use another strategy")
	}
	if _, err := btf.LoadKernelSpec(); err != nil {
		return fmt.Errorf("sockets need the kernel's type information (BTF): use a kernel that was built with it: %w", err)
	}
	return nil
}

// namesOfCilium are those of the programs of its socket load balancer, which the kernel cuts to 15 bytes.
var namesOfCilium = []string{"cil_sock4_conne", "cil_sock6_conne", "cil_sock4_sendm", "cil_sock6_sendm", "sock4_connect", "sock6_connect"}

func isOfCilium(program string) bool {
	return slices.ContainsFunc(namesOfCilium, func(name string) bool { return strings.HasPrefix(program, name) })
}

// checkOthers rejects a host whose connections to services are translated before ours, or after: both would
// choose a backend, and only one could show the service's address.
func checkOthers(cgroup, folder string) error {
	attachments, err := attachmentsIn(cgroup, folder)
	if err != nil {
		return err
	}
	for i, hook := range hooks {
		own, err := attachments[i].Attached()
		if err != nil {
			return err
		}
		names, err := othersAt(cgroup, hook, own)
		if err != nil {
			return err
		}
		if found := slices.IndexFunc(names, isOfCilium); found >= 0 {
			return fmt.Errorf("Cilium's socket load balancer (program %s at %s of %s) translates service addresses at the same hooks: "+
				"set socketLB.enabled to false and kubeProxyReplacement to false in Cilium, or use another strategy",
				names[found], hook.at, cgroup)
		}
	}
	return nil
}

func try(cgroup, folder string) error {
	spec, err := program.Spec(program.LoadSockets)
	if err != nil {
		return err
	}
	for _, each := range spec.Maps {
		if each.Type != ebpf.SkStorage {
			each.MaxEntries = 1
		}
	}
	programs, err := loadWith(spec, nil)
	if err != nil {
		return refused("load their programs", err)
	}
	defer func() {
		for _, each := range programs {
			_ = each.Close()
		}
	}()
	attachments, err := attachmentsIn(cgroup, folder)
	if err != nil {
		return err
	}
	for i, hook := range hooks {
		if err := attachments[i].Try(programs[hook.program]); err != nil {
			return refused("attach to "+cgroup, refusedBy(cgroup, hook, err))
		}
	}
	return nil
}

// refused returns a one-sentence error with a fix, where it is known.
func refused(doing string, err error) error {
	cure := "use another strategy"
	switch {
	case errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES):
		cure = "run the agent as root, or with CAP_BPF, CAP_NET_ADMIN and CAP_PERFMON"
	case errors.Is(err, ebpf.ErrNotSupported):
		cure = "use Linux 6.1 or newer, or another strategy"
	}
	return fmt.Errorf("sockets can't %s (%s): %w", doing, cure, err)
}
