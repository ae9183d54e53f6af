package bpf

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/netspace"
)

var onClsact = WithClsact(TCX)

func TestAFilterIsReplacedWhereItIs(t *testing.T) {
	place := newPlace(t)
	first := openAt(t, place, onClsact, datapath.Options{})
	if changes := set(t, first, tcpService()); changes == 0 {
		t.Error("attaching is no change")
	}
	before := onlyFilter(t, place, "eth0")
	must(t, first.Close()) // as when it is killed: Close doesn't touch the filter
	second := openAt(t, place, onClsact, datapath.Options{})
	if now := onlyFilter(t, place, "eth0"); now.Id != before.Id {
		t.Error("the program was replaced before the first Set")
	}
	if changes := set(t, second, tcpService()); changes != 0 {
		t.Errorf("taking over made %d changes", changes)
	}
	now := onlyFilter(t, place, "eth0")
	if now.Id == before.Id {
		t.Error("the program of the former process is still attached")
	}
	if now.FilterAttrs.Handle != before.FilterAttrs.Handle || now.Priority != before.Priority || now.Name != before.Name {
		t.Errorf("the filter moved from %+v to %+v", before, now)
	}
	must(t, second.Remove())
	if left := chain(t, place, "eth0"); len(left) != 0 || hasClsact(t, place, "eth0") {
		t.Errorf("filters %v are left, or clsact", left)
	}
}

// Its index stays the same.
func TestAFilterIsFoundOnARenamedInterface(t *testing.T) {
	place := newPlace(t)
	first := openAt(t, place, onClsact, datapath.Options{})
	set(t, first, tcpService())
	before := onlyFilter(t, place, "eth0")
	must(t, first.Close())
	renamed, err := place.Links().LinkByName("eth0")
	must(t, err)
	must(t, errors.Join(place.Links().LinkSetDown(renamed), place.Links().LinkSetName(renamed, "wan0"), place.Links().LinkSetUp(renamed)))
	second := openOn(t, place, "wan0")
	set(t, second, tcpService())
	if now := onlyFilter(t, place, "wan0"); now.FilterAttrs.Handle != before.FilterAttrs.Handle || now.Id == before.Id {
		t.Errorf("the filter %+v became %+v", before, now)
	}
}

func TestAFilterOfAnInterfaceThatIsNoLongerOursIsRemoved(t *testing.T) {
	place := newPlace(t)
	first := openAt(t, place, onClsact, datapath.Options{})
	set(t, first, tcpService())
	must(t, first.Close())
	must(t, place.AddBridge("eth1"))
	must(t, place.AddAddress("eth1", netip.MustParsePrefix("10.10.0.1/24")))
	second := openOn(t, place, "eth1")
	set(t, second)
	onlyFilter(t, place, "eth1")
	if left := chain(t, place, "eth0"); len(left) != 0 || hasClsact(t, place, "eth0") {
		t.Errorf("filters %v are left on the former interface, or clsact", left)
	}
}

// Filters of others are at the place that most programs use, and one of another kind.
func TestFiltersOfOthersStay(t *testing.T) {
	for name, c := range map[string]struct {
		other netlink.Filter
		first bool // ours comes before
	}{
		"a program":                        {&netlink.BpfFilter{FilterAttrs: netlink.FilterAttrs{Priority: 1, Handle: 1, Protocol: unix.ETH_P_ALL}, Name: "other", DirectAction: true}, true},
		"an accepting filter, after ours":  {&netlink.U32{FilterAttrs: netlink.FilterAttrs{Priority: 49152, Protocol: unix.ETH_P_ALL}}, true},
		"an accepting filter, before ours": {&netlink.U32{FilterAttrs: netlink.FilterAttrs{Priority: 1, Protocol: unix.ETH_P_ALL}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			place := newPlace(t)
			addOther(t, place, c.other)
			before := chain(t, place, "eth0")
			e := openAt(t, place, onClsact, datapath.Options{})
			set(t, e, tcpService())
			now := chain(t, place, "eth0")
			want := append([]string{ourFilter(place)}, before...)
			if !c.first {
				want = append(before, ourFilter(place))
			}
			if !slices.Equal(now, want) {
				t.Errorf("filters %q, want %q", now, want)
			}
			observed, err := e.Observe(t.Context())
			must(t, err)
			if warns := strings.Contains(fmt.Sprint(observed.Warnings), "pass a filter of another program first"); warns == c.first {
				t.Errorf("warnings %q", observed.Warnings)
			}
			must(t, e.Remove())
			if left := chain(t, place, "eth0"); !slices.Equal(left, before) || !hasClsact(t, place, "eth0") {
				t.Errorf("filters %q are left, want %q and clsact", left, before)
			}
		})
	}
}

