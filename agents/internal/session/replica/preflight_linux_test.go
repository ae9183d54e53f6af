package replica

import (
	"strings"
	"testing"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"

	"fairlead.dev/agents/internal/privileged"
)

func TestPreflightNamesTheLinuxThatIsNeeded(t *testing.T) {
	privileged.Need(t)
	if err := Preflight(); err != nil {
		t.Errorf("this kernel is refused: %v", err)
	}
	old := func(ebpf.ProgramType, asm.BuiltinFunc) error { return ebpf.ErrNotSupported }
	if err := lacks(old); err == nil || !strings.Contains(err.Error(), "Linux 6.1 or newer") {
		t.Errorf("an old kernel: %v", err)
	}
}
