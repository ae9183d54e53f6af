package bpf

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/netspace"
)

func openDecapFilter(t *testing.T, place *netspace.Space) (d *Decap) {
	t.Helper()
	must(t, place.Do(func() (err error) {
		d, err = openDecap(onClsact, "eth0", []netip.Prefix{netip.MustParsePrefix("10.9.0.2/31")})
		return err
	}))
	return d
}

// Two processes may run at once, while one replaces the other. A filter without a process
// belonged to one that was killed.
func TestFiltersOfKilledDecapProcessesAreRemoved(t *testing.T) {
	place := newPlace(t)
	running := openDecapFilter(t, place)
	names := chain(t, place, "eth0")
	killed := *onlyFilter(t, place, "eth0")
	killed.Name, killed.Handle, killed.Fd, killed.DirectAction = "fairlead/decap/killed/clsact", killed.Handle+1, running.program().FD(), true
	must(t, place.Links().FilterAdd(&killed))
	next := openDecapFilter(t, place)
	now := chain(t, place, "eth0")
	if len(now) != 2 || !slices.Contains(now, names[0]) || strings.Contains(strings.Join(now, " "), "killed") {
		t.Errorf("filters %q, want %q and one more", now, names)
	}
	must(t, running.Close())
	onlyFilter(t, place, "eth0")
	must(t, next.Close())
	if left := chain(t, place, "eth0"); len(left) != 0 || hasClsact(t, place, "eth0") {
		t.Errorf("filters %q are left, or clsact", left)
	}
}