// A program that uses the older discipline has no filter for clsact to replace.
func TestAnIngressDisciplineOfOthersIsUsed(t *testing.T) {
	place := newPlace(t)
	eth0, err := place.Links().LinkByName("eth0")
	must(t, err)
	must(t, place.Links().QdiscAdd(&netlink.Ingress{QdiscAttrs: netlink.QdiscAttrs{LinkIndex: eth0.Attrs().Index, Parent: netlink.HANDLE_INGRESS, Handle: netlink.MakeHandle(0xffff, 0)}}))
	e := openAt(t, place, onClsact, datapath.Options{})
	set(t, e, tcpService())
	if now := chain(t, place, "eth0"); !slices.Equal(now, []string{"bpf fairlead/tcx/" + place.Name}) {
		t.Errorf("filters %q", now)
	}
	must(t, e.Remove())
	disciplines, err := place.Links().QdiscList(eth0)
	must(t, err)
	if !slices.ContainsFunc(disciplines, func(one netlink.Qdisc) bool { return one.Type() == "ingress" }) {
		t.Error("the discipline of others is gone")
	}
}

func TestTheLastReplicaOfAnInterfaceRemovesClsact(t *testing.T) {
	place := newPlace(t)
	one := openAt(t, place, onClsact, datapath.Options{Name: place.Name + "-1"})
	two := openAt(t, place, onClsact, datapath.Options{Name: place.Name + "-2"})
	set(t, one, tcpService())
	set(t, two, tcpService())
	must(t, one.Remove())
	onlyFilter(t, place, "eth0")
	must(t, two.Remove())
	if hasClsact(t, place, "eth0") {
		t.Error("clsact is left")
	}
}

// The kernel changes with a reboot, which removes everything, but an operator may use both.
func TestTCXAndClsactReplaceEachOther(t *testing.T) {
	place := newPlace(t)
	pinned := func(e *Engine) bool { _, err := os.Stat(filepath.Join(e.folder, "link")); return err == nil }
	for i, hook := range []Hook{TCX, onClsact, TCX} {
		e := openAt(t, place, hook, datapath.Options{})
		if changes := set(t, e, tcpService()); i == 0 && changes == 0 {
			t.Error("attaching is no change")
		}
		filters := len(chain(t, place, "eth0"))
		if want := i == 1; (filters == 1) != want || pinned(e) == want || hasClsact(t, place, "eth0") != want {
			t.Errorf("step %d: %d filters, a pinned link: %t", i, filters, pinned(e))
		}
		must(t, e.Close())
	}
}

func TestADetachedFilterIsReported(t *testing.T) {
	place := newPlace(t)
	e := openAt(t, place, onClsact, datapath.Options{})
	set(t, e, tcpService())
	must(t, place.Links().FilterDel(onlyFilter(t, place, "eth0")))
	observed, err := e.Observe(t.Context())
	must(t, err)
	if !strings.Contains(fmt.Sprint(observed.Warnings), "No packet is carried") {
		t.Errorf("warnings %q", observed.Warnings)
	}
	if changes := set(t, e, tcpService()); changes != 1 {
		t.Errorf("%d changes, want one", changes)
	}
}

