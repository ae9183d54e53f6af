package replica

import (
	"errors"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/features"
)

// Preflight returns why replicas can't choose by session on this kernel.
func Preflight() error { return lacks(features.HaveProgramHelper) }

func lacks(probe func(ebpf.ProgramType, asm.BuiltinFunc) error) error {
	if err := probe(ebpf.SchedCLS, asm.FnKtimeGetTaiNs); errors.Is(err, ebpf.ErrNotSupported) {
		return errors.New("choosing backends by TLS session needs Linux 6.1 or newer, because its program calls bpf_ktime_get_tai_ns")
	}
	return nil
}
