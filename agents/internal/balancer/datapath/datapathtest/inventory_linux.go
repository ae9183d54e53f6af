package datapathtest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/nftables"
	"github.com/vishvananda/netlink"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func same(t *testing.T, before, after []string) {
	t.Helper()
	for _, line := range after {
		if !slices.Contains(before, line) {
			t.Errorf("was left behind: %s", line)
		}
	}
	for _, line := range before {
		if !slices.Contains(after, line) {
			t.Errorf("was taken away: %s", line)
		}
	}
}

// inventory lists the content of a balancer's namespace and the state folder.
func (tr *trial) inventory(t *testing.T, options datapath.Options) []string {
	t.Helper()
	space := tr.network.Balancers[0]
	lines, err := inside(space, listKernel)
	must(t, err)
	if tr.subject.Leftovers != nil {
		more, err := inside(space, tr.subject.Leftovers)
		must(t, err)
		lines = append(lines, more...)
	}
	err = filepath.WalkDir(options.StateFolder, func(path string, _ fs.DirEntry, err error) error {
		if err == nil {
			lines = append(lines, "file "+path)
		}
		return err
	})
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return lines
}

func listKernel() (lines []string, err error) {
	links, err := netlink.LinkList()
	if err != nil {
		return nil, fmt.Errorf("list interfaces: %w", err)
	}
	for _, link := range links {
		attributes := link.Attrs()
		lines = append(lines, fmt.Sprintf("interface %s of type %s, flags %s, MTU %d, program %v", attributes.Name, link.Type(), attributes.Flags, attributes.MTU, attributes.Xdp))
		addresses, err := netlink.AddrList(link, netlink.FAMILY_ALL)
		if err != nil {
			return nil, fmt.Errorf("list addresses: %w", err)
		}
		for _, address := range addresses {
			lines = append(lines, fmt.Sprintf("address %s of %s", address.IPNet, attributes.Name))
		}
		qdiscs, err := netlink.QdiscList(link)
		if err != nil {
			return nil, fmt.Errorf("list queues: %w", err)
		}
		for _, qdisc := range qdiscs {
			lines = append(lines, fmt.Sprintf("queue %s of %s", qdisc.Type(), attributes.Name))
		}
	}
	all := &netlink.Route{Table: 0}
	for _, family := range []int{netlink.FAMILY_V4, netlink.FAMILY_V6} {
		routes, err := netlink.RouteListFiltered(family, all, netlink.RT_FILTER_TABLE)
		if err != nil {
			return nil, fmt.Errorf("list routes: %w", err)
		}
		for _, route := range routes {
			if route.Flags&0x200 == 0 { // RTM_F_CLONED: a cached route
				lines = append(lines, "route "+route.String())
			}
		}
		rules, err := netlink.RuleList(family)
		if err != nil {
			return nil, fmt.Errorf("list rules: %w", err)
		}
		for _, rule := range rules {
			lines = append(lines, fmt.Sprintf("rule %s of family %d", rule, family))
		}
	}
	return append(lines, listTables()...), nil
}

// listTables is empty in a kernel without nf_tables: nothing can be left there.
func listTables() (lines []string) {
	connection, err := nftables.New()
	if err != nil {
		return nil
	}
	tables, err := connection.ListTables()
	if err != nil {
		return nil
	}
	for _, table := range tables {
		lines = append(lines, fmt.Sprintf("nftables table %s of family %d", table.Name, table.Family))
	}
	return lines
}
