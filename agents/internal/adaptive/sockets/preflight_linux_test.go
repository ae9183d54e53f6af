package sockets

import (
	"bufio"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/link"
)

// connecting returns a program of others that allows connections.
func connecting(t *testing.T, name string) *ebpf.Program {
	t.Helper()
	program, err := ebpf.NewProgram(&ebpf.ProgramSpec{
		Name: name, Type: ebpf.CGroupSockAddr, AttachType: ebpf.AttachCGroupInet4Connect, License: "GPL",
		Instructions: asm.Instructions{asm.Mov.Imm(asm.R0, 1), asm.Return()},
	})
	must(t, err)
	t.Cleanup(func() { _ = program.Close() })
	return program
}

func attachAlso(t *testing.T, cgroup string, program *ebpf.Program) {
	t.Helper()
	attached, err := link.AttachCgroup(link.CgroupOptions{Path: cgroup, Attach: ebpf.AttachCGroupInet4Connect, Program: program})
	must(t, err)
	t.Cleanup(func() { _ = attached.Close() })
}

func TestPreflightLeavesNothingBehind(t *testing.T) {
	options := newOptions(t)
	must(t, Preflight(options))
	if _, err := os.Stat(options.PinFolder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of pins: %v", err)
	}
	engine := open(t, options)
	t.Cleanup(func() { must(t, engine.Remove()) })
	set(t, engine, serviceOf(t, tcp4, "a"))
	must(t, Preflight(options)) // next to what it attached
	dial(t, tcp4, 1)
}

func TestPreflightRefusesCilium(t *testing.T) {
	options := newOptions(t)
	attachAlso(t, options.Cgroup, connecting(t, "cil_sock4_connect"[:15]))
	if err := Preflight(options); err == nil || !strings.Contains(err.Error(), "Cilium's socket load balancer (program cil_sock4_conne at ") {
		t.Errorf("next to Cilium: %v", err)
	}
}

func TestOtherProgramsRunToo(t *testing.T) {
	options := newOptions(t)
	attachAlso(t, options.Cgroup, connecting(t, "policy_of_other"))
	must(t, Preflight(options))
	engine := open(t, options)
	t.Cleanup(func() { must(t, engine.Remove()) })
	set(t, engine, serviceOf(t, tcp4, "a"))
	echoes(t, dial(t, tcp4, 1)[0])
	observed, err := engine.Observe()
	must(t, err)
	if all := strings.Join(observed.Warnings, "\n"); !strings.Contains(all, "(policy_of_other)") {
		t.Errorf("warnings: %q", all)
	}
}

func TestPreflightNamesAProgramThatAdmitsNoOther(t *testing.T) {
	options := newOptions(t)
	alone := connecting(t, "alone")
	folder, err := os.Open(options.Cgroup)
	must(t, err)
	defer folder.Close()
	attached := link.RawAttachProgramOptions{Target: int(folder.Fd()), Program: alone, Attach: ebpf.AttachCGroupInet4Connect}
	must(t, link.RawAttachProgram(attached))
	defer func() {
		must(t, link.RawDetachProgram(link.RawDetachProgramOptions{Target: attached.Target, Program: alone, Attach: attached.Attach}))
	}()
	if err := Preflight(options); err == nil || !strings.Contains(err.Error(), "alone is attached at ") {
		t.Errorf("with a program that admits no other: %v", err)
	}
}

func TestPreflightNamesWhatTheHostLacks(t *testing.T) {
	lacks := func(ebpf.ProgramType, asm.BuiltinFunc) error { return ebpf.ErrNotSupported }
	if err := checkKernel(lacks); err == nil || !strings.Contains(err.Error(), "Linux 6.1 or newer") {
		t.Errorf("an old kernel: %v", err)
	}
	only1 := "cgroup /sys/fs/cgroup/cpu cgroup rw,cpu 0 0\n"
	if _, err := cgroupIn(bufio.NewScanner(strings.NewReader(only1))); err == nil || !strings.Contains(err.Error(), "mount -t cgroup2") {
		t.Errorf("with version 1 only: %v", err)
	}
	both := only1 + "cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n"
	if got, err := cgroupIn(bufio.NewScanner(strings.NewReader(both))); err != nil || got != "/sys/fs/cgroup/unified" {
		t.Errorf("with both versions: %q (%v)", got, err)
	}
}
