package bpf

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/features"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func TestAPreflightErrorIsOneSentenceWithItsFix(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{unix.EPERM, "run it as root, or with CAP_BPF"},
		{unix.EACCES, "run it as root, or with CAP_BPF"},
		{ebpf.ErrNotSupported, "use Linux 6.1 or newer"},
		{unix.EBUSY, "detach the other program"},
		{unix.EEXIST, "detach the other program"},
		{unix.ENOENT, "load the kernel modules sch_ingress and cls_bpf"},
		{unix.EINVAL, "use another engine"},
	} {
		cause := fmt.Errorf("attach: %w", c.err)
		for _, hook := range []Hook{TCX, XDP} {
			reported := hook.refused("attach to eth0", cause)
			if text := reported.Error(); !strings.HasPrefix(text, hook.Name+" can't attach to eth0 ("+c.want) || strings.Contains(text, "\n") || !errors.Is(reported, c.err) {
				t.Errorf("%v: the error is %q", c.err, text)
			}
		}
	}
}

func TestPreflightNamesTheLinuxThatAProgramNeeds(t *testing.T) {
	old := func(kind ebpf.ProgramType, helper asm.BuiltinFunc) error {
		if kind != ebpf.XDP {
			t.Errorf("%s of programs of type %s is probed", helper, kind)
		}
		if helper == asm.FnXdpLoadBytes {
			return fmt.Errorf("probe: %w", ebpf.ErrNotSupported)
		}
		return nil
	}
	if err := XDP.lacks(old); err == nil || !strings.Contains(err.Error(), "xdp needs Linux 5.18 or newer, because its program calls bpf_xdp_load_bytes") {
		t.Errorf("an old kernel is refused with %v", err)
	}
	if err := errors.Join(XDP.lacks(features.HaveProgramHelper), TCX.lacks(old)); err != nil {
		t.Errorf("this kernel is refused: %v", err)
	}
}

// The verifier checks up to a million instructions, and takes a second for some hundred
// thousand, which delays the start of a balancer.
func TestTheVerifierIsQuick(t *testing.T) {
	for _, hook := range []Hook{TCX, XDP} {
		e := openAt(t, newPlace(t), hook, datapath.Options{})
		info, err := e.program.Info()
		must(t, err)
		seen, ok := info.VerifiedInstructions()
		t.Logf("%s: %d instructions", hook.Name, seen)
		if !ok || seen > 200_000 {
			t.Errorf("%s: the verifier looked at %d instructions (known: %t), more than 200 000", hook.Name, seen, ok)
		}
	}
}
