package attach

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cilium/ebpf"
	"github.com/vishvananda/netlink"
)

const mostDumps = 5 // that may be interrupted by changes of others

// find returns the filters of this owner, on any interface.
func (f *filters) find() (found []*netlink.BpfFilter, err error) {
	all, err := f.ingress()
	for _, one := range all {
		if f.owns(one) {
			found = append(found, one.(*netlink.BpfFilter))
		}
	}
	return found, err
}

// ingress returns the filters of all owners, on any interface.
func (f *filters) ingress() (found []netlink.Filter, err error) {
	disciplines, err := dump(func() ([]netlink.Qdisc, error) { return f.links.QdiscList(nil) })
	if err != nil {
		return nil, fmt.Errorf("list queueing disciplines: %w", err)
	}
	for _, discipline := range disciplines {
		if kind := discipline.Type(); kind != "clsact" && kind != "ingress" {
			continue
		}
		all, err := f.list(discipline.Attrs().LinkIndex, netlink.HANDLE_MIN_INGRESS)
		if err != nil {
			return nil, err
		}
		found = append(found, all...)
	}
	return found, nil
}

func (f *filters) owns(one netlink.Filter) bool {
	bpf, ok := one.(*netlink.BpfFilter)
	return ok && strings.TrimSuffix(bpf.Name, ownersMark) == f.owner
}

// program returns the program of a filter of this owner; 0 when there is none.
func (f *filters) program() (ebpf.ProgramID, error) {
	found, err := f.find()
	if err != nil || len(found) == 0 {
		return 0, err
	}
	return ebpf.ProgramID(found[0].Id), nil
}

// list returns the filters of one direction, in the order in which packets pass them.
func (f *filters) list(index int, parent uint32) ([]netlink.Filter, error) {
	link := &netlink.GenericLink{LinkAttrs: netlink.LinkAttrs{Index: index}}
	all, err := dump(func() ([]netlink.Filter, error) { return f.links.FilterList(link, parent) })
	if err != nil {
		return nil, fmt.Errorf("list the filters of interface %d: %w", index, err)
	}
	return all, nil
}

// dump repeats a listing that others' changes interrupted.
func dump[T any](list func() ([]T, error)) (all []T, err error) {
	for range mostDumps {
		all, err = list()
		if !errors.Is(err, netlink.ErrDumpInterrupted) {
			break
		}
	}
	return all, err
}

// isMarked reports a filter of ours, of any owner, whose clsact was created for one of ours.
func isMarked(filter netlink.Filter) bool {
	bpf, ok := filter.(*netlink.BpfFilter)
	return ok && strings.HasPrefix(bpf.Name, namesOfOurs) && strings.HasSuffix(bpf.Name, ownersMark)
}
