package bpf

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"
)

func TestARefusalIsOneSentenceWithItsCure(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{unix.EPERM, "run it as root, or with CAP_BPF"},
		{unix.EACCES, "run it as root, or with CAP_BPF"},
		{ebpf.ErrNotSupported, "use Linux 6.8 or newer"},
		{unix.EBUSY, "detach the other program"},
		{unix.EEXIST, "detach the other program"},
		{unix.EINVAL, "use another engine"},
	} {
		cause := fmt.Errorf("attach: %w", c.err)
		for _, hook := range []Hook{TCX, XDP} {
			said := hook.refused("attach to eth0", cause)
			if text := said.Error(); !strings.HasPrefix(text, hook.Name+" can't attach to eth0 ("+c.want) || strings.Contains(text, "\n") || !errors.Is(said, c.err) {
				t.Errorf("%v: it says %q", c.err, text)
			}
		}
	}
}