func TestPreflightLeavesAFilterOfAFormerProcess(t *testing.T) {
	place := newPlace(t)
	options := datapath.Options{Interface: "eth0", Name: place.Name}
	try := func() { t.Helper(); must(t, place.Do(func() error { return Preflight(onClsact, options) })) }
	try()
	if left := chain(t, place, "eth0"); len(left) != 0 || hasClsact(t, place, "eth0") {
		t.Errorf("filters %q are left, or clsact", left)
	}
	e := openAt(t, place, onClsact, datapath.Options{})
	set(t, e, tcpService())
	before := onlyFilter(t, place, "eth0")
	try()
	if now := onlyFilter(t, place, "eth0"); now.Id != before.Id {
		t.Error("it replaced the program")
	}
}

func openOn(t *testing.T, place *netspace.Space, name string) (e *Engine) {
	t.Helper()
	must(t, place.Do(func() (err error) {
		e, err = Open(onClsact, datapath.Options{Interface: name, Name: place.Name, Connections: 4096})
		return err
	}))
	t.Cleanup(func() { _ = e.Remove() })
	return e
}

func ourFilter(place *netspace.Space) string { return "bpf fairlead/tcx/" + place.Name }

// addOther adds clsact and a filter of another program.
func addOther(t *testing.T, place *netspace.Space, other netlink.Filter) {
	t.Helper()
	eth0, err := place.Links().LinkByName("eth0")
	must(t, err)
	other.Attrs().LinkIndex, other.Attrs().Parent = eth0.Attrs().Index, netlink.HANDLE_MIN_INGRESS
	if bpf, ok := other.(*netlink.BpfFilter); ok {
		program, err := ebpf.NewProgram(&ebpf.ProgramSpec{Type: ebpf.SchedCLS, License: "GPL", Instructions: asm.Instructions{asm.Mov.Imm(asm.R0, 0), asm.Return()}})
		must(t, err)
		defer program.Close()
		bpf.Fd = program.FD()
	}
	must(t, place.Links().QdiscAdd(&netlink.Clsact{QdiscAttrs: netlink.QdiscAttrs{LinkIndex: eth0.Attrs().Index, Parent: netlink.HANDLE_CLSACT, Handle: netlink.MakeHandle(0xffff, 0)}}))
	must(t, place.Links().FilterAdd(other))
}

func filtersOn(t *testing.T, place *netspace.Space, name string) []netlink.Filter {
	t.Helper()
	on, err := place.Links().LinkByName(name)
	must(t, err)
	found, err := place.Links().FilterList(on, netlink.HANDLE_MIN_INGRESS)
	must(t, err)
	return found
}

// chain lists the filters in the order in which packets pass them.
func chain(t *testing.T, place *netspace.Space, name string) (lines []string) {
	t.Helper()
	for _, one := range filtersOn(t, place, name) {
		line := one.Type()
		if bpf, ok := one.(*netlink.BpfFilter); ok {
			line += " " + bpf.Name
		}
		lines = append(lines, line)
	}
	return lines
}

func onlyFilter(t *testing.T, place *netspace.Space, name string) *netlink.BpfFilter {
	t.Helper()
	found := filtersOn(t, place, name)
	if len(found) != 1 {
		t.Fatalf("%d filters on %s, want one", len(found), name)
	}
	return found[0].(*netlink.BpfFilter)
}

func hasClsact(t *testing.T, place *netspace.Space, name string) bool {
	t.Helper()
	on, err := place.Links().LinkByName(name)
	must(t, err)
	disciplines, err := place.Links().QdiscList(on)
	must(t, err)
	return slices.ContainsFunc(disciplines, func(one netlink.Qdisc) bool { return one.Type() == "clsact" })
}
