package tcx_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/vishvananda/netlink"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/bpftest"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/balancer/datapath/tcx"
	"fairlead.dev/agents/internal/vmtest"
)

func TestMain(m *testing.M) { vmtest.Main(m, append(vmtest.Network, "sch_ingress", "cls_bpf")...) }

// TestContractOnLinux61 is the contract on the oldest kernel that is supported, which has
// clsact only.
func TestContractOnLinux61(t *testing.T) {
	if !vmtest.Inside() {
		vmtest.Boot(t)
		return
	}
	if detail := tcx.Candidate.Detail(); !strings.Contains(detail, "clsact") {
		t.Fatalf("this kernel should have no TCX: %s", detail)
	}
	subject := withClsact(tcx.Candidate)
	subject.Deliveries = []datapath.Delivery{datapath.Direct}
	datapathtest.Run(t, subject)
}

// TestDeliveriesOnLinux61 tests what differs between the deliveries: how packets are
// rewritten. The rest takes a minute of that kernel for each.
func TestDeliveriesOnLinux61(t *testing.T) {
	if !vmtest.Inside() {
		vmtest.Boot(t)
		return
	}
	subject := withClsact(tcx.Candidate)
	subject.Deliveries = []datapath.Delivery{datapath.Tunnel, datapath.GUE, datapath.NAT}
	subject.Only = datapathtest.Rewriting
	datapathtest.Run(t, subject)
}

func withClsact(candidate datapath.Candidate) datapathtest.Subject {
	subject := onTCX
	subject.Candidate, subject.Damages, subject.Leftovers = candidate, append(damages, bpftest.DamagesOfMaps...), leftovers
	return subject
}

var damages = []datapathtest.Damage{
	{Name: "the filter is deleted", Do: func(datapath.Options) error { return eachFilter(netlink.FilterDel) }},
	{Name: "clsact is deleted", Do: func(datapath.Options) error {
		return eachClsact(func(discipline netlink.Qdisc, _ netlink.Link) error { return netlink.QdiscDel(discipline) })
	}},
}

func leftovers() (lines []string, err error) {
	err = eachFilter(func(filter netlink.Filter) error {
		lines = append(lines, fmt.Sprintf("filter %+v", filter))
		return nil
	})
	return lines, err
}

func eachFilter(do func(netlink.Filter) error) error {
	return eachClsact(func(_ netlink.Qdisc, link netlink.Link) error {
		filters, err := netlink.FilterList(link, netlink.HANDLE_MIN_INGRESS)
		for _, filter := range filters {
			err = errors.Join(err, do(filter))
		}
		return err
	})
}

func eachClsact(do func(netlink.Qdisc, netlink.Link) error) error {
	link, err := netlink.LinkByName(datapathtest.Interface)
	if err != nil {
		return err
	}
	disciplines, err := netlink.QdiscList(link)
	for _, discipline := range disciplines {
		if discipline.Type() == "clsact" {
			err = errors.Join(err, do(discipline, link))
		}
	}
	return err
}

// TestContractWithClsact is the contract as older kernels have it, on this one. How the
// program is attached makes no difference to deliveries.
func TestContractWithClsact(t *testing.T) {
	subject := withClsact(tcx.WithClsact)
	subject.Deliveries = []datapath.Delivery{datapath.Direct}
	datapathtest.Run(t, subject)
}
