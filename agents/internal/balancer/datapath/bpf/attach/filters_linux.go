package attach

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cilium/ebpf"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

const (
	namesOfOurs = "fairlead/" // the beginning of the names of all filters of Fairlead

	// ownersMark is the end of the name of a filter whose clsact was created with it or with
	// another one of ours. The last of them removes it.
	ownersMark = "/clsact"

	// firstHandle is unlikely to be used by others: most take 1, and replace what has it.
	firstHandle = 0x0f1d0001
)

// filters are those of one owner, on all interfaces of a namespace.
type filters struct {
	links *netlink.Handle
	owner string // the beginning of their names
}

// put makes sure that an interface has exactly one filter of this owner, with this program,
// and no other interface has any. It attaches first and removes last.
func (f *filters) put(program *ebpf.Program, index int) (changes int, err error) {
	info, err := program.Info()
	if err != nil {
		return 0, fmt.Errorf("read the program: %w", err)
	}
	id, _ := info.ID()
	found, err := f.find()
	if err != nil {
		return 0, err
	}
	here := slices.IndexFunc(found, func(one *netlink.BpfFilter) bool { return one.LinkIndex == index })
	switch {
	case here < 0:
		changes = 1
		if err := f.add(program, index); err != nil {
			return 0, err
		}
	case ebpf.ProgramID(found[here].Id) != id:
		if err := f.replace(found[here], program); err != nil {
			return 0, err
		}
	}
	for i, one := range found {
		if i != here {
			err = errors.Join(err, f.delete(one))
		}
	}
	return changes, err
}

// add attaches to the head of the chain: a filter before ours may accept packets, and ours
// would never see them.
func (f *filters) add(program *ebpf.Program, index int) error {
	discipline := &netlink.Clsact{QdiscAttrs: netlink.QdiscAttrs{LinkIndex: index, Parent: netlink.HANDLE_CLSACT, Handle: netlink.MakeHandle(0xffff, 0)}}
	err := f.links.QdiscAdd(discipline)
	created := err == nil
	if err != nil && !errors.Is(err, unix.EEXIST) {
		return fmt.Errorf("create clsact (it needs the kernel module sch_ingress): %w", err)
	}
	before, err := f.list(index, netlink.HANDLE_MIN_INGRESS)
	if err == nil {
		next := f.next(before, index)
		next.Fd = program.FD()
		if created || slices.ContainsFunc(before, isMarked) {
			next.Name += ownersMark
		}
		if err = f.links.FilterAdd(next); err != nil {
			err = fmt.Errorf("add a filter to clsact (it needs the kernel module cls_bpf): %w", err)
		}
	}
	if err != nil && created {
		err = errors.Join(err, f.links.QdiscDel(discipline))
	}
	return err
}

// next returns the attributes of a new filter. Within a priority, newer ones are first; all
// of one priority are of one kind and protocol.
func (f *filters) next(before []netlink.Filter, index int) *netlink.BpfFilter {
	priority, handle := uint16(1), uint32(firstHandle)
	for _, other := range before { // by priority
		attributes := other.Attrs()
		if attributes.Priority == priority && (other.Type() != "bpf" || attributes.Protocol != unix.ETH_P_ALL) {
			priority++
		}
		if attributes.Handle >= handle && other.Type() == "bpf" {
			handle = attributes.Handle + 1
		}
	}
	return &netlink.BpfFilter{
		FilterAttrs:  netlink.FilterAttrs{LinkIndex: index, Parent: netlink.HANDLE_MIN_INGRESS, Priority: priority, Handle: handle, Protocol: unix.ETH_P_ALL},
		Name:         f.owner,
		DirectAction: true,
	}
}

// replace keeps the filter's place: no packet passes without it.
func (f *filters) replace(old *netlink.BpfFilter, program *ebpf.Program) error {
	next := *old
	next.Fd, next.DirectAction = program.FD(), true
	if err := f.links.FilterReplace(&next); err != nil {
		return fmt.Errorf("replace the program of a filter: %w", err)
	}
	return nil
}

// try adds a filter for a moment, unless a former process left one, which suffices.
func (f *filters) try(program *ebpf.Program, index int) error {
	for isTried := false; ; isTried = true {
		found, err := f.find()
		if err != nil {
			return err
		}
		here := slices.IndexFunc(found, func(one *netlink.BpfFilter) bool { return one.LinkIndex == index })
		switch {
		case isTried && here >= 0:
			return f.delete(found[here])
		case isTried || here >= 0:
			return nil
		}
		if err := f.add(program, index); err != nil {
			return err
		}
	}
}

// remove deletes all filters of this owner.
func (f *filters) remove() error {
	found, err := f.find()
	for _, one := range found {
		err = errors.Join(err, f.delete(one))
	}
	return err
}

// delete deletes a filter, and clsact if it was created for filters of ours and has no
// others.
func (f *filters) delete(one *netlink.BpfFilter) error {
	// An interface that was removed meanwhile took the filter along.
	if err := f.links.FilterDel(one); err != nil && !isGone(err) {
		return fmt.Errorf("delete the filter %q: %w", one.Name, err)
	}
	if !strings.HasSuffix(one.Name, ownersMark) {
		return nil
	}
	for _, parent := range []uint32{netlink.HANDLE_MIN_INGRESS, netlink.HANDLE_MIN_EGRESS} {
		if left, err := f.list(one.LinkIndex, parent); isGone(err) || len(left) > 0 {
			return nil
		} else if err != nil {
			return err
		}
	}
	discipline := &netlink.Clsact{QdiscAttrs: netlink.QdiscAttrs{LinkIndex: one.LinkIndex, Parent: netlink.HANDLE_CLSACT, Handle: netlink.MakeHandle(0xffff, 0)}}
	if err := f.links.QdiscDel(discipline); err != nil && !isGone(err) {
		return fmt.Errorf("delete clsact: %w", err)
	}
	return nil
}

func isGone(err error) bool {
	return errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENODEV) || errors.Is(err, unix.EINVAL)
}
