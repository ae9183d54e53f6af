package vmtest

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// withoutVectors makes Go programs use no registers that simpleRegisters doesn't keep.
const withoutVectors = "GODEBUG=cpu.all=off"

const (
	ptraceGetRegSet = 0x4204
	xstate          = 0x202 // NT_X86_XSTATE: all registers for floating-point numbers and vectors
)

// simpleRegisters makes programs that this thread starts see a CPU whose vector registers can't be read with ptrace.
// User-mode Linux 6.1 has room for those of AVX2. On CPUs with more, such as AVX-512, it fails at its first process. Without
// them it uses an older call, which keeps the registers that all CPUs have.
func simpleRegisters() error {
	const number, first, third = 0, 16, 32 // offsets of the call's number and arguments
	filter := []unix.SockFilter{
		load32(number), unlessIs(unix.SYS_PTRACE, 5),
		load32(first), unlessIs(ptraceGetRegSet, 3),
		load32(third), unlessIs(xstate, 1),
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EIO)},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("simple registers: %w", err)
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0); err != nil {
		return fmt.Errorf("simple registers: %w", err)
	}
	return nil
}

func load32(at uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
}

// unlessIs skips instructions unless the loaded number is this one.
func unlessIs(want uint32, skip uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: want, Jf: skip}
}
