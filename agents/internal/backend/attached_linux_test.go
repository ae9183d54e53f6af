package backend

import (
	"errors"
	"testing"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"

	"fairlead.dev/agents/internal/netspace"
)

// programsEach is how many programs for packets that arrive a companion has.
const programsEach = 2

// attachedTo returns the programs for packets that arrive in a namespace.
func attachedTo(t *testing.T, space *netspace.Space) (all []ebpf.ProgramID) {
	t.Helper()
	eth0, err := space.Links().LinkByName("eth0")
	must(t, err)
	must(t, space.Do(func() error {
		found, err := link.QueryPrograms(link.QueryOptions{Target: eth0.Attrs().Index, Attach: ebpf.AttachTCXIngress})
		if err != nil {
			return err
		}
		for _, one := range found.Programs {
			all = append(all, one.ID)
		}
		return nil
	}))
	return all
}

// detach detaches a pinned program, as an administrator does with bpftool.
func detach(pin string) error {
	pinned, err := link.LoadPinnedLink(pin, nil)
	if err != nil {
		return err
	}
	return errors.Join(pinned.Detach(), pinned.Close())
}
